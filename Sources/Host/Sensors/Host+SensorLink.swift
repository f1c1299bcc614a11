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
    radioIsFree()
  }

  private mutating func makeSensorLink(_ complete: LEConnectionComplete, at now: Instant) {
    guard let kind = sensors.kind(of: complete.peer), !sensors.links[kind.index].isThere,
      complete.handle != link.handle, sensors.kind(ofLink: complete.handle) == nil
    else { return refuse(complete) }
    sensors.links[kind.index] = SensorLink(
      kind, handle: complete.handle, peer: complete.peer,
      known: sensors.search.kind == kind ? .none : sensors.handles(of: kind),
      until: now + Self.sensorTime)
    report(.sensor(kind, .connecting))
    if !encryptSensor(kind, at: now) { sensors.links[kind.index].begin(at: now) }
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
        return sensors.rest(kind, at: now)
      }
      for index in 0..<SensorKind.count where kinds.contains(.at(index)) {
        sensors.rest(.at(index), at: now)
      }
    case .none, .listening, .cancelling: break
    }
  }

  private mutating func sensorLimitReached(_ status: ErrorCode, at now: Instant) {
    if sensors.noteLimit(at: now) { report(.sensorLimit(status)) }
  }

  /// Ends the link that is worth the least, if the controller has none left for the phone.
  mutating func makeRoomForPhone(_ status: ErrorCode, at now: Instant) {
    guard status.isLackOfLinks, let kind = sensors.leastLinked else { return }
    sensorLimitReached(status, at: now)
    endSensor(kind, at: now)
  }

  // MARK: - What the sensor says

  mutating func receive(
    _ packet: ACLData, of kind: SensorKind, at now: Instant
  ) throws(ParseError) {
    let outcome = try sensors.links[kind.index].receive(
      packet, takesUpdates: controller.takesUpdates, into: &sensors.bytes, at: now)
    guard !sensors.links[kind.index].isEnding else { return }
    switch outcome {
    case .nothing: break
    case .client(let outcome): act(on: outcome, of: kind, at: now)
    case .update(let parameters):
      send(.leConnectionUpdate(handle: sensors.links[kind.index].handle, parameters))
    case .security: receiveSecurity(of: kind, at: now)
    }
  }

  private mutating func act(
    on outcome: SensorClient.Outcome, of kind: SensorKind, at now: Instant
  ) {
    switch outcome {
    case .nothing: break
    case .subscribed:
      let isAgain = sensors.links[kind.index].isReady
      sensors.links[kind.index].isReady = true
      sensors.links[kind.index].deadline = nil
      sensors.endRest(of: kind)
      sensors.learnHandles(of: kind)
      sensors.search.offer(kind, at: now)
      if !isAgain { report(.sensor(kind, .ready)) }
    case .useless: giveUp(kind, .service, at: now)
    case .securityNeeded: sensorNeedsSecurity(kind, at: now)
    case .battery(let percent): report(.sensor(kind, .battery(percent)))
    case .name: report(.sensor(kind, .name))
    case .value: report(.sensor(kind, .value))
    }
  }

  // MARK: - Time

  mutating func tendSensorLink(_ kind: SensorKind, at now: Instant) {
    if let due = sensors.links[kind.index].deadline, now >= due {
      if sensors.links[kind.index].isEnding { return fail(.linkStuck, at: now) }
      return giveUp(kind, .silence, at: now)
    }
    if sensors.links[kind.index].isEnding { return }
    tendSensorSecurity(of: kind, at: now)
    if sensors.links[kind.index].isEnding { return }
    if sensors.links[kind.index].advance(to: now) { return giveUp(kind, .silence, at: now) }
    if search.state == .over || !sensors.isWanted(kind) || sensors.isSurplus(kind) {
      endSensor(kind, at: now)
    }
  }

  // MARK: - The link ends

  /// Leaves a sensor that is of no use.
  mutating func giveUp(_ kind: SensorKind, _ refusal: SensorRefusal, at now: Instant) {
    report(.sensor(kind, .refused(refusal)))
    endSensor(kind, at: now)
  }

  mutating func endSensor(_ kind: SensorKind, at now: Instant) {
    let handle = sensors.links[kind.index].handle
    sensors.links[kind.index].isEnding = true
    sensors.links[kind.index].deadline = now + Self.longestTimeout
    dropPendingData(of: handle)
    controller.commands.removeWaiting(for: handle)
    send(.disconnect(handle: handle, reason: .remoteUserTerminatedConnection))
  }

  mutating func sensorDisconnected(_ kind: SensorKind, _ reason: ErrorCode, at now: Instant) {
    let (wasReady, wasSought) = (sensors.links[kind.index].isReady, sensors.isSought(kind))
    let address = sensors.links[kind.index].peer
    // A key that ends the link is not tried again: the next wish for security makes a new one.
    if sensors.securities[kind.index].isEncrypting, reason.deniesKey {
      sensors.learnKey(nil, of: kind)
    }
    forgetSensorLink(kind)
    report(.sensor(kind, .disconnected(address, reason)))
    if !wasReady || reason != .connectionTimeout { sensors.rest(kind, at: now) }
    if wasSought {
      sensors.search.goOn(at: now)
      report(.sensorSearch)
    }
  }

  /// The controller knows nothing of the link that it was to end: its end was lost.
  mutating func sensorWasGone(at now: Instant) {
    guard let handle = controller.commands.handle, let kind = sensors.kind(ofLink: handle) else {
      return
    }
    sensorDisconnected(kind, .connectionTimeout, at: now)
  }

  /// Forgets the links of all sensors, as the controller has forgotten them.
  mutating func abandonSensors(_ reason: ErrorCode, at now: Instant) {
    sensors.activity = .none
    for index in sensors.links.indices where sensors.links[index].isThere {
      sensorDisconnected(.at(index), reason, at: now)
    }
  }

  private mutating func forgetSensorLink(_ kind: SensorKind) {
    let handle = sensors.links[kind.index].handle
    dropPendingData(of: handle)
    controller.commands.removeWaiting(for: handle)
    if sensors.pairingKind == kind { sensors.endPairing() }
    sensors.links[kind.index] = SensorLink.none(kind)
    sensors.securities[kind.index] = SensorSecurity()
  }
}
