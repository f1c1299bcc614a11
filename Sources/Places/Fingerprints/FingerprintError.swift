package import Beacons
package import Bytes

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
    case .cut: "the file ends too early; copy it anew, or train again"
    case .expected(let expectation): expectation.words
    case .trailing: "something follows the end; a file is one fingerprint, remove what follows"
    case .unknownKey: "unknown key; allowed: \"UUID.Maj:1.Min:2\" and \"seconds\""
    case .beaconTwice: "a beacon is there twice; remove one of them, or train again"
    case .otherGroup: "another UUID than that of the first beacon; train each group by itself"
    case .tooManyBeacons: " beacons; remove those with the fewest readings"
    case .noReadings: "a beacon without readings; remove it"
    case .tooManyReadings: " readings of a beacon; train for so many seconds at most"
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
