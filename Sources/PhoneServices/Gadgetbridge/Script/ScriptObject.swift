import Bytes

/// The object in `GB({…})`, all of whose literals are known to be whole.
struct ScriptObject: ~Escapable {
  /// Room for any text of a line: a raw byte becomes at most two bytes of UTF-8.
  typealias Text = FixedBuffer<2_048>

  private let line: Span<UInt8>
  /// Behind the brace.
  private let start: Int

  /// Reads the whole of `line`, in which the object begins at `index`.
  @_lifetime(copy line)
  init(parsing line: Span<UInt8>, at index: Int) throws(ParseError) {
    var reader = ScriptReader(line, at: index)
    try reader.expect(0x7B)
    let start = reader.index
    try reader.skipMembers(level: 1)
    try reader.expect(0x29)
    _ = reader.skip(0x3B)
    reader.skipBlanks()
    guard reader.isAtEnd else { throw .invalid }
    self.line = line
    self.start = start
  }

  /// The value of a member; the last one if several have this name.
  func value(of name: String) -> ScriptValue {
    var reader = ScriptReader(line, at: start)
    var found = ScriptValue.absent
    var isFirst = true
    do throws(ParseError) {
      while let member = try reader.member(isFirst: isFirst, level: 1) {
        isFirst = false
        if try isName(member.name, name) { found = member.value }
      }
    } catch {
      return .absent
    }
    return found
  }

  private func isName(_ range: Range<Int>, _ name: String) throws(ParseError) -> Bool {
    let utf8 = name.utf8
    let expected = utf8.span
    var text = ScriptText(line.extracting(range))
    for index in expected.indices {
      guard let character = try text.next(), character.value == UInt32(expected[index]) else {
        return false
      }
    }
    return try text.next() == nil
  }

  /// Replaces `text` by a member's text in UTF-8; returns whether it has one.
  func read(_ name: String, into text: inout Text) -> Bool { read(value(of: name), into: &text) }

  /// Replaces `text` by a value's text in UTF-8; returns whether it is a text.
  func read(_ value: ScriptValue, into text: inout Text) -> Bool {
    text.removeAll()
    do throws(ParseError) {
      switch value {
      case .text(let range):
        var reader = ScriptText(line.extracting(range))
        while let character = try reader.next() { text.append(character) }
      case .base64(let range):
        // ISO 8859-1, as `atob` in a browser has it.
        var reader = Base64Reader(line.extracting(range))
        while let byte = try reader.next() { text.append(Unicode.Scalar(byte)) }
      case .number, .flag, .opaque, .absent: return false
      }
    } catch {
      return false
    }
    return true
  }

  /// Replaces `buffer` by a member's text, cut behind the last letter that fits; empties it if there is none.
  func copy<let capacity: Int>(_ name: String, into buffer: inout FixedBuffer<capacity>) {
    copy(value(of: name), into: &buffer)
  }

  /// Replaces `buffer` by a value's text likewise.
  func copy<let capacity: Int>(_ value: ScriptValue, into buffer: inout FixedBuffer<capacity>) {
    var text = Text()
    _ = read(value, into: &text)
    buffer.assign(text: text.bytes)
  }

  func number(_ value: ScriptValue) -> DecimalNumber? {
    guard case .number(let range) = value else { return nil }
    return DecimalNumber(script: line.extracting(range))
  }

  /// The whole number of a member, if it is one and fits.
  func integer(_ name: String) -> Int64? {
    guard case .number(let range) = value(of: name) else { return nil }
    return wholeNumber(line.extracting(range))
  }
}
