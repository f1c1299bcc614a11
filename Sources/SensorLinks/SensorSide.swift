import Bond
package import Bytes
package import Controller
package import HCI
import Link
package import SMP
package import Sensors

/// All that the host knows of sensors: which are followed, their links, and what the radio does for them.
///
/// It owns the followed sensors, which of them give way, the limit of links, the links (`places`), the search for a new
/// sensor, what the radio does, and whose turn it is. Its verbs give the controller commands; `takeOutcome` follows.
package struct SensorSide: ~Copyable {
  /// How long no further link is tried after the controller had none left.
  private static var limitTime: Int64 { 60_000 }
  /// Whether sensors are used at all.
  package let isOn: Bool
  private(set) var followed = PerKind<Followed?>(repeating: nil)
  package private(set) var places = SensorPlaces()
  package private(set) var search = SensorSearch()
  package private(set) var radio = SensorRadio()
  private(set) var turns = SensorTurns()
  /// Until when the controller is taken to have no link left.
  private(set) var limitEnd: Instant?
  /// Speed and cadence, if another sensor measures them, too: their own sensors then give way if links are too few.
  private(set) var givingWay = SensorKinds()

  package init(isOn: Bool) { self.isOn = isOn }

  /// What follows next for the owner.
  package mutating func takeOutcome() -> Outcome? { places.takeOutcome() }

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
      turns.endRest(of: kind)
    }
    guard adoptSought(kind) else { return }
    search.stop()
    if places.isLinked(.sought) { places.end(.sought, by: &controller, at: now) }
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
      search.move(to: twin)
    }
    if isLink(at: .of(.speed), to: remembered[.cadence])
      || isLink(at: .of(.cadence), to: remembered[.speed])
    {
      places.exchange(.of(.speed), .of(.cadence))
      isExchanged = true
    }
    if isExchanged { turns.forgetHeard() }
    return isExchanged
  }

  /// Sets which of speed and cadence another sensor measures, too.
  package mutating func setGivingWay(_ kinds: SensorKinds) { givingWay = kinds }

  // MARK: - The search for another one

  /// Begins a search for sensors, which lasts half a minute.
  package mutating func beginSearch(at now: Instant) { search.begin(at: now) }

  /// Leaves the offered sensor, and tries or looks for the next one.
  package mutating func searchNext(at now: Instant) { search.next(at: now) }

  package mutating func endSearch() { search.stop() }

  /// Forgets the sensors that were heard while the phone is searched for: they may be gone.
  package mutating func forgetHeard() { turns.forgetHeard() }

  /// Receives an advertisement; returns whether it matters to the search, or is the first of a sensor without its link.
  package mutating func receive(
    _ advertisement: borrowing AdvertisingReport, isPhoneSearched: Bool, at now: Instant
  ) -> Bool {
    let address = advertisement.address
    if let kind = kind(of: address) {
      guard isPhoneSearched, isRadioFree, isAwaitingLink(kind) else { return false }
      return turns.sensorWasHeard(kind)
    }
    guard isSearchListening else { return false }
    let advertised = AdvertisedKinds(in: advertisement.data)
    for kind in SensorKind.all where advertised.kinds.contains(kind) {
      let others = advertised.others(than: kind)
      if search.receive(kind, address, others: others, rssi: advertisement.rssi, at: now) {
        places.report(.found(kind, address))
      }
    }
    return !advertised.kinds.isEmpty
  }

  // MARK: - The radio

  /// Goes on listening for the phone, if no sensor has the radio.
  package mutating func listenForPhone(_ phone: PhoneSide, by controller: inout Controller) {
    if let scan = phone.scan { radio.listenForPhone(listening(scan), by: &controller) }
  }

  /// Leaves the radio to the phone, which keeps it for a while if a sensor had taken it.
  private mutating func leaveRadio(
    to phone: PhoneSide, by controller: inout Controller, at now: Instant
  ) {
    turns.endTurn(at: now)
    listenForPhone(phone, by: &controller)
  }

  /// Does for sensors what is due, as far as the phone leaves the radio free.
  package mutating func tend(
    beside phone: PhoneSide, by controller: inout Controller, at now: Instant
  ) -> HostFailure? {
    if let end = limitEnd, now >= end { limitEnd = nil }
    turns.advance(to: now)
    if case .down = phone.radio { return nil }
    // The controller may have reported what it supports after the search began.
    if phone.isInQuestion || phone.isEnding || !areLinksPossible(by: controller) { search.stop() }
    if search.advance(to: now, remembered: coveredKinds) { places.report(.search) }
    if let kind = newKindOfTried { search.move(to: kind) }
    for index in 0..<SensorPlace.count where places.isThere(SensorPlace(index)) {
      let place = SensorPlace(index)
      let outcome = places.tend(place, by: &controller, at: now)
      if case .stuck = outcome { return .linkStuck }
      receive(outcome, at: place, now)
      let isWanted = isSought(place) || isFollowed(place)
      // However late its link ends, no key of a forgotten sensor stays.
      if !isWanted { places.dropKeys(at: place, by: controller) }
      guard places.isLinked(place) else { continue }
      if phone.isEnding || !isWanted || isSurplus(place) {
        places.end(place, by: &controller, at: now)
      }
    }
    if tendRadio(beside: phone, by: &controller, at: now) { return .attemptStuck }
    if let scan = phone.scan { radio.adapt(to: listening(scan), by: &controller) }
    return nil
  }

  /// Makes the radio do what is wanted; returns whether it is stuck.
  private mutating func tendRadio(
    beside phone: PhoneSide, by controller: inout Controller, at now: Instant
  ) -> Bool {
    let wish = wish(beside: phone, controller)
    switch radio.end(unless: wish, by: &controller, at: now) {
    case .goesOn: return false
    case .stuck: return true
    case .isFree: break
    case .failed(let kind, let address, let hasTimedOut):
      attemptFailed(kind, address, hasTimedOut: hasTimedOut, at: now)
      fallthrough
    case .ended: listenForPhone(phone, by: &controller)
    }
    guard isRadioFree else { return false }
    let next = self.wish(beside: phone, controller)
    let takesRadio = radio.begin(
      next, addresses, isPhoneSearched: phone.scan != nil, isSought: isTrying, by: &controller,
      at: now)
    if takesRadio { turns.beginTurn() }
    return false
  }

  // MARK: - Attempts

  /// Receives the end of an attempt at a sensor, or of waiting for one; `false` for a link that nobody asked for.
  package mutating func connectionCompleted(
    _ complete: LEConnectionComplete, beside phone: PhoneSide, by controller: inout Controller,
    at now: Instant
  ) -> Bool {
    let activity = radio.endActivity()
    var isWanted = true
    if complete.status == .success {
      isWanted = makeLink(complete, by: &controller, at: now)
    } else {
      attemptEnded(activity, complete.status, complete.peer, at: now)
    }
    leaveRadio(to: phone, by: &controller, at: now)
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

  /// Receives the refusal of a command; returns whether it was one for sensors.
  package mutating func receiveRefusal(
    of opcode: Opcode, _ status: ErrorCode, beside phone: PhoneSide,
    by controller: inout Controller, at now: Instant
  ) -> Bool {
    switch opcode {
    case .leCreateConnection where radio.isInitiating:
      controller.dropCancel()
      attemptEnded(radio.endActivity(), status, at: now)
      leaveRadio(to: phone, by: &controller, at: now)
    case .leAddDeviceToFilterAcceptList:
      radio.listWasRefused(by: &controller, at: now)
    // The controller cannot scan beside a link. Without a search, `tend` ends the listening.
    case .leSetScanEnable where radio.activity == .listening:
      search.stop()
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
    switch activity {
    case .attempting(let kind, let address, _): attemptFailed(kind, address, at: now)
    case .waiting(let kinds, _):
      turns.rest(kinds, lost: peer.flatMap { kind(of: $0) }, at: now)
    case .none, .listening, .cancelling: break
    }
  }

  /// An attempt at one sensor has led to no link: it `hasTimedOut`, or was broken off.
  private mutating func attemptFailed(
    _ kind: SensorKind, _ address: DeviceAddress, hasTimedOut: Bool = true, at now: Instant
  ) {
    turns.forgetHeard()
    if search.attemptFailed(address, hasTimedOut: hasTimedOut, at: now) {
      places.report(.search)
    } else if hasTimedOut {
      turns.rest(kind, at: now)
    }
  }

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

  /// Receives a packet of a link, if the link is to a sensor.
  package mutating func receive<Cryptography: Crypto>(
    _ packet: ACLData, by controller: inout Controller, with cryptography: inout Cryptography,
    at now: Instant
  ) throws(ParseError) {
    guard let place = places.place(ofLink: packet.handle) else { return }
    receive(
      try places.receive(packet, at: place, by: &controller, with: &cryptography, at: now),
      at: place, now)
  }

  package mutating func encryptionChanged<Cryptography: Crypto>(
    _ handle: UInt16, isOn: Bool, isDenied: Bool, by controller: inout Controller,
    with cryptography: Cryptography, at now: Instant
  ) {
    guard let place = places.place(ofLink: handle) else { return }
    receive(
      places.encryptionChanged(
        isOn: isOn, isDenied: isDenied, at: place, by: &controller, with: cryptography, at: now),
      at: place, now)
  }

  private mutating func receive(
    _ outcome: SensorPlaces.Outcome, at place: SensorPlace, _ now: Instant
  ) {
    switch outcome {
    case .nothing, .stuck: break
    case .key, .keyWorks, .keyFailed: updateKey(outcome, of: place)
    case .ready:
      guard case .of(let kind) = place else {
        return search.offer(places.soughtKind, places.peer(at: place), at: now)
      }
      turns.endRest(of: kind)
      learnHandles(of: place)
    }
  }

  /// A value of the sensor at this address was a valid one of its kind.
  package mutating func valueMadeSense(of address: DeviceAddress, at now: Instant) {
    guard let place = places.place(ofLinkTo: address) else { return }
    if isSought(place) { search.valueCame(at: now) }
    proveKey(of: place)
  }

  /// Answers the parameters that a sensor asks for by the link layer; returns whether it is a sensor.
  package mutating func answer(
    _ wanted: ConnectionParameters, on handle: UInt16, by controller: inout Controller
  ) -> Bool {
    places.answer(wanted, on: handle, by: &controller)
  }

  /// A link is gone; returns whether it was one to a sensor.
  package mutating func disconnected(
    _ handle: UInt16, _ reason: ErrorCode, by controller: inout Controller, at now: Instant
  ) -> Bool {
    guard let place = places.place(ofLink: handle) else { return false }
    linkEnded(place, reason, by: &controller, at: now)
    return true
  }

  private mutating func linkEnded(
    _ place: SensorPlace, _ reason: ErrorCode, by controller: inout Controller, at now: Instant
  ) {
    let (wasReady, wasSought) = (places.isReady(place), isSought(place))
    // Only Encryption Change says that the sensor lacks the key.
    if places.isKeyFailure(reason, at: place) { updateKey(.keyFailed(isDenied: false), of: place) }
    if let end = keyRestEnd(of: place), now < end { turns.hold(places.kind(at: place), until: end) }
    places.forget(place, reason, by: &controller)
    if case .of(let kind) = place, !wasReady || reason != .connectionTimeout {
      turns.rest(kind, at: now)
    }
    if wasSought {
      search.linkWasLost(at: now)
      places.report(.search)
    }
  }

  /// Forgets the links of all sensors, as the controller has forgotten them.
  package mutating func abandon(
    _ reason: ErrorCode, by controller: inout Controller, at now: Instant
  ) {
    _ = radio.endActivity()
    for index in 0..<SensorPlace.count where places.isThere(SensorPlace(index)) {
      linkEnded(SensorPlace(index), reason, by: &controller, at: now)
    }
  }

  // MARK: - Data

  /// Makes the next piece of data of this link the packet to send.
  package mutating func prepareData(
    of index: Int, for controller: inout Controller, at now: Instant
  ) {
    places.prepareData(of: index, for: &controller, at: now)
  }

  /// Takes back buffers that the controller has emptied.
  package mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    places.complete(packets, at: now)
  }
}
