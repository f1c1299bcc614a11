package import Bond
package import Bytes
import HCI
package import Sensors

/// Sensors: whom the radio looks for when the phone leaves it free.
extension Host {
  private static var cancelTime: Int64 { 2_000 }
  /// A controller that lost what it was told, or whose word was lost, is told anew after so long.
  private static var renewalTime: Int64 { 60_000 }
  /// Who was just heard is heard again soon; the phone's search goes on afterwards.
  private static var attemptTime: Int64 { 1_000 }
  /// The rider waits for whom the search tries: two of its advertisements.
  private static var soughtAttemptTime: Int64 { 2_500 }
  /// Who is not searched for keeps nobody waiting.
  private static var patientAttemptTime: Int64 { 5_000 }

  /// As the phone's link once it is relaxed.
  private static var sensorParameters: ConnectionParameters { Pace().relaxed }

  // MARK: - For the owner

  /// Follows the sensor of this kind with this address, or none of the kind.
  ///
  /// `handles` are where its value was found earlier, if it was. One that is being offered is kept by that.
  package mutating func followSensor(
    _ kind: SensorKind, _ address: DeviceAddress?, handles: SubscribedHandles = .none,
    at now: Instant
  ) {
    follow(kind, address.map { SensorRoom.Followed(address: $0, handles: handles) }, at: now)
    settle(at: now)
  }

  /// Follows all these sensors, and no others; who is linked as the other kind of its service keeps its link.
  ///
  /// Returns whether what was taken for one of these two kinds is the other one now.
  package mutating func followSensors(_ remembered: RememberedSensors, at now: Instant) -> Bool {
    let isExchanged = sensors.exchangeLinks(for: remembered)
    for kind in SensorKind.all {
      follow(
        kind,
        remembered[kind].map {
          SensorRoom.Followed(address: $0.address, handles: $0.handles, key: $0.key)
        }, at: now)
    }
    settle(at: now)
    return isExchanged
  }

  private mutating func follow(
    _ kind: SensorKind, _ sensor: SensorRoom.Followed?, at now: Instant
  ) {
    sensors.follow(kind, sensor)
    guard sensors.adoptSought(kind) else { return }
    sensors.search.stop()
    let before = SensorRoom.soughtPlace
    if sensors.links[before].isThere { endSensor(at: before, at: now) }
  }

  /// Looks for sensors for half a minute, beginning anew.
  mutating func searchSensors(at now: Instant) {
    guard areSensorsPossible else { return }
    sensors.search.begin(at: now)
  }

  /// How far the search for a sensor has come.
  package var sensorSearch: SensorSearchStage {
    switch sensors.search.state {
    case .off: .off
    case .listening: .listening(until: sensors.search.end)
    case .trying(let kind, _): .trying(kind)
    case .offering(let kind): .offering(kind)
    }
  }

