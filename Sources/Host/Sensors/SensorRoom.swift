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
    case waiting(SensorKinds, until: Instant)
    /// It connects to one.
    case attempting(SensorKind, until: Instant)
    /// Waiting or the attempt is being called back: LE Connection Complete ends it.
    case cancelling(until: Instant)
  }

  /// A sensor that is remembered.
  struct Followed {
    var address: DeviceAddress
    var handles: SubscribedHandles
    /// What encrypts its link, if it has asked for that.
    var key: Bond.Key?
  }

  /// The place of the link to whom the search tries or offers; those before it are the kinds'.
  static var soughtPlace: Int { SensorKind.count }
  /// How long no further link is tried for after the controller had none.
  private static var limitTime: Int64 { 60_000 }
  /// Whether sensors are used at all.
  let isOn: Bool
  private(set) var followed = PerKind<Followed?>(repeating: nil)
  var links: InlineArray<6, SensorLink>
  /// How each link is secured.
  var securities = InlineArray<6, SensorSecurity>(repeating: SensorSecurity())
  /// The kind of the sensor in the last place.
  private var soughtKind = SensorKind.heart
  var turns = SensorTurns()
  var activity = Activity.none
  var search = SensorSearch()
  /// Whether the controller was told to listen all the time, though the phone's search is slow.
  var isScanWide = false
  /// Until when the controller is taken to have no link to give.
  private(set) var limitEnd: Instant?
  /// The pairing that is under way, which is one at a time.
  var pairing = Pairing(local: SensorRoom.nobody, peer: SensorRoom.nobody)
  /// Whose it is, by the place of the link.
  private(set) var pairingPlace: Int?
  /// What an event is about: a value, a name.
  var bytes = FixedBuffer<65>()
  /// Whom the last event was about.
  var told = SensorRoom.nobody
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
  func address(of kind: SensorKind) -> DeviceAddress? { followed[kind]?.address }

  func handles(of kind: SensorKind) -> SubscribedHandles { followed[kind]?.handles ?? .none }

  /// The key that is kept of the sensor that the link in this place is to.
  func key(of place: Int) -> Bond.Key? { isFollowed(place) ? followed[kind(at: place)]?.key : nil }

  /// Remembers a sensor of this kind, or none; one that is remembered already stays as it is known.
  mutating func follow(_ kind: SensorKind, _ sensor: Followed?) {
    if let sensor, let known = address(of: kind), sensor.address.isSame(as: known) { return }
    followed[kind] = sensor
    turns.endRest(of: kind)
  }

  /// Where the value of a remembered sensor is, is known from its link.
  mutating func learnHandles(of place: Int) {
    if isFollowed(place) { followed[kind(at: place)]?.handles = links[place].client.handles }
  }

  /// The kinds of which a sensor is remembered; who may be of one of two kinds is new until both are.
  private var remembered: SensorKinds {
    var kinds = SensorKinds()
    for kind in SensorKind.all where followed[kind] != nil {
      if kind.twin.map({ followed[$0] != nil }) ?? true { kinds.insert(kind) }
    }
    return kinds
  }

  /// Gives the sensor that is offered the place of its kind, if it is the one that is remembered now.
  ///
  /// The one that was there is in the last place then, and is to be left.
  mutating func adoptSought(_ kind: SensorKind) -> Bool {
    let place = Self.soughtPlace
    guard isSought(place), let address = address(of: kind),
      links[place].peer.isSame(as: address), !links[place].isEnding
    else { return false }
    exchange(kind.index, place)
    learnHandles(of: kind.index)
    return true
  }

  /// Has the links in two places change them, with all that belongs to them.
  private mutating func exchange(_ a: Int, _ b: Int) {
    links.swapAt(a, b)
    securities.swapAt(a, b)
    if pairingPlace == a {
      pairingPlace = b
    } else if pairingPlace == b {
      pairingPlace = a
    }
  }

  /// The key of a remembered sensor is this one from now on; `nil` for one that is not to be tried again.
  mutating func learnKey(_ key: Bond.Key?, of place: Int) {
    if isFollowed(place) { followed[kind(at: place)]?.key = key }
  }

  /// Has the links to speed and cadence change places where that makes them those of `remembered` ones, and
  /// who is offered become the kind as which it is remembered.
  ///
  /// Returns whether what was taken for one of the two kinds is the other one now. What was measured beside
  /// the remembered sensor of its kind was taken for neither.
  mutating func exchangeLinks(for remembered: RememberedSensors) -> Bool {
    let (speed, cadence, sought) = (
      SensorKind.speed.index, SensorKind.cadence.index, Self.soughtPlace
    )
    var isExchanged = false
    if isSought(sought), let twin = soughtKind.twin, isLink(at: sought, to: remembered[twin]) {
      isExchanged = !isFollowed(soughtKind.index)
      soughtKind = twin
      search.move(to: twin)
    }
    if isLink(at: speed, to: remembered[.cadence]) || isLink(at: cadence, to: remembered[.speed]) {
      exchange(speed, cadence)
      isExchanged = true
    }
    if isExchanged { turns.forgetHeard() }
    return isExchanged
  }

  private func isLink(at place: Int, to sensor: RememberedSensor?) -> Bool {
    guard let sensor, links[place].isThere else { return false }
    return links[place].peer.isSame(as: sensor.address)
  }

  /// Lets the search go on; returns whether its state is another one now.
  ///
  /// Which of two kinds it is that is tried, nobody knows: it is taken for the one that is not remembered.
  mutating func advanceSearch(to now: Instant) -> Bool {
    let isChanged = search.advance(to: now, remembered: remembered)
    if case .trying(let kind, _) = search.state, let twin = kind.twin,
      followed[kind] != nil, followed[twin] == nil
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
    for kind in SensorKind.all {
      if let known = self.address(of: kind), address.isSame(as: known) { return kind }
    }
    return nil
  }

  // MARK: - Links

  func place(ofLink handle: UInt16) -> Int? {
    for place in links.indices where links[place].isThere && links[place].handle == handle {
      return place
    }
    return nil
  }

  /// The place of the link to this sensor, if there is one.
  func place(ofLinkTo address: DeviceAddress) -> Int? {
    for place in links.indices where links[place].isThere && links[place].peer == address {
      return place
    }
    return nil
  }

  /// Where a link to this sensor belongs, if one is wanted that is not there.
  func place(for address: DeviceAddress) -> Int? {
    guard let kind = kind(of: address) else { return nil }
    let isTried =
      if case .trying(_, let candidate) = search.state { candidate.isSame(as: address) } else {
        false
      }
    let place = isTried ? Self.soughtPlace : kind.index
    return links[place].isThere ? nil : place
  }

  /// Puts a link into its place.
  mutating func set(_ link: consuming SensorLink, of kind: SensorKind, at place: Int) {
    if place == Self.soughtPlace { soughtKind = kind }
    links[place] = link
  }

  /// What the sensor in this place measures.
  func kind(at place: Int) -> SensorKind { place == Self.soughtPlace ? soughtKind : .at(place) }

  /// The place of a kind, or that of the sensor which is tried or offered, if it is of this kind.
  func shownPlace(of kind: SensorKind) -> Int {
    isSought(Self.soughtPlace) && soughtKind == kind ? Self.soughtPlace : kind.index
  }

  /// Whether the link in this place is to the sensor that is remembered.
  func isFollowed(_ place: Int) -> Bool {
    guard place != Self.soughtPlace, let address = address(of: kind(at: place)) else {
      return false
    }
    return links[place].isThere && links[place].peer.isSame(as: address)
  }

  /// Whether one of them has asked for parameters of its own.
  var havePeersParameters: Bool {
    for place in links.indices where links[place].isThere && links[place].hasPeersParameters {
      return true
    }
    return false
  }

  /// Whether there is no link.
  var isAlone: Bool {
    for index in links.indices where links[index].isThere { return false }
    return true
  }

  /// Whether the link is to whom the search tries or offers.
  func isSought(_ place: Int) -> Bool {
    guard place == Self.soughtPlace, links[place].isThere, search.kind == soughtKind else {
      return false
    }
    guard case .trying(_, let address) = search.state else { return true }
    return links[place].peer.isSame(as: address)
  }

  /// Whether the link belongs to somebody who is remembered, or whom the rider is asked about.
  func isWanted(_ place: Int) -> Bool { isSought(place) || isFollowed(place) }

  // MARK: - Pairing

  /// Sends what the pairing has to say.
  ///
  /// What finds no room waits.
  mutating func sendPairing() {
    guard let place = pairingPlace else { return }
    var pdu = FixedBuffer<65>()
    while links[place].sender.hasRoom(for: 65), pairing.takePDU(into: &pdu) {
      _ = links[place].sender.append(pdu.bytes, channel: .securityManager)
      pdu.removeAll()
    }
  }

  /// Begins to pair with the sensor in this place.
  mutating func beginPairing(local: DeviceAddress, at place: Int, _ now: Instant) {
    pairingPlace = place
    pairing = Pairing(local: local, peer: links[place].peer)
    pairing.begin(at: now)
    sendPairing()
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
  mutating func declineSecurity(of place: Int) throws(ParseError) {
    try links[place].declineSecurity(bytes.bytes)
  }

  /// The pairing has come to its end, good or bad.
  mutating func endPairing() {
    pairing = Pairing(local: Self.nobody, peer: Self.nobody)
    pairingPlace = nil
  }

  // MARK: - Time

  /// When something is due.
  var deadline: Instant? {
    var deadline = earlier(earlier(limitEnd, turns.deadline), search.deadline)
    switch activity {
    case .waiting(_, let until), .attempting(_, let until), .cancelling(let until):
      deadline = earlier(deadline, until)
    case .none, .listening: break
    }
    for index in links.indices where links[index].isThere {
      deadline = earlier(deadline, earlier(links[index].deadline, links[index].dueTime))
      if !links[index].isEnding { deadline = earlier(deadline, securities[index].deadline) }
    }
    return deadline
  }

  /// Ends rests that are over.
  mutating func pass(to now: Instant) {
    if let end = limitEnd, now >= end { limitEnd = nil }
    turns.pass(to: now)
  }

  /// Those that may be connected to now, while the phone is searched for.
  var heardMissing: SensorKinds {
    guard !turns.isPausing, search.state != .listening else { return SensorKinds() }
    return missing.intersection(turns.heard)
  }

  /// Whether the radio is to listen all the time though the phone's search is slow.
  ///
  /// A search for a sensor has half of the time, and an attempt took time from the phone's.
  var wantsWideScan: Bool { search.state == .listening || turns.isPausing }

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
