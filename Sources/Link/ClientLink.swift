import ATT
package import Bytes
package import Controller
package import HCI
import L2CAP
package import SMP

/// A small link, to a peer whose values are short and whose requests are few.
///
/// It owns its channels, the client at our end, and how far it has come: its stage.
package struct ClientLink<Client: AttributeClient & ~Copyable>: ~Copyable {
  /// What a packet asks of the host.
  package enum Outcome: Equatable {
    case nothing
    case client(Client.Outcome)
    /// The peer asked for these parameters, and they were accepted.
    case update(ConnectionParameters)
    /// A command of the Security Manager lies in `bytes`.
    case security
  }

  /// How far it has come.
  package enum Stage: Equatable {
    /// It must be ready by this time, if there is a limit.
    case beginning(until: Instant?)
    /// It has led to what it was made for.
    case ready
    /// It is ending, and must be over by this time.
    case ending(until: Instant, wasReady: Bool)
  }

  /// The longest attribute PDU that we take: more than any value has, and its header.
  ///
  /// A command of the Security Manager has 65 octets at most.
  package static var mtu: UInt16 { 60 }

  package private(set) var channels: Channels<128, 69>
  package private(set) var client: Client
  private var stage: Stage

  package init(
    _ client: consuming Client, handle: UInt16, peer: DeviceAddress, until deadline: Instant? = nil
  ) {
    self.client = client
    channels = Channels(handle: handle, peer: peer, longestPDU: 32)
    stage = .beginning(until: deadline)
  }

  /// No link.
  package static func none(_ client: consuming Client) -> ClientLink {
    ClientLink(client)
  }

  private init(_ client: consuming Client) {
    self.client = client
    channels = .none(longestPDU: 32)
    stage = .beginning(until: nil)
  }

  package var handle: UInt16 { channels.handle }
  package var peer: DeviceAddress { channels.peer }
  /// Whether there is a link.
  package var isThere: Bool { channels.isThere }

  // MARK: - Stage

  /// Whether it has led to what it was made for.
  package var isReady: Bool {
    switch stage {
    case .beginning: false
    case .ready: true
    case .ending(_, let wasReady): wasReady
    }
  }

  /// Whether it is to end, or does already.
  package var isEnding: Bool { if case .ending = stage { true } else { false } }

  /// When it must be ready, or over.
  package var stageEnd: Instant? {
    switch stage {
    case .beginning(let end): end
    case .ready: nil
    case .ending(let end, _): end
    }
  }

  /// It is ready; returns whether for the first time.
  package mutating func becomeReady() -> Bool {
    defer { stage = .ready }
    return !isReady
  }

  /// A link that is not ready yet, and has a limit, may take until `deadline`.
  package mutating func wait(until deadline: Instant) {
    if case .beginning(.some) = stage { stage = .beginning(until: deadline) }
  }

  /// It is to end, and must be over by `deadline`.
  package mutating func end(until deadline: Instant) {
    stage = .ending(until: deadline, wasReady: isReady)
  }

  // MARK: - The client

  /// Has the client do something, and sends its next request.
  package mutating func ask(_ act: (inout Client) -> Void) {
    act(&client)
    channels.sendRequest(of: &client)
  }

  package mutating func begin(at now: Instant) { ask { $0.begin(at: now) } }

  /// When `advance` must be called at the latest; a link that is ending waits for nothing else.
  package var dueTime: Instant? { isEnding ? nil : earlier(client.deadline, channels.deadline) }

  /// Lets the time pass; returns whether the peer or the controller has not answered in time.
  package mutating func advance(to now: Instant) -> Bool {
    if let due = channels.deadline, now >= due { return true }
    let hasEnded = client.advance(to: now)
    channels.sendRequest(of: &client)
    return hasEnded
  }

  // MARK: - Packets

  /// Makes the next piece of a frame the packet to send; this may make room for what waits.
  package mutating func prepareData(for controller: inout Controller, at now: Instant) {
    channels.prepareData(for: &controller, at: now)
    channels.sendConfirmation()
    channels.sendRequest(of: &client)
  }

  /// Takes a piece of a frame; `bytes` are then those of the outcome: a value, a name, a command.
  package mutating func receive<let capacity: Int>(
    _ packet: ACLData, takesUpdates: Bool, into bytes: inout FixedBuffer<capacity>,
    at now: Instant
  ) throws(ParseError) -> Outcome {
    var copy = FixedBuffer<69>()
    guard channels.receive(packet, into: &copy) else { return .nothing }
    let frame = try BasicFrame(parsing: copy.bytes)
    switch frame.channel {
    case .attribute: return try receiveAttribute(frame.payload, into: &bytes, at: now)
    case .leSignaling:
      let accepted = try channels.receiveSignaling(frame.payload, takesUpdates: takesUpdates)
      return accepted.map { .update($0) } ?? .nothing
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
      try channels.refuse(payload, mtu: Self.mtu)
      return .nothing
    }
    let pdu = try ServerPDU(parsing: payload)
    let outcome = client.receive(pdu, at: now)
    switch pdu {
    case .indication(_, let value):
      channels.owesOneMore()
      bytes.assign(value)
    case .notification(_, let value): bytes.assign(value)
    case .readByType(let values): bytes.assign(try values.value(at: 0))
    default: break
    }
    channels.sendRequest(of: &client)
    return .client(outcome)
  }

  package mutating func complete(_ packets: CompletedPackets, at now: Instant) {
    channels.complete(packets, at: now)
  }

  /// Sends the commands of the pairing.
  package mutating func sendCommands(of pairing: inout Pairing) {
    channels.sendCommands(of: &pairing)
  }

  /// Declines a Pairing Request or a Security Request that is not expected.
  package mutating func declineSecurity(_ command: Span<UInt8>) throws(ParseError) {
    try channels.declineSecurity(command)
  }

  /// Answers the peer's parameter request of the link layer.
  package mutating func answer(_ wanted: ConnectionParameters, by controller: inout Controller) {
    channels.answer(wanted, by: &controller)
  }
}
