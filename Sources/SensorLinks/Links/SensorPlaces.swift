import Bond
import Bytes
import Controller
import HCI
import Link
import SMP
import Sensors

/// A link to a sensor: it is ready once the sensor's values come.
typealias SensorLink = ClientLink<SensorClient>

/// The links to sensors, each in its place, and how each is secured.
///
/// It owns the links, their security, the pairing that is under way, the last value or name, and the news. Its owner
/// decides what a link means for the sensors that are remembered or searched for (`Consequence`). Few sensors require
/// security, and none can compare numbers: `pairing = required` is about phones.
struct SensorPlaces: ~Copyable {
  /// What follows for the sensors that are remembered or searched for.
  enum Consequence {
    case nothing
    /// The values come.
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
  private static var nobody: DeviceAddress { DeviceAddress(0, .public) }

  private(set) var links: InlineArray<6, SensorLink>
  private(set) var securities = InlineArray<6, SensorSecurity>(repeating: SensorSecurity())
  /// The kind of the sensor in the last place.
  private(set) var soughtKind = SensorKind.heart
  /// The pairing that is under way, which is one at a time.
  private var pairing = Pairing(local: SensorPlaces.nobody, peer: SensorPlaces.nobody)
  /// The place of the sensor that is pairing.
  private var pairingPlace: SensorPlace?
  /// The value or the name that the last event was about.
  private(set) var bytes = FixedBuffer<65>()
  /// The sensor that the last event was about.
  private(set) var told = SensorPlaces.nobody
  private var news = FixedList<24, SensorNews>(filler: .search)

  init() {
    links = InlineArray { _ in Self.noLink }
  }

  private static var noLink: SensorLink { .none(SensorClient(.heart, known: .none)) }

  // MARK: - News

  mutating func report(_ piece: SensorNews) { news.append(piece) }

  mutating func takeNews() -> SensorNews? { news.takeFirst() }

  private mutating func tell(_ event: SensorEvent, of place: SensorPlace) {
    told = links[place.index].peer
    news.append(.happened(kind(at: place), event))
  }

  // MARK: - Data

  /// How many of the controller's buffers hold packets of one link.
  mutating func inFlight(_ index: Int) -> Int { links[index].channels.inFlight }

  /// Whether the link with this number has something to send.
  mutating func isWaiting(_ index: Int) -> Bool {
    !links[index].isEnding && links[index].channels.isWaiting
  }

  /// Makes the next piece of data of this link the packet to send.
  mutating func prepareData(of index: Int, for controller: inout Controller, at now: Instant) {
    links[index].prepareData(for: &controller, at: now)
    sendPairing()
  }

  /// Takes back buffers that the controller has emptied.
  mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    for index in links.indices { links[index].complete(packets, at: now) }
  }

  /// Answers the parameters that the sensor asks for by the link layer.
  mutating func answer(
    _ wanted: ConnectionParameters, at place: SensorPlace, by controller: inout Controller
  ) {
    links[place.index].answer(wanted, by: &controller)
  }

  // MARK: - From the link to its end

  /// Puts a link into its place, and encrypts it first if a key is kept; whether another key `mayReplace` it.
  mutating func make(
    _ complete: LEConnectionComplete, _ kind: SensorKind, at place: SensorPlace,
    known: SubscribedHandles, key: Bond.Key?, mayReplace: Bool, by controller: inout Controller,
    at now: Instant
  ) {
    if place == .sought { soughtKind = kind }
    links[place.index] = SensorLink(
      SensorClient(kind, known: known), handle: complete.handle, peer: complete.peer,
      until: now + Self.sensorTime)
    tell(.connecting, of: place)
    guard let key else { return links[place.index].begin(at: now) }
    hold(place, for: 2, at: now)
    securities[place.index].encrypt(until: now + Self.sensorTime, mayReplace: mayReplace)
    controller.send(.leEnableEncryption(handle: complete.handle, longTermKey: key))
  }

  /// The sensor that is tried or offered belongs to the other kind of its service.
  mutating func moveSought(to kind: SensorKind) { soughtKind = kind }

  /// Exchanges the links in two places, with all that belongs to them.
  mutating func exchange(_ a: SensorPlace, _ b: SensorPlace) {
    links.swapAt(a.index, b.index)
    securities.swapAt(a.index, b.index)
    if pairingPlace == a {
      pairingPlace = b
    } else if pairingPlace == b {
      pairingPlace = a
    }
  }

