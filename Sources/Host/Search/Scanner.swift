import Bytes
import HCI

/// Which of the phones heard is the one to connect to.
///
/// A phone that was connected before is taken at once; while one of its addresses is in doubt, those
/// that are not proven take turns: `Doubts`. Among strangers one that led to nothing least often is taken, and
/// of these the strongest, `patience` after the first one was heard; in a hurry only one that was heard twice,
/// as one that has just gone would keep the search waiting. A phone without the service rests.
struct Scanner: ~Copyable {
  /// Long enough for two advertisements of any phone in the foreground; the third makes the link.
  static var patience: Int64 { 180 }
  /// Advertising events are further apart.
  ///
  /// Core Specification, Vol 6, Part B, 4.4.2.2.1.
  private static var shortestInterval: Int64 { 20 }
  /// How many of its advertisements an attempt at a stranger waits for, in a hurry.
  private static var attemptIntervals: Int64 { 4 }
  private static var shortestAttempt: Int64 { 400 }
  private static var longestAttempt: Int64 { 5_000 }
  /// Two advertisements of an iPhone in the background, for who was heard once, in a hurry.
  private static var blindAttempt: Int64 { 2_600 }
  /// A phone without the service.
  static var longRest: Int64 { 60_000 }
  /// How long it counts that a link led to nothing: its next one begins well within that.
  private static var unfinishedTime: Int64 { 120_000 }
  /// A phone that could not be connected, or not until it was ready: others have their turn.
  static var shortRest: Int64 { 5_000 }
  /// The rider's phone in the same case: one whose address is proven, or that was lost a moment ago.
  private static var ownRest: Int64 { 500 }
  /// Who has been heard within this time may be heard again: an iPhone in the background is.
  private static var presence: Int64 { 1_300 }
  private static var capacity: Int { 8 }

  /// How likely a phone is the rider's.
  enum Ownership {
    case stranger
    /// A ride was lost whose phone is not remembered.
    case maybeOurs
    /// It is remembered.
    case ours
  }

  private let service: UUID
  private let overflowArea: OverflowArea
  private var candidates = InlineArray<8, Candidate>(repeating: .nobody)
  private var count = 0
  private var names = HeardNames()
  private var rests = Rests()
  private var doubts = Doubts()
  private var lastPeer: DeviceAddress?
  /// Whose link led to nothing last, and until when that counts for its next one.
  private var lastUnfinished: (address: DeviceAddress, end: Instant)?
  private var scannables = Scannables()

  /// When the strangers have had the time to be heard.
  private var patienceEnd: Instant?
  /// Whether a ride was just lost: its phone may be a stranger by its address, come and go.
  private var isInHurry = false
  /// Whether hearing anybody takes long.
  private var isSlow = false
  /// Whether somebody with an address of the remembered phone has failed: those that are not proven take turns.
  private var isCareful = false
  /// Until when the radio listens before the first of these turns.
  private var listeningEnd: Instant?
  /// Until when it listens all the time though the search is slow: who has failed may be near the phone.
  private var wideEnd: Instant?
  /// Whose turn it is.
  private var turn: Candidate?
  /// Until when nobody at all is.
  private var sharedEnd: Instant?
  /// Who was heard in this hurry before attempts at others.
  private var heardBefore = InlineArray<16, DeviceAddress>(repeating: Candidate.nobody.address)
  private var nextHeardBefore = 0

  /// When to choose among the candidates, or when it was listened for long enough.
  var deadline: Instant? { earlier(wideEnd, choiceTime) }

  private var choiceTime: Instant? {
    earlier(listeningEnd, turn == nil && chosen == nil ? nil : patienceEnd)
  }

  /// A scanner for phones with `service`.
  init(service: UUID) {
    self.service = service
    overflowArea = OverflowArea(service)
  }

