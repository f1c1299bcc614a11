import ATT
package import Bytes
import Controller
import HCI
import Link

/// The host of a tool: listens to everybody, or looks at one device.
///
/// Like `Host`, whose parts it uses, it does no input or output and reads no clock. It pairs with no device.
/// Its owner reads the advertisements: `AdvertisingReports(inPacket:)`.
///
/// It owns the controller, one link, the device that it looks at, and its phase with the deadlines. Only this file
/// changes them.
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
/// | any | the controller fails, or the transport takes nothing for 2 s | `over` |
/// | | the same, if it listens to everybody and has been up | `recovering`, then `bringUp` |
package struct Explorer: ~Copyable {
  /// What it is to do.
  package enum Wish: Equatable, Sendable {
    /// Listen; actively, it asks for scan responses.
    case listen(isActive: Bool)
    /// List all that the device with this address has; with `reads` read the values, too.
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
  /// A real device takes a minute at most; a device with 65,535 attributes that answers as late as it may would
  /// take days.
  static var connectedTime: Int64 { 120_000 }
  private static var cancelTime: Int64 { 2_000 }
  /// How long an answer may take.
  private static var answerTime: Int64 { 2_000 }
  private static var writeTime: Int64 { 4_000 }
  /// Longer than any supervision timeout: a device that has gone does not acknowledge the end.
  private static var endTime: Int64 { 7_000 }
  private static var recoveryTime: Int64 { 1_000 }
  /// How long the transport may take a packet.
  private static var outputTime: Int64 { 2_000 }

  let wish: Wish
  private(set) var phase = Phase.off
  private var phaseDeadline: Instant?
  private(set) var controller: Controller
  private(set) var link = ExplorerLink.none([.nothing])
  private var inspection: Inspection
  /// The device that is looked at; the type of its address is known once the device is heard.
  private(set) var peer = DeviceAddress(0, .public)
  private var events = FixedList<24, ExplorerEvent>(filler: .listening)
  /// When the transport must have taken the packet in `output`.
  private var outputDeadline: Instant?
  /// Whether it has listened since the last failure.
  private var hasBeenUp = false
  /// Whether the exploration failed or was cut short, so that `finished` is not reported.
  private var hasFailed = false

  /// An explorer before `start`.
  ///
  /// `boardAddress` is for a controller that has no address of its own.
  package init(_ wish: Wish, boardAddress: DeviceAddress?) {
    self.wish = wish
    inspection = Inspection(reads: wish.reads)
    controller = Controller(boardAddress: boardAddress)
  }

  // MARK: - Out

  /// The next packet to send, its H4 indicator first; empty when there is none.
  package var output: Span<UInt8> { controller.output }

  /// The next event, in the order in which they happened; take all events after each step.
  package mutating func takeEvent() -> ExplorerEvent? { events.takeFirst() }

  /// The bytes of a `value` event.
  package var value: Span<UInt8> { inspection.value }

  /// When to pass `.time` at the latest, if nothing is received before.
  package var deadline: Instant? {
    let due = earlier(
      earlier(controller.deadline, phaseDeadline), controller.output.isEmpty ? nil : outputDeadline)
    return phase == .connected ? earlier(due, link.deadline) : due
  }

  /// Whether it listens to everybody.
  package var isListening: Bool { phase == .listening }

  /// Whether nothing will happen any more, and nothing is left to send.
  package var isOver: Bool { phase == .over && controller.isIdle }

  // MARK: - In

  /// Does what follows from an input, and puts the next packet into `output`.
  package mutating func step(_ input: borrowing ExplorerInput, at now: Instant) {
    switch input {
    case .start: start()
    case .packet(let packet): receive(packet, at: now)
    case .sent: controller.dropOutput()
    case .time: advance(to: now)
    case .leave: leave(at: now)
    }
    prepareOutput(at: now)
  }

  private mutating func start() {
    guard phase != .over else { return }  // `leave` came before the transport was open
    enter(.bringUp)
    controller.bringUp()
  }

  /// A packet that does not parse is dropped.
  private mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    do throws(ParseError) {
      switch try ReceivedPacket(parsing: packet) {
      case .event(let event): try receive(event, at: now)
      case .aclData(let data): try receive(data, at: now)
      }
    } catch {}
  }

  private mutating func receive(_ event: Event, at now: Instant) throws(ParseError) {
    guard phase != .off, phase != .recovering else { return }
    switch event {
    case .commandComplete, .commandStatus, .hardwareError:
      receive(controller.receive(event), at: now)
    case .numberOfCompletedPackets(let packets): link.complete(packets, at: now)
    case .disconnectionComplete(let status, let handle, let reason):
      if status == .success, handle == link.channels.handle { disconnected(reason, at: now) }
    case .leConnectionComplete(let complete): connectionCompleted(complete, at: now)
    case .leAdvertisingReport(let reports), .leExtendedAdvertisingReport(let reports):
      try receive(reports, at: now)
    case .leRemoteConnectionParameterRequest(let handle, let wanted):
      guard controller.takesParameterReply else { return }
      if handle == link.channels.handle {
        link.answer(wanted, by: &controller)
      } else {
        controller.answerParameterRequest(handle, wanted, isTaken: false)
      }
    default: break
    }
  }

  private mutating func receive(_ packet: ACLData, at now: Instant) throws(ParseError) {
    guard phase == .connected, packet.handle == link.channels.handle else { return }
    var frame = ExplorerLink.Frame()
    guard link.receive(packet, into: &frame, at: now) else { return }
    switch try link.receive(frame.bytes, takesUpdates: controller.takesUpdates, at: now) {
    case .nothing: break
    case .client(let outcome, let bytes): try receive(outcome, bytes, at: now)
    case .request(let request): try link.refuse(request)
    case .update(let parameters):
      send(.leConnectionUpdate(handle: link.channels.handle, parameters))
    case .security(let command): try link.declineSecurity(command)
    }
  }

  private mutating func advance(to now: Instant) {
    if let failure = controller.advance(to: now) { fail(failure, at: now) }
    if !controller.output.isEmpty, let due = outputDeadline, now >= due {
      fail(.commandTimeout(controller.overdue), at: now)
    }
    if let due = phaseDeadline, now >= due { phaseTimedOut(at: now) }
    guard phase == .connected else { return }
    let isStuck = link.channels.sender.deadline.map { now >= $0 } ?? false
    if isStuck || link.advance(to: now) { giveUp(.unanswered, at: now) }
  }

  private mutating func leave(at now: Instant) {
    hasFailed = true
    switch phase {
    case .connected: disconnect(at: now)
    case .connecting: cancel(at: now)
    case .listening:
      controller.stopScan()
      enter(.over)
    case .cancelling, .disconnecting, .over: break
    case .off, .bringUp, .recovering:
      controller.abandon()
      enter(.over)
    }
  }

  // MARK: - For the extension

  mutating func report(_ event: ExplorerEvent) { events.append(event) }

  mutating func send(_ command: Command) { controller.send(command) }

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
    controller.scan(isActive: isActive, interval: 0x0060, window: 0x0060)
    report(.listening)
  }

  /// The controller has begun to scan.
  mutating func scanBegan() { hasBeenUp = true }

  /// Drops the command that cancels the connection attempt, as the attempt is over.
  mutating func dropCancel() { controller.dropCancel() }

  mutating func connect(to address: DeviceAddress, at now: Instant) {
    peer = address
    enter(.connecting, until: now + Self.connectTime)
    controller.stopScan()
    send(.leCreateConnection(peer: address, .quick))
    report(.connecting(address))
  }

  /// Begins the requests to the device over the new link.
  mutating func begin(_ complete: LEConnectionComplete, at now: Instant) {
    link = ExplorerLink(
      complete, local: controller.information.address, longestPDU: 32,
      client: ExplorerLink.Client([wish.wanted], mtu: 60, answerTime: Self.answerTime))
    enter(.connected, until: now + Self.connectedTime)
    report(.connected(complete.peer))
    if case .write = wish { link.ask { $0.begin(at: now) } } else { askOn(at: now) }
  }

  /// Receives an answer to a request of the inspection; returns what it shows.
  mutating func inspected(_ answer: ServerPDU) -> Inspection.Outcome { inspection.receive(answer) }

  /// Sends the next request of the inspection, or ends the link if there is none.
  mutating func askOn(at now: Instant) {
    guard let request = inspection.request else { return disconnect(at: now) }
    link.ask { $0.request(request, at: now) }
  }

  /// Writes the byte to the characteristic that was found.
  mutating func write(at now: Instant) {
    guard case .write(let value, let characteristic, _, _) = wish else { return }
    let handle = link.client.lines.valueHandle(of: characteristic)
    link.ask {
      $0.request(.writeByte(handle: handle, value: value), within: Self.writeTime, at: now)
    }
  }

  private mutating func cancel(at now: Instant) {
    enter(.cancelling, until: now + Self.cancelTime)
    send(.leCreateConnectionCancel)
  }

  mutating func disconnect(at now: Instant) {
    enter(.disconnecting, until: now + Self.endTime)
    send(.disconnect(handle: link.channels.handle, reason: .remoteUserTerminatedConnection))
  }

  /// Reports this event and ends, after the link if there is one.
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
    controller.abandon()
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
    case .recovering: start()
    case .listening:
      controller.stopScan()
      giveUp(.notHeard, at: now)
    case .connecting: cancel(at: now)
    case .connected: giveUp(.endless, at: now)
    case .cancelling: fail(.attemptStuck, at: now)
    case .disconnecting: fail(.linkStuck, at: now)
    default: enter(phase)
    }
  }

  private mutating func prepareOutput(at now: Instant) {
    guard controller.output.isEmpty else { return }
    outputDeadline = now + Self.outputTime
    if phase == .connected, link.channels.sender.isWaiting,
      link.channels.sender.inFlight < controller.information.aclPacketCount
    {
      link.prepareData(for: &controller, at: now)
    } else {
      controller.prepareCommand(at: now)
    }
  }
}

/// An input of an explorer; a packet is borrowed.
package enum ExplorerInput: ~Escapable {
  /// The transport was opened: the controller is brought up from Reset on.
  case start
  /// One whole HCI packet, its H4 indicator first; one that does not parse is dropped.
  case packet(Span<UInt8>)
  /// The packet in `output` was sent; the next one takes its place.
  case sent
  /// The time passes.
  case time
  /// The link and the listening end; once it `isOver`, the controller is at rest.
  case leave
}

/// The link to the device that is looked at; the table has what is to be written, or nothing.
typealias ExplorerLink = Link<1, 128, 69>

extension Explorer.Wish {
  fileprivate var wanted: Wanted {
    guard case .write(_, let characteristic, let service, _) = self else { return .nothing }
    return Wanted(characteristic, by: .discovery(in: service, nil), need: .found)
  }

  /// Whether values are read.
  fileprivate var reads: Bool { if case .inspect(_, let reads) = self { reads } else { false } }

  /// The address of the device that is looked at, if one is.
  var address: UInt64? {
    switch self {
    case .listen: nil
    case .inspect(let address, _), .write(_, _, _, let address): address
    }
  }
}
