public import Bond
public import Bytes
import HCI
import SMP
public import Sensors

/// Security of the links to sensors, which is the sensors' wish: `SensorSecurity` has the rules.
///
/// Few sensors want it, and none can compare numbers: `pairing = required` is about phones.
extension Host {
  /// The key that was made on the link to a sensor of this kind, if it is to be kept.
  public func sensorKey(_ kind: SensorKind) -> Bond.Key? { sensors.securities[kind.index].key }

  /// Encrypts the link to a sensor before anything is asked of it; returns whether a key is kept for that.
  mutating func encryptSensor(_ kind: SensorKind, at now: Instant) -> Bool {
    guard let key = sensors.key(of: kind) else { return false }
    hold(kind, for: 2, at: now)
    sensors.securities[kind.index].state = .encrypting(until: now + Self.sensorTime)
    send(.leEnableEncryption(handle: sensors.links[kind.index].handle, longTermKey: key))
    return true
  }

  /// It has refused a request on an open link.
  mutating func sensorNeedsSecurity(_ kind: SensorKind, at now: Instant) {
    switch sensors.securities[kind.index].state {
    case .open: pair(with: kind, at: now)
    case .waiting, .encrypting, .pairing: break
    // It was refused before the link was encrypted.
    case .secured: sensors.links[kind.index].goOn(at: now)
    case .refused: giveUp(kind, .pairing, at: now)
    }
  }

  /// Takes the command of the Security Manager in `sensors.bytes`.
  mutating func receiveSecurity(of kind: SensorKind, at now: Instant) {
    if sensors.pairingKind == kind {
      return act(on: sensors.receiveSecurity(at: now, with: &cryptography), of: kind, at: now)
    }
    guard sensors.isSecurityRequest else { return sensors.declineSecurity(of: kind) }
    switch sensors.securities[kind.index].state {
    case .open: pair(with: kind, at: now)
    case .encrypting: sensors.securities[kind.index].hasAsked = true
    case .waiting, .pairing, .secured: break
    case .refused: sensors.declineSecurity(of: kind)
    }
  }

  /// Asks nothing of a sensor meanwhile; a link that is not ready has so many times as long for all of it.
  private mutating func hold(_ kind: SensorKind, for times: Int64, at now: Instant) {
    sensors.links[kind.index].client.hold()
    guard sensors.links[kind.index].deadline != nil else { return }
    sensors.links[kind.index].deadline = now + times * Self.sensorTime
  }

  /// Pairs by Just Works, with one sensor at a time.
  private mutating func pair(with kind: SensorKind, at now: Instant) {
    let isFree = sensors.pairingKind == nil
    hold(kind, for: isFree ? 2 : 3, at: now)
    guard isFree else {
      sensors.securities[kind.index].state = .waiting
      return
    }
    sensors.securities[kind.index].state = .pairing(until: now + Self.sensorTime)
    sensors.pairingKind = kind
    sensors.pairing = Pairing(
      local: controller.information.address, peer: sensors.links[kind.index].peer)
    sensors.pairing.begin(at: now)
    sensors.sendPairing(to: kind)
  }

  private mutating func act(
    on outcome: PairingOutcome, of kind: SensorKind, at now: Instant
  ) {
    sensors.sendPairing(to: kind)
    switch outcome {
    case .nothing, .securityRequest: break
    case .ask:
      act(on: sensors.pairing.confirm(true, at: now, with: cryptography), of: kind, at: now)
    // It has a display, and what it shows nobody could compare: it is no sensor.
    case .compare: act(on: sensors.pairing.cancel(), of: kind, at: now)
    case .encrypt:
      guard let key = sensors.pairing.longTermKey else { return }
      send(.leEnableEncryption(handle: sensors.links[kind.index].handle, longTermKey: key))
    case .paired:
      if let keys = sensors.pairing.keys, keys.isBonding {
        sensors.securities[kind.index].key = keys.longTermKey
        sensors.learnKey(keys.longTermKey, of: kind)
      }
      sensors.endPairing()
      secured(kind, at: now)
    case .failed: pairingFailed(kind, .pairing, at: now)
    }
  }

  private mutating func secured(_ kind: SensorKind, at now: Instant) {
    sensors.securities[kind.index].state = .secured
    report(.sensor(kind, .secured))
    sensors.links[kind.index].goOn(at: now)
  }

  /// It goes on over the open link, unless it has refused that.
  private mutating func pairingFailed(
    _ kind: SensorKind, _ refusal: SensorRefusal, at now: Instant
  ) {
    sensors.endPairing()
    sensors.securities[kind.index].state = .refused
    if sensors.links[kind.index].client.isRefused { return giveUp(kind, refusal, at: now) }
    sensors.links[kind.index].goOn(at: now)
  }

  /// The key that is kept is none for the sensor.
  private mutating func keyWasRefused(_ kind: SensorKind, at now: Instant) {
    sensors.securities[kind.index].state = .open
    if sensors.securities[kind.index].hasAsked { return pair(with: kind, at: now) }
    sensors.links[kind.index].goOn(at: now)
  }

  mutating func sensorEncryptionChanged(_ kind: SensorKind, isEncrypted: Bool, at now: Instant) {
    switch sensors.securities[kind.index].state {
    case .encrypting where isEncrypted: secured(kind, at: now)
    case .encrypting: keyWasRefused(kind, at: now)
    case .pairing:
      let outcome =
        isEncrypted ? sensors.pairing.encrypted(at: now) : sensors.pairing.encryptionFailed()
      act(on: outcome, of: kind, at: now)
    // Who takes the encryption away is not to be trusted.
    case .open, .waiting, .secured, .refused: if !isEncrypted { endSensor(kind, at: now) }
    }
  }

  /// Does what is due.
  mutating func tendSensorSecurity(of kind: SensorKind, at now: Instant) {
    switch sensors.securities[kind.index].state {
    case .waiting where sensors.pairingKind == nil: pair(with: kind, at: now)
    case .encrypting(let until) where now >= until:
      sensors.learnKey(nil, of: kind)
      giveUp(kind, .silence, at: now)
    case .pairing(let until) where now >= until: pairingFailed(kind, .silence, at: now)
    case .open, .waiting, .encrypting, .pairing, .secured, .refused: break
    }
  }
}