  /// Looks for candidates anew; who rests still does, and in a hurry who was heard still was.
  ///
  /// For `sharedTime` nobody is connected to, as others listen, too.
  mutating func begin(isInHurry: Bool, isSlow: Bool, sharedTime: Int64, at now: Instant) {
    for index in 0..<count where !wasHeardBefore(candidates[index].address) {
      heardBefore[nextHeardBefore] = candidates[index].address
      nextHeardBefore = (nextHeardBefore + 1) % 16
    }
    if !isInHurry { forgetHeard() }
    count = 0
    patienceEnd = nil
    (self.isInHurry, self.isSlow) = (isInHurry, isSlow)
    listeningEnd = doubts.listeningEnd(at: now)
    (isCareful, turn) = (listeningEnd != nil, nil)
    wideEnd = isSlow && isCareful ? now + Self.presence : nil
    sharedEnd = sharedTime > 0 ? now + sharedTime : nil
  }

  private mutating func forgetHeard() {
    count = 0
    for index in 0..<16 { heardBefore[index] = Candidate.nobody.address }
  }

  private func wasHeardBefore(_ address: DeviceAddress) -> Bool {
    for index in 0..<16 where heardBefore[index] == address { return true }
    return false
  }

  /// Keeps what a scan response of this advertiser will not say; returns whether it was not known.
  mutating func keepKind(of report: borrowing AdvertisingReport) -> Bool {
    report.kind == .scannable && scannables.add(report.address)
  }

  /// Whether the report may lead to a link.
  ///
  /// A scan response does not say so; it follows the advertisement that does.
  func isConnectable(_ report: borrowing AdvertisingReport) -> Bool {
    report.kind == .scanResponse ? !scannables.contains(report.address) : report.isConnectable
  }

  /// Why an advertisement is taken for that of a phone with the service, if it is.
  func match(_ data: Span<UInt8>) -> Match? {
    if AdvertisingData.contains(service, in: data) { return .service }
    return overflowArea.isSet(in: data) ? .overflow : nil
  }

  /// Adds a phone that was heard; returns whether it is new since `begin`.
  mutating func add(_ candidate: Candidate, at now: Instant) -> Bool {
    guard !rests.isResting(candidate.address, at: now) else { return false }
    if candidate.match == .bond { doubts.hear(candidate.address, at: now) }
    var candidate = candidate
    candidate.lastHeard = now
    candidate.wasHeardBefore = wasHeardBefore(candidate.address)
    let takesTurn = takesTurn(candidate)
    if !takesTurn, isKnown(candidate) { patienceEnd = earlier(patienceEnd, due(now)) }
    for index in 0..<count where candidates[index].address == candidate.address {
      hearAgain(candidate, at: index)
      if takesTurn { giveTurn(candidates[index], at: now) }
      return false
    }
    if takesTurn {
      giveTurn(candidate, at: now)
    } else {
      patienceEnd = earlier(patienceEnd, due(now + Self.patience))
    }
    if count < Self.capacity {
      candidates[count] = candidate
      count += 1
    } else {
      replaceLast(by: candidate)
    }
    return true
  }

  /// When somebody may be connected to who might be otherwise at this time.
  private func due(_ time: Instant) -> Instant { sharedEnd.map { max(time, $0) } ?? time }

  /// Whether it has to wait for its turn, as it may be anybody who sends an address of the phone.
  private func takesTurn(_ candidate: Candidate) -> Bool {
    isCareful && candidate.match == .bond && rank(candidate) > 0
  }

  /// It is heard: if the radio has listened for long enough, and nobody else who is near comes first, it is
  /// its turn.
  private mutating func giveTurn(_ candidate: Candidate, at now: Instant) {
    guard now >= listeningEnd ?? now, now >= sharedEnd ?? now else { return }
    for index in 0..<count where candidates[index].address != candidate.address {
      let other = candidates[index]
      if now - other.lastHeard < Self.presence, isAhead(other, of: candidate) { return }
    }
    turn = candidate
    patienceEnd = now
  }

  /// Whether somebody is about to be connected to, or the radio listens between two attempts.
  var isBusy: Bool { choiceTime != nil || isCareful && count > 0 }

  /// Whether the radio is to listen all the time, though the search is slow.
  var wantsWideScan: Bool { wideEnd != nil }

