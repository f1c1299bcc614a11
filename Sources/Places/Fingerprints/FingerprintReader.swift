package import Beacons
package import Bytes

/// Reads the file of a fingerprint, in pieces of any size: see `Training.write(piece:to:)` for its form.
///
/// It keeps no reading, and of the file's text no more than one key. The members of the object may have any
/// order.
///
///     var reader = FingerprintReader()
///     try reader.read(piece)
///     let fingerprint = try reader.finish()
package struct FingerprintReader: ~Copyable {
  private typealias Problem = FingerprintError.Problem
  private typealias State = FingerprintError.Expectation

  /// A place in the file.
  private struct Position {
    var offset = 0
    var line = 1
    var column = 1

    /// Goes behind a byte.
    mutating func pass(_ byte: UInt8) {
      offset &+= 1
      column = byte == 0x0A ? 1 : column &+ 1
      if byte == 0x0A { line &+= 1 }
    }
  }

  private var tokens = JSONTokens()
  private var state = State.object
  /// Whose value comes next; `nil` if it is that of `seconds`.
  private var beacon: Int?
  private var fingerprint = Fingerprint()
  /// The next byte, and the first one of the token that is read.
  private var next = Position()
  private var start = Position()
  private var failure: FingerprintError?

  package init() {}

  /// Takes the next bytes of the file; after an error it throws the same one again.
  package mutating func read(_ piece: Span<UInt8>) throws(FingerprintError) {
    if let failure { throw failure }
    for index in piece.indices {
      do throws(Problem) {
        try take(piece[index])
      } catch {
        throw fail(error, at: start)
      }
      next.pass(piece[index])
    }
  }

  /// The fingerprint, when all of the file has been read.
  package mutating func finish() throws(FingerprintError) -> Fingerprint {
    if let failure { throw failure }
    guard state == .end else { throw fail(.cut, at: next) }
    return fingerprint
  }

  private mutating func fail(_ problem: Problem, at position: Position) -> FingerprintError {
    let error = FingerprintError(
      problem, offset: position.offset, line: position.line, column: position.column)
    failure = error
    return error
  }

  private mutating func take(_ byte: UInt8) throws(Problem) {
    if let number = try tokens.numberEnding(before: byte) { try take(number) }
    if tokens.isBetween { start = next }
    if let token = try tokens.take(byte) { try take(token) }
  }

  /// Takes a token where it may stand.
  private mutating func take(_ token: JSONToken) throws(Problem) {
    switch (state, token) {
    case (.object, .mark(0x7B)): state = .firstKey
    case (.firstKey, .text), (.key, .text): try takeKey()
    case (.firstKey, .mark(0x7D)), (.memberEnd, .mark(0x7D)): try end()
    case (.colon, .mark(0x3A)): state = beacon == nil ? .seconds : .list
    case (.list, .mark(0x5B)): state = .firstReading
    case (.firstReading, .mark(0x5D)): throw .noReadings
    case (.firstReading, .number(let number)), (.reading, .number(let number)):
      try take(reading: number)
    case (.readingEnd, .mark(0x2C)): state = .reading
    case (.readingEnd, .mark(0x5D)): state = .memberEnd
    case (.seconds, .number(let number)): try take(seconds: number)
    case (.memberEnd, .mark(0x2C)): state = .key
    case (.end, _): throw .trailing
    default: throw .expected(state)
    }
  }

  private mutating func takeKey() throws(Problem) {
    state = .colon
    if isText(tokens.text.bytes, "seconds") {
      guard fingerprint.seconds == 0 else { throw .secondsTwice }
      beacon = nil
      return
    }
    guard let key = IBeacon(text: tokens.text.bytes) else { throw .unknownKey }
    if fingerprint.count == 0 { fingerprint.uuid = key.uuid }
    guard key.uuid == fingerprint.uuid else { throw .otherGroup }
    guard fingerprint.index(of: key) == nil else { throw .beaconTwice }
    guard fingerprint.count < Fingerprint.capacity else { throw .tooManyBeacons }
    beacon = fingerprint.count
    fingerprint.append(key)
  }

  private mutating func take(reading number: Int32) throws(Problem) {
    guard let beacon, let reading = Int8(exactly: number), reading < -1 else { throw .badReading }
    guard fingerprint[beacon].count < Fingerprint.longest else { throw .tooManyReadings }
    fingerprint[beacon].add(reading)
    state = .readingEnd
  }

  private mutating func take(seconds number: Int32) throws(Problem) {
    guard 1...Int32(Fingerprint.longest) ~= number else { throw .badSeconds }
    fingerprint.seconds = number
    state = .memberEnd
  }

  /// Takes the last `}`: only now is it known what is missing.
  private mutating func end() throws(Problem) {
    guard fingerprint.count > 0 else { throw .noBeacons }
    guard fingerprint.seconds > 0 else { throw .noSeconds }
    for index in 0..<fingerprint.count where fingerprint[index].count > fingerprint.seconds {
      throw .moreReadingsThanSeconds(fingerprint.beacon(at: index))
    }
    state = .end
  }
}

