import ATT
package import Bond
package import Bytes
package import Controller
package import HCI
import L2CAP
package import SMP

/// One connection, with all that is dropped when it ends.
///
/// It owns its channels, the client at our end, the pairing, and how far it has come (`progress`). Only its verbs
/// change these values; they return what follows. What a peer is asked for, and how its link is secured, its owner says.
///
/// `lines` is what the client asks for; `outgoing` and `incoming` are the bytes that its channels can hold.
package struct Link<let lines: Int, let outgoing: Int, let incoming: Int>: ~Copyable {
  package typealias Client = GATTClient<lines>
  package typealias Table = InlineArray<lines, Wanted>
  package typealias Frame = FixedBuffer<incoming>

  /// The least time between two looks, as a phone advertises several times a second.
  private static var lookPause: Int64 { 5_000 }

  /// What follows from the encryption of the link.
  package enum EncryptionOutcome: Equatable {
    /// It was renewed, or was not asked for on this link, which it then does not make secure.
    case nothing
    /// The peer has the key that is kept of it.
    case known
    /// The pairing goes on.
    case pairing(PairingOutcome)
  }

  package private(set) var channels: Channels<outgoing, incoming>
  package private(set) var client: Client
  package private(set) var progress: LinkProgress
  package private(set) var pairing: Pairing
  package private(set) var serving: ServerSession
  private var parameterRequest = ParameterRequest()
  /// The supervision timeout that the link began with, in units of 10 ms.
  let timeout: UInt16
  /// When a missing characteristic may be looked for again without a Service Changed.
  private var nextLook: Instant?
  private(set) var longFrame = LongFrame.none

  /// A link that has come up; `served` is what the remembered phone has set on our server, `nil` for any other peer.
  ///
  /// A request of the client waits until there is room for `longestPDU` bytes: its longest, or our longest answer.
  /// Without `progress` the link has no time limit.
  package init(
    _ complete: LEConnectionComplete, local: DeviceAddress, longestPDU: Int = 64,
    longestWait: UInt32 = .max, demandsComparison: Bool = false, client: consuming Client,
    progress: LinkProgress = LinkProgress(.open(relaxed: nil)), served: Bond.Served? = nil
  ) {
    channels = Channels(
      handle: complete.handle, peer: complete.peer, longestPDU: longestPDU,
      longestWait: longestWait)
    self.client = client
    pairing = Pairing(
      as: progress.isPeripheral ? .responder : .initiator, local: local, peer: complete.peer,
      demandsComparison: demandsComparison)
    self.progress = progress
    timeout = complete.supervisionTimeout
    serving = ServerSession(served)
  }

  /// No link, which looks for nothing.
  package static func none(_ table: Table) -> Link {
    Link(Client(table, isServiceExpected: false))
  }

  private init(_ client: consuming Client) {
    let nobody = DeviceAddress(0, .public)
    channels = .none
    self.client = client
    progress = LinkProgress(.discovering(until: Instant(milliseconds: 0)))
    timeout = 0
    pairing = Pairing(local: nobody, peer: nobody)
    serving = ServerSession(nil)
  }

  package var isRelaxed: Bool {
    switch channels.chosen {
    case .us(let parameters), .peer(let parameters): Pace.isRelaxed(parameters)
    }
  }

  /// How long a phone that made the link may keep its buffers in use once it is gone, and 1 s; 0 where we made it.
  package var longestSilence: Int64 {
    progress.isPeripheral ? (Int64(widening: Int(timeout)) + 100) * 10 : 0
  }

  /// Changes how far the link has come.
  @discardableResult
  package mutating func updateProgress<Answer>(
    _ change: (inout LinkProgress) -> Answer
  ) -> Answer {
    change(&progress)
  }

  // MARK: - The client

  /// Has the client do something, and sends its next request.
  package mutating func ask<Answer>(_ act: (inout Client) -> Answer) -> Answer {
    let answer = act(&client)
    sendRequest()
    return answer
  }

  /// Whether what is missing may be looked for now, as the phone advertises.
  package mutating func mayLookAgain(at now: Instant) -> Bool {
    if let next = nextLook, now < next { return false }
    nextLook = now + Self.lookPause
    return true
  }

  /// Sends the client's next request, unless a new key is being put to use.
  private mutating func sendRequest() {
    if progress.encryption != .newKeyBeginning { channels.sendRequest(of: &client) }
  }

  /// When something must be done at the latest; `advance` does what is due for client, server and parameters.
  ///
  /// Stage, pairing and sender are the owner's: `Host.advanceLink`, `SensorPlaces.tend`.
  package var deadline: Instant? {
    let decision = earlier(progress.stage.deadline, pairing.deadline)
    let bearer = earlier(client.deadline, serving.deadline)
    return earlier(
      earlier(decision, parameterRequest.deadline), earlier(channels.sender.deadline, bearer))
  }

  /// Advances client, server and parameters to `now`; returns whether the attribute bearer has ended.
  package mutating func advance(to now: Instant) -> Bool {
    requestParameters(at: now)
    let isUnconfirmed = serving.advance(to: now)
    return ask { $0.advance(to: now) } || isUnconfirmed
  }

  // MARK: - The server

  /// What the phone may have of our server.
  private var access: GATTServer.Access {
    // A phone that is being left has nothing to say any more.
    guard let served = serving.served, !progress.stage.isLeaving else { return .stranger }
    switch progress.encryption {
    case .on, .renewing: return pairing.isRunning ? .stranger : .bond(served)
    case .newKeyBeginning: return .stranger
    case .off:
      return progress.stage.isAwaited || progress.stage.isEncrypting ? .unencrypted : .stranger
    }
  }

  /// Changes whose link it is for the server.
  package mutating func updateServing(_ change: (inout ServerSession) -> Void) {
    change(&serving)
  }

  /// Notifies these bytes by the UART; drops them if the phone has not subscribed, or there is no room.
  package mutating func notify(_ bytes: Span<UInt8>, at now: Instant) {
    guard case .bond = access else { return }
    serving.notify(bytes)
    sendNotification(at: now)
  }

  /// Sends the next indication or notification of our server, once there is room.
  ///
  /// Notifications go one after the other, so that an answer finds room beside them.
  private mutating func sendNotification(at now: Instant) {
    guard case .bond = access, channels.hasRoom else { return }
    var pdu = FixedBuffer<23>()
    serving.takeIndication(into: &pdu, at: now)
    if pdu.isEmpty, !channels.sender.isWaiting { serving.takeNotification(into: &pdu) }
    if !pdu.isEmpty { try? channels.send(pdu.bytes, .attribute) }
  }

  // MARK: - Security

  /// Begins to encrypt the link with the kept key, which may take until `end`; returns the command for that.
  package mutating func encrypt(with key: Bond.Key, until end: Instant) -> Command {
    progress.encrypt(until: end)
    return .leEnableEncryption(handle: channels.handle, longTermKey: key)
  }

  /// Begins to encrypt the link with the key of the pairing; returns the command for that.
  package mutating func encryptWithNewKey() -> Command? {
    guard let key = pairing.longTermKey else { return nil }
    progress.encryptWithNewKey()
    return .leEnableEncryption(handle: channels.handle, longTermKey: key)
  }

  /// Answers a phone that encrypts the link, with the pairing's key or else the kept one; returns the command, if
  /// there is a key.
  ///
  /// A phone that was not asked to begin has `time` more for the encryption.
  package mutating func answerKeyRequest(with kept: Bond.Key?, time: Int64) -> Command? {
    var key = kept
    if pairing.isRunning {
      guard let new = pairing.longTermKey else { return nil }
      progress.encryptWithNewKey()
      key = new
    } else if progress.isEncrypted {
      // The phone encrypts the link once more: no stage begins.
      key = pairing.keys?.longTermKey ?? kept
    } else if kept != nil {
      progress.encrypt(time: time)
    }
    guard let key else { return nil }
    return .leLongTermKeyRequestReply(handle: channels.handle, longTermKey: key)
  }

  /// The link is encrypted; a known phone is asked for everything from now on, and has time until `end`.
  package mutating func encrypted(until end: Instant, at now: Instant) -> EncryptionOutcome {
    guard let key = progress.encrypted(until: end) else { return .nothing }
    if progress.isPeripheral { parameterRequest.begin(timeout, at: now) }
    // With the bond's key this also answers our Security Request, if there was one.
    let outcome = pair { $0.encrypted(at: now) }
    switch key {
    case .bond:
      beginAsking(at: now)
      serving.becomeSecure()
      sendNotification(at: now)
      return .known
    case .pairing:
      sendRequest()
      return .pairing(outcome)
    }
  }

  /// Asks a trusted phone for everything; a phone that made the link was not asked anything before.
  package mutating func beginAsking(at now: Instant) {
    let isPeripheral = progress.isPeripheral
    ask {
      _ = $0.secured(at: now)
      if isPeripheral, $0.mtu == SmallestMTU.count { $0.exchangeMTU(at: now) }
      $0.begin(at: now)
    }
  }

  /// Has the pairing do something, and sends its commands.
  @discardableResult
  package mutating func pair<Answer>(_ act: (inout Pairing) -> Answer) -> Answer {
    defer { channels.sendCommands(of: &pairing) }
    return act(&pairing)
  }

  /// Has the pairing do something for which it needs cryptography, and sends its commands.
  package mutating func pair<Cryptography: Crypto>(
    with cryptography: inout Cryptography,
    _ act: (inout Pairing, inout Cryptography) -> PairingOutcome
  ) -> PairingOutcome {
    defer { channels.sendCommands(of: &pairing) }
    return act(&pairing, &cryptography)
  }

  /// Asks the phone that made the link to encrypt it, or to pair.
  package mutating func requestSecurity(at now: Instant) {
    if !progress.requestSecurity() { pairing.securityRequestWasAnswered() }
    pair { $0.requestSecurity(at: now) }
  }

  /// Drops the pairing, which is over, with its keys; the link allows another one.
  package mutating func dropPairing(local: DeviceAddress) {
    pairing = Pairing(local: local, peer: channels.peer)
  }

  // MARK: - Packets

  /// Receives a piece of a frame; returns whether the frame is whole, and lies in `frame` then: `receive` follows.
  package mutating func receive(
    _ packet: ACLData, into frame: inout Frame, at now: Instant
  ) -> Bool {
    if let size = packet.attributeSize, LongFrame.isLong(size) { longFrame.begin(at: now) }
    return channels.receive(packet, into: &frame)
  }

  /// Receives a whole frame; what is malformed is dropped.
  @_lifetime(copy frame)
  package mutating func receive(
    _ frame: Span<UInt8>, takesUpdates: Bool, at now: Instant
  ) throws(ParseError) -> LinkOutcome {
    let frame = try BasicFrame(parsing: frame)
    let payload = frame.payload
    switch frame.channel {
    case .attribute:
      if LongFrame.isLong(payload.count) { longFrame = .came }
      guard !payload.isEmpty, payload.count <= Int(LongestMTU.count) else { throw .invalid }
      guard ServerPDU.isServer(opcode: payload[0]) else { return .request(payload) }
      let pdu = try ServerPDU(parsing: payload)
      if case .indication = pdu { channels.indicationCame() }
      let outcome = client.receive(pdu, at: now)
      sendRequest()
      switch pdu {
      case .notification(_, let value), .indication(_, let value): return .client(outcome, value)
      default: return .client(outcome, payload)
      }
    case .leSignaling:
      if progress.isPeripheral {
        if try channels.receiveAsPeripheral(payload) { parameterRequest.accepted() }
        return .nothing
      }
      guard
        let accepted = try channels.receiveSignaling(payload, takesUpdates: takesUpdates)
      else { return .nothing }
      return .update(accepted)
    case .securityManager: return .security(payload)
    default: return .nothing  // Vol 3, Part A, 2.1: unknown channels are discarded
    }
  }

  /// Declines a Pairing Request or a Security Request that is not expected.
  package mutating func declineSecurity(_ command: Span<UInt8>) throws(ParseError) {
    try channels.declineSecurity(command)
  }

  /// Answers a request of a peer for which our server has no attributes.
  package mutating func refuse(_ request: Span<UInt8>) throws(ParseError) {
    try channels.refuse(request, mtu: client.offeredMTU)
  }

  /// Answers a request of the phone, whatever our own client is waiting for.
  ///
  /// A request whose answer finds no room is dropped, and counted: it came before the last one was answered.
  package mutating func serve(
    _ bytes: Span<UInt8>, by server: borrowing GATTServer, at now: Instant
  ) throws(ParseError) -> ServerSession.Outcome {
    var answer = FixedBuffer<64>()
    var outcome = GATTServer.Outcome.nothing
    do throws(ParseError) {
      let request = try ClientPDU(parsing: bytes)
      outcome = server.answer(
        request, access: access, mtu: client.mtu, offering: client.offeredMTU, into: &answer)
      if case .exchangeMTU(let clientMTU) = request { client.learnPeerMTU(clientMTU) }
    } catch {
      // A malformed command or confirmation gets silence, a malformed request an error.
      if ClientPDU.isRequest(opcode: bytes[0]) {
        ServerPDU.writeError(request: bytes[0], handle: 0, code: .invalidPDU, into: &answer)
      }
    }
    if !answer.isEmpty { try channels.send(answer.bytes, .attribute) }
    if LongFrame.isLong(answer.count) { longFrame.begin(at: now) }
    return serving.receive(outcome)
  }

  /// Makes the next piece of a frame the packet to send; this may make room for what waits.
  package mutating func prepareData(for controller: inout Controller, at now: Instant) {
    channels.prepareData(for: &controller, at: now)
    channels.sendConfirmation()
    channels.sendCommands(of: &pairing)
    sendRequest()
    sendNotification(at: now)
  }

  /// Has the controller end the link.
  package mutating func end(_ reason: ErrorCode, by controller: inout Controller) {
    channels.end(reason, by: &controller)
  }

  package mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    channels.complete(packets, at: now)
  }

  // MARK: - Connection parameters

  /// Asks the phone for other connection parameters, if that is due.
  private mutating func requestParameters(at now: Instant) {
    guard channels.hasRoom else { return }
    var pdu = FixedBuffer<12>()
    parameterRequest.take(into: &pdu, at: now)
    if !pdu.isEmpty { try? channels.send(pdu.bytes, .leSignaling) }
  }

  /// Relaxes the link, as the ride is under way; returns the command for that, if the peer has not chosen.
  package mutating func relax(_ parameters: ConnectionParameters) -> Command? {
    progress.stay()
    guard !progress.isPeripheral, !channels.hasPeersParameters else { return nil }
    channels.choose(.us(parameters))
    return .leConnectionUpdate(handle: channels.handle, parameters)
  }

  /// Answers the peer's parameter request of the link layer.
  package mutating func answer(_ wanted: ConnectionParameters, by controller: inout Controller) {
    channels.answer(wanted, by: &controller)
  }
}

/// What a frame asks of the owner of a link; its bytes are those of the frame.
package enum LinkOutcome: ~Escapable {
  case nothing
  /// A PDU of the peer's server; the bytes are the value that was notified or indicated, else the whole PDU.
  case client(ClientOutcome, Span<UInt8>)
  /// A request to our server, or a command: `serve` or `refuse` follows.
  case request(Span<UInt8>)
  /// A command of the Security Manager: the pairing takes it, or `declineSecurity` follows.
  case security(Span<UInt8>)
  /// The peer asked for these parameters, and they were accepted: the controller needs the command for that.
  case update(ConnectionParameters)
}
