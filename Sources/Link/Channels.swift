import ATT
package import Bytes
package import Controller
package import HCI
package import L2CAP
import SMP

/// The fixed channels of one connection: what every link needs, whatever is at its other end.
///
/// It owns the frames that come and go, the confirmation that is owed, and which side has chosen the connection
/// parameters. The link decides what a frame means.
package struct Channels<let outgoing: Int, let incoming: Int>: ~Copyable {
  /// By whom the connection parameters were chosen.
  package enum Chosen {
    case us(ConnectionParameters)
    case peer(ConnectionParameters)
  }

  package typealias Frame = FixedBuffer<incoming>
  private typealias PDU = FixedBuffer<64>
  /// The longest command of the Security Manager, a public key.
  private static var longestCommand: Int { 65 }

  package let handle: UInt16
  package let peer: DeviceAddress
  package private(set) var chosen = Chosen.us(.quick)
  package private(set) var sender = ACLSender<outgoing>()
  private var reassembler = Reassembler<incoming>()
  /// Whether an indication of the peer is still to be confirmed.
  private var owesConfirmation = false
  /// A request or a confirmation waits until there is room for this many bytes.
  private let longestPDU: Int
  /// How long the peer may ask to wait between two connection events, in units of 1.25 ms.
  private let longestWait: UInt32

  package init(
    handle: UInt16, peer: DeviceAddress, longestPDU: Int, longestWait: UInt32 = .max
  ) {
    self.handle = handle
    self.peer = peer
    self.longestPDU = longestPDU
    self.longestWait = longestWait
  }

  /// The channels of no link.
  package static var none: Channels {
    Channels(handle: noHandle, peer: DeviceAddress(0, .public), longestPDU: outgoing)
  }

  /// A handle that no link has: handles end at 0x0EFF.
  private static var noHandle: UInt16 { 0x0FFF }

  /// Whether there is a link.
  package var isThere: Bool { handle != Self.noHandle }

  // MARK: - Out

  /// Makes the next piece of a frame the packet to send, if there is one.
  package mutating func prepareData(for controller: inout Controller, at now: Instant) {
    guard sender.isWaiting else { return }
    controller.prepareData(of: &sender, handle: handle, at: now)
  }

  /// Has the controller end the link; of what is prepared or waits nothing is sent any more.
  package mutating func end(_ reason: ErrorCode, by controller: inout Controller) {
    if controller.dropAll(of: handle) { sender.takeBack() }
    controller.send(.disconnect(handle: handle, reason: reason))
  }

  /// Takes back buffers that the controller has emptied.
  package mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    sender.complete(packets.count(for: handle), at: now)
  }

  /// Whether there is room for any PDU of ours; what finds none waits.
  var hasRoom: Bool { sender.hasRoom(for: longestPDU) }

  /// Sends an answer; throws without room for it, as the peer asked again before the last answer was sent.
  package mutating func send(
    _ payload: Span<UInt8>, _ channel: ChannelIdentifier
  ) throws(ParseError) {
    guard sender.append(payload, channel: channel) else { throw .invalid }
  }

  /// Sends the client's next request, if there is one and room for it.
  mutating func sendRequest<let lines: Int>(of client: inout GATTClient<lines>) {
    guard hasRoom, let request = client.takeRequest() else { return }
    var pdu = PDU()
    request.write(into: &pdu)
    _ = sender.append(pdu.bytes, channel: .attribute)
  }

  /// An indication came, which is to be confirmed.
  mutating func indicationCame() {
    owesConfirmation = true
    sendConfirmation()
  }

  /// Confirms an indication, once there is room for that.
  mutating func sendConfirmation() {
    guard owesConfirmation, hasRoom else { return }
    owesConfirmation = false
    var pdu = PDU()
    Request.writeConfirmation(into: &pdu)
    _ = sender.append(pdu.bytes, channel: .attribute)
  }

  /// Sends the commands of the pairing; those without room wait.
  mutating func sendCommands(of pairing: inout Pairing) {
    var pdu = FixedBuffer<65>()
    while sender.hasRoom(for: Self.longestCommand), pairing.takePDU(into: &pdu) {
      _ = sender.append(pdu.bytes, channel: .securityManager)
      pdu.removeAll()
    }
  }

  /// Declines a Pairing Request or a Security Request that is not expected.
  ///
  /// Other commands of the Security Manager get no answer.
  mutating func declineSecurity(_ command: Span<UInt8>) throws(ParseError) {
    switch try? SecurityPDU(parsing: command) {
    case .securityRequest, .pairingRequest: break
    default: return
    }
    var pdu = FixedBuffer<8>()
    SecurityPDU.pairingFailed(.pairingNotSupported).write(into: &pdu)
    try send(pdu.bytes, .securityManager)
  }

  /// Answers a request on a link where our server has no attributes.
  mutating func refuse(_ request: Span<UInt8>, mtu: UInt16) throws(ParseError) {
    let opcode = request[0]
    guard ClientPDU.isRequest(opcode: opcode) else { return }
    guard hasRoom else { throw .invalid }
    var pdu = PDU()
    switch refusal(of: request) {
    case .some(let code): ServerPDU.writeError(request: opcode, handle: 0, code: code, into: &pdu)
    case .none: ServerPDU.writeExchangeMTU(serverMTU: mtu, into: &pdu)
    }
    try send(pdu.bytes, .attribute)
  }

  /// Why such a request is refused; `nil` for Exchange MTU, which is answered.
  private func refusal(of request: Span<UInt8>) -> AttributeError? {
    do throws(ParseError) {
      switch try ClientPDU(parsing: request) {
      case .exchangeMTU: return nil
      case .prepareWrite, .unknownRequest: return .requestNotSupported
      default: return .attributeNotFound
      }
    } catch {
      return .invalidPDU
    }
  }

  // MARK: - In

  /// Receives a piece of a frame; returns whether the frame is whole, and lies in `frame` then.
  ///
  /// The frame is copied, so that the link can change while the frame is read.
  mutating func receive(_ packet: ACLData, into frame: inout Frame) -> Bool {
    guard reassembler.receive(packet.data, isContinuation: packet.isContinuation) else {
      return false
    }
    frame.assign(reassembler.frame)
    return true
  }

  // MARK: - Connection parameters

  /// Whether the peer has chosen the connection parameters.
  package var hasPeersParameters: Bool { if case .peer = chosen { true } else { false } }

  /// The link is to have these from now on.
  package mutating func choose(_ parameters: Chosen) { chosen = parameters }

  /// Answers a signaling command of the peer; returns the parameters that are granted, if it asked for any.
  mutating func receiveSignaling(
    _ bytes: Span<UInt8>, takesUpdates: Bool
  ) throws(ParseError) -> ConnectionParameters? {
    var answer = FixedBuffer<16>()
    let accepted = try SignalingPDU(parsing: bytes).answer(
      takesUpdates: takesUpdates, longestWait: longestWait, into: &answer)
    if !answer.isEmpty { try send(answer.bytes, .leSignaling) }
    if let accepted { chosen = .peer(accepted) }
    return accepted
  }

  /// Answers a signaling command of a central; returns whether it accepts our parameters.
  mutating func receiveAsPeripheral(_ bytes: Span<UInt8>) throws(ParseError) -> Bool {
    var answer = FixedBuffer<16>()
    let isAccepted = try SignalingPDU(parsing: bytes).answerToCentral(into: &answer)
    if !answer.isEmpty { try send(answer.bytes, .leSignaling) }
    return isAccepted
  }

  /// Answers the peer's parameter request of the link layer, if the controller takes the answer.
  package mutating func answer(
    _ wanted: ConnectionParameters, by controller: inout Controller
  ) {
    let isTaken = wanted.longestWait <= longestWait && wanted.areAcceptable
    if isTaken { chosen = .peer(wanted) }
    controller.answerParameterRequest(handle, wanted, isTaken: isTaken)
  }
}