/// What is wrong in the file of a fingerprint, and where.
package struct FingerprintError: Error, Equatable, Sendable {
  /// What is wrong; `write` has the words of each.
  package enum Problem: Error, Equatable, Sendable {
    case cut
    case expected(Expectation)
    case trailing, unknownKey, beaconTwice, otherGroup, tooManyBeacons, noReadings
    case tooManyReadings
    case moreReadingsThanSeconds(IBeacon)
    case badNumber, notWhole, badReading, badSeconds, secondsTwice, noSeconds, noBeacons
  }

  /// What may come next; at its end nothing may.
  package enum Expectation: Sendable {
    case object, firstKey, key, colon, list, firstReading, reading, readingEnd, seconds, memberEnd
    case end
  }

  package let problem: Problem
  package let offset: Int
  /// Its line, from 1 on.
  package let line: Int
  /// Its byte in the line, from 1 on.
  package let column: Int

  init(_ problem: Problem, offset: Int, line: Int, column: Int) {
    (self.problem, self.offset, self.line, self.column) = (problem, offset, line, column)
  }

  /// Writes `LINE:COLUMN: what is wrong; what to do`, without a newline.
  package func write(to writer: inout some ByteWriter & ~Copyable) {
    writer.append(decimal: Int64(widening: line))
    writer.append(":")
    writer.append(decimal: Int64(widening: column))
    writer.append(": ")
    switch problem {
    case .moreReadingsThanSeconds(let beacon): writer.append(text: beacon)
    case .tooManyBeacons: writer.append(moreThan: Fingerprint.capacity)
    case .tooManyReadings: writer.append(moreThan: Fingerprint.longest)
    default: break
    }
    writer.append(problem.words)
    if problem == .badSeconds { writer.append(decimal: Int64(widening: Fingerprint.longest)) }
  }
}

extension ByteWriter where Self: ~Copyable {
  mutating func append(moreThan limit: Int) {
    append("more than ")
    append(decimal: Int64(widening: limit))
  }
}

extension FingerprintError.Problem {
  fileprivate var words: String {
    switch self {
    case .cut: "the file ends too early; copy it again, or train again"
    case .expected(let expectation): expectation.words
    case .trailing: "something follows the end; a file is one fingerprint, remove what follows"
    case .unknownKey: "unknown key; allowed: \"UUID.Maj:1.Min:2\" and \"seconds\""
    case .beaconTwice: "a beacon is there twice; remove one of them, or train again"
    case .otherGroup: "another UUID than that of the first beacon; train each group by itself"
    case .tooManyBeacons: " beacons; remove those with the fewest readings"
    case .noReadings: "a beacon without readings; remove it"
    case .tooManyReadings: " readings of a beacon; train for fewer seconds"
    case .moreReadingsThanSeconds:
      " has more readings than there are seconds, it has one a second at most; train again"
    case .badNumber: "not a number as JSON has them; write it as -61"
    case .notWhole: "not a whole number; round it"
    case .badReading: "not a reading; allowed: -128 to -2 dBm"
    case .badSeconds: "no time that a training lasts; allowed: 1 to "
    case .secondsTwice: "\"seconds\" is there twice; remove one of them"
    case .noSeconds: "\"seconds\" is missing; add \"seconds\":60 with the time of the training"
    case .noBeacons: "no beacon; train again where some are heard"
    }
  }
}

