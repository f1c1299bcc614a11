/// One JSON object on one line, built from left to right.
///
/// RFC 8259. Texts may hold any bytes. Invalid UTF-8 becomes U+FFFD, line ends and tabs become
/// blanks, controls are left out, and quotes and backslashes are escaped. Keys are literals of our own.
/// A value that does not fit is left out, and `finish` returns `false`.
public struct JSONLine: ~Copyable {
  private var line = FixedBuffer<4096>()
  private var isFirst = true

  /// An object without fields.
  public init() { line.append("{") }

  /// Closes the object; returns whether all of it fitted.
  public mutating func finish() -> Bool {
    line.append("}")
    return !line.isOverflown
  }

  /// The bytes, after `finish`.
  public var bytes: Span<UInt8> { line.bytes }

  /// A number.
  public mutating func field(_ key: String, number: Int64) {
    begin(key)
    line.append(decimal: number)
  }

  /// Milliseconds as seconds with three decimals.
  public mutating func field(_ key: String, seconds milliseconds: Int64) {
    field(key, thousandths: milliseconds)
  }

  /// A number with three decimals.
  public mutating func field(_ key: String, thousandths: Int64) {
    begin(key)
    line.append(milliseconds: thousandths)
  }

  /// A text.
  @inline(never)  // one copy
  public mutating func field(_ key: String, text: Span<UInt8>) {
    begin(key)
    line.append("\"")
    appendEscaped(text)
    line.append("\"")
  }

  /// A text of our own.
  public mutating func field(_ key: String, literal: String) {
    let utf8 = literal.utf8
    field(key, text: utf8.span)
  }

  /// Yes or no.
  public mutating func field(_ key: String, flag: Bool) {
    begin(key)
    line.append(flag ? "true" : "false")
  }

  /// Something that is not known.
  public mutating func fieldOfNothing(_ key: String) {
    begin(key)
    line.append("null")
  }

  /// Bytes as hexadecimal digits.
  public mutating func field(_ key: String, hex bytes: Span<UInt8>) {
    begin(key)
    line.append("\"")
    for index in bytes.indices {
      line.append(hex: UInt64(widening: UInt32(bytes[index])), atLeast: 2)
    }
    line.append("\"")
  }

  /// Bytes as a list of numbers.
  public mutating func field(_ key: String, bytes: Span<UInt8>) {
    begin(key)
    append(bytes)
  }

  /// Bytes as a list of numbers, by a UUID in its shortest text.
  public mutating func field(_ uuid: UUID, bytes: Span<UInt8>) {
    separate()
    append(uuid)
    line.append(":")
    append(bytes)
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    line.append("[")
    for index in bytes.indices {
      if index > 0 { line.append(",") }
      line.append(decimal: Int64(widening: Int(bytes[index])))
    }
    line.append("]")
  }

  /// A UUID in its shortest text.
  public mutating func field(_ key: String, uuid: UUID) {
    begin(key)
    append(uuid)
  }

  private mutating func append(_ uuid: UUID) {
    line.append("\"")
    line.append(shortestText: uuid)
    line.append("\"")
  }

  /// Begins a list of UUIDs, texts or objects.
  public mutating func beginList(_ key: String) {
    begin(key)
    line.append("[")
    isFirst = true
  }

  /// Adds a UUID in its shortest text to a list.
  public mutating func item(_ uuid: UUID) {
    separate()
    append(uuid)
  }

  /// Adds a text of our own to a list.
  public mutating func item(_ literal: String) {
    separate()
    line.append("\"")
    line.append(literal)
    line.append("\"")
  }

  /// Begins an object in a list: the fields that follow are its own.
  public mutating func beginItem() {
    separate()
    line.append("{")
    isFirst = true
  }

  /// Ends a list.
  public mutating func endList() { end("]") }

  /// Begins an object: the fields that follow are its own.
  public mutating func beginObject(_ key: String) {
    begin(key)
    line.append("{")
    isFirst = true
  }

  /// Ends an object.
  public mutating func endObject() { end("}") }

  private mutating func end(_ bracket: String) {
    line.append(bracket)
    isFirst = false
  }

  /// A list of `count` objects, each of which gets its fields.
  public mutating func field(
    _ key: String, count: Int, _ fields: (inout JSONLine, _ index: Int) -> Void
  ) {
    beginList(key)
    for index in 0..<count {
      beginItem()
      fields(&self, index)
      endObject()
    }
    endList()
  }

  @inline(never)  // one copy
  private mutating func begin(_ key: String) {
    separate()
    line.append("\"")
    line.append(key)
    line.append("\":")
  }

  /// Writes the comma between two fields or two items.
  private mutating func separate() {
    if !isFirst { line.append(",") }
    isFirst = false
  }

  private mutating func appendEscaped(_ text: Span<UInt8>) {
    var reader = UTF8Reader(text)
    while let scalar = reader.next() {
      switch scalar {
      case "\"": line.append("\\\"")
      case "\\": line.append("\\\\")
      case _ where isLineSpace(scalar.value): line.append(" ")
      case _ where isControl(scalar.value): break
      default: line.append(scalar)
      }
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  /// Milliseconds as seconds with three decimals: `12.345`.
  public mutating func append(milliseconds: Int64) {
    append(decimal: milliseconds / 1_000)
    append(".")
    append(decimal: UInt(truncatingIfNeeded: milliseconds % 1_000), atLeast: 3)
  }

  /// A scalar in UTF-8.
  public mutating func append(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: value >> shift & 0x3F) }
    if value < 0x80 {
      append(UInt8(truncatingIfNeeded: value))
    } else if value < 0x800 {
      append(0xC0 | UInt8(truncatingIfNeeded: value >> 6))
      append(tail(0))
    } else if value < 0x1_0000 {
      append(0xE0 | UInt8(truncatingIfNeeded: value >> 12))
      append(tail(6))
      append(tail(0))
    } else {
      append(0xF0 | UInt8(truncatingIfNeeded: value >> 18))
      append(tail(12))
      append(tail(6))
      append(tail(0))
    }
  }
}
