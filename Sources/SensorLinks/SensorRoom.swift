import Bond
package import Bytes
package import Controller
package import HCI
import Link
package import SMP
package import Sensors

/// All that the host knows of sensors: which are followed, their links, and what the radio does for them.
///
/// It owns the followed sensors, which of them give way, and the limit of links. `SensorPlaces` owns the links;
/// `SensorHunt` owns the search for a new sensor and what the radio does. All change by verbs only, which give commands
/// to the controller. After each verb the owner takes the reports by `takeNews`.
package struct SensorRoom: ~Copyable {
  /// How long no further link is tried after the controller had none left.
  private static var limitTime: Int64 { 60_000 }
  /// Whether sensors are used at all.
  package let isOn: Bool
  private(set) var followed = PerKind<Followed?>(repeating: nil)
  private(set) var places = SensorPlaces()
  private(set) var hunt = SensorHunt()
  /// Until when the controller is taken to have no link left.
  private(set) var limitEnd: Instant?
  /// Whether the power meter measures speed, too, so that the speed sensor gives way.
  private(set) var speedGivesWay = false
  /// Whether another sensor measures cadence, too: then the cadence sensor gives way even before the speed sensor.
  private(set) var cadenceGivesWay = false

  package init(isOn: Bool) { self.isOn = isOn }

  // MARK: - News

  /// The next report, in the order of the events.
  package mutating func takeNews() -> SensorNews? { places.takeNews() }

  // MARK: - Which are followed

  /// Remembers a sensor of this kind, or none; if it is remembered already, nothing that is known of it changes.
  ///
  /// If the search offers this sensor, its link is kept.
  package mutating func follow(
    _ kind: SensorKind, _ sensor: Followed?, by controller: inout Controller, at now: Instant
  ) {
    let known = address(of: kind)
    if known == nil || sensor.map({ !$0.address.isSame(as: known ?? $0.address) }) ?? true {
      followed[kind] = sensor
      hunt.endRest(of: kind)
    }
    guard adoptSought(kind) else { return }
    hunt.endSearch()
    if places.isThere(.sought) { places.end(.sought, by: &controller, at: now) }
  }

  /// Gives the sensor that is offered the place of its kind, if it is the one that is remembered now.
  ///
  /// The sensor that was there moves to the last place, and is to be left.
  private mutating func adoptSought(_ kind: SensorKind) -> Bool {
    guard isSought(.sought), let address = address(of: kind), places.isLinked(.sought),
      places.isLink(at: .sought, to: address)
    else { return false }
    places.exchange(.of(kind), .sought)
    learnHandles(of: .of(kind))
    return true
  }

  /// Changes what is known of a remembered sensor.
  mutating func changeFollowed(_ kind: SensorKind, _ change: (inout Followed) -> Void) {
    guard var sensor = followed[kind] else { return }
    change(&sensor)
    followed[kind] = sensor
  }

  /// Learns the handles of a remembered sensor's value from its link.
  private mutating func learnHandles(of place: SensorPlace) {
    if isFollowed(place) { followed[places.kind(at: place)]?.learn(places.handles(at: place)) }
  }

  /// Exchanges the links to speed and cadence if they are `remembered` the other way round.
  ///
  /// An offered sensor becomes the kind as which it is remembered. Returns whether speed and cadence have changed
  /// places. Values of a second, offered sensor are not affected.
  package mutating func exchangeLinks(for remembered: RememberedSensors) -> Bool {
    var isExchanged = false
    let soughtKind = places.soughtKind
    if isSought(.sought), let twin = soughtKind.twin, isLink(at: .sought, to: remembered[twin]) {
      isExchanged = !isFollowed(.of(soughtKind))
      places.moveSought(to: twin)
      hunt.moveSought(to: twin)
    }
    if isLink(at: .of(.speed), to: remembered[.cadence])
      || isLink(at: .of(.cadence), to: remembered[.speed])
    {
      places.exchange(.of(.speed), .of(.cadence))
      isExchanged = true
    }
    if isExchanged { hunt.forgetHeard() }
    return isExchanged
  }

  /// Sets whether another sensor measures speed, or cadence, too: its own sensor then gives way if links are too few.
  package mutating func letSpeedGiveWay(_ isSo: Bool) { speedGivesWay = isSo }
  package mutating func letCadenceGiveWay(_ isSo: Bool) { cadenceGivesWay = isSo }

  // MARK: - The search for another one

  /// Begins a search for sensors, which lasts half a minute.
  package mutating func beginSearch(at now: Instant) { hunt.beginSearch(at: now) }

  /// Leaves the offered sensor, and tries or looks for the next one.
  package mutating func searchNext(at now: Instant) { hunt.searchNext(at: now) }

  package mutating func endSearch() { hunt.endSearch() }

  // MARK: - Advertisements

  /// Forgets the sensors that were heard while the phone is searched for: they may be gone.
  package mutating func forgetHeard() { hunt.forgetHeard() }

  /// Hears an advertisement; returns whether it matters to the search, or is the first of a missing sensor.
  package mutating func hear(
    _ advertisement: borrowing AdvertisingReport, isPhoneSearched: Bool, at now: Instant
  ) -> Bool {
    let address = advertisement.address
    if let kind = kind(of: address) {
      guard isPhoneSearched, isRadioFree, isMissing(kind) else { return false }
      return hunt.hear(kind)
    }
    guard isSearching else { return false }
    let advertised = AdvertisedKinds(in: advertisement.data)
    for kind in SensorKind.all where advertised.kinds.contains(kind) {
      let others = advertised.others(than: kind)
      if hunt.hear(kind, address, others: others, rssi: advertisement.rssi, at: now) {
        places.report(.found(kind, address))
      }
    }
    return !advertised.kinds.isEmpty
  }

  // MARK: - The radio

  /// Goes on listening for the phone, if no sensor has the radio.
  package mutating func listenForPhone(_ phone: PhoneSide, by controller: inout Controller) {
    hunt.listenForPhone(phone, by: &controller)
  }

  /// Does for sensors what is due, as far as the phone leaves the radio free.
  package mutating func tend(
    beside phone: PhoneSide, by controller: inout Controller, at now: Instant
  ) -> HostFailure? {
    if let end = limitEnd, now >= end { limitEnd = nil }
    hunt.pass(to: now)
    if case .down = phone.radio { return nil }
    // The search may have begun before the controller reported what it supports.
    if phone.isInQuestion || phone.isOver || !arePossible(controller) { hunt.endSearch() }
    if hunt.advance(to: now, remembered: remembered) { places.report(.search) }
    // The tried sensor may be of either of two kinds: it is taken for the one that is not remembered.
    if case .trying(let kind, _) = hunt.search.state, let twin = kind.twin,
      followed[kind] != nil, followed[twin] == nil
    {
      hunt.moveSought(to: twin)
    }
    for index in 0..<SensorPlace.count where places.isThere(SensorPlace(index)) {
      let place = SensorPlace(index)
      let consequence = places.tend(place, by: &controller, at: now)
      if case .stuck = consequence { return .linkStuck }
      take(consequence, at: place, now)
      guard places.isLinked(place) else { continue }
      if phone.isOver || !isSought(place) && !isFollowed(place) || isSurplus(place) {
        places.end(place, by: &controller, at: now)
      }
    }
    if tendRadio(beside: phone, by: &controller, at: now) { return .attemptStuck }
    hunt.adaptScan(to: phone, by: &controller)
    return nil
  }

  /// Makes the radio do what is wanted; returns whether it is stuck.
  private mutating func tendRadio(
    beside phone: PhoneSide, by controller: inout Controller, at now: Instant
  ) -> Bool {
    let wish = wish(beside: phone, controller)
    switch hunt.fate(for: wish, by: &controller, at: now) {
    case .goesOn: return false
    case .stuck: return true
    case .isFree: break
    case .failed(let kind, let address, let isOver):
      if hunt.attemptFailed(kind, address, isOver: isOver, at: now) { places.report(.search) }
      fallthrough
    case .ended: hunt.listenForPhone(phone, by: &controller)
    }
    guard isRadioFree else { return false }
    let next = self.wish(beside: phone, controller)
    hunt.begin(next, addresses, beside: phone, by: &controller, at: now)
    return false
  }

  // MARK: - Attempts

  /// Takes the end of an attempt at a sensor, or of waiting for one; returns `false` for a link that nobody asked for.
  package mutating func connectionCompleted(
    _ complete: LEConnectionComplete, beside phone: PhoneSide, by controller: inout Controller,
    at now: Instant
  ) -> Bool {
    let activity = hunt.endActivity()
    var isWanted = true
    if complete.status == .success {
      isWanted = makeLink(complete, by: &controller, at: now)
    } else {
      attemptEnded(activity, complete.status, complete.peer, at: now)
    }
    hunt.leaveRadio(to: phone, by: &controller, at: now)
    return isWanted
  }

  private mutating func makeLink(
    _ complete: LEConnectionComplete, by controller: inout Controller, at now: Instant
  ) -> Bool {
    guard let kind = kind(of: complete.peer), let place = place(for: complete.peer) else {
      return false
    }
    let known = place == .sought ? nil : followed[kind]
    var key: Bond.Key?
    if place != .sought { changeFollowed(kind) { key = $0.takeKey(at: now) } }
    places.make(
      complete, kind, at: place, known: known?.handles ?? .none, key: key,
      mayReplace: known?.mayReplaceKey ?? false, by: &controller, at: now)
    return true
  }

  /// Takes the refusal of a command; returns whether it was one for sensors.
  package mutating func takeRefusal(
    of opcode: Opcode, _ status: ErrorCode, beside phone: PhoneSide,
    by controller: inout Controller, at now: Instant
  ) -> Bool {
    switch opcode {
    case .leCreateConnection where isInitiating:
      controller.dropCancel()
      attemptEnded(hunt.endActivity(), status, at: now)
      hunt.leaveRadio(to: phone, by: &controller, at: now)
    case .leAddDeviceToFilterAcceptList where status == .memoryCapacityExceeded:
      hunt.listIsFull(by: &controller, at: now)
    // The controller cannot scan beside a link.
    case .leSetScanEnable where hunt.radio.activity == .listening:
      hunt.endSearch()
      _ = hunt.endActivity()
      places.report(.search)
    default: return false
    }
    return true
  }

  /// An attempt has ended without a link: it was cancelled, refused, or lost at once.
  private mutating func attemptEnded(
    _ activity: SensorRadio.Activity, _ status: ErrorCode, _ peer: DeviceAddress? = nil,
    at now: Instant
  ) {
    if status.isLackOfLinks { limitReached(status, at: now) }
    let lost = peer.flatMap { kind(of: $0) }
    if hunt.attemptEnded(activity, lost: lost, at: now) { places.report(.search) }
  }

  /// Tries no further link for a while.
  private mutating func limitReached(_ status: ErrorCode, at now: Instant) {
    if limitEnd == nil { places.report(.limit(status)) }
    limitEnd = now + Self.limitTime
  }

  /// Ends the link that is worth the least, if the controller has none left for the phone.
  package mutating func makeRoomForPhone(
    _ status: ErrorCode, by controller: inout Controller, at now: Instant
  ) {
    guard status.isLackOfLinks, let place = leastLinked else { return }
    limitReached(status, at: now)
    places.end(place, by: &controller, at: now)
  }

  // MARK: - Links

  /// Takes a packet of a link, if the link is to a sensor.
  package mutating func receive<Cryptography: Crypto>(
    _ packet: ACLData, by controller: inout Controller, with cryptography: inout Cryptography,
    at now: Instant
  ) throws(ParseError) {
    guard let place = places.place(ofLink: packet.handle) else { return }
    take(
      try places.receive(packet, at: place, by: &controller, with: &cryptography, at: now),
      at: place, now)
  }

  package mutating func encryptionChanged<Cryptography: Crypto>(
    _ handle: UInt16, isOn: Bool, isDenied: Bool, by controller: inout Controller,
    with cryptography: Cryptography, at now: Instant
  ) {
    guard let place = places.place(ofLink: handle) else { return }
    take(
      places.encryptionChanged(
        isOn: isOn, isDenied: isDenied, at: place, by: &controller, with: cryptography, at: now),
      at: place, now)
  }

  private mutating func take(
    _ consequence: SensorPlaces.Consequence, at place: SensorPlace, _ now: Instant
  ) {
    switch consequence {
    case .nothing, .stuck: break
    case .key, .keyWorks, .keyFailed: noteKey(consequence, of: place)
    case .ready:
      guard case .of(let kind) = place else {
        return hunt.offer(places.soughtKind, places.peer(at: place), at: now)
      }
      hunt.endRest(of: kind)
      learnHandles(of: place)
    }
  }

  /// The value of the last event was a valid one of its kind.
  package mutating func valueMadeSense(at now: Instant) {
    guard let place = places.place(ofLinkTo: places.told) else { return }
    if isSought(place) { hunt.soughtHasSaid(at: now) }
    proveKey(of: place)
  }

  /// Answers the parameters that a sensor asks for by the link layer; returns whether it is a sensor.
  package mutating func answer(
    _ wanted: ConnectionParameters, on handle: UInt16, by controller: inout Controller
  ) -> Bool {
    guard let place = places.place(ofLink: handle) else { return false }
    places.answer(wanted, at: place, by: &controller)
    return true
  }

  /// A link is gone; returns whether it was one to a sensor.
  package mutating func disconnected(
    _ handle: UInt16, _ reason: ErrorCode, by controller: inout Controller, at now: Instant
  ) -> Bool {
    guard let place = places.place(ofLink: handle) else { return false }
    disconnected(place, reason, by: &controller, at: now)
    return true
  }

  private mutating func disconnected(
    _ place: SensorPlace, _ reason: ErrorCode, by controller: inout Controller, at now: Instant
  ) {
    let (wasReady, wasSought) = (places.isReady(place), isSought(place))
    if places.isKeyDenied(by: reason, at: place) { noteKey(.keyFailed(isDenied: false), of: place) }
    if let end = keyRestEnd(of: place), now < end { hunt.hold(places.kind(at: place), until: end) }
    places.forget(place, reason, by: &controller)
    if case .of(let kind) = place, !wasReady || reason != .connectionTimeout {
      hunt.rest(kind, at: now)
    }
    if wasSought {
      hunt.soughtIsLost(at: now)
      places.report(.search)
    }
  }

  /// Forgets the links of all sensors, as the controller has forgotten them.
  package mutating func abandon(
    _ reason: ErrorCode, by controller: inout Controller, at now: Instant
  ) {
    _ = hunt.endActivity()
    for index in 0..<SensorPlace.count where places.isThere(SensorPlace(index)) {
      disconnected(SensorPlace(index), reason, by: &controller, at: now)
    }
  }

  // MARK: - Data

  /// Makes the next piece of data of this link the packet to send.
  package mutating func prepareData(
    of index: Int, for controller: inout Controller, at now: Instant
  ) {
    places.prepareData(of: index, for: &controller, at: now)
  }

  /// How many of the controller's buffers hold packets of the link with this number.
  package mutating func inFlight(_ index: Int) -> Int { places.inFlight(index) }

  /// Whether the link with this number has something to send.
  package mutating func isWaiting(_ index: Int) -> Bool { places.isWaiting(index) }

  /// Takes back buffers that the controller has emptied.
  package mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    places.complete(packets, at: now)
  }
}