extension FingerprintError.Expectation {
  fileprivate var words: String {
    switch self {
    case .object, .end:
      "expected \"{\"; a fingerprint is {\"UUID.Maj:1.Min:2\":[-61,-63],\"seconds\":60}"
    case .firstKey: "expected a key or \"}\"; keys are \"UUID.Maj:1.Min:2\" and \"seconds\""
    case .key: "expected a key; keys are \"UUID.Maj:1.Min:2\" and \"seconds\""
    case .colon: "expected \":\" and a value behind the key"
    case .list: "expected \"[\" and the beacon's readings"
    case .firstReading, .reading: "expected a reading, such as -61"
    case .readingEnd: "expected \",\" and another reading, or \"]\""
    case .seconds: "expected a number of seconds, such as 60"
    case .memberEnd: "expected \",\" and another key, or \"}\""
    }
  }
}

/// A token of the JSON of a fingerprint.
enum JSONToken {
  /// One of `{ } [ ] : ,`, or a byte that begins no token of a fingerprint.
  case mark(UInt8)
  /// A text: `JSONTokens.text` has its bytes.
  case text
  /// A whole number; 1,000,000 stands for all that are larger, likewise below zero.
  case number(Int32)
}

/// Cuts a stream of bytes into tokens.
///
/// RFC 8259, 2, 6 and 7. No text of a fingerprint is longer than that of a beacon, and no number has a
/// fraction or an exponent; another file is refused at once. A text with an escape is unknown.
struct JSONTokens: ~Copyable {
  private enum State {
    case between, text, number
  }

  private var state = State.between
  private var isNegative = false
  private var magnitude: Int32 = 0
  private var digits: Int32 = 0
  private(set) var text = FixedBuffer<56>()

  init() {}

  /// Whether the next byte can begin a token.
  var isBetween: Bool { state == .between }

  /// The number that ends before this byte, if one does.
  mutating func numberEnding(before byte: UInt8) throws(FingerprintError.Problem) -> JSONToken? {
    guard state == .number else { return nil }
    switch byte {
    case 0x30...0x39: return nil
    case 0x2E, 0x45, 0x65: throw .notWhole
    default: break
    }
    guard digits > 0 else { throw .badNumber }
    state = .between
    return .number(isNegative ? -magnitude : magnitude)
  }

  /// Takes a byte; returns the token that ends with it, if one does.
  mutating func take(_ byte: UInt8) throws(FingerprintError.Problem) -> JSONToken? {
    switch state {
    case .between: return begin(byte)
    case .number:
      try takeDigit(byte)
      return nil
    case .text:
      if byte == 0x22 {
        state = .between
        return .text
      }
      guard text.free > 0 else { throw .unknownKey }
      text.append(byte)
      return nil
    }
  }

  private mutating func begin(_ byte: UInt8) -> JSONToken? {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: break
    case 0x22:
      state = .text
      text.removeAll()
    case 0x2D, 0x30...0x39:
      state = .number
      isNegative = byte == 0x2D
      (magnitude, digits) = isNegative ? (0, 0) : (Int32(byte - 0x30), 1)
    default: return .mark(byte)
    }
    return nil
  }

  private mutating func takeDigit(_ byte: UInt8) throws(FingerprintError.Problem) {
    // RFC 8259, 6: no zeros in front.
    guard digits == 0 || magnitude > 0 else { throw .badNumber }
    magnitude = min(1_000_000, magnitude * 10 + Int32(byte - 0x30))
    digits = 1
  }
}
