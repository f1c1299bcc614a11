import ATT
public import Bond
public import Bytes
import HCI
public import SMP

/// The Bluetooth host of a central: HCI packets in, HCI packets and events out.
///
/// Does no input or output and reads no clock. Whoever owns it feeds it
/// packets and the time, takes its events after each packet, sends what it
/// leaves in `output`, and calls `advance` no later than `deadline`.
///
/// It brings the controller up, finds the phone that has `service`, connects,
/// subscribes to `characteristic`, and searches again whenever the link is lost.
/// A phone that is remembered, by `bond`, is the only one that it connects to.
public struct Host<Cryptography: Crypto>: ~Copyable {
  enum Phase: Equatable {
    /// Waiting for `start`.
    case off
    case bringUp(BringUpStep)
    /// Up, and nobody has asked for a search.
    case idle
    /// Something failed; Reset follows at the deadline.
    case recovering
    case scanning(ScanMode)
    case connecting
    /// The attempt took too long and is being called back.
    case cancelling
    case connected
    case disconnecting
  }

  let service: UUID
  let characteristic: UUID
  let overflowArea: OverflowArea
  let server: GATTServer
  let pairing: PairingPolicy
  /// The address for a chip that has none; `nil` once a chip did not answer to it.
  var boardAddress: DeviceAddress?
  var cryptography: Cryptography
  /// The remembered phone.
  var bond: Bond?
  /// Its name, kept here too as what an optional borrows cannot be lent on.
  var bondNameBuffer = FixedBuffer<32>()
  /// Who is to be remembered from now on, once that is on disk: `adoptBond`.
  public internal(set) var newBond: Bond?
  var security = SecurityState()
  /// The last name that was heard in an advertisement, and whose it is.
  var heardName = FixedBuffer<32>()
  var heardNameOwner = DeviceAddress(0, .public)
  var phase = Phase.off
  /// When the phase has lasted too long, or something is due in it.
  var phaseDeadline: Instant?
  /// Whom the host connects to, or did.
  var candidate = Candidate(address: DeviceAddress(0, .public), rssi: 127, match: .service)
  var controller = ControllerInformation()
  var commands = CommandQueue()
  var scanner = Scanner()
  /// Whether the owner is about to end: there is no search any more.
  var isLeaving = false
  var fastScanEnd = Instant(milliseconds: 0)
  /// Whether the rider asked for the present search, or the start did: a stranger may be paired with.
  var isSearchAsked = true
  /// Until when a phone that nothing is remembered of is searched for after its loss.
  var sessionEnd: Instant?
  /// Whether there is no search before the rider asks for one.
  var isIdle = false
  /// Whether the attempt that is under way is for nobody any more, should it succeed after all.
  var isAttemptUnwanted = false
  /// Whether a phone that led to nothing may still make this search longer.
  var hasSecondChance = true
  /// Whether the bring-up is only for the search that is under way.
  var isSameSearch = false
  /// When a search that hears nothing at all is begun anew from Reset.
  var deafDeadline: Instant?
  var link: Link
  private var events = EventQueue()
  private var pending = FixedBuffer<1026>()
  private let nobody = FixedBuffer<1>()

  /// Packets that did not parse, or belonged to no link, and were dropped.
  public internal(set) var droppedCount = 0

  /// A host that looks for `service` and calls itself `name` (20 bytes at most).
  ///
  /// `boardAddress` is for a controller that has no address of its own.
  public init(
    service: UUID, characteristic: UUID, name: Span<UInt8>, pairing: PairingPolicy,
    boardAddress: DeviceAddress?, cryptography: Cryptography
  ) {
    self.boardAddress = boardAddress
    self.pairing = pairing
    self.cryptography = cryptography
    self.service = service
    self.characteristic = characteristic
    overflowArea = OverflowArea(service)
    server = GATTServer(name: name)
    link = Link.none(service, characteristic)
  }

  // MARK: - Out