  mutating func receive<Cryptography: Crypto>(
    _ packet: ACLData, at place: SensorPlace, by controller: inout Controller,
    with cryptography: inout Cryptography, at now: Instant
  ) throws(ParseError) -> Consequence {
    let outcome = try links[place.index].receive(
      packet, takesUpdates: controller.takesUpdates, into: &bytes, at: now)
    guard !links[place.index].isEnding else { return .nothing }
    switch outcome {
    case .nothing: return .nothing
    case .client(let outcome): return act(on: outcome, at: place, by: &controller, at: now)
    case .update(let parameters):
      controller.send(.leConnectionUpdate(handle: links[place.index].handle, parameters))
      return .nothing
    case .security:
      return try receiveSecurity(at: place, by: &controller, with: &cryptography, at: now)
    }
  }

  private mutating func act(
    on outcome: SensorClient.Outcome, at place: SensorPlace, by controller: inout Controller,
    at now: Instant
  ) -> Consequence {
    switch outcome {
    case .nothing: break
    case .subscribed:
      if links[place.index].becomeReady() { tell(.ready, of: place) }
      return .ready
    case .unsubscribed: links[place.index].wait(until: now + Self.unaskedTime)
    case .firstValue:
      let consequence = act(on: .subscribed, at: place, by: &controller, at: now)
      tell(.value, of: place)
      return consequence
    case .useless: giveUp(place, .service, by: &controller, at: now)
    case .securityNeeded:
      return take(securities[place.index].refusedRequest(), at: place, by: &controller, at: now)
    case .securityWished:
      return take(securities[place.index].refusedWish(), at: place, by: &controller, at: now)
    case .battery(let percent): tell(.battery(percent), of: place)
    case .name: tell(.name, of: place)
    case .value: tell(.value, of: place)
    }
    return .nothing
  }

  /// Does what is due; the link may end by that.
  mutating func tend(
    _ place: SensorPlace, by controller: inout Controller, at now: Instant
  ) -> Consequence {
    let index = place.index
    if let due = links[index].stageEnd, now >= due {
      if links[index].isEnding { return .stuck }
      let isUnsubscribed = links[index].client.isUnsubscribed
      giveUp(place, isUnsubscribed ? .service : .silence, by: &controller, at: now)
    }
    if links[index].isEnding { return .nothing }
    let step = securities[index].due(isPairingFree: pairingPlace == nil, at: now)
    let consequence = take(step, at: place, by: &controller, at: now)
    if !links[index].isEnding, links[index].advance(to: now) {
      giveUp(place, .silence, by: &controller, at: now)
    }
    return consequence
  }

  /// Leaves a sensor that is of no use.
  private mutating func giveUp(
    _ place: SensorPlace, _ refusal: SensorRefusal, by controller: inout Controller,
    at now: Instant
  ) {
    tell(.refused(refusal), of: place)
    end(place, by: &controller, at: now)
  }

  mutating func end(_ place: SensorPlace, by controller: inout Controller, at now: Instant) {
    let handle = links[place.index].handle
    links[place.index].end(until: now + Controller.longestTimeout)
    controller.dropAll(of: handle)
    controller.send(.disconnect(handle: handle, reason: .remoteUserTerminatedConnection))
  }

  /// The link is gone.
  mutating func forget(
    _ place: SensorPlace, _ reason: ErrorCode, by controller: inout Controller
  ) {
    tell(.disconnected(links[place.index].peer, reason), of: place)
    controller.dropAll(of: links[place.index].handle)
    if pairingPlace == place { endPairing() }
    links[place.index] = Self.noLink
    securities[place.index] = SensorSecurity()
  }

  // MARK: - Security

  private mutating func take(
    _ step: SensorSecurity.Step, at place: SensorPlace, by controller: inout Controller,
    at now: Instant
  ) -> Consequence {
    switch step {
    case .nothing, .pairing, .decline: break
    case .pair: pair(with: place, local: controller.information.address, at: now)
    case .pairingTimedOut: pairingFailed(place, .silence, by: &controller, at: now)
    case .secured:
      tell(.secured, of: place)
      goOn(place, at: now)
      return .keyWorks
    case .goOn: goOn(place, at: now)
    case .keyFailed(let isDenied):
      giveUp(place, isDenied ? .key : .silence, by: &controller, at: now)
      return .keyFailed(isDenied: isDenied)
    case .giveUp: giveUp(place, .pairing, by: &controller, at: now)
    case .end: end(place, by: &controller, at: now)
    }
    return .nothing
  }

