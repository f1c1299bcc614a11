import Bond
import Bytes
import HCI
import Sensors

/// The links of sensors, from their beginning to their end.
extension Host {
  /// How long a sensor may take from the link to its first value's promise, and to be secured.
  static var sensorTime: Int64 { 10_000 }

  // MARK: - The link comes up

  /// Takes the end of an attempt at a sensor, or of waiting for one.
  mutating func sensorConnectionCompleted(_ complete: LEConnectionComplete, at now: Instant) {
    let activity = sensors.activity
    sensors.activity = .none
    if complete.status == .success, complete.isCentral {
      makeSensorLink(complete, at: now)
    } else {
      refuse(complete)
      sensorAttemptEnded(activity, complete.status, complete.peer, at: now)
    }
    sensorsLeaveRadio(at: now)
  }

  private mutating func makeSensorLink(_ complete: LEConnectionComplete, at now: Instant) {
    guard let kind = sensors.kind(of: complete.peer), let place = sensors.place(for: complete.peer),
      complete.handle != link.handle, sensors.place(ofLink: complete.handle) == nil
    else { return refuse(complete) }
    let known = place == SensorRoom.soughtPlace ? .none : sensors.handles(of: kind)
    sensors.set(
      SensorLink(
        kind, handle: complete.handle, peer: complete.peer, known: known,
        until: now + Self.sensorTime), of: kind, at: place)
    tell(.connecting, of: place)
    if !encryptSensor(at: place, at: now) { sensors.links[place].begin(at: now) }
  }

  /// Reports what happens with the sensor in this place.
  mutating func tell(_ event: SensorEvent, of place: Int) {
    sensors.told = sensors.links[place].peer
    report(.sensor(sensors.kind(at: place), event))
  }

  /// No link came of it: called back, refused, or lost at once.
  mutating func sensorAttemptEnded(
    _ activity: SensorRoom.Activity, _ status: ErrorCode, _ peer: DeviceAddress? = nil,
    at now: Instant
  ) {
    if status.isLackOfLinks { sensorLimitReached(status, at: now) }
    switch activity {
    case .attempting(let kind, _): sensorAttemptFailed(kind, at: now)
    case .waiting(let kinds, _):
      // Who was heard and lost at once says nothing of the others.
      if let peer, let kind = sensors.kind(of: peer), kinds.contains(kind) {
        return sensors.turns.rest(kind, at: now)
      }
      for kind in SensorKind.all where kinds.contains(kind) {
        sensors.turns.rest(kind, at: now)
      }
    case .none, .listening, .cancelling: break
    }
  }

  private mutating func sensorLimitReached(_ status: ErrorCode, at now: Instant) {
    if sensors.noteLimit(at: now) { report(.sensorLimit(status)) }
  }

  /// Ends the link that is worth the least, if the controller has none left for the phone.
  mutating func makeRoomForPhone(_ status: ErrorCode, at now: Instant) {
    guard status.isLackOfLinks, let place = sensors.leastLinked else { return }
    sensorLimitReached(status, at: now)
    endSensor(at: place, at: now)
  }

  // MARK: - What the sensor says

  mutating func receive(
    _ packet: ACLData, at place: Int, at now: Instant
  ) throws(ParseError) {
    let outcome = try sensors.links[place].receive(
      packet, takesUpdates: controller.takesUpdates, into: &sensors.bytes, at: now)
    guard !sensors.links[place].isEnding else { return }
    switch outcome {
    case .nothing: break
    case .client(let outcome): act(on: outcome, at: place, at: now)
    case .update(let parameters):
      send(.leConnectionUpdate(handle: sensors.links[place].handle, parameters))
    case .security: try receiveSecurity(at: place, at: now)
    }
  }

