import Bytes
import HCI

/// The addresses that are left alone for a while, as connecting to them led to nothing.
struct Rests: ~Copyable {
  /// The first and the longest rest of a device with the remembered phone's address and no key, or of a phone without
  /// the app.
  private static var firstDoublingTime: Int64 { 5_000 }
  private static var lastDoublingTime: Int64 { 60_000 }
  /// The same for a device with that address that takes no link: the phone itself may be at the edge of the range.
  private static var firstSilentTime: Int64 { 500 }
  private static var lastSilentTime: Int64 { 8_000 }
  private static var capacity: Int { 32 }

  private struct Rest {
    var address = Candidate.nobody.address
    /// Whether it is the remembered phone's, or has opened an encrypted link.
    var isOurs = false
    var start = Instant(milliseconds: .min)
    var end = Instant(milliseconds: .min)
    /// How long this rest is, if the next one is to be twice as long.
    var doublingTime: Int64 = 0
    /// The same, if the next one is to be a quarter longer.
    var silentTime: Int64 = 0
    /// How many rests there were.
    var count = 0
  }

  private var rests = InlineArray<32, Rest>(repeating: Rest())
  /// Until when no stranger without a place is tried, as one lost its place before its rest was over.
  private var crowdEnd = Instant(milliseconds: .min)

  /// Whether it is left alone; `isOurs` says that it is the remembered phone's.
  func isResting(_ address: DeviceAddress, isOurs: Bool, at now: Instant) -> Bool {
    guard let index = index(of: address) else { return !isOurs && crowdEnd > now }
    return rests[index].end > now
  }

  /// How often it has led to nothing.
  func count(of address: DeviceAddress) -> Int { index(of: address).map { rests[$0].count } ?? 0 }

  /// Leaves it alone for at least this many milliseconds.
  mutating func begin(_ address: DeviceAddress, for time: Int64, isOurs: Bool, at now: Instant) {
    let index = place(of: address, isOurs: isOurs, at: now)
    rests[index].start = now
    rests[index].end = max(rests[index].end, now + time)
    rests[index].count += 1
  }

  /// Leaves it alone, longer each time, as its owner has no key of ours, or not yet the service.
  mutating func beginDoubling(_ address: DeviceAddress, isOurs: Bool, at now: Instant) {
    let index = place(of: address, isOurs: isOurs, at: now)
    let last = rests[index].doublingTime
    let time = last == 0 ? Self.firstDoublingTime : min(last * 2, Self.lastDoublingTime)
    rests[index].doublingTime = time
    begin(address, for: time, isOurs: isOurs, at: now)
  }

  /// Leaves an address of the phone alone, a little longer each time, as it took no link.
  mutating func beginSilent(_ address: DeviceAddress, at now: Instant) {
    let index = place(of: address, isOurs: true, at: now)
    let last = rests[index].silentTime
    let time = last == 0 ? Self.firstSilentTime : min(last * 5 / 4, Self.lastSilentTime)
    rests[index].silentTime = time
    begin(address, for: time, isOurs: true, at: now)
  }

  /// Forgets that it ever rested.
  mutating func forget(_ address: DeviceAddress) {
    if let index = index(of: address) { rests[index] = Rest() }
  }

  /// Forgets how often each address has led to nothing.
  mutating func forgetCounts() { for index in 0..<Self.capacity { rests[index].count = 0 } }

  /// Ends all rests.
  mutating func endAll() {
    for index in 0..<Self.capacity {
      rests[index].end = Instant(milliseconds: .min)
      if !rests[index].isOurs { rests[index].doublingTime = 0 }
    }
    crowdEnd = Instant(milliseconds: .min)
    forgetCounts()
  }

  private func index(of address: DeviceAddress) -> Int? {
    for index in 0..<Self.capacity where rests[index].address.isSame(as: address) { return index }
    return nil
  }

  /// The place of an address; among too many strangers, one whose rest is over gives way, or else the first that
  /// began.
  ///
  /// If no rest is over, strangers without a place wait until one is: which of them has rested enough is not known. A
  /// stranger takes a place of the phone's addresses only if there is no other place.
  private mutating func place(of address: DeviceAddress, isOurs: Bool, at now: Instant) -> Int {
    if let index = index(of: address) {
      rests[index].isOurs = rests[index].isOurs || isOurs
      return index
    }
    var place = 0
    for index in 1..<Self.capacity where givesWay(rests[index], before: rests[place], at: now) {
      place = index
    }
    let isCrowded = !rests[place].isOurs && rests[place].end > now
    rests[place] = Rest(address: address, isOurs: isOurs)
    if isCrowded { crowdEnd = nextEnd(at: now) }
    return place
  }

  private func givesWay(_ a: Rest, before b: Rest, at now: Instant) -> Bool {
    if a.isOurs != b.isOurs { return b.isOurs }
    let isOver = (a: a.end <= now, b: b.end <= now)
    if !a.isOurs, isOver.a != isOver.b { return isOver.a }
    return a.isOurs || isOver.a ? a.end < b.end : a.start < b.start
  }

  private func nextEnd(at now: Instant) -> Instant {
    var next: Instant?
    for index in 0..<Self.capacity where !rests[index].isOurs && rests[index].end > now {
      next = earlier(next, rests[index].end)
    }
    return next ?? now
  }
}
