import Bytes
import HCI

/// A phone that was heard.
struct Candidate {
  var address: DeviceAddress
  var rssi: Int8
  var match: Match

  /// No phone at all.
  static var nobody: Candidate {
    Candidate(address: DeviceAddress(0, .public), rssi: 127, match: .service)
  }

  /// Its power in dBm, behind all that name the service if it does not.
  ///
  /// 127 means that the controller could not measure.
  fileprivate var strength: Int {
    let power = rssi == 127 ? -128 : Int(rssi)
    return match == .overflow ? power - 256 : power
  }
}

/// Which of the phones heard is the one to connect to.
///
/// A phone that was connected before is taken at once. Among strangers the
/// strongest is taken, `patience` after the first one was heard. A phone
/// without the service rests.
struct Scanner: ~Copyable {
  /// Long enough for two advertisements of any phone that advertises in the foreground.
  static var patience: Int64 { 200 }
  /// A phone without the service.
  static var longRest: Int64 { 60_000 }
  /// A phone that could not be connected, or not until it was ready: others have their turn.
  static var shortRest: Int64 { 5_000 }
  /// The phone that was connected before, or that is remembered, in the same case.
  private static var ownRest: Int64 { 500 }
  /// Who sends the remembered phone's address and has no key, the first time and at most.
  private static var firstKeylessRest: Int64 { 5_000 }
  private static var lastKeylessRest: Int64 { 60_000 }
  private static var capacity: Int { 8 }

  /// Somebody who is left alone for a while.
  private struct Rest {
    var address = Candidate.nobody.address
    var end = Instant(milliseconds: .min)
    /// How long this one is, if the next one is to be twice as long.
    var keylessTime: Int64 = 0
  }

  private let service: UUID
  private let overflowArea: OverflowArea
  private var candidates = InlineArray<8, Candidate>(repeating: .nobody)
  private var count = 0
  private var names = HeardNames()
  private var resting = InlineArray<16, Rest>(repeating: Rest())
  private var nextRest = 0
  private var lastPeer: DeviceAddress?
  private var lastUnfinished: DeviceAddress?
  /// Advertisers that can be asked for more, but not connected to.
  private var scannable = InlineArray<4, DeviceAddress>(repeating: Candidate.nobody.address)
  private var nextScannable = 0

  /// When to choose among the candidates.
  private(set) var deadline: Instant?

  /// A scanner for phones with `service`.
  init(service: UUID) {
    self.service = service
    overflowArea = OverflowArea(service)
  }

  /// Forgets who was heard, but not who rests.
  mutating func begin() {
    count = 0
    deadline = nil
  }

  /// Whether the report may lead to a link.
  ///
  /// A scan response does not say so; it follows the advertisement that does.
  mutating func isConnectable(_ report: borrowing AdvertisingReport) -> Bool {
    if report.isScannableOnly {
      scannable[nextScannable] = report.address
      nextScannable = (nextScannable + 1) % 4
    }
    guard report.isScanResponse else { return report.isConnectable }
    for index in 0..<4 where scannable[index] == report.address { return false }
    return true
  }

  /// Why an advertisement is taken for that of a phone with the service, if it is.
  func match(_ data: Span<UInt8>) -> Match? {
    if AdvertisingData.contains(service, in: data) { return .service }
    return overflowArea.isSet(in: data) ? .overflow : nil
  }

  /// Adds a phone that was heard; returns whether it is new since `begin`.
  mutating func add(_ candidate: Candidate, at now: Instant) -> Bool {
    guard !isResting(candidate.address, at: now) else { return false }
    if candidate.address == lastPeer || candidate.match == .bond { deadline = now }
    for index in 0..<count where candidates[index].address == candidate.address {
      candidates[index] = candidate
      return false
    }
    deadline = earlier(deadline, now + Self.patience)
    if count < Self.capacity {
      candidates[count] = candidate
      count += 1
    } else {
      replaceWeakest(by: candidate)
    }
    return true
  }

  /// Keeps the name in an advertisement, if there is one.
  ///
  /// It may stand in the report before or behind the one by which the phone becomes a candidate.
  /// The names of candidates keep their places; all others' share what is left.
  mutating func keepName(in report: borrowing AdvertisingReport) {
    var data = AdvertisingData(report.data)
    while let structure = data.next() {
      guard structure.type == .completeLocalName || structure.type == .shortenedLocalName else {
        continue
      }
      let index = names.index(of: report.address) ?? freeNameIndex
      return names.assign(structure.data, of: report.address, at: index)
    }
  }

