import ATT
import Bond
import Bytes
import Controller
import HCI
import Link
import SMP
import Sensors

/// The links to sensors, each in its place, and how each is secured.
///
/// It owns the links, how each is secured, the last value or name, and the host's outcomes. Its owner decides what
/// a link means for the sensors that are remembered or searched for (`Outcome`). Few sensors require security, and none
/// can compare numbers: `pairing = required` is about phones.
package struct SensorPlaces: ~Copyable {
  /// What follows for the sensors that are remembered or searched for.
  enum Outcome {
    case nothing
    /// The sensor is ready: see `SensorLink`.
    case ready
    /// Both sides keep this key from now on.
    case key(Bond.Key)
    /// The stored key has encrypted the link.
    case keyWorks
    /// The stored key has failed; `isDenied` if the sensor says that it does not have that key.
    case keyFailed(isDenied: Bool)
    /// The link did not end.
    case stuck
  }

  /// How long a sensor may take until its subscription is confirmed, and to secure its link.
  private static var sensorTime: Int64 { 10_000 }
  /// How long a sensor that refuses the subscription may take to notify all the same.
  private static var unaskedTime: Int64 { 5_000 }

  // Both have `SensorPlace.count` places.
  private(set) var links: InlineArray<6, SensorLink>
  private(set) var trusts = InlineArray<6, SensorTrust>(repeating: SensorTrust())
  /// The kind of the sensor in the last place.
  private(set) var soughtKind = SensorKind.heart
  /// The value or the name that the last event was about.
  private(set) var bytes = FixedBuffer<65>()
  private var outcomes = FixedList<24, SensorSide.Outcome>(filler: .search)

  init() {
    links = InlineArray { _ in Self.noLink }
  }

  private static var noLink: SensorLink { .none(SensorLink.Table(repeating: .nothing)) }

  // MARK: - Outcomes

  mutating func report(_ outcome: SensorSide.Outcome) { outcomes.append(outcome) }

  mutating func takeOutcome() -> SensorSide.Outcome? { outcomes.takeFirst() }

  private mutating func report(_ event: SensorEvent, of place: SensorPlace) {
    outcomes.append(.happened(kind(at: place), links[place.index].channels.peer, event))
  }

  // MARK: - Data

  /// Makes the next piece of data of this link the packet to send.
  mutating func prepareData(of index: Int, for controller: inout Controller, at now: Instant) {
    links[index].prepareData(for: &controller, at: now)
  }

  /// Takes back buffers that the controller has emptied.
  mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    for index in links.indices { links[index].complete(packets, at: now) }
  }

  /// Answers the parameters that a sensor asks for by the link layer; returns whether it is a sensor.
  mutating func answer(
    _ wanted: ConnectionParameters, on handle: UInt16, by controller: inout Controller
  ) -> Bool {
    guard let place = place(ofLink: handle) else { return false }
    links[place.index].answer(wanted, by: &controller)
    return true
  }

  // MARK: - From the link to its end

  /// Puts a link into its place, and encrypts it first if a key is kept; whether another key `mayReplace` it.
  mutating func make(
    _ complete: LEConnectionComplete, _ kind: SensorKind, at place: SensorPlace,
    known: SubscribedHandles, key: Bond.Key?, mayReplace: Bool, by controller: inout Controller,
    at now: Instant
  ) {
    if place == .sought { soughtKind = kind }
    let index = place.index
    links[index] = SensorLink(
      complete, local: controller.information.address, longestPDU: 32,
      client: kind.client(known: known),
      progress: LinkProgress(.discovering(until: now + Self.sensorTime)))
    trusts[index] = SensorTrust(mayReplace: mayReplace)
    report(.connecting, of: place)
    guard let key else { return links[index].ask { $0.begin(at: now) } }
    controller.send(links[index].encrypt(with: key, until: now + Self.sensorTime))
  }

  /// The sensor that is tried or offered belongs to the other kind of its service.
  mutating func moveSought(to kind: SensorKind) { soughtKind = kind }

  /// Exchanges the links in two places, with all that belongs to them.
  mutating func exchange(_ a: SensorPlace, _ b: SensorPlace) {
    links.swapAt(a.index, b.index)
    trusts.swapAt(a.index, b.index)
  }

  mutating func receive<Cryptography: Crypto>(
    _ packet: ACLData, at place: SensorPlace, by controller: inout Controller,
    with cryptography: inout Cryptography, at now: Instant
  ) throws(ParseError) -> Outcome {
    var frame = SensorLink.Frame()
    guard links[place.index].receive(packet, into: &frame, at: now) else { return .nothing }
    let outcome = try links[place.index].receive(
      frame.bytes, takesUpdates: controller.takesUpdates, at: now)
    if case .request(let request) = outcome { try links[place.index].refuse(request) }
    guard !links[place.index].progress.stage.isEnding else { return .nothing }
    switch outcome {
    case .nothing, .request: return .nothing
    case .client(let outcome, let value):
      return receive(outcome, value, at: place, by: &controller, at: now)
    case .update(let parameters):
      controller.send(.leConnectionUpdate(handle: links[place.index].channels.handle, parameters))
      return .nothing
    case .security(let command):
      return try receive(command, at: place, by: &controller, with: &cryptography, at: now)
    }
  }

  private mutating func receive(
    _ outcome: ClientOutcome, _ value: Span<UInt8>, at place: SensorPlace,
    by controller: inout Controller, at now: Instant
  ) -> Outcome {
    let index = place.index
    switch outcome {
    case .ready: return becameReady(place)
    case .unsubscribed: links[index].updateProgress { $0.look(until: now + Self.unaskedTime) }
    case .notification(kind(at: place).characteristic):
      bytes.assign(value)
      let readiness = links[index].progress.stage.isFound ? .nothing : becameReady(place)
      report(.value, of: place)
      return readiness
    case .value(.deviceName):
      links[index].client.copyName(into: &bytes)
      report(.name, of: place)
    case .value(.batteryLevel):
      if let percent = links[index].client.battery { report(.battery(percent), of: place) }
    case .serviceMissing: giveUp(place, .service, by: &controller, at: now)
    case .securityNeeded: secure(place, by: &controller, at: now)
    default: break
    }
    return .nothing
  }

  private mutating func becameReady(_ place: SensorPlace) -> Outcome {
    if links[place.index].updateProgress({ $0.found() }) { report(.ready, of: place) }
    return .ready
  }

  /// Does what is due; the link may end by that.
  mutating func tend(
    _ place: SensorPlace, by controller: inout Controller, at now: Instant
  ) -> Outcome {
    let index = place.index
    if let due = links[index].progress.stage.deadline, now >= due {
      switch links[index].progress.stage {
      case .ending: return .stuck
      case .encrypting: return keyFailed(place, isDenied: false, by: &controller, at: now)
      case .pairing: pairingFailed(place, .silence, by: &controller, at: now)
      case .awaited, .discovering, .open, .waiting, .leaving:
        let isUnheard = links[index].client.lines.isAnyUnheard
        giveUp(place, isUnheard ? .service : .silence, by: &controller, at: now)
      }
    }
    guard !links[index].progress.stage.isEnding else { return .nothing }
    let isStuck = links[index].channels.sender.deadline.map { now >= $0 } ?? false
    if isStuck || links[index].advance(to: now) {
      giveUp(place, .silence, by: &controller, at: now)
    }
    return .nothing
  }

  /// Leaves a sensor that is of no use.
  private mutating func giveUp(
    _ place: SensorPlace, _ refusal: SensorRefusal, by controller: inout Controller,
    at now: Instant
  ) {
    report(.refused(refusal), of: place)
    end(place, by: &controller, at: now)
  }

  mutating func end(_ place: SensorPlace, by controller: inout Controller, at now: Instant) {
    let end = now + Controller.longestTimeout
    links[place.index].updateProgress { $0.end(until: end) }
    links[place.index].end(.remoteUserTerminatedConnection, by: &controller)
  }

  /// Drops the keys that were made on this link.
  mutating func dropKeys(at place: SensorPlace, by controller: borrowing Controller) {
    links[place.index].dropPairing(local: controller.information.address)
    trusts[place.index] = SensorTrust()
  }

  /// The link is gone.
  mutating func forget(
    _ place: SensorPlace, _ reason: ErrorCode, by controller: inout Controller
  ) {
    report(.disconnected(links[place.index].channels.peer, reason), of: place)
    controller.dropAll(of: links[place.index].channels.handle)
    links[place.index] = Self.noLink
    trusts[place.index] = SensorTrust()
  }

  // MARK: - Security

  /// Receives a command of the Security Manager.
  private mutating func receive<Cryptography: Crypto>(
    _ command: Span<UInt8>, at place: SensorPlace, by controller: inout Controller,
    with cryptography: inout Cryptography, at now: Instant
  ) throws(ParseError) -> Outcome {
    let index = place.index
    if links[index].progress.stage.isPairing {
      let outcome = links[index].pair(with: &cryptography) {
        $0.receive(command, at: now, with: &$1)
      }
      return receive(outcome, at: place, by: &controller, with: cryptography, at: now)
    }
    guard case .securityRequest = try? SecurityPDU(parsing: command),
      trusts[index].pairing != .staysOpen
    else {
      try links[index].declineSecurity(command)
      return .nothing
    }
    if links[index].progress.stage.isEncrypting {
      trusts[index].asked()
    } else if !links[index].progress.isEncrypted {
      pair(with: place, at: now)
    }
    return .nothing
  }

  /// The sensor has refused a request on an open link.
  private mutating func secure(
    _ place: SensorPlace, by controller: inout Controller, at now: Instant
  ) {
    if trusts[place.index].pairing == .staysOpen {
      goOnOpen(place, .pairing, by: &controller, at: now)
    } else if !links[place.index].progress.stage.isPairing {
      pair(with: place, at: now)
    }
  }

  /// Pairs by Just Works, and sends no request meanwhile.
  private mutating func pair(with place: SensorPlace, at now: Instant) {
    links[place.index].ask { $0.fallSilent() }
    links[place.index].updateProgress { $0.pair(until: now + Self.sensorTime) }
    links[place.index].pair { $0.begin(at: now) }
  }

  private mutating func receive<Cryptography: Crypto>(
    _ outcome: PairingOutcome, at place: SensorPlace, by controller: inout Controller,
    with cryptography: Cryptography, at now: Instant
  ) -> Outcome {
    let index = place.index
    switch outcome {
    case .nothing, .securityRequest, .pairingRequest, .requestRefused, .awaitEncryption: break
    case .ask:
      let outcome = links[index].pair { $0.confirm(true, at: now, with: cryptography) }
      return receive(outcome, at: place, by: &controller, with: cryptography, at: now)
    // A peer with a display is no sensor, and nobody could compare its number.
    case .compare:
      let outcome = links[index].pair { $0.cancel() }
      return receive(outcome, at: place, by: &controller, with: cryptography, at: now)
    case .encrypt: if let command = links[index].encryptWithNewKey() { controller.send(command) }
    case .paired: return paired(place, by: &controller, at: now)
    case .failed: pairingFailed(place, .pairing, by: &controller, at: now)
    }
    return .nothing
  }

  private mutating func paired(
    _ place: SensorPlace, by controller: inout Controller, at now: Instant
  ) -> Outcome {
    let index = place.index
    if let keys = links[index].pairing.keys, keys.isBonding {
      trusts[index].paired(keys.longTermKey)
    }
    endPairing(place, by: controller)
    report(.secured, of: place)
    let outcome = links[index].ask { $0.secured(at: now) }
    _ = receive(outcome, Span(), at: place, by: &controller, at: now)
    return trusts[index].newKey.map { .key($0) } ?? .nothing
  }

  /// The pairing has succeeded or failed.
  private mutating func endPairing(_ place: SensorPlace, by controller: borrowing Controller) {
    links[place.index].dropPairing(local: controller.information.address)
    links[place.index].updateProgress { $0.pairingEnded(time: Self.sensorTime) }
  }

  private mutating func pairingFailed(
    _ place: SensorPlace, _ refusal: SensorRefusal, by controller: inout Controller,
    at now: Instant
  ) {
    endPairing(place, by: controller)
    trusts[place.index].failed()
    goOnOpen(place, refusal, by: &controller, at: now)
  }

  /// Goes on over the open link, unless the sensor has refused what is needed there.
  private mutating func goOnOpen(
    _ place: SensorPlace, _ refusal: SensorRefusal, by controller: inout Controller,
    at now: Instant
  ) {
    guard !links[place.index].client.isKeyDemanded else {
      return giveUp(place, refusal, by: &controller, at: now)
    }
    let outcome = links[place.index].ask { client in
      if client.isHeld { return client.insecure(at: now) }
      client.begin(at: now)
      return .nothing
    }
    _ = receive(outcome, Span(), at: place, by: &controller, at: now)
  }

  mutating func encryptionChanged<Cryptography: Crypto>(
    isOn: Bool, isDenied: Bool, at place: SensorPlace, by controller: inout Controller,
    with cryptography: Cryptography, at now: Instant
  ) -> Outcome {
    let index = place.index
    switch links[index].progress.stage {
    case .ending: return .nothing
    case .encrypting(let end):
      if isOn {
        _ = links[index].encrypted(until: end + Self.sensorTime, at: now)
        report(.secured, of: place)
        return .keyWorks
      }
      guard trusts[index].mayReplace else {
        return keyFailed(place, isDenied: isDenied, by: &controller, at: now)
      }
      links[index].updateProgress {
        $0.keyFailed()
        $0.look(until: end + Self.sensorTime)
      }
      if trusts[index].pairing == .hasAsked {
        pair(with: place, at: now)
      } else {
        links[index].ask { $0.begin(at: now) }
      }
    case .pairing:
      let outcome: PairingOutcome
      if isOn {
        guard case .pairing(let next) = links[index].encrypted(until: now, at: now) else {
          return .nothing
        }
        outcome = next
      } else {
        outcome = links[index].pair { $0.encryptionFailed() }
      }
      return receive(outcome, at: place, by: &controller, with: cryptography, at: now)
    // A peer that takes the encryption away is not to be trusted.
    case .awaited, .discovering, .open, .waiting, .leaving:
      if !isOn { end(place, by: &controller, at: now) }
    }
    return .nothing
  }

  /// The stored key has failed.
  private mutating func keyFailed(
    _ place: SensorPlace, isDenied: Bool, by controller: inout Controller, at now: Instant
  ) -> Outcome {
    giveUp(place, isDenied ? .key : .silence, by: &controller, at: now)
    return .keyFailed(isDenied: isDenied)
  }
}