  /// Lets the time pass.
  mutating func pass(to now: Instant) {
    if let end = listeningEnd, now >= end { listeningEnd = nil }
    if let end = wideEnd, now >= end { wideEnd = nil }
  }

  private mutating func hearAgain(_ candidate: Candidate, at index: Int) {
    let last = candidates[index]
    candidates[index] = candidate
    let time = candidate.lastHeard - last.lastHeard
    if time >= Self.shortestInterval {
      candidates[index].interval = time
    } else {
      (candidates[index].lastHeard, candidates[index].interval) = (last.lastHeard, last.interval)
    }
  }

  /// Whether it is the remembered phone, or the one that was connected before.
  private func isKnown(_ candidate: Candidate) -> Bool {
    candidate.match == .bond || candidate.address == lastPeer
  }

  /// Keeps the name in an advertisement, if there is one.
  ///
  /// It may stand in the report before or behind the one by which the phone becomes a candidate.
  /// The names of candidates keep their places; all others' share what is left. Returns whether it is new.
  mutating func keepName(in report: borrowing AdvertisingReport) -> Bool {
    var data = AdvertisingData(report.data)
    while let structure = data.next() {
      guard structure.type == .completeLocalName || structure.type == .shortenedLocalName,
        !structure.data.isEmpty
      else { continue }
      let index = names.index(of: report.address) ?? freeNameIndex
      return names.assign(structure.data, of: report.address, at: index)
    }
    return false
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
    guard let due = patienceEnd, now >= due else { return nil }
    return turn ?? chosen
  }

  /// How long an attempt to connect to it is worth while.
  ///
  /// In a hurry it is not waited for long: it may be gone, and come back by another address meanwhile.
  func attemptTime(for candidate: Candidate, at now: Instant) -> Int64 {
    guard candidate.match == .bond else { return patientTime(for: candidate) }
    if doubts.isProven(candidate.address) { return patientTime(for: candidate) }
    return doubts.attemptTime(
      at: candidate.interval, hasFailed: rests.count(of: candidate.address) > 0, isSlow: isSlow,
      at: now)
  }

  private func patientTime(for candidate: Candidate) -> Int64 {
    guard isInHurry else { return Self.longestAttempt }
    guard let interval = candidate.interval else { return Self.blindAttempt }
    return max(
      Self.shortestAttempt, min(interval * Self.attemptIntervals, Self.longestAttempt))
  }

  /// The first of those that may be connected to.
  private var chosen: Candidate? { first(heardTwice: isInHurry) }

  /// The phone to connect to if it had to be now; `nil` if nobody was heard.
  var first: Candidate? { first(heardTwice: false) }

  @inline(never)  // likewise
  private func first(heardTwice isRepeated: Bool) -> Candidate? {
    var first: Candidate?
    for index in 0..<count {
      let candidate = candidates[index]
      let isThere = candidate.interval != nil || candidate.wasHeardBefore || isKnown(candidate)
      if isRepeated, !isThere { continue }
      if first.map({ comes(candidate, before: $0) }) ?? true { first = candidate }
    }
    return first
  }

  /// Whether it is `a`'s turn before `b`'s: the phone's that was connected before, then whose attempts
  /// led to nothing least often, so that nobody is kept waiting for ever, then the stronger one's.
  @inline(never)  // else a board's file has a copy for each use
  private func comes(_ a: Candidate, before b: Candidate) -> Bool {
    if a.match == .bond { return comesFairly(a, before: b) }
    guard a.address != lastPeer, b.address != lastPeer else { return a.address == lastPeer }
    let (aCount, bCount) = (rests.count(of: a.address), rests.count(of: b.address))
    return aCount == bCount ? a.strength > b.strength : aCount < bCount
  }

  /// The same for addresses of the remembered phone.
  private func comesFairly(_ a: Candidate, before b: Candidate) -> Bool {
    isAhead(a, of: b) || !isAhead(b, of: a) && a.strength > b.strength
  }