  private mutating func act(
    on outcome: SensorClient.Outcome, at place: Int, at now: Instant
  ) {
    switch outcome {
    case .nothing: break
    case .subscribed: becameReady(at: place, at: now)
    case .useless: giveUp(place, .service, at: now)
    case .securityNeeded: sensorNeedsSecurity(at: place, at: now)
    case .battery(let percent): tell(.battery(percent), of: place)
    case .name: tell(.name, of: place)
    case .value: tell(.value, of: place)
    }
  }

  private mutating func becameReady(at place: Int, at now: Instant) {
    let kind = sensors.kind(at: place)
    let isAgain = sensors.links[place].isReady
    sensors.links[place].isReady = true
    sensors.links[place].deadline = nil
    if place == SensorRoom.soughtPlace {
      sensors.search.offer(kind, at: now)
    } else {
      sensors.turns.endRest(of: kind)
      sensors.learnHandles(of: place)
    }
    if !isAgain { tell(.ready, of: place) }
  }

  // MARK: - Time

  mutating func tendSensorLink(at place: Int, at now: Instant) {
    if let due = sensors.links[place].deadline, now >= due {
      if sensors.links[place].isEnding { return fail(.linkStuck, at: now) }
      return giveUp(place, .silence, at: now)
    }
    if sensors.links[place].isEnding { return }
    tendSensorSecurity(at: place, at: now)
    if sensors.links[place].isEnding { return }
    if sensors.links[place].advance(to: now) { return giveUp(place, .silence, at: now) }
    if search.state == .over || !sensors.isWanted(place) || sensors.isSurplus(place) {
      endSensor(at: place, at: now)
    }
  }

  // MARK: - The link ends

  /// Leaves a sensor that is of no use.
  mutating func giveUp(_ place: Int, _ refusal: SensorRefusal, at now: Instant) {
    tell(.refused(refusal), of: place)
    endSensor(at: place, at: now)
  }

  mutating func endSensor(at place: Int, at now: Instant) {
    let handle = sensors.links[place].handle
    sensors.links[place].isEnding = true
    sensors.links[place].deadline = now + Self.longestTimeout
    dropPendingData(of: handle)
    controller.commands.removeWaiting(for: handle)
    send(.disconnect(handle: handle, reason: .remoteUserTerminatedConnection))
  }

  mutating func sensorDisconnected(at place: Int, _ reason: ErrorCode, at now: Instant) {
    let (wasReady, wasSought) = (sensors.links[place].isReady, sensors.isSought(place))
    let (kind, address) = (sensors.kind(at: place), sensors.links[place].peer)
    // A key that ends the link is not tried again: the next wish for security makes a new one.
    if sensors.securities[place].isEncrypting, reason.deniesKey {
      sensors.learnKey(nil, of: place)
    }
    tell(.disconnected(address, reason), of: place)
    forgetSensorLink(at: place)
    let isKinds = place != SensorRoom.soughtPlace
    if isKinds, !wasReady || reason != .connectionTimeout { sensors.turns.rest(kind, at: now) }
    if wasSought {
      sensors.search.goOn(at: now)
      report(.sensorSearch)
    }
  }

  /// The controller knows nothing of the link that it was to end: its end was lost.
  mutating func sensorWasGone(at now: Instant) {
    guard let handle = controller.commands.handle, let place = sensors.place(ofLink: handle) else {
      return
    }
    sensorDisconnected(at: place, .connectionTimeout, at: now)
  }

  /// Forgets the links of all sensors, as the controller has forgotten them.
  mutating func abandonSensors(_ reason: ErrorCode, at now: Instant) {
    sensors.activity = .none
    for place in sensors.links.indices where sensors.links[place].isThere {
      sensorDisconnected(at: place, reason, at: now)
    }
  }

  private mutating func forgetSensorLink(at place: Int) {
    let handle = sensors.links[place].handle
    dropPendingData(of: handle)
    controller.commands.removeWaiting(for: handle)
    if sensors.pairingPlace == place { sensors.endPairing() }
    sensors.links[place] = SensorLink.none(sensors.kind(at: place))
    sensors.securities[place] = SensorSecurity()
  }
}
