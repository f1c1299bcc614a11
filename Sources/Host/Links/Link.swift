import ATT
import Bytes
import HCI
import L2CAP
import SMP

/// One connection and everything that ends with it.
struct Link: ~Copyable {
  let handle: UInt16
  let peer: DeviceAddress
  var client: GATTClient
  var sender = ACLSender<1024>()
  var machine: LinkMachine
  /// Whether the two sides have less to say to each other, and need a connection event less often.
  var isRelaxed = false
  /// How long the peer may ask to wait between two connection events, in units of 1.25 ms.
  var longestWait = UInt32.max
  /// Whether the peer has chosen the connection parameters.
  var hasPeersParameters = false
  var pairing: Pairing
  /// Whether an indication of the phone is still to be confirmed.
  private var owesConfirmation = false
  private var reassembler = Reassembler<521>()

  /// What a packet asks of the host.
  enum Outcome: Equatable {
    case client(GATTClient.Outcome)
    /// The peer asked for these parameters, and they were accepted.
    case update(ConnectionParameters)
    case pairing(PairingOutcome)
  }

  /// Room for the longest answer of our server and every request of our client.
  private typealias PDU = FixedBuffer<64>
  private static var longestPDU: Int { 64 }
  /// The longest command of the Security Manager, a public key.
  private static var longestCommand: Int { 65 }

  init(
    handle: UInt16, local: DeviceAddress, peer: DeviceAddress, demandsComparison: Bool = false,
    client: consuming GATTClient, machine: LinkMachine = LinkMachine()
  ) {
    self.handle = handle
    self.peer = peer
    self.client = client
    self.machine = machine
    pairing = Pairing(local: local, peer: peer, demandsComparison: demandsComparison)
  }

  /// No link, which looks for nothing.
  static func none(_ service: UUID, _ characteristic: UUID) -> Link {
    let nobody = DeviceAddress(0, .public)
    return Link(
      handle: noHandle, local: nobody, peer: nobody,
      client: GATTClient(
        Wanted.forRide(
          characteristic, of: service, isReadAtOnce: false, Wishes()),
        isServiceExpected: false))
  }

  /// A handle that no link has: they end at 0x0EFF.
  private static var noHandle: UInt16 { 0x0FFF }

  /// Whether it is being decided whether this phone will be remembered.
  var isInQuestion: Bool { pairing.isRunning || machine.questionEnd != nil }

  /// The same, or whether the phone has to wait for that.
  var isDeciding: Bool { pairing.isRunning || machine.decisionEnd != nil }

  /// Whether there is a link.
  var isThere: Bool { handle != Self.noHandle }

  mutating func exchangeMTU(at now: Instant) {
    client.exchangeMTU(at: now)
    sendRequest()
  }

  mutating func begin(at now: Instant) {
    client.begin(at: now)
    sendRequest()
  }

  /// Lets the time pass; returns whether the attribute bearer has ended.
  mutating func advance(to now: Instant) -> Bool {
    let hasEnded = client.advance(to: now)
    sendRequest()
    return hasEnded
  }

  mutating func read(_ characteristic: UUID, at now: Instant) {
    client.read(characteristic, at: now)
    sendRequest()
  }

  mutating func write(_ value: ShortValue, to characteristic: UUID, at now: Instant) {
    client.write(value, to: characteristic, at: now)
    sendRequest()
  }

  mutating func renew(_ characteristic: UUID, at now: Instant) {
    client.renew(characteristic, at: now)
    sendRequest()
  }

  /// When something must be done at the latest.
  var deadline: Instant? {
    let decision = earlier(machine.decisionEnd, pairing.deadline)
    return earlier(decision, earlier(sender.deadline, client.deadline))
  }