  /// The next packet to send, its H4 indicator first; empty when there is none.
  public var output: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { pending.bytes }
  }

  /// Takes the packet in `output` for sent, and puts the next one there.
  public mutating func outputWasSent(at now: Instant) {
    pending.removeAll()
    prepareOutput(at: now)
  }

  /// The next event, in the order of their happening.
  public mutating func takeEvent() -> HostEvent? { events.take() }

  /// The bytes of a `notification` or `value` event.
  public var value: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { link.client.value }
  }

  /// How full the battery of the connected phone is, in percent, if it told.
  public var peerBattery: UInt8? { link.client.battery }

  /// What the phone calls itself, empty while that is not known.
  public var peerName: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get {
      if !link.client.peerName.isEmpty { return link.client.peerName.bytes }
      return heardName(of: candidate.address)
    }
  }

  /// What a phone called itself in its advertisement, empty if it did not.
  @_lifetime(borrow self)
  public borrowing func heardName(of address: DeviceAddress) -> Span<UInt8> {
    heardNameOwner == address ? heardName.bytes : nobody.bytes
  }

  /// The largest attribute PDU that both sides take.
  public var mtu: Int { link.client.mtu }

  /// When `advance` must be called at the latest, if nothing is received before.
  public var deadline: Instant? {
    earlier(commands.deadline, earlier(phaseDeadline, earlier(scanDeadline, linkDeadline)))
  }

  private var scanDeadline: Instant? {
    guard case .scanning(let mode) = phase else { return nil }
    let due = earlier(scanner.deadline, deafDeadline)
    switch mode {
    case .fast: return earlier(due, fastScanEnd)
    default: return isSearchEndless ? due : earlier(due, sessionEnd)
    }
  }

  private var linkDeadline: Instant? { phase == .connected ? link.deadline : nil }

  // MARK: - In

  /// Brings the controller up from Reset on; called when the transport was opened.
  public mutating func start(at now: Instant) {
    abandonLink(.connectionTerminatedByLocalHost)
    isLeaving = false
    isSameSearch = false
    commands.removeAll()
    pending.removeAll()
    controller = ControllerInformation()
    controller.boardAddress = boardAddress
    phaseDeadline = nil
    enter(.reset, at: now)
    prepareOutput(at: now)
  }

  /// Forgets everything but the phones; called when the transport was lost.
  public mutating func stop() {
    if case .scanning = phase { report(.scan(.off)) }
    abandonLink(.connectionTimeout)
    commands.removeAll()
    pending.removeAll()
    phaseDeadline = nil
    phase = .off
  }

  /// Takes one whole HCI packet, its H4 indicator first.
  ///
  /// One that does not parse is dropped.
  public mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    do throws(ParseError) {
      var reader = ByteReader(packet)
      switch try reader.u8() {
      case PacketIndicator.event: try receive(Event(parsing: reader.takeRest()), at: now)
      case PacketIndicator.aclData: try receive(ACLData(parsing: reader.takeRest()), at: now)
      default: droppedCount += 1
      }
    } catch {
      droppedCount += 1
    }
    prepareOutput(at: now)
  }

  /// Lets the time pass.
  public mutating func advance(to now: Instant) {
    if let due = commands.deadline, now >= due {
      // A chip that does not even refuse it is used as it is.
      if commands.overdue == .broadcomWriteBDADDR { boardAddress = nil }
      fail(.commandTimeout(commands.overdue), at: now)
    }
    if let due = phaseDeadline, now >= due { phaseTimedOut(at: now) }
    if case .scanning(let mode) = phase { advanceScan(mode, to: now) }
    if phase == .connected { advanceLink(to: now) }
    prepareOutput(at: now)
  }

  /// Asks the phone for the value; without a link nothing happens.
  public mutating func read(at now: Instant) {
    guard phase == .connected else { return }
    link.read(characteristic, at: now)
    prepareOutput(at: now)
  }

  /// Asks the phone how full its battery is; without a link nothing happens.
  public mutating func readBattery(at now: Instant) {
    guard phase == .connected else { return }
    link.read(.batteryLevel, at: now)
    prepareOutput(at: now)
  }

  /// Ends the link, or the attempt at one, and searches anew.
  public mutating func disconnect(at now: Instant) {
    switch phase {
    case .connected: end(.remoteUserTerminatedConnection, at: now)
    case .connecting:
      isAttemptUnwanted = true
      cancel(at: now)
    case .cancelling: isAttemptUnwanted = true
    case .scanning, .idle: scan(at: now)
    default: break
    }
    scanner.forget()
    prepareOutput(at: now)
  }

  /// Ends the link and the search for good; once `isQuiet`, the controller is at rest.
  public mutating func leave(at now: Instant) {
    isLeaving = true
    disconnect(at: now)
  }

  /// Whether there is no link, none in the making, and nothing left to send.
  public var isQuiet: Bool {
    switch phase {
    case .connected, .connecting, .cancelling, .disconnecting: false
    default: pending.isEmpty && commands.isIdle
    }
  }

  // MARK: - For the extensions

  mutating func report(_ event: HostEvent) { events.append(event) }

  /// Fills `pending`: commands first, as there are few and others wait for them.
  mutating func prepareOutput(at now: Instant) {
    guard pending.isEmpty else { return }
    if phase == .connected, let reason = link.farewell, link.sender.isFlushed {
      end(reason, at: now)
    }
    if let command = commands.next(at: now) {
      command.write(into: &pending)
    } else if phase == .connected {
      link.sender.next(
        handle: link.handle, controller: controller, at: now, into: &pending)
    }
  }

  /// Drops a prepared packet that belongs to a link which is gone.
  mutating func dropPendingData() {
    if pending[0] == PacketIndicator.aclData { pending.removeAll() }
  }
}
