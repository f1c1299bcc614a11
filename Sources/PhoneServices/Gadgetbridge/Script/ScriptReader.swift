import Bytes

/// A cursor over a line of JavaScript: it reads literals, and evaluates nothing.
///
/// The literals are those that Gadgetbridge writes. Names of members may be without quotes, as it wrote them
/// before 2025. Anything else ends the reading with a `ParseError`.
struct ScriptReader: ~Escapable {
  struct Member {
    let name: Range<Int>
    let value: ScriptValue
  }

  /// How deeply objects and lists may be nested; the outermost object is level 1.
  static var mostLevels: Int { 4 }

  private let line: Span<UInt8>
  private(set) var index: Int

  @_lifetime(copy line)
  init(_ line: Span<UInt8>, at index: Int) {
    self.line = line
    self.index = index
  }

  var isAtEnd: Bool { index >= line.count }

  /// Skips blanks.
  mutating func skipBlanks() { while index < line.count, isBlank(line[index]) { index += 1 } }

  /// Skips a byte if it is the next one; returns whether it was.
  mutating func skip(_ byte: UInt8) -> Bool {
    guard index < line.count, line[index] == byte else { return false }
    index += 1
    return true
  }

  /// Skips a byte and the blanks around it.
  mutating func expect(_ byte: UInt8) throws(ParseError) {
    skipBlanks()
    guard index < line.count else { throw .truncated }
    guard skip(byte) else { throw .invalid }
    skipBlanks()
  }

  /// The next member of an object of this level, or `nil` behind the object's end.
  mutating func member(isFirst: Bool, level: Int) throws(ParseError) -> Member? {
    skipBlanks()
    if skip(0x7D) { return nil }
    if !isFirst { try expect(0x2C) }
    let name = try name()
    try expect(0x3A)
    return Member(name: name, value: try value(level: level))
  }

  /// Skips the rest of an object of this level, its end included.
  mutating func skipMembers(level: Int) throws(ParseError) {
    var isFirst = true
    while try member(isFirst: isFirst, level: level) != nil { isFirst = false }
  }

  /// Skips the rest of a list, its end included.
  private mutating func skipItems(level: Int) throws(ParseError) {
    skipBlanks()
    if skip(0x5D) { return }
    while true {
      _ = try value(level: level)
      skipBlanks()
      if skip(0x5D) { return }
      try expect(0x2C)
    }
  }

  /// The name of a member, in quotes or not.
  private mutating func name() throws(ParseError) -> Range<Int> {
    guard index < line.count else { throw .truncated }
    if line[index] == 0x22 { return try quoted() }
    let name = word()
    guard !name.isEmpty else { throw .invalid }
    return name
  }

  /// The next value, in an object or list of this level.
  private mutating func value(level: Int) throws(ParseError) -> ScriptValue {
    guard index < line.count else { throw .truncated }
    switch line[index] {
    case 0x22: return .text(try quoted())
    case 0x2D, 0x2E, 0x30...0x39: return try number()
    case 0x5B:
      index += 1
      try skipItems(level: try below(level))
      return .opaque
    case 0x7B:
      index += 1
      try skipMembers(level: try below(level))
      return .opaque
    default: return try named()
    }
  }

  private func below(_ level: Int) throws(ParseError) -> Int {
    guard level < Self.mostLevels else { throw .invalid }
    return level + 1
  }

  /// The bytes between two quotes, if all escapes in them are known.
  private mutating func quoted() throws(ParseError) -> Range<Int> {
    let range = try stringBody()
    var text = ScriptText(line.extracting(range))
    while try text.next() != nil {}
    return range
  }

  private mutating func stringBody() throws(ParseError) -> Range<Int> {
    guard skip(0x22) else { throw .invalid }
    let start = index
    while index < line.count, line[index] != 0x22 { index += line[index] == 0x5C ? 2 : 1 }
    guard index < line.count else { throw .truncated }
    defer { index += 1 }
    return start..<index
  }

  /// Letters, digits, `_` and `$`, as many as there are; none where a digit is first.
  private mutating func word() -> Range<Int> {
    let start = index
    while index < line.count, isWordByte(line[index], isFirst: index == start) { index += 1 }
    return start..<index
  }

  /// A value that has a name, or `atob("…")`.
  private mutating func named() throws(ParseError) -> ScriptValue {
    let range = word()
    let word = line.extracting(range)
    if isText(word, "true") { return .flag(true) }
    if isText(word, "false") { return .flag(false) }
    if isText(word, "null") { return .absent }
    if isText(word, "undefined") { return .absent }
    if isText(word, "NaN") { return .opaque }
    if isText(word, "Infinity") { return .opaque }
    guard isText(word, "atob") else { throw .invalid }
    try expect(0x28)
    let body = try stringBody()
    try expect(0x29)
    var base64 = Base64Reader(line.extracting(body))
    while try base64.next() != nil {}
    return .base64(body)
  }

  /// A decimal literal of ECMA-262, 12.9.3, with or without a minus sign.
  mutating func number() throws(ParseError) -> ScriptValue {
    let start = index
    if skip(0x2D), index < line.count, isWordByte(line[index], isFirst: true) {
      guard try named() == .opaque else { throw .invalid }
      return .opaque
    }
    let first = index
    let whole = skipDigits()
    // A zero in front would make it octal.
    guard whole < 2 || line[first] != 0x30 else { throw .invalid }
    let decimals = skip(0x2E) ? skipDigits() : 0
    guard whole + decimals > 0 else { throw .invalid }
    try skipExponent()
    return .number(start..<index)
  }

  private mutating func skipExponent() throws(ParseError) {
    guard index < line.count, line[index] | 0x20 == 0x65 else { return }
    index += 1
    if !skip(0x2B) { _ = skip(0x2D) }
    guard skipDigits() > 0 else { throw .invalid }
  }

  private mutating func skipDigits() -> Int {
    let start = index
    while index < line.count, (0x30...0x39).contains(line[index]) { index += 1 }
    return index - start
  }
}

private func isWordByte(_ byte: UInt8, isFirst: Bool) -> Bool {
  switch byte {
  case 0x24, 0x41...0x5A, 0x5F, 0x61...0x7A: true
  case 0x30...0x39: !isFirst
  default: false
  }
}

/// A value in a line of JavaScript, with the place of its bytes in that line.
enum ScriptValue: Equatable {
  /// A text, by the bytes between its quotes.
  case text(Range<Int>)
  /// A text as `atob("…")`, by the bytes between its quotes.
  case base64(Range<Int>)
  case number(Range<Int>)
  case flag(Bool)
  /// An object, a list, `NaN` or `Infinity`, whose content is skipped.
  case opaque
  /// `null`, `undefined`, or no value at all.
  case absent
}
