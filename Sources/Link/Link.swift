import ATT
package import Bond
package import Bytes
package import Controller
package import HCI
import L2CAP
package import SMP

/// The connection to the phone, with all that is dropped when it ends.
///
/// It owns its channels, the client at our end, the pairing, and how far the link has come (`progress`). Only its
/// verbs change these values; they return what follows.
package struct Link: ~Copyable {
  /// What a packet asks of the host.
  package enum Outcome: Equatable {
    case client(GATTClient.Outcome)
    /// The peer asked for these parameters, and they were accepted.
    case update(ConnectionParameters)
    case pairing(PairingOutcome)
    case server(ServerSession.News)
  }

  /// What it means that the link is encrypted.
  package enum Secured: Equatable {
    /// The encryption was not asked for on this link: it does not make the link secure.
    case unasked
    /// The phone has the key that is kept of it.
    case known
    /// The pairing goes on.
    case pairing(PairingOutcome)
  }

  /// Room for the longest answer of our server and every request of our client.
  private static var longestPDU: Int { 64 }
  /// Before the value of a Write Request: its opcode and the handle.
  private static var writeHeader: Int { 1 + 2 }

  package private(set) var channels: Channels<1024, 521>
  package private(set) var client: GATTClient
  package private(set) var progress: LinkProgress
  package private(set) var pairing: Pairing
  package private(set) var serving: ServerSession
  private var parameterRequest = ParameterRequest()
  /// The supervision timeout that the link began with, in units of 10 ms.
  let timeout: UInt16
  /// When a missing characteristic may be looked for again without a Service Changed.
  private var nextLook: Instant?
  private(set) var longFrame = LongFrame.none

  /// A link that has come up; `served` is what the remembered phone has set on our server, `nil` for any other.
  package init(
    handle: UInt16, local: DeviceAddress, peer: DeviceAddress, timeout: UInt16,
    demandsComparison: Bool, longestWait: UInt32, client: consuming GATTClient,
    progress: LinkProgress, served: Bond.Served?
  ) {
    channels = Channels(
      handle: handle, peer: peer, longestPDU: Self.longestPDU, longestWait: longestWait)
    self.client = client
    pairing = Pairing(
      as: progress.isPeripheral ? .responder : .initiator, local: local, peer: peer,
      demandsComparison: demandsComparison)
    self.progress = progress
    self.timeout = timeout
    serving = ServerSession(served)
  }

  /// No link, which looks for nothing.
  package static func none(_ table: Wanted.Lines<Wanted>) -> Link {
    Link(GATTClient(table, isServiceExpected: false))
  }

  private init(_ client: consuming GATTClient) {
    let nobody = DeviceAddress(0, .public)
    channels = .none(longestPDU: Self.longestPDU)
    self.client = client
    progress = LinkProgress(.discovering(until: Instant(milliseconds: 0)))
    timeout = 0
    pairing = Pairing(local: nobody, peer: nobody)
    serving = ServerSession(nil)
  }

  package var handle: UInt16 { channels.handle }
  package var peer: DeviceAddress { channels.peer }
  /// Whether there is a link.
  package var isThere: Bool { channels.isThere }
  package var isRelaxed: Bool {
    switch channels.chosen {
    case .us(let parameters), .peer(let parameters): Pace.isRelaxed(parameters)
    }
  }

  package var stage: Stage { progress.stage }
  package var isPeripheral: Bool { progress.isPeripheral }
  package var isEncrypted: Bool { progress.isEncrypted }

  /// Notes how far the link has come.
  @discardableResult
  package mutating func note<Answer>(_ happening: (inout LinkProgress) -> Answer) -> Answer {
    happening(&progress)
  }

  // MARK: - The client

  /// Has the client do something, and sends its next request.
  package mutating func ask<Answer>(_ act: (inout GATTClient) -> Answer) -> Answer {
    let answer = act(&client)
    sendRequest()
    return answer
  }

  /// Whether what is missing may be looked for now, as the phone advertises: at most every 5 s.
  package mutating func mayLookAgain(at now: Instant) -> Bool {
    if let next = nextLook, now < next { return false }
    nextLook = now + 5_000
    return true
  }

  /// Lets the client know that the link is secure; its next request is sent by a later `ask`.
  package mutating func secured(at now: Instant) -> GATTClient.Outcome { client.secured(at: now) }

  /// Sends the client's next request, unless a new key is being put to use.
  private mutating func sendRequest() {
    if progress.encryption != .beginning { channels.sendRequest(of: &client) }
  }

  /// When something must be done at the latest.
  package var deadline: Instant? {
    let decision = earlier(stage.deadline, pairing.deadline)
    let bearer = earlier(client.deadline, serving.deadline)
    return earlier(earlier(decision, parameterRequest.deadline), earlier(channels.deadline, bearer))
  }

  /// Lets the time pass; returns whether the attribute bearer has ended.
  package mutating func advance(to now: Instant) -> Bool {
    requestParameters(at: now)
    let isUnconfirmed = serving.advance(to: now)
    return ask { $0.advance(to: now) } || isUnconfirmed
  }

  // MARK: - The server

  /// What the phone may have of our server.
  private var access: GATTServer.Access {
    // A phone that is being left has nothing to say any more.
    guard let served = serving.served, !stage.isLeaving else { return .stranger }
    switch progress.encryption {
    case .on, .renewing: return pairing.isRunning ? .stranger : .bond(served)
    case .beginning: return .stranger
    case .off: return stage.isAwaited || stage.isEncrypting ? .unencrypted : .stranger
    }
  }

  /// The phone was paired with on this link, and is to be remembered.
  package mutating func becomeBonded() { serving.becomeBonded() }

  /// The phone is the remembered one from now on, with `served`, unless the link knows newer.
  package mutating func becomeRemembered(_ served: Bond.Served) { serving.becomeRemembered(served) }

  /// Notifies these bytes by the UART; drops them if the phone has not subscribed, or there is no room.
  package mutating func notify(_ bytes: Span<UInt8>, at now: Instant) {
    guard case .bond = access else { return }
    serving.notify(bytes)
    tell(at: now)
  }

  /// Sends the next indication or notification of our server, once there is room.
  ///
  /// Notifications go one after the other, so that an answer finds room beside them.
  private mutating func tell(at now: Instant) {
    guard case .bond = access, channels.hasRoom else { return }
    var pdu = FixedBuffer<23>()
    serving.takeIndication(into: &pdu, at: now)
    if pdu.isEmpty, !channels.isWaiting { serving.takeNotification(into: &pdu) }
    if !pdu.isEmpty { try? channels.send(pdu.bytes, .attribute) }
  }

  // MARK: - Security

  /// Begins to encrypt the link with the kept key, which may take until `end`; returns the command for that.
  package mutating func encrypt(with key: Bond.Key, until end: Instant) -> Command {
    progress.encrypt(until: end)
    return .leEnableEncryption(handle: handle, longTermKey: key)
  }

  /// Begins to encrypt the link with the key of the pairing; returns the command for that.
  package mutating func encryptWithNewKey() -> Command? {
    guard let key = pairing.longTermKey else { return nil }
    progress.encryptWithNewKey()
    return .leEnableEncryption(handle: handle, longTermKey: key)
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
    } else if isEncrypted {
      // The phone encrypts the link once more: no stage begins.
      key = pairing.keys?.longTermKey ?? kept
    } else if kept != nil {
      progress.encrypt(time: time)
    }
    guard let key else { return nil }
    return .leLongTermKeyRequestReply(handle: handle, longTermKey: key)
  }

  /// The link is encrypted; a known phone is asked for everything from now on, and has time until `end`.
  package mutating func encrypted(until end: Instant, at now: Instant) -> Secured {
    guard let key = progress.encrypted(until: end) else { return .unasked }
    if isPeripheral { parameterRequest.begin(timeout, at: now) }
    // With the bond's key this also answers our Security Request, if there was one.
    let outcome = pairing.encrypted(at: now)
    switch key {
    case .bond:
      beginAsking(at: now)
      serving.becomeSecure()
      tell(at: now)
      return .known
    case .pairing:
      sendRequest()
      return .pairing(outcome)
    }
  }

  /// Asks a trusted phone for everything; a phone that made the link was not asked anything before.
  package mutating func beginAsking(at now: Instant) {
    let isPeripheral = isPeripheral
    ask {
      _ = $0.secured(at: now)
      if isPeripheral { $0.exchangeMTUOnce(at: now) }
      $0.begin(at: now)
    }
  }

  package mutating func encryptionFailed() -> PairingOutcome { pairing.encryptionFailed() }

  package mutating func pair(at now: Instant) {
    pairing.begin(at: now)
    sendCommands()
  }

  /// Begins the pairing that the phone asks for.
  package mutating func acceptPairing<Cryptography: Crypto>(
    _ request: PairingFeatures, at now: Instant, with cryptography: inout Cryptography
  ) -> PairingOutcome {
    pairing.accept(request, at: now, with: &cryptography)
  }

  /// Tells a phone that asks for a pairing why there is none.
  package mutating func declinePairing(_ reason: PairingFailedReason) {
    pairing.decline(reason)
    sendCommands()
  }

  /// Asks the phone that made the link to encrypt it, or to pair.
  package mutating func requestSecurity(at now: Instant) {
    if !progress.requestSecurity() { pairing.keyWasDenied() }
    pairing.requestSecurity(at: now)
    sendCommands()
  }

  package mutating func declineSecurity() {
    pairing.declineSecurity()
    sendCommands()
  }

  package mutating func cancelPairing() -> PairingOutcome { pairing.cancel() }

  package mutating func advancePairing(to now: Instant) -> PairingOutcome {
    pairing.advance(to: now)
  }

  /// Answers whether the numbers are the same, or whether to pair with a phone that shows none.
  package mutating func confirm<Cryptography: Crypto>(
    _ isSame: Bool, at now: Instant, with cryptography: Cryptography
  ) -> PairingOutcome {
    pairing.confirm(isSame, at: now, with: cryptography)
  }

  /// Sends the commands of the pairing.
  package mutating func sendCommands() { channels.sendCommands(of: &pairing) }

  // MARK: - Packets

  /// Takes a piece of a frame; what is malformed is dropped.
  package mutating func receive<Cryptography: Crypto>(
    _ packet: ACLData, server: borrowing GATTServer, takesUpdates: Bool,
    with cryptography: inout Cryptography, at now: Instant
  ) throws(ParseError) -> Outcome {
    var copy = FixedBuffer<521>()
    if let size = packet.attributeSize, LongFrame.isLong(size) { longFrame.begin(at: now) }
    guard channels.receive(packet, into: &copy) else { return .client(.nothing) }
    let frame = try BasicFrame(parsing: copy.bytes)
    switch frame.channel {
    case .attribute:
      if LongFrame.isLong(frame.payload.count) { longFrame = .came }
      return try receiveAttribute(frame.payload, server: server, at: now)
    case .leSignaling:
      if isPeripheral {
        if let isAccepted = try channels.receiveAsPeripheral(frame.payload) {
          parameterRequest.isAnswered(isAccepted)
        }
        return .client(.nothing)
      }
      let accepted = try channels.receiveSignaling(frame.payload, takesUpdates: takesUpdates)
      return accepted.map { .update($0) } ?? .client(.nothing)
    case .securityManager:
      return .pairing(pairing.receive(frame.payload, at: now, with: &cryptography))
    default: return .client(.nothing)  // Vol 3, Part A, 2.1: unknown channels are discarded
    }
  }

  private mutating func receiveAttribute(
    _ bytes: Span<UInt8>, server: borrowing GATTServer, at now: Instant
  ) throws(ParseError) -> Outcome {
    guard !bytes.isEmpty, bytes.count <= Int(GATTClient.longestMTU) else { throw .invalid }
    guard ServerPDU.isServer(opcode: bytes[0]) else {
      return .server(try serve(bytes, server, at: now))
    }
    let pdu = try ServerPDU(parsing: bytes)
    if case .indication = pdu { channels.owesOneMore() }
    let outcome = client.receive(pdu, at: now)
    sendRequest()
    return .client(outcome)
  }

  /// Answers a request of the phone, whatever our own client is waiting for.
  ///
  /// A request whose answer finds no room is dropped, and counted: it came before the last one was answered.
  private mutating func serve(
    _ bytes: Span<UInt8>, _ server: borrowing GATTServer, at now: Instant
  ) throws(ParseError) -> ServerSession.News {
    var answer = FixedBuffer<64>()
    var effect = GATTServer.Effect.nothing
    do throws(ParseError) {
      let request = try ClientPDU(parsing: bytes)
      effect = server.answer(
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
    let value = bytes.extracting(droppingFirst: min(bytes.count, Self.writeHeader))
    return serving.apply(effect, value: value)
  }

  /// Makes the next piece of a frame the packet to send; this may make room for what waits.
  package mutating func prepareData(for controller: inout Controller, at now: Instant) {
    channels.prepareData(for: &controller, at: now)
    channels.sendConfirmation()
    sendCommands()
    sendRequest()
    tell(at: now)
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
    guard !isPeripheral, !channels.hasPeersParameters else { return nil }
    channels.choose(.us(parameters))
    return .leConnectionUpdate(handle: handle, parameters)
  }

  /// Answers the peer's parameter request of the link layer.
  package mutating func answer(_ wanted: ConnectionParameters, by controller: inout Controller) {
    channels.answer(wanted, by: &controller)
  }
}