  /// There are more places than candidates.
  private var freeNameIndex: Int {
    var index = 0
    while index < HeardNames.capacity - 1, isCandidate(names.owner(at: index)) { index += 1 }
    return index
  }

  private func isCandidate(_ address: DeviceAddress) -> Bool {
    for index in 0..<count where candidates[index].address == address { return true }
    return false
  }

  /// What a phone called itself in its advertisement, empty if that is not known.
  @_lifetime(borrow self)
  @_addressableSelf
  borrowing func name(of address: DeviceAddress) -> Span<UInt8> { names.name(of: address) }

  /// The phone to connect to, once the deadline has come.
  func choose(at now: Instant) -> Candidate? {
    guard let due = deadline, now >= due else { return nil }
    return strongest
  }

  /// The phone to connect to if it had to be now; `nil` if nobody was heard.
  var strongest: Candidate? {
    guard count > 0 else { return nil }
    var best = candidates[0]
    for index in 0..<count {
      let candidate = candidates[index]
      if candidate.address == lastPeer { return candidate }
      if candidate.strength > best.strength { best = candidate }
    }
    return best
  }

  /// Prefers this phone from now on, as the service was found there.
  mutating func prefer(_ address: DeviceAddress) { lastPeer = address }

  /// Whether the service was found there the last time.
  func isPreferred(_ address: DeviceAddress) -> Bool { lastPeer == address }

  /// Prefers nobody any more.
  mutating func preferNobody() { lastPeer = nil }

  /// Leaves a phone without the service alone for a minute.
  mutating func restLong(_ address: DeviceAddress, at now: Instant) {
    if lastPeer == address { lastPeer = nil }
    rest(address, until: now + Self.longRest)
  }

  /// Leaves a phone alone that was never ready: for a moment, and the next time for a minute.
  mutating func restUnfinished(_ address: DeviceAddress, at now: Instant) {
    guard lastUnfinished != address else { return restLong(address, at: now) }
    lastUnfinished = address
    restShort(address, at: now)
  }

  /// Leaves a phone alone for a moment after an attempt that failed.
  mutating func restShort(
    _ address: DeviceAddress, isRemembered: Bool = false, at now: Instant
  ) {
    let isOwn = isRemembered || lastPeer == address
    rest(address, until: now + (isOwn ? Self.ownRest : Self.shortRest))
  }

  /// Leaves an address alone, ever longer, whose owner has no key of ours.
  ///
  /// Anybody can send an address that was recorded: others that resolve are not kept waiting.
  mutating func restKeyless(_ address: DeviceAddress, at now: Instant) {
    for index in 0..<16 where resting[index].address == address && resting[index].keylessTime > 0 {
      let time = min(resting[index].keylessTime * 2, Self.lastKeylessRest)
      resting[index] = Rest(address: address, end: now + time, keylessTime: time)
      return
    }
    let time = Self.firstKeylessRest
    rest(Rest(address: address, end: now + time, keylessTime: time))
  }

  /// Forgets how often an address was keyless, as it has the key after all.
  mutating func endKeylessRest(_ address: DeviceAddress) {
    for index in 0..<16 where resting[index].address == address { resting[index] = Rest() }
  }

  /// Lets everybody back in, as the rider wants to try again.
  mutating func endRests() {
    for index in 0..<16 { resting[index].end = Instant(milliseconds: .min) }
  }

  private mutating func rest(_ address: DeviceAddress, until end: Instant) {
    rest(Rest(address: address, end: end))
  }

  /// The oldest of too many is let back in.
  private mutating func rest(_ rest: Rest) {
    resting[nextRest] = rest
    nextRest = (nextRest + 1) % 16
  }

  private func isResting(_ address: DeviceAddress, at now: Instant) -> Bool {
    for index in 0..<16 where resting[index].address == address && resting[index].end > now {
      return true
    }
    return false
  }

  private mutating func replaceWeakest(by candidate: Candidate) {
    var weakest = 0
    for index in 0..<count where candidates[index].strength < candidates[weakest].strength {
      weakest = index
    }
    if candidate.strength > candidates[weakest].strength { candidates[weakest] = candidate }
  }
}
