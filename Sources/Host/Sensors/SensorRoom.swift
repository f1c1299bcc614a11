import Bond
import Bytes
import HCI
import L2CAP
import SMP
import Sensors

/// All that the host knows of sensors: who is followed, their links, and what the radio does for them.
///
/// The radio does one thing at a time. What it does for the phone the host's phase says; where that
/// leaves it free, `activity`.
struct SensorRoom: ~Copyable {
  /// What the radio does for sensors.
  enum Activity: Equatable {
    case none
    /// It listens for a sensor that the rider wants to have.
    case listening
    /// It waits for whoever of these kinds is heard first, and is told so anew from time to time.
    case waiting(Kinds, until: Instant)
    /// It connects to one.
    case attempting(SensorKind, until: Instant)
    /// Waiting or the attempt is being called back: LE Connection Complete ends it.
    case cancelling(until: Instant)
  }

  /// A set of kinds, a bit for each.
  struct Kinds: Equatable {
    private var bits: UInt8 = 0

    var isEmpty: Bool { bits == 0 }
    func contains(_ kind: SensorKind) -> Bool { bits & 1 &<< kind.rawValue != 0 }
    mutating func insert(_ kind: SensorKind) { bits |= 1 &<< kind.rawValue }
  }

  /// A sensor that is remembered.
  struct Followed {
    var address: DeviceAddress
    var handles: SubscribedHandles
    /// What encrypts its link, if it has asked for that.
    var key: Bond.Key?
  }

  /// How long a kind is left alone that led to nothing.
  private struct Rest {
    var end: Instant?
    /// How long the next one is.
    var time = SensorRoom.firstRest
  }

  /// How many of all kinds are linked at once.
  static var mostLinks: Int { 3 }
  private static var firstRest: Int64 { 1_000 }
  private static var lastRest: Int64 { 60_000 }
  /// How long no further link is tried for after the controller had none.
  private static var limitTime: Int64 { 60_000 }

  /// Whether sensors are used at all.
  let isOn: Bool
  private var followed = PerKind<Followed?>(repeating: nil)
  var links: PerKind<SensorLink>
  /// How each link is secured.
  var securities = PerKind<SensorSecurity>(repeating: SensorSecurity())
  private var rests = PerKind<Rest>(repeating: Rest())
  var activity = Activity.none
  var search = SensorSearch()
  /// Who was heard while the phone is searched for.
  var heard: SensorKind?
  /// Until when the controller is taken to have no link to give.
  private(set) var limitEnd: Instant?
  /// The pairing that is under way, which is one at a time.
  var pairing = Pairing(local: SensorRoom.nobody, peer: SensorRoom.nobody)
  var pairingKind: SensorKind?
  /// What an event is about: a value, a name.
  var bytes = FixedBuffer<65>()
  /// Whether power measures what the speed sensor would, so that this one is worth the least.
  var speedGivesWay = false
  /// Whether another sensor measures what that of cadence would: then this one is worth even less.
  var cadenceGivesWay = false

  static var nobody: DeviceAddress { DeviceAddress(0, .public) }

  init(isOn: Bool) {
    self.isOn = isOn
    links = InlineArray { SensorLink.none(SensorKind.at($0)) }
  }

  /// Whether the controller connects to a sensor, or has been told to.
  var isInitiating: Bool {
    switch activity {
    case .none, .listening: false
    case .waiting, .attempting, .cancelling: true
    }
  }

  // MARK: - Who is followed

  /// The address of the sensor of this kind that is remembered.
  func address(of kind: SensorKind) -> DeviceAddress? { followed[kind.index]?.address }

  func handles(of kind: SensorKind) -> SubscribedHandles { followed[kind.index]?.handles ?? .none }

  /// The key that is kept of the sensor that the link of this kind is to.
  func key(of kind: SensorKind) -> Bond.Key? {
    isFollowed(kind) ? followed[kind.index]?.key : nil
  }

  /// Remembers a sensor of this kind, or none; one that is remembered already stays as it is known.
  mutating func follow(_ kind: SensorKind, _ sensor: Followed?) {
    if let sensor, let known = address(of: kind), sensor.address.isSame(as: known) { return }
    followed[kind.index] = sensor
    endRest(of: kind)
  }

