import Bytes
import HCI

/// Which addresses of the remembered phone may be another device's, and what follows for their turns.
///
/// Any device can send a recorded address: only the key shows whose it is. An address that has opened an encrypted
/// link since the start is the phone's own. For every other address:
///
/// | has an address failed in the last half minute? | an attempt lasts | between two the radio listens |
/// |---|---|---|
/// | no | 1.3 s; 0.7 s where it was heard in a slow search | – |
/// | others have | one of its advertisements, 0.2 s at least; 0.25 s if it was heard once | 0.17 s |
/// | this one has before | 1.4 s | 0.17 s |
/// | more than sixteen have | as above | 3 s |
///
/// An address that has not failed goes first; of several, the one that is heard most steadily. A phone that
/// advertises every 152 ms is heard more steadily than each of eight addresses that take turns at 20 ms.
struct Doubts: ~Copyable {
  /// The longest advertising interval of an iPhone, and its delay.
  private static var calmAttempt: Int64 { 1_300 }
  /// While searching slowly, hearing a phone takes longer: a failed attempt must cost less.
  private static var slowAttempt: Int64 { 700 }
  /// One advertising interval of a phone in the foreground, with time to spare.
  private static var shortAttempt: Int64 { 250 }
  private static var shortestAttempt: Int64 { 200 }
  /// The delay of an advertisement, and what the controller takes to begin.
  private static var spareTime: Int64 { 60 }
  /// For an address that has failed before: it may be a phone in the background.
  private static var secondAttempt: Int64 { 1_400 }
  /// Long enough to hear a phone in the foreground.
  private static var listeningTime: Int64 { 170 }
  /// The same after so many failures that they are more likely those of a phone that has forgotten us.
  private static var longListeningTime: Int64 { 3_000 }
  private static var manyFailures: Int { 16 }
  /// How long a failure is remembered.
  private static var doubtTime: Int64 { 30_000 }
  /// Advertisements that are further apart are not steady.
  private static var steadyTime: Int64 { 600 }
  /// An advertisement and its scan response are one event.
  private static var shortestInterval: Int64 { 20 }
  private static var heardCapacity: Int { 32 }
  private static var provenCapacity: Int { 4 }

  private struct Heard {
    var address = Candidate.nobody.address
    var last = Instant(milliseconds: .min)
    /// How often in a row.
    var count: UInt8 = 0
  }

  /// The addresses that opened an encrypted link, the oldest overwritten.
  private var proven = InlineArray<4, DeviceAddress>(repeating: Candidate.nobody.address)
  private var nextProven = 0
  private var heard = InlineArray<32, Heard>(repeating: Heard())
  /// How many addresses that are not proven have failed; 1 if only a proven one has failed, more than once.
  private var failures = 0
  /// Until when the failures count.
  private var end: Instant?

  /// Whether the address has opened an encrypted link since the start.
  func isProven(_ address: DeviceAddress) -> Bool {
    for index in 0..<Self.provenCapacity where proven[index].isSame(as: address) { return true }
    return false
  }

  /// It is the phone's own address: no address is in doubt any more.
  mutating func prove(_ address: DeviceAddress) {
    settle()
    guard !isProven(address) else { return }
    proven[nextProven] = address
    nextProven = (nextProven + 1) % Self.provenCapacity
  }

  /// An attempt at an address has led to nothing, for the first time or once more.
  mutating func fail(_ address: DeviceAddress, isFirst: Bool, at now: Instant) {
    if !isRecent(at: now) { failures = 0 }
    if isProven(address) {
      if !isFirst { failures = max(failures, 1) }
    } else if isFirst {
      failures += 1
    }
    end = now + Self.doubtTime
  }

  /// Forgets the failures, as after a press.
  mutating func settle() { (failures, end) = (0, nil) }

  /// Until when the radio listens before the next attempt, if it does.
  func listeningEnd(at now: Instant) -> Instant? {
    guard isInDoubt(at: now) else { return nil }
    return now + (failures > Self.manyFailures ? Self.longListeningTime : Self.listeningTime)
  }

  /// How long an attempt may last at an address that is not proven, and was heard at this interval.
  func attemptTime(
    at interval: Int64?, hasFailed: Bool, isSlow: Bool, at now: Instant
  ) -> Int64 {
    if hasFailed { return Self.secondAttempt }
    guard isInDoubt(at: now) else {
      return isSlow ? Self.slowAttempt : Self.calmAttempt
    }
    guard let interval else { return Self.shortAttempt }
    return min(max(interval + Self.spareTime, Self.shortestAttempt), Self.secondAttempt)
  }

  private func isInDoubt(at now: Instant) -> Bool { isRecent(at: now) && failures > 0 }

  /// Whether any address has failed in the last half minute.
  private func isRecent(at now: Instant) -> Bool {
    guard let end else { return false }
    return now < end
  }

  // MARK: - What is heard steadily

  /// Receives an advertisement of an address.
  mutating func receive(advertisementOf address: DeviceAddress, at now: Instant) {
    let index = place(of: address)
    var before = heard[index].count
    if before > 0 {
      let time = now - heard[index].last
      guard time >= Self.shortestInterval else { return }
      if time > Self.steadyTime { before = 0 }
    }
    heard[index].last = now
    heard[index].count = before == .max ? before : before + 1
  }

  /// How often in a row it was heard.
  func steadiness(of address: DeviceAddress) -> UInt8 {
    for index in 0..<Self.heardCapacity where heard[index].address.isSame(as: address) {
      return heard[index].count
    }
    return 0
  }

  /// The place of an address; without a free one, the place of the address that was heard longest ago.
  private mutating func place(of address: DeviceAddress) -> Int {
    var oldest = 0
    for index in 0..<Self.heardCapacity {
      if heard[index].address.isSame(as: address) { return index }
      if heard[index].last < heard[oldest].last { oldest = index }
    }
    heard[oldest] = Heard(address: address)
    return oldest
  }
}