  /// Whether `a` has failed less often than `b`, or as often and is heard more steadily.
  @inline(never)  // likewise
  private func isAhead(_ a: Candidate, of b: Candidate) -> Bool {
    let (aRank, bRank) = (rank(a), rank(b))
    guard aRank == bRank else { return aRank < bRank }
    return doubts.steadiness(of: a.address) > doubts.steadiness(of: b.address)
  }

  /// An address that is proven comes before one that has failed, however often it did so itself.
  private func rank(_ candidate: Candidate) -> Int {
    let failures = rests.count(of: candidate.address)
    if doubts.isProven(candidate.address) { return failures == 0 ? 0 : 2 }
    return failures == 0 ? 1 : 2 + failures
  }

  /// Prefers this phone from now on, as the service was found there.
  mutating func prefer(_ address: DeviceAddress) {
    lastPeer = address
    // A stranger that sends recorded addresses beside the phone has failed, and goes on failing.
    if !doubts.isProven(address) { rests.forgetCounts() }
    forgetHeard()
  }

  /// Whether the service was found there the last time.
  func isPreferred(_ address: DeviceAddress) -> Bool { lastPeer == address }

  /// Prefers nobody any more.
  mutating func preferNobody() { lastPeer = nil }

  /// Leaves a phone without the service alone for a minute.
  mutating func restLong(_ address: DeviceAddress, at now: Instant) {
    if lastPeer == address { lastPeer = nil }
    rests.begin(address, for: Self.longRest, at: now)
  }

  /// Leaves a phone alone that was never ready: for a moment, and if that is so soon again, for a minute.
  mutating func restUnfinished(_ address: DeviceAddress, at now: Instant) {
    if let last = lastUnfinished, last.address == address, now < last.end {
      lastUnfinished = nil
      return restLong(address, at: now)
    }
    lastUnfinished = (address, now + Self.unfinishedTime)
    restShort(address, .stranger, at: now)
  }

  /// Leaves a phone alone for a moment after an attempt that failed.
  ///
  /// One that may be the rider's is back sooner, but once: else strangers would keep that one out.
  mutating func restShort(_ address: DeviceAddress, _ ownership: Ownership, at now: Instant) {
    if ownership == .ours { return restOwn(address, at: now) }
    let isOwn =
      lastPeer == address
      || ownership == .maybeOurs && rests.count(of: address) == 0
    rests.begin(address, for: isOwn ? Self.ownRest : Self.shortRest, at: now)
  }

  /// Leaves an address of the remembered phone alone that took no link, or lost it before it led to anything.
  ///
  /// One that refused the key rests for that already.
  private mutating func restOwn(_ address: DeviceAddress, at now: Instant) {
    guard !rests.isResting(address, at: now) else { return }
    doubts.fail(address, isFirst: rests.count(of: address) == 0, at: now)
    if doubts.isProven(address) {
      rests.begin(address, for: Self.ownRest, at: now)
    } else {
      rests.beginSilent(address, at: now)
    }
  }

  /// Leaves an address alone, ever longer, whose owner has no key of ours.
  ///
  /// Anybody can send an address that was recorded: others that resolve are not kept waiting.
  mutating func restKeyless(_ address: DeviceAddress, at now: Instant) {
    doubts.fail(address, isFirst: rests.count(of: address) == 0, at: now)
    rests.beginKeyless(address, at: now)
  }

  /// Forgets how often an address has failed, as its owner has the key.
  mutating func prove(_ address: DeviceAddress) {
    rests.forget(address)
    doubts.prove(address)
  }

  /// Whether the owner of an address has shown the key since the start.
  func isProven(_ address: DeviceAddress) -> Bool { doubts.isProven(address) }

  /// Lets everybody back in, as the rider wants to try again.
  mutating func endRests() {
    rests.endAll()
    doubts.settle()
    (isCareful, listeningEnd) = (false, nil)
  }

  private mutating func replaceLast(by candidate: Candidate) {
    var last = 0
    for index in 1..<count where comes(candidates[last], before: candidates[index]) { last = index }
    if comes(candidate, before: candidates[last]) { candidates[last] = candidate }
  }
}
