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

  /// A sensor that is remembered.
  struct Followed {
    var address: DeviceAddress
    var handles: SubscribedHandles
  }

  /// How many of the four are linked at once.
  static var mostLinks: Int { 3 }
  /// The place of the link to whom the search tries or offers; those before it are the kinds'.
  static var soughtPlace: Int { 4 }
  /// How long no further link is tried for after the controller had none.
  private static var limitTime: Int64 { 60_000 }
  /// Whether sensors are used at all.
  let isOn: Bool
  private var followed = InlineArray<4, Followed?>(repeating: nil)
  var links: InlineArray<5, SensorLink>
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

  /// Remembers a sensor of this kind, or none; one that is remembered already stays as it is known.
  mutating func follow(_ kind: SensorKind, _ sensor: Followed?) {
    if let sensor, let known = address(of: kind), sensor.address.isSame(as: known) { return }
    followed[kind.index] = sensor
    turns.endRest(of: kind)
  }

  /// Where the value of a remembered sensor is, is known from its link.
  mutating func learnHandles(of place: Int) {
    if isFollowed(place) { followed[place]?.handles = links[place].client.handles }
  }

  /// The kinds of which a sensor is remembered.
  var remembered: Kinds {
    var kinds = Kinds()
    for index in followed.indices where followed[index] != nil { kinds.insert(.at(index)) }
    return kinds
  }

  /// Gives the sensor that is offered the place of its kind, if it is the one that is remembered now;
  /// whoever was there is in the last place then, and is to be left.
  mutating func adoptSought(_ kind: SensorKind) -> Bool {
    let place = Self.soughtPlace
    guard isSought(place), soughtKind == kind, let address = address(of: kind),
      links[place].peer.isSame(as: address), !links[place].isEnding
    else { return false }
    links.swapAt(kind.index, place)
    if pairingPlace == place {
      pairingPlace = kind.index
    } else if pairingPlace == kind.index {
      pairingPlace = place
    }
    learnHandles(of: kind.index)
    return true
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

  func place(ofLink handle: UInt16) -> Int? {
    for place in links.indices where links[place].isThere && links[place].handle == handle {
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

  /// Whether one that is worth more has no room left for it.
  ///
  /// Whom the rider is asked about is beside those.
  func isSurplus(_ place: Int) -> Bool {
    guard place != Self.soughtPlace else { return false }
    var count = 0
    for index in 0..<SensorKind.count where links[index].isThere && !links[index].isEnding {
      if worth(.at(index)) >= worth(.at(place)) { count += 1 }
    }
    return count > Self.mostLinks
  }

  /// The remembered sensors that a link is wanted to, which they do not have.
  var missing: Kinds {
    var kinds = Kinds()
    guard limitEnd == nil else { return kinds }
    for index in 0..<SensorKind.count where isMissing(.at(index)) { kinds.insert(.at(index)) }
    return kinds
  }

  func isMissing(_ kind: SensorKind) -> Bool {
    guard followed[kind.index] != nil, !links[kind.index].isThere,
      !turns.isResting(kind)
    else { return false }
    return hasRoom(for: kind)
  }

  /// Whether those that are worth more leave a link for this kind.
  func hasRoom(for kind: SensorKind) -> Bool {
    var better = 0
    for index in 0..<SensorKind.count where links[index].isThere && !links[index].isEnding {
      if worth(.at(index)) > worth(kind) { better += 1 }
    }
    return better < Self.mostLinks
  }

  /// The place of the link that is worth the least: first of all that of who is not remembered.
  var leastLinked: Int? {
    let sought = Self.soughtPlace
    if links[sought].isThere, !links[sought].isEnding { return sought }
    var least: Int?
    for index in 0..<SensorKind.count where links[index].isThere && !links[index].isEnding {
      if let before = least, worth(.at(before)) < worth(.at(index)) { continue }
      least = index
    }
    return least
  }

  /// What a kind is worth, compared with others.
  private func worth(_ kind: SensorKind) -> Int {
    kind == .speed && speedGivesWay ? -1 : kind.index
  }

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

  /// Declines the command in `bytes`.
  mutating func declineSecurity(of place: Int) throws(ParseError) {
    try links[place].declineSecurity(bytes.bytes)
  }

  mutating func endPairing() {
    pairing = Pairing(local: Self.nobody, peer: Self.nobody)
    pairingPlace = nil
  }

  /// The pairing has come to its end, good or bad; what it has still to say is sent.
  mutating func pairingIsOver() { pairingPlace = nil }

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
    }
    return deadline
  }

  /// Ends rests that are over.
  mutating func pass(to now: Instant) {
    if let end = limitEnd, now >= end { limitEnd = nil }
    turns.pass(to: now)
  }

  /// Those that may be connected to now, while the phone is searched for.
  var heardMissing: Kinds {
    guard !turns.isPausing, search.state != .listening else { return Kinds() }
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
