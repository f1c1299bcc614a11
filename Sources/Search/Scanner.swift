package import Bytes
package import HCI

/// Which of the phones heard is the one to connect to.
///
/// A phone that was connected before is taken at once; while one of its addresses is in doubt, those that are not
/// proven take turns: `Doubts`. Among strangers, the phone that led to nothing least often is taken, and of equals
/// the strongest, `patience` after the first one was heard. In a hurry it must have been heard twice, as a phone that
/// has just gone would keep the search waiting. A phone without the service rests.
package struct Scanner: ~Copyable {
  /// Long enough for two advertisements of any phone in the foreground; the third makes the link.
  package static var patience: Int64 { 180 }
  /// How many of its advertisements an attempt at a stranger waits for, in a hurry.
  private static var attemptIntervals: Int64 { 4 }
  private static var shortestAttempt: Int64 { 400 }
  private static var longestAttempt: Int64 { 5_000 }
  /// Two advertisements of an iPhone in the background, for a phone that was heard once, in a hurry.
  private static var blindAttempt: Int64 { 2_600 }
  /// A phone that was heard within this time may be heard again: an iPhone in the background is.
  private static var presence: Int64 { 1_300 }
  private static var capacity: Int { 8 }

  /// What follows from an advertisement.
  package enum Outcome {
    case nothing
    /// Something that was not known.
    case news
    /// A phone to connect to perhaps, for the first time since `begin`.
    case phone(Candidate)
  }

  /// Which advertisements are those of a phone to connect to.
  package enum Wanted {
    /// Those that offer the service.
    case anybody
    /// The same, while the rider may not be asked about strangers.
    case acquainted
    /// All: only those of the remembered phone get here.
    case remembered
    /// Of those, the ones that offer the service.
    case rememberedWithService
  }

  private let service: UUID
  private let overflowArea: OverflowArea
  private var candidates = InlineArray<8, Candidate>(repeating: .nobody)
  private var count = 0
  private var names = HeardNames()
  package private(set) var reputation = Reputation()
  private var scannables = Scannables()

  /// When the strangers have had the time to be heard.
  private var patienceEnd: Instant?
  /// Whether a ride was just lost: its phone may come and go, under addresses that are not known.
  private var isInHurry = false
  /// Whether the search is slow, so that hearing a phone takes long.
  private var isSlow = false
  /// Whether an address of the remembered phone has failed: those that are not proven take turns.
  private var isCareful = false
  /// Until when the radio listens before the first of these turns.
  private var listeningEnd: Instant?
  /// Until when a slow search listens all the time: the phone may be near an address that has failed.
  private var wideEnd: Instant?
  /// Whose turn it is.
  private var turn: Candidate?
  /// Until when no phone is connected to.
  private var sharedEnd: Instant?
  /// The addresses that were heard in this hurry before attempts at others.
  private var heardBefore = InlineArray<16, DeviceAddress>(repeating: Candidate.nobody.address)
  private var nextHeardBefore = 0

  /// When to choose among the candidates, or when the radio has listened for long enough.
  package var deadline: Instant? { earlier(wideEnd, choiceTime) }

  private var choiceTime: Instant? {
    earlier(listeningEnd, turn == nil && chosen == nil ? nil : patienceEnd)
  }

  /// A scanner for phones with `service`.
  package init(service: UUID) {
    self.service = service
    overflowArea = OverflowArea(service)
  }

  /// Looks for candidates again; rests go on, and in a hurry the candidates that were heard still count.
  ///
  /// For `sharedTime` ms no phone is connected to, as a search for sensors listens, too.
  package mutating func begin(isInHurry: Bool, isSlow: Bool, sharedTime: Int64, at now: Instant) {
    for index in 0..<count where !wasHeardBefore(candidates[index].address) {
      heardBefore[nextHeardBefore] = candidates[index].address
      nextHeardBefore = (nextHeardBefore + 1) % 16
    }
    if !isInHurry { forgetHeard() }
    count = 0
    patienceEnd = nil
    (self.isInHurry, self.isSlow) = (isInHurry, isSlow)
    reputation.listeningBegan(at: now)
    listeningEnd = reputation.listeningEnd(at: now)
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

  /// Receives what happened with an address.
  package mutating func receive(_ input: Reputation.Input, at now: Instant) {
    reputation.receive(input, at: now)
    switch input {
    case .served: forgetHeard()
    case .riderAsked: (isCareful, listeningEnd) = (false, nil)
    default: break
    }
  }

  /// Receives an advertisement that may be a phone's; with `isOther` its address belongs to something else.
  package mutating func receive(
    _ report: borrowing AdvertisingReport, as wanted: Wanted, isOther: Bool, at now: Instant
  ) -> Outcome {
    // A scan response of this advertiser will not say what kind it is.
    let isKindNew = report.kind == .scannable && scannables.add(report.address)
    guard isConnectable(report), !isOther else { return isKindNew ? .news : .nothing }
    let isNameNew = keepName(in: report)
    guard let match = match(report.data, as: wanted) else {
      return isKindNew || isNameNew ? .news : .nothing
    }
    let candidate = Candidate(address: report.address, rssi: report.rssi, match: match)
    let isResting = reputation.isResting(candidate, at: now)
    return !isResting && add(candidate, at: now) ? .phone(candidate) : .news
  }

  /// Whether the report may lead to a link.
  ///
  /// A scan response does not say so; it follows the advertisement that does.
  private func isConnectable(_ report: borrowing AdvertisingReport) -> Bool {
    report.kind == .scanResponse ? !scannables.contains(report.address) : report.isConnectable
  }

  /// Why an advertisement is taken for that of a phone to connect to, if it is.
  private func match(_ data: Span<UInt8>, as wanted: Wanted) -> Match? {
    if wanted == .remembered { return .bond }
    let match: Match? =
      if AdvertisingData.contains(service, in: data) { .service } else {
        overflowArea.isSet(in: data) ? .overflow : nil
      }
    return match != nil && wanted == .rememberedWithService ? .bond : match
  }

  /// Adds a phone that was heard; returns whether it is new since `begin`.
  private mutating func add(_ candidate: Candidate, at now: Instant) -> Bool {
    if candidate.match == .bond { reputation.receive(advertisementOf: candidate.address, at: now) }
    var candidate = candidate
    candidate.setHeard(at: now, wasHeardBefore: wasHeardBefore(candidate.address))
    let takesTurn = takesTurn(candidate)
    if !takesTurn, isKnown(candidate) { patienceEnd = earlier(patienceEnd, due(now)) }
    for index in 0..<count where candidates[index].address == candidate.address {
      candidate.follow(candidates[index])
      candidates[index] = candidate
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

  /// When a phone may be connected to: at this time, or after the shared time.
  private func due(_ time: Instant) -> Instant { sharedEnd.map { max(time, $0) } ?? time }

  /// Whether it has to wait for its turn, as it may be another device with an address of the phone.
  private func takesTurn(_ candidate: Candidate) -> Bool {
    isCareful && candidate.match == .bond && rank(candidate) > 0
  }

  /// Gives a phone that is heard its turn, if the radio has listened long enough and no other near one comes first.
  private mutating func giveTurn(_ candidate: Candidate, at now: Instant) {
    guard now >= listeningEnd ?? now, now >= sharedEnd ?? now else { return }
    for index in 0..<count where candidates[index].address != candidate.address {
      let other = candidates[index]
      if now - other.lastHeard < Self.presence, isAhead(other, of: candidate) { return }
    }
    turn = candidate
    patienceEnd = now
  }

  /// Whether a phone is about to be connected to, or the radio listens between two attempts.
  package var isBusy: Bool { choiceTime != nil || isCareful && count > 0 }

  /// Whether the radio is to listen all the time, though the search is slow.
  package var wantsWideScan: Bool { wideEnd != nil }

  /// Advances to `now`.
  package mutating func advance(to now: Instant) {
    if let end = listeningEnd, now >= end { listeningEnd = nil }
    if let end = wideEnd, now >= end { wideEnd = nil }
  }

  /// Whether it is the remembered phone, or the one that was connected before.
  private func isKnown(_ candidate: Candidate) -> Bool {
    candidate.match == .bond || reputation.isPreferred(candidate.address)
  }

  /// Keeps the name in an advertisement, if there is one.
  ///
  /// The report may come before or after the one that makes the phone a candidate. The names of candidates keep their
  /// places; all others share what is left. Returns whether the name is new.
  private mutating func keepName(in report: borrowing AdvertisingReport) -> Bool {
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
  package borrowing func name(of address: DeviceAddress) -> Span<UInt8> { names.name(of: address) }

  /// The phone to connect to, once the deadline has come.
  package func choose(at now: Instant) -> Candidate? {
    guard let due = patienceEnd, now >= due else { return nil }
    return turn ?? chosen
  }

  /// How long an attempt to connect to this phone is worthwhile.
  ///
  /// In a hurry the attempt is short: the phone may be gone, and come back under another address.
  package func attemptTime(for candidate: Candidate, at now: Instant) -> Int64 {
    guard candidate.match == .bond else { return patientTime(for: candidate) }
    if reputation.isProven(candidate.address) { return patientTime(for: candidate) }
    return reputation.attemptTime(
      for: candidate.address, at: candidate.interval, isSlow: isSlow, at: now)
  }

  private func patientTime(for candidate: Candidate) -> Int64 {
    guard isInHurry else { return Self.longestAttempt }
    guard let interval = candidate.interval else { return Self.blindAttempt }
    return max(
      Self.shortestAttempt, min(interval * Self.attemptIntervals, Self.longestAttempt))
  }

  /// The first of those that may be connected to.
  private var chosen: Candidate? { first(heardTwice: isInHurry) }

  /// The phone to connect to if it had to be now; `nil` if none was heard.
  package var first: Candidate? { first(heardTwice: false) }

  @inline(never)  // one copy
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

  /// Whether `a` comes before `b`: the phone that was connected before, then the one with fewer failed attempts, so
  /// that none waits without end, then the stronger one.
  @inline(never)  // one copy
  private func comes(_ a: Candidate, before b: Candidate) -> Bool {
    if a.match == .bond { return comesFairly(a, before: b) }
    let isPreferred = reputation.isPreferred(a.address)
    if isPreferred || reputation.isPreferred(b.address) { return isPreferred }
    let (aCount, bCount) = (
      reputation.failures(of: a.address), reputation.failures(of: b.address)
    )
    return aCount == bCount ? a.strength > b.strength : aCount < bCount
  }

  /// The same for addresses of the remembered phone.
  private func comesFairly(_ a: Candidate, before b: Candidate) -> Bool {
    isAhead(a, of: b) || !isAhead(b, of: a) && a.strength > b.strength
  }

  /// Whether `a` has failed less often than `b`, or as often and is heard more steadily.
  @inline(never)  // one copy
  private func isAhead(_ a: Candidate, of b: Candidate) -> Bool {
    let (aRank, bRank) = (rank(a), rank(b))
    guard aRank == bRank else { return aRank < bRank }
    return reputation.steadiness(of: a.address) > reputation.steadiness(of: b.address)
  }

  /// The lower comes first: a proven address before one that has failed, however often it failed itself.
  private func rank(_ candidate: Candidate) -> Int {
    let failures = reputation.failures(of: candidate.address)
    if reputation.isProven(candidate.address) { return failures == 0 ? 0 : 2 }
    return failures == 0 ? 1 : 2 + failures
  }

  private mutating func replaceLast(by candidate: Candidate) {
    var last = 0
    for index in 1..<count where comes(candidates[last], before: candidates[index]) { last = index }
    if comes(candidate, before: candidates[last]) { candidates[last] = candidate }
  }
}

/// The names that were heard, each in a place of its own.
struct HeardNames: ~Copyable {
  static var capacity: Int { 9 }
  private static var size: Int { 32 }
  private typealias Name = FixedBuffer<32>

  private var owners = InlineArray<9, DeviceAddress>(repeating: Candidate.nobody.address)
  private var counts = InlineArray<9, Int>(repeating: 0)
  private var octets = InlineArray<288, UInt8>(repeating: 0)

  /// Where the name of `address` is, if it was heard.
  func index(of address: DeviceAddress) -> Int? {
    for index in 0..<Self.capacity where counts[index] > 0 && owners[index] == address {
      return index
    }
    return nil
  }

  /// Whose name is there.
  func owner(at index: Int) -> DeviceAddress { owners[index] }

  /// Puts the name of `address` there, cut to 32 bytes between two characters; returns whether anything changed.
  mutating func assign(
    _ name: Span<UInt8>, of address: DeviceAddress, at index: Int
  ) -> Bool {
    var kept = Name()
    kept.assign(text: name)
    let count = kept.count
    var isNew = owners[index] != address || counts[index] != count
    (owners[index], counts[index]) = (address, count)
    for position in 0..<count {
      let place = index * Self.size + position
      if octets[place] != kept[position] { isNew = true }
      octets[place] = kept[position]
    }
    return isNew
  }

  /// What `address` calls itself, empty if that was not heard.
  @_lifetime(borrow self)
  @_addressableSelf
  borrowing func name(of address: DeviceAddress) -> Span<UInt8> {
    guard let index = index(of: address) else { return octets.span.extracting(first: 0) }
    let start = index * Self.size
    return octets.span.extracting(start..<start + counts[index])
  }
}
