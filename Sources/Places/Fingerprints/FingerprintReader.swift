import Beacons
package import Bytes

extension Fingerprint {
  /// Reads a file: see `Training.write(to:)` for its form.
  package init(file text: Span<UInt8>) throws(FingerprintError) {
    var reader = FingerprintReader(text)
    self = try reader.read()
  }
}

/// What is wrong in the file of a fingerprint, and where.
package struct FingerprintError: Error, Sendable {
  private let words: String
  /// The beacon that the words are about.
  private let beacon: IBeacon?
  /// The line of the mistake, and the byte in this line, from 1 on.
  private var (line, column) = (1, 1)

  fileprivate init(_ words: String, of beacon: IBeacon?, behind text: Span<UInt8>) {
    (self.words, self.beacon) = (words, beacon)
    for index in text.indices {
      column = text[index] == 0x0A ? 1 : column + 1
      if text[index] == 0x0A { line += 1 }
    }
  }

  /// Writes `LINE:COLUMN: what is wrong; what to do`, without a newline.
  package func write(to writer: inout some ByteWriter & ~Copyable) {
    writer.append(decimal: Int64(widening: line))
    writer.append(":")
    writer.append(decimal: Int64(widening: column))
    writer.append(": ")
    if let beacon { writer.append(text: beacon) }
    writer.append(words)
  }
}