  /// Where the value of a remembered sensor is, is known from its link.
  mutating func learnHandles(of kind: SensorKind) {
    if isFollowed(kind) { followed[kind.index]?.handles = links[kind.index].client.handles }
  }

  /// The key of a remembered sensor is this one from now on; `nil` for one that is not to be tried again.
  mutating func learnKey(_ key: Bond.Key?, of kind: SensorKind) {
    if isFollowed(kind) { followed[kind.index]?.key = key }
  }

  /// Has the links to speed and cadence change places where that makes them those of `remembered` ones.
  ///
  /// Returns whether they did.
  mutating func exchangeLinks(for remembered: RememberedSensors) -> Bool {
    guard
      isLink(of: .speed, to: remembered[.cadence]) || isLink(of: .cadence, to: remembered[.speed])
    else { return false }
    links.swapAt(SensorKind.speed.index, SensorKind.cadence.index)
    securities.swapAt(SensorKind.speed.index, SensorKind.cadence.index)
    if let twin = pairingKind?.twin { pairingKind = twin }
    if let twin = search.kind?.twin { search.move(to: twin) }
    heard = nil
    return true
  }

  private func isLink(of kind: SensorKind, to sensor: RememberedSensor?) -> Bool {
    guard let sensor, links[kind.index].isThere else { return false }
    return links[kind.index].peer.isSame(as: sensor.address)
  }

  /// Lets the search go on; returns whether its state is another one now.
  ///
  /// Which of two kinds it is that is tried, nobody knows: it gets the place that is free.
  mutating func advanceSearch(to now: Instant) -> Bool {
    let isChanged = search.advance(to: now)
    if case .trying(let kind, _) = search.state, let twin = kind.twin,
      followed[kind.index] != nil, followed[twin.index] == nil
    {
      search.move(to: twin)
    }
    return isChanged
  }

  /// The kind of a sensor that is remembered, or being tried.
  func kind(of address: DeviceAddress) -> SensorKind? {
    if case .trying(let kind, let candidate) = search.state, address.isSame(as: candidate) {
      return kind
    }
    for index in followed.indices {
      if let sensor = followed[index], address.isSame(as: sensor.address) { return .at(index) }
    }
    return nil
  }

  // MARK: - Links

  func kind(ofLink handle: UInt16) -> SensorKind? {
    for index in links.indices where links[index].isThere && links[index].handle == handle {
      return .at(index)
    }
    return nil
  }

  /// Whether the link of this kind is to the sensor that is remembered.
  func isFollowed(_ kind: SensorKind) -> Bool {
    guard let address = address(of: kind) else { return false }
    return links[kind.index].isThere && links[kind.index].peer.isSame(as: address)
  }

  /// Whether there is no link.
  var isAlone: Bool {
    for index in links.indices where links[index].isThere { return false }
    return true
  }

  /// Whether the link is to whom the search tries or offers.
  func isSought(_ kind: SensorKind) -> Bool {
    guard search.kind == kind else { return false }
    guard case .trying(_, let address) = search.state else { return true }
    return links[kind.index].peer.isSame(as: address)
  }

  /// Whether the link belongs to somebody who is remembered, or whom the rider is asked about.
  func isWanted(_ kind: SensorKind) -> Bool {
    search.kind == kind ? isSought(kind) : isFollowed(kind)
  }

  /// Whether one that is worth more has no room left for it.
  func isSurplus(_ kind: SensorKind) -> Bool {
    guard search.kind != kind else { return false }
    var count = 0
    for index in links.indices where links[index].isThere && !links[index].isEnding {
      if worth(.at(index)) >= worth(kind) { count += 1 }
    }
    return count > Self.mostLinks
  }

  /// The remembered sensors that a link is wanted to, which they do not have.
  var missing: Kinds {
    var kinds = Kinds()
    guard limitEnd == nil else { return kinds }
    for index in links.indices where isMissing(.at(index)) { kinds.insert(.at(index)) }
    return kinds
  }