  /// The value or the name that the last event was about.
  package var sensorBytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { sensors.bytes.bytes }
  }

  /// Whom the last event was about.
  package var sensorTold: DeviceAddress { sensors.told }

  /// Says whether the value of the last event was one: handles that were kept are a guess until one was.
  mutating func sensorValueMadeSense(_ madeSense: Bool, at now: Instant) {
    guard let place = sensors.place(ofLinkTo: sensors.told), !sensors.links[place].isEnding
    else { return }
    guard !madeSense else { return sensors.links[place].client.prove() }
    sensors.links[place].doubt(at: now)
  }

  /// Who is tried or offered, once its values come.
  package var sensorCandidate: DeviceAddress? {
    let place = SensorRoom.soughtPlace
    return sensors.isSought(place) && sensors.links[place].isReady ? sensors.links[place].peer : nil
  }

  /// The other end of the link to the sensor of this kind that is tried or offered, or else to the one that
  /// is remembered; `nil` without a link.
  package func sensorAddress(_ kind: SensorKind) -> DeviceAddress? {
    let place = sensors.shownPlace(of: kind)
    return sensors.links[place].isThere ? sensors.links[place].peer : nil
  }

  /// Where its value is, once its values come.
  package func sensorHandles(_ kind: SensorKind) -> SubscribedHandles {
    sensors.links[sensors.shownPlace(of: kind)].client.handles
  }

  /// Whether the values come of a sensor of this kind, one that is remembered or offered.
  package func isSensorReady(_ kind: SensorKind) -> Bool {
    sensors.links[kind.index].isReady || sensors.links[sensors.shownPlace(of: kind)].isReady
  }

  /// Whether there is a link to the sensor of this kind that is remembered.
  package func isSensorLinked(_ kind: SensorKind) -> Bool { sensors.isFollowed(kind.index) }

  /// Whether the controller has had no link to give for a minute.
  package var isSensorLinkMissing: Bool { sensors.limitEnd != nil }

  /// Whether a sensor that is remembered has no link, as those that are worth more have all.
  package func isSensorLeftOut(_ kind: SensorKind) -> Bool {
    !sensors.links[kind.index].isThere && !sensors.hasRoom(for: kind)
  }

  /// Power gives what the speed sensor does: where there are too few links, that one gives way.
  package mutating func letSpeedGiveWay(_ isSo: Bool) { sensors.speedGivesWay = isSo }

  /// Another sensor gives what that of cadence does: where there are too few links, that one gives way.
  package mutating func letCadenceGiveWay(_ isSo: Bool) { sensors.cadenceGivesWay = isSo }

  /// Whether the controller can have a link to a sensor beside that to the phone.
  package var areSensorsPossible: Bool {
    sensors.isOn && controller.information.states?.initiatingAsCentral ?? true
  }

  // MARK: - What is due

  /// Does for sensors what is due, as far as the phone leaves the radio free.
  mutating func tendSensors(at now: Instant) {
    sensors.pass(to: now)
    switch phase {
    case .off, .recovering, .bringUp: return
    default: break
    }
    // It may have begun before the controller said what it cannot do.
    if link.isInQuestion || search.state == .over || !areSensorsPossible { sensors.search.stop() }
    if sensors.advanceSearch(to: now) { report(.sensorSearch) }
    for place in sensors.links.indices where sensors.links[place].isThere {
      tendSensorLink(at: place, at: now)
    }
    tendActivity(at: now)
    tendScan()
  }

  /// Listens for the phone all the time, or as little as its search wants it.
  private mutating func tendScan() {
    guard isListening, phase == .scanning(.slow), sensors.isScanWide != wantsWideScan
    else { return }
    stopScan()
    radioIsFree()
  }

  /// What the radio is to do for sensors now; mutating, so that a board looks at no copy of the host.
  private mutating func wish() -> SensorWish {
    guard search.state != .over, areSensorsPossible else { return .nothing }
    // A search for a sensor listens beside any link; all else waits until the phone needs the radio no more.
    let isSearching = sensors.search.state == .listening && mayListen
    switch phase {
    case .scanning: return wishWhileScanning()
    case .idle: break
    case .connected where link.machine.isSettled: break
    case .connected, .disconnecting: return isSearching ? .listen : .nothing
    default: return .nothing
    }
    if let wish = wishForSought() { return wish }
    if isSearching { return .listen }
    let missing = sensors.missing
    if missing.isEmpty { return .nothing }
    if controller.mayBeSent(.leAddDeviceToFilterAcceptList) { return .wait(missing) }
    return attemptInTurn(missing)
  }

  /// Whether the controller can listen: some cannot beside a link.
  private var mayListen: Bool {
    let isAlone = phase == .idle && sensors.isAlone
    return isAlone || controller.information.states?.scanningAsCentral ?? true
  }

  /// The attempt at whom the search tries, if it tries somebody.
  private mutating func wishForSought() -> SensorWish? {
    guard case .trying(let kind, let address) = sensors.search.state else { return nil }
    return sensors.links[SensorRoom.soughtPlace].isThere ? .nothing : .attempt(kind, address)
  }

  /// While the phone is searched for: nobody is tried before the phone, if that is heard.
  private mutating func wishWhileScanning() -> SensorWish {
    if sensors.activity == .none, scanner.isBusy { return .nothing }
    return wishForSought() ?? attemptInTurn(sensors.heardMissing)
  }

  /// They are tried one after the other; who led to nothing rests, and who did so least often goes first.
  private mutating func attemptInTurn(_ missing: SensorKinds) -> SensorWish {
    if case .attempting(let kind, _) = sensors.activity, missing.contains(kind),
      let address = sensors.address(of: kind)
    {
      return .attempt(kind, address)
    }
    guard let kind = sensors.turns.fairest(of: missing), let address = sensors.address(of: kind)
    else { return .nothing }
    return .attempt(kind, address)
  }

  private mutating func tendActivity(at now: Instant) {
    let wish = wish()
    switch (sensors.activity, wish) {
    case (.none, _): break
    case (.listening, .listen): return
    case (.listening, _): stopListening()
    case (.waiting(let kinds, let until), .wait(let wished)) where kinds == wished && now < until:
      return
    case (.waiting, _): cancelAttempt(at: now)
    case (.attempting(let kind, let until), .attempt(let wished, _))
    where kind == wished && now < until:
      return
    case (.attempting(let kind, _), _):
      sensorAttemptFailed(kind, at: now)
      cancelAttempt(at: now)
    case (.cancelling(let until), _):
      if now >= until { fail(.linkStuck, at: now) }
      return
    }
    guard sensors.activity == .none else { return }
    begin(self.wish(), at: now)
  }

  private mutating func begin(_ wish: SensorWish, at now: Instant) {
    switch wish {
    case .nothing: break
    case .listen:
      sensors.activity = .listening
      // Half of the time: the phone's link needs the other.
      send(.leSetScanParameters(isActive: false, interval: 0x0060, window: 0x0030))
      send(.leSetScanEnable(true))
    case .wait(let kinds): wait(for: kinds, at: now)
    case .attempt(let kind, let address):
      stopPhoneScan()
      if case .scanning = phase { sensors.turns.begin() }
      sensors.activity = .attempting(kind, until: now + attemptTime())
      send(.leCreateConnection(peer: address, Self.sensorParameters))
    }
  }

  /// While the phone is searched for it is not kept waiting for long.
  private mutating func attemptTime() -> Int64 {
    guard case .scanning = phase else { return Self.patientAttemptTime }
    return if case .trying = sensors.search.state { Self.soughtAttemptTime } else {
      Self.attemptTime
    }
  }

  private mutating func wait(for kinds: SensorKinds, at now: Instant) {
    sensors.activity = .waiting(kinds, until: now + Self.renewalTime)
    send(.leClearFilterAcceptList)
    for kind in SensorKind.all where kinds.contains(kind) {
      guard let address = sensors.address(of: kind) else { continue }
      send(.leAddDeviceToFilterAcceptList(address))
    }
    send(.leCreateConnectionToListed(Self.sensorParameters))
  }

  private mutating func stopListening() {
    stopScan()
    sensors.activity = .none
    radioIsFree()
  }

  /// Calls an attempt back, or drops it where the controller was not told of it yet.
  private mutating func cancelAttempt(at now: Instant) {
    if controller.commands.removeWaiting(.leCreateConnection) {
      sensors.activity = .none
      return radioIsFree()
    }
    sensors.activity = .cancelling(until: now + Self.cancelTime)
    send(.leCreateConnectionCancel)
  }

  /// An attempt at one sensor has led to no link.
  mutating func sensorAttemptFailed(_ kind: SensorKind, at now: Instant) {
    sensors.turns.forgetHeard()
    if case .trying = sensors.search.state {
      sensors.search.goOn(at: now)
      report(.sensorSearch)
    } else {
      sensors.turns.rest(kind, at: now)
    }
  }

  /// The radio is free of sensors; if it was taken from the phone, that has it for a while.
  mutating func sensorsLeaveRadio(at now: Instant) {
    sensors.turns.end(at: now)
    radioIsFree()
  }

  // MARK: - Listening

  /// Hears an advertisement, as a sensor's; returns whether that changed anything.
  mutating func hearSensor(
    _ advertisement: borrowing AdvertisingReport, isPhone: Bool, at now: Instant
  ) -> Bool {
    guard sensors.isOn, advertisement.isConnectable else { return false }
    let address = advertisement.address
    // The phone is no sensor, whatever it says.
    guard !isPhone, link.peer != address else { return false }
    if let kind = sensors.kind(of: address) {
      guard isListening, sensors.isMissing(kind) else { return false }
      return sensors.turns.hear(kind)
    }
    guard sensors.search.state == .listening,
      let kind = SensorKind(advertisedIn: advertisement.data)
    else { return false }
    if sensors.search.hear(kind, address, rssi: advertisement.rssi, at: now) {
      report(.sensorFound(kind, address))
    }
    return true
  }
}

/// How far the search for a sensor has come, for its owner.
package enum SensorSearchStage: Equatable, Sendable {
  /// There is none.
  case off
  /// Nobody was heard so far, or not long enough; until then.
  case listening(until: Instant?)
  /// One was heard, and is looked at.
  case trying(SensorKind)
  /// The rider is asked about the one whose values come.
  case offering(SensorKind)
}

/// What the radio is to do for sensors.
private enum SensorWish: Equatable {
  case nothing
  case listen
  case wait(SensorKinds)
  case attempt(SensorKind, DeviceAddress)
}