  private mutating func goOn(_ place: SensorPlace, at now: Instant) {
    links[place.index].ask { $0.goOn(at: now) }
  }

  /// Sends no request meanwhile; a link that is not ready has `times` times `sensorTime` from now.
  private mutating func hold(_ place: SensorPlace, for times: Int64, at now: Instant) {
    links[place.index].ask { $0.hold() }
    links[place.index].wait(until: now + times * Self.sensorTime)
  }

  /// Takes the command of the Security Manager in `bytes`.
  private mutating func receiveSecurity<Cryptography: Crypto>(
    at place: SensorPlace, by controller: inout Controller,
    with cryptography: inout Cryptography, at now: Instant
  ) throws(ParseError) -> Consequence {
    if pairingPlace == place {
      let outcome = pairing.receive(bytes.bytes, at: now, with: &cryptography)
      return act(on: outcome, at: place, by: &controller, with: cryptography, at: now)
    }
    var step = SensorSecurity.Step.decline
    if case .securityRequest = try? SecurityPDU(parsing: bytes.bytes) {
      step = securities[place.index].asked()
    }
    if step == .decline { try links[place.index].declineSecurity(bytes.bytes) }
    return take(step, at: place, by: &controller, at: now)
  }

  /// Pairs by Just Works, with one sensor at a time.
  private mutating func pair(with place: SensorPlace, local: DeviceAddress, at now: Instant) {
    let isFree = pairingPlace == nil
    hold(place, for: isFree ? 2 : 3, at: now)
    guard isFree else { return securities[place.index].enter(.waiting) }
    securities[place.index].enter(.pairing(until: now + Self.sensorTime))
    pairingPlace = place
    pairing = Pairing(local: local, peer: links[place.index].peer)
    pairing.begin(at: now)
    sendPairing()
  }

  private mutating func act<Cryptography: Crypto>(
    on outcome: PairingOutcome, at place: SensorPlace, by controller: inout Controller,
    with cryptography: Cryptography, at now: Instant
  ) -> Consequence {
    sendPairing()
    switch outcome {
    case .nothing, .securityRequest, .pairingRequest, .requestRefused, .awaitEncryption: break
    case .ask:
      let outcome = pairing.confirm(true, at: now, with: cryptography)
      return act(on: outcome, at: place, by: &controller, with: cryptography, at: now)
    // A peer with a display is no sensor, and nobody could compare its number.
    case .compare:
      return act(on: pairing.cancel(), at: place, by: &controller, with: cryptography, at: now)
    case .encrypt:
      guard let key = pairing.longTermKey else { return .nothing }
      controller.send(.leEnableEncryption(handle: links[place.index].handle, longTermKey: key))
    case .paired:
      let key =
        if let keys = pairing.keys, keys.isBonding { keys.longTermKey as Bond.Key? } else {
          nil as Bond.Key?
        }
      securities[place.index].paired(key)
      endPairing()
      _ = take(.secured, at: place, by: &controller, at: now)
      if let key { return .key(key) }
    case .failed: pairingFailed(place, .pairing, by: &controller, at: now)
    }
    return .nothing
  }

  /// Sends the commands of the pairing.
  private mutating func sendPairing() {
    if let place = pairingPlace { links[place.index].sendCommands(of: &pairing) }
  }

  /// The pairing has succeeded or failed.
  private mutating func endPairing() {
    pairing = Pairing(local: Self.nobody, peer: Self.nobody)
    pairingPlace = nil
  }

  /// Goes on over the open link, unless the sensor has refused a request there.
  private mutating func pairingFailed(
    _ place: SensorPlace, _ refusal: SensorRefusal, by controller: inout Controller,
    at now: Instant
  ) {
    endPairing()
    securities[place.index].enter(.refused)
    if links[place.index].client.isRefused {
      giveUp(place, refusal, by: &controller, at: now)
    } else {
      goOn(place, at: now)
    }
  }

  mutating func encryptionChanged<Cryptography: Crypto>(
    isOn: Bool, isDenied: Bool, at place: SensorPlace, by controller: inout Controller,
    with cryptography: Cryptography, at now: Instant
  ) -> Consequence {
    let step = securities[place.index].encryptionChanged(isOn: isOn, isDenied: isDenied)
    guard step == .pairing else { return take(step, at: place, by: &controller, at: now) }
    let outcome = isOn ? pairing.encrypted(at: now) : pairing.encryptionFailed()
    return act(on: outcome, at: place, by: &controller, with: cryptography, at: now)
  }
}