  func isMissing(_ kind: SensorKind) -> Bool {
    guard followed[kind.index] != nil, !links[kind.index].isThere, search.kind != kind,
      rests[kind.index].end == nil
    else { return false }
    return hasRoom(for: kind)
  }

  /// Whether those that are worth more leave a link for this kind.
  func hasRoom(for kind: SensorKind) -> Bool {
    var better = 0
    for index in links.indices where links[index].isThere && !links[index].isEnding {
      if worth(.at(index)) > worth(kind) { better += 1 }
    }
    return better < Self.mostLinks
  }

  /// Of the kinds that have a link, the one that is worth the least.
  var leastLinked: SensorKind? {
    var least: SensorKind?
    for index in links.indices where links[index].isThere && !links[index].isEnding {
      if let before = least, worth(before) < worth(.at(index)) { continue }
      least = .at(index)
    }
    return least
  }

  /// What a kind is worth, compared with others.
  private func worth(_ kind: SensorKind) -> Int {
    switch kind {
    case .speed where speedGivesWay: -1
    case .cadence where cadenceGivesWay: -2
    default: kind.worth
    }
  }

  // MARK: - Pairing

  /// Sends what the pairing has to say.
  mutating func sendPairing(to kind: SensorKind) {
    var pdu = FixedBuffer<65>()
    while pairing.takePDU(into: &pdu) {
      links[kind.index].sender.append(pdu.bytes, channel: .securityManager)
      pdu.removeAll()
    }
  }

  /// Takes the command in `bytes` for the pairing that is under way.
  mutating func receiveSecurity<Cryptography: Crypto>(
    at now: Instant, with cryptography: inout Cryptography
  ) -> PairingOutcome {
    pairing.receive(bytes.bytes, at: now, with: &cryptography)
  }

  /// Whether the command in `bytes` asks for an encrypted link.
  var isSecurityRequest: Bool {
    if case .securityRequest = try? SecurityPDU(parsing: bytes.bytes) { true } else { false }
  }

  /// Declines the command in `bytes`.
  mutating func declineSecurity(of kind: SensorKind) {
    links[kind.index].declineSecurity(bytes.bytes)
  }

  mutating func endPairing() {
    pairing = Pairing(local: Self.nobody, peer: Self.nobody)
    pairingKind = nil
  }

  // MARK: - Time

  /// When something is due.
  var deadline: Instant? {
    var deadline = earlier(limitEnd, search.deadline)
    switch activity {
    case .waiting(_, let until), .attempting(_, let until), .cancelling(let until):
      deadline = earlier(deadline, until)
    case .none, .listening: break
    }
    for index in links.indices {
      deadline = earlier(deadline, rests[index].end)
      guard links[index].isThere else { continue }
      deadline = earlier(deadline, earlier(links[index].deadline, links[index].dueTime))
      if !links[index].isEnding { deadline = earlier(deadline, securities[index].deadline) }
    }
    return deadline
  }

  /// Ends rests that are over.
  mutating func pass(to now: Instant) {
    if let end = limitEnd, now >= end { limitEnd = nil }
    for index in rests.indices {
      if let end = rests[index].end, now >= end { rests[index].end = nil }
    }
  }

  /// Leaves a kind alone, ever longer, as it led to nothing.
  mutating func rest(_ kind: SensorKind, at now: Instant) {
    let time = rests[kind.index].time
    rests[kind.index] = Rest(end: now + time, time: min(time * 2, Self.lastRest))
  }

  mutating func endRest(of kind: SensorKind) { rests[kind.index] = Rest() }

  /// Tries no further link for a while; returns whether that is news.
  mutating func noteLimit(at now: Instant) -> Bool {
    let isNews = limitEnd == nil
    limitEnd = now + Self.limitTime
    return isNews
  }
}

extension SensorKind {
  /// Its place in a table of all kinds.
  var index: Int { Int(rawValue) }

  /// The kind at a place.
  static func at(_ index: Int) -> SensorKind {
    SensorKind(rawValue: UInt8(truncatingIfNeeded: index)) ?? .heart
  }
}
