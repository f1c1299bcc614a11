import Bytes

/// The metres of a distance as apps write it for people: `950m`, `0.3 mi`, `1,200 ft`; `nil` for anything else.
///
/// A number, then a unit, or none for metres. A comma is a decimal point, unless it groups thousands: with at
/// most three digits before it and three behind it, before feet, yards and metres, or if a point follows. A
/// point likewise. To the nearest metre, at most `UInt32.max`. A negative number is no distance. The text behind
/// a dot between blanks, as in `700 m · Slight right`, is ignored.
func metres(_ text: Span<UInt8>) -> UInt32? {
  let text = text.extracting(first: endBeforeDot(text))
  let end = endOfBlanks(text, from: 0)
  let reader = DistanceReader(text.extracting(droppingFirst: end))
  guard let unit = reader.unit(), let number = reader.number(thousandsIn: unit) else { return nil }
  return metres(number, unit)
}

/// The metres of a number without a unit; `nil` if it is negative.
func metres(_ number: DecimalNumber) -> UInt32? {
  number.isNegative ? nil : metres(number, .metre)
}

private func metres(_ number: DecimalNumber, _ unit: LengthUnit) -> UInt32 {
  let value = number.magnitude(times: unit.tenthsOfMillimetres, decimals: 4)
  return UInt32(truncatingIfNeeded: min(value, UInt64(widening: UInt32.max)))
}

private enum LengthUnit {
  case metre, kilometre, mile, yard, foot

  var tenthsOfMillimetres: UInt32 {
    switch self {
    case .metre: 10_000
    case .kilometre: 10_000_000
    case .mile: 16_093_440
    case .yard: 9_144
    case .foot: 3_048
    }
  }

  /// Whether people write large numbers of this unit in groups of digits.
  var isShort: Bool {
    switch self {
    case .metre, .yard, .foot: true
    case .kilometre, .mile: false
    }
  }

  /// A unit by its letters, of any case; metres without any.
  init?(_ letters: Span<UInt8>) {
    switch letters.count {
    case 0: self = .metre
    case 1 where lower(letters[0]) == 0x6D: self = .metre
    case 2:
      switch (lower(letters[0]), lower(letters[1])) {
      case (0x6B, 0x6D): self = .kilometre
      case (0x6D, 0x69): self = .mile
      case (0x79, 0x64): self = .yard
      case (0x66, 0x74): self = .foot
      default: return nil
      }
    default: return nil
    }
  }
}

private func lower(_ byte: UInt8) -> UInt8 { byte | 0x20 }

/// Reads the number and the unit of a distance.
private struct DistanceReader: ~Escapable {
  private let text: Span<UInt8>
  private var digitsEnd = 0

  /// Reads `text` from its first digit on.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
    while digitsEnd < text.count, isDigit(text[digitsEnd]) || isSign(text[digitsEnd]) {
      digitsEnd += 1
    }
  }

  /// The unit, which only blanks may surround.
  func unit() -> LengthUnit? {
    let start = endOfBlanks(text, from: digitsEnd)
    var end = start
    while end < text.count, isLetter(text[end]) { end += 1 }
    guard endOfBlanks(text, from: end) == text.count else { return nil }
    return LengthUnit(text.extracting(start..<end))
  }

  /// The number, with at most one point and one comma.
  func number(thousandsIn unit: LengthUnit) -> DecimalNumber? {
    guard let first = nextSign(from: 0) else {
      return digitsEnd > 0 ? digits(decimals: digitsEnd) : nil
    }
    guard first > 0, first + 1 < digitsEnd else { return nil }
    guard let second = nextSign(from: first + 1) else {
      let isGroup = unit.isShort && canGroup(before: first) && digitsEnd - first == 4
      return digits(decimals: isGroup ? digitsEnd : first)
    }
    guard text[first] != text[second], second - first == 4, canGroup(before: first),
      second + 1 < digitsEnd, nextSign(from: second + 1) == nil
    else { return nil }
    return digits(decimals: second)
  }

  /// Whether digits before a sign can be thousands: three at most, and not a zero in front.
  private func canGroup(before sign: Int) -> Bool { sign <= 3 && text[0] != 0x30 }

  private func nextSign(from start: Int) -> Int? {
    for index in start..<digitsEnd where isSign(text[index]) { return index }
    return nil
  }

  /// The number of all digits, with the decimal point at this place or behind them.
  private func digits(decimals point: Int) -> DecimalNumber {
    var number = DecimalNumber()
    for index in 0..<digitsEnd where isDigit(text[index]) {
      number.append(digit: text[index] - 0x30, isFraction: index > point)
    }
    return number
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isSign(_ byte: UInt8) -> Bool { byte == 0x2C || byte == 0x2E }

private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(lower(byte)) }

/// The end of the blanks from `start` on.
private func endOfBlanks(_ text: Span<UInt8>, from start: Int) -> Int {
  var reader = UTF8Reader(text.extracting(droppingFirst: start))
  var end = start
  while let character = reader.next(), isAnyBlank(character) { end = start + reader.index }
  return end
}

/// The place of the first U+00B7 with blanks around it, or the end.
private func endBeforeDot(_ text: Span<UInt8>) -> Int {
  var reader = UTF8Reader(text)
  var isBehindBlank = false
  while let character = reader.next() {
    if isBehindBlank, character.value == 0xB7,
      endOfBlanks(text, from: reader.index) > reader.index
    {
      return reader.index - 2
    }
    isBehindBlank = isAnyBlank(character)
  }
  return text.count
}

/// The blanks that apps write, among them U+00A0, U+2009 and U+202F.
private func isAnyBlank(_ character: Unicode.Scalar) -> Bool {
  switch character.value {
  case 0x20, 0x09, 0x0D, 0xA0, 0x2009, 0x202F: true
  default: false
  }
}
