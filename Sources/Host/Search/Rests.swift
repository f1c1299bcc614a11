import Bytes
import HCI

/// Who is left alone for a while, as to connect to it led to nothing.
struct Rests: ~Copyable {
  /// Who sends the remembered phone's address and has no key, the first time and at most.
  private static var firstKeylessTime: Int64 { 5_000 }
  private static var lastKeylessTime: Int64 { 60_000 }

  private struct Rest {
    var address = Candidate.nobody.address
    var end = Instant(milliseconds: .min)
    /// How long this one is, if the next one is to be twice as long.
    var keylessTime: Int64 = 0
    /// How many there were.
    var count = 0
  }

  private var rests = InlineArray<16, Rest>(repeating: Rest())

  func isResting(_ address: DeviceAddress, at now: Instant) -> Bool {
    guard let index = index(of: address) else { return false }
    return rests[index].end > now
  }

  /// How often it has led to nothing.
  func count(of address: DeviceAddress) -> Int { index(of: address).map { rests[$0].count } ?? 0 }

  /// Leaves it alone for so many milliseconds at least.
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

  /// Forgets that it ever rested.
  mutating func forget(_ address: DeviceAddress) {
    if let index = index(of: address) { rests[index] = Rest() }
  }

  /// Forgets how often anybody has led to nothing.
  mutating func forgetCounts() { for index in 0..<16 { rests[index].count = 0 } }

  /// Lets everybody back in.
  mutating func endAll() {
    for index in 0..<16 { rests[index].end = Instant(milliseconds: .min) }
    forgetCounts()
  }

  private func index(of address: DeviceAddress) -> Int? {
    for index in 0..<16 where rests[index].address == address { return index }
    return nil
  }

  /// Its place; among too many the one is let back in whose rest ends first.
  private mutating func place(of address: DeviceAddress) -> Int {
    if let index = index(of: address) { return index }
    var first = 0
    for index in 1..<16 where rests[index].end < rests[first].end { first = index }
    rests[first] = Rest(address: address)
    return first
  }
}
