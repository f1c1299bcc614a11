package import Bond
package import Bytes
import HCI
import SMP
import Sensors

/// Security of the links to sensors, which is the sensors' wish: `SensorSecurity` has the rules.
///
/// Few sensors want it, and none can compare numbers: `pairing = required` is about phones.
extension Host {
  /// The key that was made on the link to this sensor, if it is to be kept.
  package func sensorKey(of address: DeviceAddress) -> Bond.Key? {
    sensors.place(ofLinkTo: address).flatMap { sensors.securities[$0].key }
  }

  /// Encrypts the link to a sensor before anything is asked of it; returns whether a key is kept for that.
  mutating func encryptSensor(at place: Int, at now: Instant) -> Bool {
    guard let key = sensors.key(of: place) else { return false }
    hold(place, for: 2, at: now)
    sensors.securities[place].state = .encrypting(until: now + Self.sensorTime)
    send(.leEnableEncryption(handle: sensors.links[place].handle, longTermKey: key))
    return true
  }

  /// It has refused a request on an open link.
  mutating func sensorNeedsSecurity(at place: Int, at now: Instant) {
    switch sensors.securities[place].state {
    case .open: pair(with: place, at: now)
    case .waiting, .encrypting, .pairing: break
    // It was refused before the link was encrypted.
    case .secured: sensors.links[place].goOn(at: now)
    case .refused: giveUp(place, .pairing, at: now)
    }
  }

  /// Takes the command of the Security Manager in `sensors.bytes`.
  mutating func receiveSecurity(at place: Int, at now: Instant) throws(ParseError) {
    if sensors.pairingPlace == place {
      return act(on: sensors.receiveSecurity(at: now, with: &cryptography), at: place, at: now)
    }
    guard sensors.isSecurityRequest else { return try sensors.declineSecurity(of: place) }
    switch sensors.securities[place].state {
    case .open: pair(with: place, at: now)
    case .encrypting: sensors.securities[place].hasAsked = true
    case .waiting, .pairing, .secured: break
    case .refused: try sensors.declineSecurity(of: place)
    }
  }

  /// Asks nothing of a sensor meanwhile; a link that is not ready has the `times`fold time for all of it.
  private mutating func hold(_ place: Int, for times: Int64, at now: Instant) {
    sensors.links[place].client.hold()
    guard sensors.links[place].deadline != nil else { return }
    sensors.links[place].deadline = now + times * Self.sensorTime
  }

  /// Pairs by Just Works, with one sensor at a time.
  private mutating func pair(with place: Int, at now: Instant) {
    let isFree = sensors.pairingPlace == nil
    hold(place, for: isFree ? 2 : 3, at: now)
    guard isFree else {
      sensors.securities[place].state = .waiting
      return
    }
    sensors.securities[place].state = .pairing(until: now + Self.sensorTime)
    sensors.beginPairing(local: controller.information.address, at: place, now)
  }

  private mutating func act(on outcome: PairingOutcome, at place: Int, at now: Instant) {
    sensors.sendPairing()
    switch outcome {
    case .nothing, .securityRequest: break
    case .ask:
      act(on: sensors.pairing.confirm(true, at: now, with: cryptography), at: place, at: now)
    // It has a display, and what it shows nobody could compare: it is no sensor.
    case .compare: act(on: sensors.pairing.cancel(), at: place, at: now)
    case .encrypt:
      guard let key = sensors.pairing.longTermKey else { return }
      send(.leEnableEncryption(handle: sensors.links[place].handle, longTermKey: key))
    case .paired:
      if let keys = sensors.pairing.keys, keys.isBonding {
        sensors.securities[place].key = keys.longTermKey
        sensors.learnKey(keys.longTermKey, of: place)
      }
      sensors.endPairing()
      secured(place, at: now)
    case .failed: pairingFailed(place, .pairing, at: now)
    }
  }

  private mutating func secured(_ place: Int, at now: Instant) {
    sensors.securities[place].state = .secured
    tell(.secured, of: place)
    sensors.links[place].goOn(at: now)
  }

  /// It goes on over the open link, unless it has refused that.
  private mutating func pairingFailed(
    _ place: Int, _ refusal: SensorRefusal, at now: Instant
  ) {
    sensors.endPairing()
    sensors.securities[place].state = .refused
    if sensors.links[place].client.isRefused { return giveUp(place, refusal, at: now) }
    sensors.links[place].goOn(at: now)
  }

  /// The key that is kept is none for the sensor.
  private mutating func keyWasRefused(_ place: Int, at now: Instant) {
    sensors.securities[place].state = .open
    if sensors.securities[place].hasAsked { return pair(with: place, at: now) }
    sensors.links[place].goOn(at: now)
  }

  mutating func sensorEncryptionChanged(at place: Int, isEncrypted: Bool, at now: Instant) {
    switch sensors.securities[place].state {
    case .encrypting where isEncrypted: secured(place, at: now)
    case .encrypting: keyWasRefused(place, at: now)
    case .pairing:
      let outcome =
        isEncrypted ? sensors.pairing.encrypted(at: now) : sensors.pairing.encryptionFailed()
      act(on: outcome, at: place, at: now)
    // Who takes the encryption away is not to be trusted.
    case .open, .waiting, .secured, .refused: if !isEncrypted { endSensor(at: place, at: now) }
    }
  }

  /// Does what is due.
  mutating func tendSensorSecurity(at place: Int, at now: Instant) {
    switch sensors.securities[place].state {
    case .waiting where sensors.pairingPlace == nil: pair(with: place, at: now)
    case .encrypting(let until) where now >= until:
      sensors.learnKey(nil, of: place)
      giveUp(place, .silence, at: now)
    case .pairing(let until) where now >= until: pairingFailed(place, .silence, at: now)
    case .open, .waiting, .encrypting, .pairing, .secured, .refused: break
    }
  }
}
