package import Buttons
package import Bytes

/// The words of a line of the record, one after the other.
package struct NoteReader: ~Escapable {
  /// The rest of the line after the words that were taken, beginning with a blank.
  package private(set) var rest: Span<UInt8>

  @_lifetime(copy line)
  package init(_ line: Span<UInt8>) { rest = line }

  /// The name that the line begins with.
  package mutating func name() -> Note.Name? {
    guard let name = Note.Name(beginning: rest) else { return nil }
    let utf8 = name.text.utf8
    rest = rest.extracting(droppingFirst: utf8.span.count)
    return name
  }

  /// The next word, empty after the last.
  @_lifetime(copy self)
  package mutating func word() -> Span<UInt8> {
    guard !rest.isEmpty else { return rest }
    let words = rest.extracting(droppingFirst: 1)
    let word = words.extracting(first: firstIndex(of: 0x20, in: words) ?? words.count)
    rest = words.extracting(droppingFirst: word.count)
    return word
  }

  /// The next word as a number.
  package mutating func number() -> Int64? { wholeNumber(word()) }

  /// The next word as a number of 32 bits.
  mutating func number32() -> Int? {
    guard let number = number(), (-2_147_483_648...2_147_483_647).contains(number) else {
      return nil
    }
    return Int(truncatingIfNeeded: number)
  }

  /// The next word as a byte.
  package mutating func byte() -> UInt8? {
    guard let number = number(), (0...255).contains(number) else { return nil }
    return UInt8(truncatingIfNeeded: number)
  }

  /// The next word as a number in hexadecimal, of 16 digits at most.
  package mutating func hexadecimal() -> UInt64? { Bytes.hexadecimal(word()) }

  /// The next two words as the number of a register and the 1 or 2 bytes that it holds.
  package mutating func register() -> (UInt8, value: UInt16, count: Int)? {
    guard let register = hexadecimal(), register <= 0xFF else { return nil }
    let before = rest.count
    guard let value = hexadecimal() else { return nil }
    let digits = before - rest.count - 1
    guard digits == 2 || digits == 4 else { return nil }
    return (
      UInt8(truncatingIfNeeded: register), UInt16(truncatingIfNeeded: value), count: digits / 2
    )
  }

  /// The next word as a flag.
  package mutating func flag() -> Bool? { rest.isEmpty ? nil : number() == 1 }

  /// The next word as an error of the kernel.
  package mutating func errno() -> Errno? {
    guard let number = number32() else { return nil }
    return Errno(rawValue: Int32(truncatingIfNeeded: number))
  }

  /// The next word as a button; reports of 0.2 call them page and unpair.
  package mutating func button() -> Button? {
    let word = word()
    if isText(word, Button.a.name) || isText(word, "page") { return .a }
    return isText(word, Button.b.name) || isText(word, "unpair") ? .b : nil
  }

  /// The next word as a gesture; reports of 0.2 have other letters.
  package mutating func gesture() -> Gesture? {
    let word = word()
    guard !word.isEmpty else { return nil }
    return switch word[0] {
    case UInt8(ascii: "p"): .aShort
    case UInt8(ascii: "P"): .aLong
    case UInt8(ascii: "u"): .bShort
    case UInt8(ascii: "U"): .bLong
    default: Gesture(word[0])
    }
  }
}