  /// Takes a piece of a frame; what is malformed is dropped.
  mutating func receive<Cryptography: Crypto>(
    _ packet: ACLData, server: borrowing GATTServer, takesUpdates: Bool,
    with cryptography: inout Cryptography, at now: Instant
  ) throws(ParseError) -> Outcome {
    guard reassembler.receive(packet.data, isContinuation: packet.isContinuation) else {
      return .client(.nothing)
    }
    // The frame is copied out, so that the link can change while it is read.
    var copy = FixedBuffer<521>()
    copy.append(reassembler.frame)
    let frame = try BasicFrame(parsing: copy.bytes)
    switch frame.channel {
    case .attribute: return .client(try receiveAttribute(frame.payload, server: server, at: now))
    case .leSignaling: return try receiveSignaling(frame.payload, takesUpdates)
    case .securityManager:
      return .pairing(pairing.receive(frame.payload, at: now, with: &cryptography))
    default: return .client(.nothing)  // Vol 3, Part A, 2.1: unknown channels are discarded
    }
  }

  // MARK: - Attribute protocol

  private mutating func receiveAttribute(
    _ bytes: Span<UInt8>, server: borrowing GATTServer, at now: Instant
  ) throws(ParseError) -> GATTClient.Outcome {
    guard !bytes.isEmpty, bytes.count <= Int(GATTClient.offeredMTU) else { throw .invalid }
    guard ServerPDU.isServer(opcode: bytes[0]) else {
      try serve(bytes, server)
      return .nothing
    }
    let pdu = try ServerPDU(parsing: bytes)
    if case .indication = pdu { owesConfirmation = true }
    sendConfirmation()
    let outcome = client.receive(pdu, at: now)
    sendRequest()
    return outcome
  }

  /// Answers a request of the phone, whatever our own client is waiting for.
  ///
  /// One to which the answer finds no room is dropped, and counted: it came before the last one was answered.
  private mutating func serve(
    _ bytes: Span<UInt8>, _ server: borrowing GATTServer
  ) throws(ParseError) {
    var answer = PDU()
    do throws(ParseError) {
      let request = try ClientPDU(parsing: bytes)
      server.answer(request, mtu: client.mtu, into: &answer)
      if case .exchangeMTU(let clientMTU) = request { client.learnPeerMTU(clientMTU) }
    } catch {
      // A malformed command or confirmation gets silence, a malformed request an error.
      if ClientPDU.isRequest(opcode: bytes[0]) {
        ServerPDU.writeError(request: bytes[0], handle: 0, code: .invalidPDU, into: &answer)
      }
    }
    if !answer.isEmpty { try send(answer.bytes, .attribute) }
  }

  private mutating func send(
    _ payload: Span<UInt8>, _ channel: ChannelIdentifier
  ) throws(ParseError) {
    guard sender.append(payload, channel: channel) else { throw .invalid }
  }

  /// Whether there is room for any PDU of ours; what finds none waits.
  private var hasRoom: Bool { sender.hasRoom(for: Self.longestPDU) }

  private mutating func send(_ write: (inout PDU) -> Void) {
    var pdu = PDU()
    write(&pdu)
    _ = sender.append(pdu.bytes, channel: .attribute)
  }

  /// Sends what found no room before.
  mutating func sendWhatWaits() {
    sendConfirmation()
    sendPairing()
    sendRequest()
  }

  private mutating func sendConfirmation() {
    guard owesConfirmation, hasRoom else { return }
    owesConfirmation = false
    send { Request.writeConfirmation(into: &$0) }
  }

  /// Sends what the pairing has to say.
  mutating func sendPairing() {
    var pdu = FixedBuffer<65>()
    while sender.hasRoom(for: Self.longestCommand), pairing.takePDU(into: &pdu) {
      _ = sender.append(pdu.bytes, channel: .securityManager)
      pdu.removeAll()
    }
  }

  /// Asks what the client wants to ask; while a new key is put to use it waits for that.
  mutating func sendRequest() {
    guard machine.encryption != .begun(.pairing), hasRoom, let request = client.takeRequest()
    else { return }
    send { request.write(into: &$0) }
  }

  // MARK: - Signaling

  private mutating func receiveSignaling(
    _ bytes: Span<UInt8>, _ takesUpdates: Bool
  ) throws(ParseError) -> Outcome {
    var answer = PDU()
    let accepted = try SignalingPDU(parsing: bytes).answer(
      takesUpdates: takesUpdates, longestWait: longestWait, into: &answer)
    if !answer.isEmpty { try send(answer.bytes, .leSignaling) }
    return accepted.map { .update($0) } ?? .client(.nothing)
  }
}
