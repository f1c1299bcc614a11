import Bytes
import HCI

/// The addresses that are left alone for a while, as to connect to them led to nothing.
struct Rests: ~Copyable {
  /// A device with the remembered phone's address and no key, the first time and at most.
  private static var firstKeylessTime: Int64 { 5_000 }
  private static var lastKeylessTime: Int64 { 60_000 }
  /// A device with that address that takes no link, the first time and at most: the phone itself may be at the
  /// edge of the range.
  private static var firstSilentTime: Int64 { 500 }
  private static var lastSilentTime: Int64 { 8_000 }
  private static var capacity: Int { 32 }

  private struct Rest {
    var address = Candidate.nobody.address
    var end = Instant(milliseconds: .min)
    /// How long this one is, if the next one is to be twice as long.
    var keylessTime: Int64 = 0
    /// The same, if the next one is to be a quarter longer.
    var silentTime: Int64 = 0
    /// How many there were.
    var count = 0
  }

  private var rests = InlineArray<32, Rest>(repeating: Rest())

  func isResting(_ address: DeviceAddress, at now: Instant) -> Bool {
    guard let index = index(of: address) else { return false }
    return rests[index].end > now
  }

  /// How often it has led to nothing.
  func count(of address: DeviceAddress) -> Int { index(of: address).map { rests[$0].count } ?? 0 }

  /// Leaves it alone for at least this many milliseconds.
  mutating func begin(_ address: DeviceAddress, for time: Int64, at now: Instant) {
    let index = place(of: address)
    rests[index].end = max(rests[index].end, now + time)
    rests[index].count += 1
  }

  /// Leaves it alone, ever longer, as its owner has no key of ours.
  mutating func beginKeyless(_ address: DeviceAddress, at now: Instant) {
    let index = place(of: address)
    let last = rests[index].keylessTime
    let time = last == 0 ? Self.firstKeylessTime : min(last * 2, Self.lastKeylessTime)
    rests[index].keylessTime = time
    begin(address, for: time, at: now)
  }

  /// Leaves it alone, a little longer each time, as it took no link.
  mutating func beginSilent(_ address: DeviceAddress, at now: Instant) {
    let index = place(of: address)
    let last = rests[index].silentTime
    let time = last == 0 ? Self.firstSilentTime : min(last * 5 / 4, Self.lastSilentTime)
    rests[index].silentTime = time
    begin(address, for: time, at: now)
  }

  /// Forgets that it ever rested.
  mutating func forget(_ address: DeviceAddress) {
    if let index = index(of: address) { rests[index] = Rest() }
  }

  /// Forgets how often anybody has led to nothing.
  mutating func forgetCounts() { for index in 0..<Self.capacity { rests[index].count = 0 } }

  /// Lets everybody back in.
  mutating func endAll() {
    for index in 0..<Self.capacity { rests[index].end = Instant(milliseconds: .min) }
    forgetCounts()
  }

  private func index(of address: DeviceAddress) -> Int? {
    for index in 0..<Self.capacity where rests[index].address.isSame(as: address) { return index }
    return nil
  }

  /// Its place; among too many the one is let back in whose rest ends first.
  private mutating func place(of address: DeviceAddress) -> Int {
    if let index = index(of: address) { return index }
    var first = 0
    for index in 1..<Self.capacity where rests[index].end < rests[first].end { first = index }
    rests[first] = Rest(address: address)
    return first
  }
}
