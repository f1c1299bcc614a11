import ATT
import Bytes
import HCI
import L2CAP
import SMP

/// Our side as a client of an attribute server, one request at a time.
protocol AttributeClient: ~Copyable {
  /// What an answer, or something told without being asked for, means.
  associatedtype Outcome: Equatable

  /// When `advance` must be called at the latest.
  var deadline: Instant? { get }

  /// Begins to ask: there is a link.
  mutating func begin(at now: Instant)

  /// The request to send now; it is given once.
  mutating func takeRequest() -> Request?

  /// Takes what the server sends; what answers no request of ours changes nothing.
  mutating func receive(_ pdu: ServerPDU, at now: Instant) -> Outcome

  /// Lets the time pass; returns whether the bearer has ended, as an answer did not come.
  mutating func advance(to now: Instant) -> Bool
}

/// A small link, to somebody whose values are short and whose wishes are few.
struct ClientLink<Client: AttributeClient & ~Copyable>: ~Copyable {
  /// What a packet asks of the host.
  enum Outcome: Equatable {
    case nothing
    case client(Client.Outcome)
    /// The peer asked for these parameters, and they were accepted.
    case update(ConnectionParameters)
    /// A command of the Security Manager lies in `bytes`.
    case security
  }

  /// The longest attribute PDU that we take: more than any value has, and its header.
  ///
  /// A command of the Security Manager has 65 octets at most.
  private static var mtu: UInt16 { 60 }
  private typealias PDU = FixedBuffer<32>
  private static var longestPDU: Int { 32 }

  let handle: UInt16
  let peer: DeviceAddress
  var client: Client
  var sender = ACLSender<128>()
  private var reassembler = Reassembler<69>()
  /// Whether it has led to what it is for.
  var isReady = false
  /// Whether it is to end, or does already.
  var isEnding = false
  /// Whether the peer has chosen the connection parameters.
  var hasPeersParameters = false
  /// Whether an indication of the peer is still to be confirmed.
  private var owesConfirmation = false
  /// When it must have led to something, or must be over.
  var deadline: Instant?

  init(
    _ client: consuming Client, handle: UInt16, peer: DeviceAddress, until deadline: Instant? = nil
  ) {
    self.client = client
    self.handle = handle
    self.peer = peer
    self.deadline = deadline
  }

  /// No link.
  static func none(_ client: consuming Client) -> ClientLink {
    ClientLink(client, handle: noHandle, peer: DeviceAddress(0, .public))
  }

  /// A handle that no link has: they end at 0x0EFF.
  private static var noHandle: UInt16 { 0x0FFF }

  /// Whether there is a link.
  var isThere: Bool { handle != Self.noHandle }

  /// When `advance` must be called at the latest; a link that ends waits for that alone.
  var dueTime: Instant? { isEnding ? nil : earlier(client.deadline, sender.deadline) }

  /// Lets the time pass; returns whether the peer, or the controller, has taken nothing for too long.
  mutating func advance(to now: Instant) -> Bool {
    if let due = sender.deadline, now >= due { return true }
    let hasEnded = client.advance(to: now)
    sendRequest()
    return hasEnded
  }

  mutating func begin(at now: Instant) {
    client.begin(at: now)
    sendRequest()
  }

  /// Takes a piece of a frame; `bytes` are then those of the outcome: a value, a name, a command.
  mutating func receive<let capacity: Int>(
    _ packet: ACLData, takesUpdates: Bool, into bytes: inout FixedBuffer<capacity>,
    at now: Instant
  ) throws(ParseError) -> Outcome {
    guard reassembler.receive(packet.data, isContinuation: packet.isContinuation) else {
      return .nothing
    }
    var copy = FixedBuffer<69>()
    copy.append(reassembler.frame)
    let frame = try BasicFrame(parsing: copy.bytes)
    switch frame.channel {
    case .attribute: return try receiveAttribute(frame.payload, into: &bytes, at: now)
    case .leSignaling: return try receiveSignaling(frame.payload, takesUpdates)
    case .securityManager:
      bytes.assign(frame.payload)
      return .security
    default: return .nothing  // Vol 3, Part A, 2.1: unknown channels are discarded
    }
  }

  private mutating func receiveAttribute<let capacity: Int>(
    _ payload: Span<UInt8>, into bytes: inout FixedBuffer<capacity>, at now: Instant
  ) throws(ParseError) -> Outcome {
    guard !payload.isEmpty else { throw .invalid }
    guard ServerPDU.isServer(opcode: payload[0]) else {
      try refuse(payload[0])
      return .nothing
    }
    let pdu = try ServerPDU(parsing: payload)
    let outcome = client.receive(pdu, at: now)
    switch pdu {
    case .indication:
      owesConfirmation = true
      sendConfirmation()
    case .notification(_, let value): bytes.assign(value)
    case .readByType(let values): bytes.assign(try values.value(at: 0))
    default: break
    }
    sendRequest()
    return .client(outcome)
  }

  /// Nobody has anything to look for here.
  ///
  /// A request to which the answer finds no room is dropped: it came before the last one was answered.
  private mutating func refuse(_ opcode: UInt8) throws(ParseError) {
    guard ClientPDU.isRequest(opcode: opcode) else { return }
    guard hasRoom else { throw .invalid }
    if opcode == Request.exchangeMTU(clientMTU: 0).opcode {
      send { ServerPDU.writeExchangeMTU(serverMTU: Self.mtu, into: &$0) }
    } else {
      send {
        ServerPDU.writeError(request: opcode, handle: 0, code: .attributeNotFound, into: &$0)
      }
    }
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
    sendRequest()
  }

  private mutating func sendConfirmation() {
    guard owesConfirmation, hasRoom else { return }
    owesConfirmation = false
    send { Request.writeConfirmation(into: &$0) }
  }

  mutating func sendRequest() {
    guard hasRoom, let request = client.takeRequest() else { return }
    send { request.write(into: &$0) }
  }

  private mutating func receiveSignaling(
    _ bytes: Span<UInt8>, _ takesUpdates: Bool
  ) throws(ParseError) -> Outcome {
    var answer = FixedBuffer<16>()
    let accepted = try SignalingPDU(parsing: bytes).answer(
      takesUpdates: takesUpdates, into: &answer)
    if !answer.isEmpty, !sender.append(answer.bytes, channel: .leSignaling) { throw .invalid }
    if accepted != nil { hasPeersParameters = true }
    return accepted.map { .update($0) } ?? .nothing
  }

  /// Declines what nobody asked for: the command of the Security Manager in `bytes`.
  ///
  /// Who goes on all the same gets no answer.
  mutating func declineSecurity(_ bytes: Span<UInt8>) throws(ParseError) {
    switch try? SecurityPDU(parsing: bytes) {
    case .securityRequest, .pairingRequest: break
    default: return
    }
    var pdu = FixedBuffer<8>()
    SecurityPDU.pairingFailed(.pairingNotSupported).write(into: &pdu)
    guard sender.append(pdu.bytes, channel: .securityManager) else { throw .invalid }
  }
}