/// Reads the JSON of a fingerprint: RFC 8259, 2, 6 and 7.
///
/// The members of the object may have any order. A text with an escape, or a number with a fraction or an
/// exponent, is refused, as no fingerprint has any.
private struct FingerprintReader: ~Escapable {
  private let text: Span<UInt8>
  /// The next byte, and the first byte of the last token.
  private var (next, start) = (0, 0)
  private var fingerprint = Fingerprint()

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  mutating func read() throws(FingerprintError) -> Fingerprint {
    guard try takes(0x7B) else {
      throw wrong(#"expected "{"; a fingerprint is {"UUID.Maj:1.Min:2":[-61,-63],"seconds":60}"#)
    }
    if try !takes(0x7D) {
      try readMember(#"expected a key or "}"; keys are "UUID.Maj:1.Min:2" and "seconds""#)
      while try takes(0x2C) {
        try readMember(#"expected a key; keys are "UUID.Maj:1.Min:2" and "seconds""#)
      }
      guard try takes(0x7D) else { throw wrong(#"expected "," and another key, or "}""#) }
    }
    try checkMembers()
    skipBlanks()
    guard next == text.count else {
      throw wrong("something follows the end; a file is one fingerprint, remove what follows")
    }
    return fingerprint
  }

  /// Checks, after the last `}`, that nothing is missing.
  private func checkMembers() throws(FingerprintError) {
    guard fingerprint.count > 0 else { throw wrong("no beacon; train again where some are heard") }
    guard fingerprint.seconds > 0 else {
      throw wrong(#""seconds" is missing; add "seconds":60 with the time of the training"#)
    }
    for index in 0..<fingerprint.count where fingerprint.readings[index].count > fingerprint.seconds
    {
      throw wrong(
        " has more readings than there are seconds, it has one a second at most; train again",
        of: fingerprint.beacon(at: index))
    }
  }

  private mutating func readMember(_ expectation: String) throws(FingerprintError) {
    guard try takes(0x22) else { throw wrong(expectation) }
    let rest = text.extracting(droppingFirst: next)
    guard let count = firstIndex(of: 0x22, in: rest) else { throw cut() }
    let key = rest.extracting(first: count)
    next += count + 1
    let isSeconds = isText(key, "seconds")
    if isSeconds {
      guard fingerprint.seconds == 0 else {
        throw wrong(#""seconds" is there twice; remove one of them"#)
      }
    } else {
      try begin(IBeacon(text: key))
    }
    guard try takes(0x3A) else { throw wrong(#"expected ":" and a value behind the key"#) }
    if isSeconds { try readSeconds() } else { try readReadings() }
  }

  private mutating func begin(_ beacon: IBeacon?) throws(FingerprintError) {
    guard let beacon else {
      throw wrong(#"unknown key; allowed: "UUID.Maj:1.Min:2" and "seconds""#)
    }
    if fingerprint.count == 0 { fingerprint.uuid = beacon.uuid }
    guard beacon.uuid == fingerprint.uuid else {
      throw wrong("another UUID than that of the first beacon; train each group by itself")
    }
    guard fingerprint.index(of: beacon) == nil else {
      throw wrong("a beacon is there twice; remove one of them, or train again")
    }
    guard !fingerprint.readings.isFull else {
      throw wrong("more than 32 beacons; remove those with the fewest readings")
    }
    fingerprint.readings.append(.init(major: beacon.major, minor: beacon.minor))
  }

  private mutating func readSeconds() throws(FingerprintError) {
    let number = try takeNumber("expected a number of seconds, such as 60")
    guard 1...Int64(widening: Fingerprint.longest) ~= number else {
      throw wrong("no time that a training lasts; allowed: 1 to 240")
    }
    fingerprint.seconds = Int32(truncatingIfNeeded: number)
  }

  private mutating func readReadings() throws(FingerprintError) {
    guard try takes(0x5B) else { throw wrong(#"expected "[" and the beacon's readings"#) }
    guard try look() != 0x5D else { throw wrong("a beacon without readings; remove it") }
    let index = fingerprint.count - 1
    repeat {
      let number = try takeNumber("expected a reading, such as -61")
      guard -128...(-2) ~= number else {
        throw wrong("not a reading; allowed: -128 to -2 dBm")
      }
      guard fingerprint.readings[index].count < Fingerprint.longest else {
        throw wrong("more than 240 readings of a beacon; train for fewer seconds")
      }
      fingerprint.readings[index].add(Int8(truncatingIfNeeded: number))
    } while try takes(0x2C)
    guard try takes(0x5D) else { throw wrong(#"expected "," and another reading, or "]""#) }
  }

  // MARK: - Tokens

  /// Takes a whole number; a number beyond the range of `Int64` becomes `Int64.max`.
  private mutating func takeNumber(_ expectation: String) throws(FingerprintError) -> Int64 {
    let first = try look()
    guard first == 0x2D || isDigit(first) else { throw wrong(expectation) }
    let digits = first == 0x2D ? start + 1 : start
    next = digits
    while next < text.count, isDigit(text[next]) { next += 1 }
    guard next < text.count else { throw cut() }
    guard text[next] != 0x2E, text[next] | 0x20 != 0x65 else {
      throw wrong("not a whole number; round it")
    }
    // RFC 8259, 6: no zeros in front.
    guard next == digits + 1 || next > digits && text[digits] != 0x30 else {
      throw wrong("not a number as JSON has them; write it as -61")
    }
    return wholeNumber(text.extracting(start..<next)) ?? .max
  }

  /// Takes a mark, or the quote that begins a text, if it comes next.
  private mutating func takes(_ mark: UInt8) throws(FingerprintError) -> Bool {
    guard try look() == mark else { return false }
    next += 1
    return true
  }

  /// The first byte of the next token.
  private mutating func look() throws(FingerprintError) -> UInt8 {
    skipBlanks()
    guard next < text.count else { throw cut() }
    return text[next]
  }

  private mutating func skipBlanks() {
    while next < text.count, isBlank(text[next]) || text[next] == 0x0A { next += 1 }
    start = next
  }

  private func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private mutating func cut() -> FingerprintError {
    start = text.count
    return wrong("the file ends too early; copy it again, or train again")
  }

  private func wrong(_ words: String, of beacon: IBeacon? = nil) -> FingerprintError {
    FingerprintError(words, of: beacon, behind: text.extracting(first: start))
  }
}
