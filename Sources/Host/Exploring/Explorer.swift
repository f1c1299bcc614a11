import ATT
package import Bytes
import HCI
import L2CAP

/// The host of a tool: listens to everybody, or looks at one device.
///
/// Does no input or output and reads no clock, as `Host`, whose parts it is made of. It pairs with
/// nobody. Advertisements are read by its owner: `AdvertisingReports(inPacket:)`.
///
/// | phase | ends with | next |
/// |---|---|---|
/// | `bringUp` | the last step | `listening` |
/// | `listening` | the device is heard | `connecting` |
/// | | it is not in 5 s | `over` |
/// | `connecting` | a link | `connected` |
/// | | none in 3 s | `cancelling` for 2 s, then `over` |
/// | `connected` | all is seen, no answer comes, or 120 s are over | `disconnecting` for 7 s, then `over` |
/// | | the link is lost | `over` |
/// | any | the controller fails, or the transport takes nothing for 2 s | `recovering`, then `bringUp`; `over` if it has never come up |
package struct Explorer: ~Copyable {
  /// What it is to do.
  package enum Wish: Equatable, Sendable {
    /// Listen; actively, it asks for scan responses.
    case listen(isActive: Bool)
    /// See what the device with this address has, and read the values, too, if that is wanted.
    case inspect(address: UInt64, reads: Bool)
    /// Write one byte to a characteristic of the device with this address.
    case write(UInt8, to: UUID, of: UUID, address: UInt64)
  }

  enum Phase: Equatable {
    case off
    case bringUp
    case recovering
    case listening
    case connecting
    case cancelling
    case connected
    case disconnecting
    case over
  }

  private static var hearingTime: Int64 { 5_000 }
  private static var connectTime: Int64 { 3_000 }
  /// What a device may have takes a minute at the most; one that has 65,535 attributes, each told just in
  /// time, would take days.
  static var connectedTime: Int64 { 120_000 }
  private static var cancelTime: Int64 { 2_000 }
  /// Longer than any supervision timeout: a device that has gone does not acknowledge the end.
  private static var endTime: Int64 { 7_000 }
  private static var recoveryTime: Int64 { 1_000 }

  let wish: Wish
  private(set) var phase = Phase.off
  private var phaseDeadline: Instant?
  var controller: Controller
  var link = ClientLink<ExplorerClient>.none(ExplorerClient(inspecting: false))
  /// Who is looked at; the kind of the address is known once it is heard.
  var peer = DeviceAddress(0, .public)
  private var events = ExplorerEvents()
  var pending = FixedBuffer<300>()
  /// When the transport must have taken it.
  private var pendingDeadline: Instant?
  /// What the outcome of a packet is about.
  var scratch = FixedBuffer<65>()
  /// Whether it has listened since the last failure.
  private var hasBeenUp = false
  /// Whether the exploration ended otherwise than it should, so that `finished` is not told.
  private var hasFailed = false

  /// An explorer that has nothing done so far.
  ///
  /// `boardAddress` is for a controller that has no address of its own.
  package init(_ wish: Wish, boardAddress: DeviceAddress?) {
    self.wish = wish
    controller = Controller(boardAddress: boardAddress)
  }

  // MARK: - Out

  /// The next packet to send, its H4 indicator first; empty when there is none.
  package var output: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { pending.bytes }
  }

  /// Takes the packet in `output` for sent, and puts the next one there.
  package mutating func outputWasSent(at now: Instant) {
    pending.removeAll()
    prepareOutput(at: now)
  }

  /// The next event, in the order of their happening; take all of them after each call.
  package mutating func takeEvent() -> ExplorerEvent? { events.take() }

  /// The bytes of a `value` event.
  package var value: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { link.client.inspection.value }
  }

  /// When `advance` must be called at the latest, if nothing is received before.
  package var deadline: Instant? {
    let due = earlier(
      earlier(controller.commands.deadline, phaseDeadline), pending.isEmpty ? nil : pendingDeadline)
    return phase == .connected ? earlier(due, link.dueTime) : due
  }

  /// Whether it listens to everybody.
  package var isListening: Bool { phase == .listening }

  /// Whether nothing will happen any more, and nothing is left to send.
  package var isOver: Bool { phase == .over && pending.isEmpty && controller.commands.isIdle }

  // MARK: - In

  /// Brings the controller up from Reset on; called when the transport was opened.
  package mutating func start(at now: Instant) {
    guard phase != .over else { return }  // it was to leave before the transport was open
    enter(.bringUp)
    controller.bringUp()
    prepareOutput(at: now)
  }

  /// Takes one whole HCI packet, its H4 indicator first; one that does not parse is dropped.
  package mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    do throws(ParseError) {
      var reader = ByteReader(packet)
      switch try reader.u8() {
      case PacketIndicator.event: try receive(Event(parsing: reader.takeRest()), at: now)
      case PacketIndicator.aclData: try receive(ACLData(parsing: reader.takeRest()), at: now)
      default: break
      }
    } catch {}
    prepareOutput(at: now)
  }

  /// Lets the time pass.
  package mutating func advance(to now: Instant) {
    if let due = controller.commands.deadline, now >= due {
      let opcode = controller.commands.overdue
      controller.leftUnanswered(opcode)
      fail(.commandTimeout(opcode), at: now)
    }
    if !pending.isEmpty, let due = pendingDeadline, now >= due {
      fail(.commandTimeout(controller.commands.overdue), at: now)
    }
    if let due = phaseDeadline, now >= due { phaseTimedOut(at: now) }
    if phase == .connected, link.advance(to: now) { giveUp(.unanswered, at: now) }
    prepareOutput(at: now)
  }

  /// Ends the link and the listening; once `isOver`, the controller is at rest.
  package mutating func leave(at now: Instant) {
    hasFailed = true
    switch phase {
    case .connected: disconnect(at: now)
    case .connecting: cancel(at: now)
    case .listening:
      controller.send(.leSetScanEnable(false))
      enter(.over)
    case .cancelling, .disconnecting, .over: break
    case .off, .bringUp, .recovering:
      controller.abandonCommands()
      pending.removeAll()
      enter(.over)
    }
    prepareOutput(at: now)
  }

  // MARK: - For the extension

  mutating func report(_ event: ExplorerEvent) { events.append(event) }

  mutating func enter(_ phase: Phase, until deadline: Instant? = nil) {
    self.phase = phase
    phaseDeadline = deadline
  }

  /// The controller is up: it listens.
  mutating func listen(at now: Instant) {
    var isActive = false
    if case .listen(let isActiveWished) = wish { isActive = isActiveWished }
    enter(.listening, until: wish.address == nil ? nil : now + Self.hearingTime)
    // 60 ms of each 60 ms: all the time.
    controller.send(.leSetScanParameters(isActive: isActive, interval: 0x0060, window: 0x0060))
    controller.send(.leSetScanEnable(true))
    report(.listening)
  }

  /// The controller listens indeed.
  mutating func hasListened() { hasBeenUp = true }

  mutating func connect(to address: DeviceAddress, at now: Instant) {
    peer = address
    enter(.connecting, until: now + Self.connectTime)
    controller.send(.leSetScanEnable(false))
    controller.send(.leCreateConnection(peer: address, .quick))
    report(.connecting(address))
  }

  private mutating func cancel(at now: Instant) {
    enter(.cancelling, until: now + Self.cancelTime)
    controller.send(.leCreateConnectionCancel)
  }

  mutating func disconnect(at now: Instant) {
    enter(.disconnecting, until: now + Self.endTime)
    controller.send(.disconnect(handle: link.handle, reason: .remoteUserTerminatedConnection))
  }

  /// Ends with this event, after the link if there is one.
  mutating func giveUp(_ event: ExplorerEvent, at now: Instant) {
    if !hasFailed { report(event) }
    hasFailed = true
    if phase == .connected { disconnect(at: now) } else { enter(.over) }
  }

  /// The link is over, or there never was one.
  mutating func finish() {
    enter(.over)
    if !hasFailed { report(.finished) }
  }

  mutating func fail(_ failure: HostFailure, at now: Instant) {
    controller.abandonCommands()
    pending.removeAll()
    guard phase != .over else { return }
    let isRepeatable = hasBeenUp && wish.address == nil
    if !hasFailed { report(.failed(failure)) }
    hasBeenUp = false
    if isRepeatable {
      enter(.recovering, until: now + Self.recoveryTime)
    } else {
      hasFailed = true
      enter(.over)
    }
  }

  private mutating func phaseTimedOut(at now: Instant) {
    switch phase {
    case .recovering: start(at: now)
    case .listening:
      controller.send(.leSetScanEnable(false))
      giveUp(.notHeard, at: now)
    case .connecting: cancel(at: now)
    case .connected: giveUp(.endless, at: now)
    case .cancelling, .disconnecting: fail(.linkStuck, at: now)
    default: enter(phase)
    }
  }

  private mutating func prepareOutput(at now: Instant) {
    guard pending.isEmpty else { return }
    pendingDeadline = now + CommandQueue.timeout
    if phase == .connected, link.sender.isWaiting,
      link.sender.inFlight < controller.information.aclPacketCount
    {
      let length = min(controller.information.aclPacketLength, 251)
      link.sender.next(handle: link.handle, length: length, at: now, into: &pending)
      link.sendWhatWaits()
    } else if let command = controller.commands.next(at: now) {
      command.write(into: &pending)
    }
  }
}

extension Explorer.Wish {
  /// The address of the device that is looked at, if one is.
  var address: UInt64? {
    switch self {
    case .listen: nil
    case .inspect(let address, _), .write(_, _, _, let address): address
    }
  }
}
