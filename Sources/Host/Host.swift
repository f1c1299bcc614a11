import ATT
package import Beacons
package import Bond
package import Bytes
import HCI
import PhoneServices
package import SMP

/// The Bluetooth host of a central: HCI packets in, HCI packets and events out.
///
/// Does no input or output and reads no clock. Whoever owns it feeds it
/// packets and the time, takes its events after each packet, sends what it
/// leaves in `output`, and calls `advance` no later than `deadline`.
///
/// It brings the controller up, finds the phone that has `service`, connects,
/// subscribes to `characteristic`, and searches again whenever the link is lost.
/// A phone that is remembered is the only one that it connects to.
///
/// Each stored value has one room that changes it: `controller` and the phase's `bringUp` are
/// `Controller`'s, `search`, `scanner`, `home` and `peer` are `Search`'s, `link`, `leaving`, `security` and
/// `pace` `Links`',
/// `sensors` `Sensors`'.
/// The others tell them what happened.
package struct Host<Cryptography: Crypto>: ~Copyable {
  /// What the host is doing now.
  enum Phase: Equatable {
    /// Waiting for `start`.
    case off
    case bringUp
    /// Up, and nobody has asked for a search, or it is over.
    case idle
    /// Something failed; Reset follows at the deadline.
    case recovering
    case scanning(ScanMode)
    case connecting
    /// The attempt is being called back, as it took too long or is for nobody any more.
    case cancelling(isUnwanted: Bool)
    case connected
    case disconnecting
  }

  let service: UUID
  let characteristic: UUID
  let server: GATTServer
  /// What else a remembered phone is asked for.
  let wishes: Wishes
  var cryptography: Cryptography
  private(set) var phase = Phase.off
  /// When the phase has lasted too long, or something is due in it.
  private(set) var phaseDeadline: Instant?
  var controller: Controller
  var search: Search
  var scanner: Scanner
  var peer = Peer()
  var link: Link
  var leaving = LeavingLinks()
  var security: Security
  var pace = Pace()
  var sensors: SensorRoom
  /// `nil` where no beacon stands at home.
  var home: HomeWatch?
  /// Who is to be remembered from now on, once that is on disk: `adoptBond`.
  package internal(set) var newBond: Bond?
  private var events = EventQueue()
  /// The packet in `output`.
  var pending = FixedBuffer<1026>()
  /// Whose data was sent last: `prepareData`.
  var lastSender = 0

  /// Packets that did not parse, or belonged to no link, and were dropped; the number goes round.
  package internal(set) var droppedCount: UInt32
  /// Whether the last packet may have changed anything but what is concluded later: `takeConclusion`.
  ///
  /// What did not is nothing that a record needs.
  package internal(set) var wasNews = true
  /// Whether it concludes anything itself, and is not told: `onlyIsTold`.
  var concludes = true

  /// A host that looks for `service` and calls itself `name` (20 bytes at most).
  ///
  /// At the beacon `home` nobody is searched for in a hurry. `boardAddress` is for a controller that has
  /// no address of its own. What is dropped is counted from `first` on.
  package init(
    service: UUID, characteristic: UUID, name: Span<UInt8>, pairing: PairingPolicy,
    sensors: Bool = true, music: Bool = false, notifications: Bool = false,
    home: HomeBeacon? = nil,
    boardAddress: DeviceAddress?, cryptography: Cryptography, countingFrom first: UInt32 = 0
  ) {
    droppedCount = first
    self.service = service
    self.characteristic = characteristic
    self.cryptography = cryptography
    server = GATTServer(name: name)
    controller = Controller(boardAddress: boardAddress)
    search = Search(
      pairing == .off ? .anybody : .stranger, demandsPairing: pairing == .required)
    scanner = Scanner(service: service)
    link = Link.none(service, characteristic)
    security = Security(pairing)
    self.sensors = SensorRoom(isOn: sensors)
    self.home = home.map { HomeWatch($0) }
    wishes = Wishes(hasMusic: music, hasNotifications: notifications)
  }

  // MARK: - Out

  /// The next packet to send, its H4 indicator first; empty when there is none.
  package var output: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { pending.bytes }
  }

  /// The next event, in the order of their happening.
  package mutating func takeEvent() -> HostEvent? { events.take() }

  /// The bytes of a `notification`, `value`, `zone` or `clock` event, or of `music` or
  /// `notifications`.
  package var value: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { link.client.value }
  }

  /// How full the battery of the connected phone is, in percent, if it told.
  package var peerBattery: UInt8? { isRide ? link.client.battery : nil }

  /// The largest attribute PDU that both sides take.
  package var mtu: Int { link.client.mtu }

  /// When `advance` must be called at the latest, if nothing is received before.
  package var deadline: Instant? {
    let links = earlier(linkDeadline, leaving.deadline)
    let phone = earlier(phaseDeadline, earlier(scanDeadline, links))
    return earlier(earlier(controller.commands.deadline, sensorDeadline), phone)
  }

  private var scanDeadline: Instant? {
    guard case .scanning = phase else { return nil }
    let heard = earlier(isListening ? scanner.deadline : nil, search.deadline)
    return earlier(heard, home?.deadline)
  }

  private var sensorDeadline: Instant? {
    switch phase {
    case .off, .recovering, .bringUp: nil
    default: sensors.deadline
    }
  }

  private var linkDeadline: Instant? { phase == .connected ? link.deadline : nil }

  // MARK: - In

  mutating func start(at now: Instant) {
    search.note(.restarted)
    bringUp(at: now)
  }

  /// Forgets everything but the phones; called when the transport was lost.
  package mutating func stop(at now: Instant) {
    if case .scanning = phase { report(.scan(.off)) }
    abandonLinks(.connectionTimeout, at: now)
    controller.abandonCommands()
    pending.removeAll()
    enter(.off)
  }

  mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    wasNews = true
    do throws(ParseError) {
      var reader = ByteReader(packet)
      switch try reader.u8() {
      case PacketIndicator.event: try receive(Event(parsing: reader.takeRest()), at: now)
      case PacketIndicator.aclData: try receive(ACLData(parsing: reader.takeRest()), at: now)
      default: droppedCount &+= 1
      }
    } catch {
      droppedCount &+= 1
    }
  }

  mutating func advance(to now: Instant) {
    if let due = controller.commands.deadline, now >= due { commandTimedOut(at: now) }
    if let due = leaving.deadline, now >= due { fail(.linkStuck, at: now) }
    if let due = phaseDeadline, now >= due { phaseTimedOut(at: now) }
    switch phase {
    case .scanning(let mode): advanceScan(mode, to: now)
    case .idle where search.mode != .off: scan(at: now)  // somebody was remembered meanwhile
    case .connected: advanceLink(to: now)
    default: break
    }
  }

  /// What of a packet that is received a capture may show: of a sensor all, of the phone what is not private.
  package func visibility(of packet: Span<UInt8>) -> Visibility {
    guard wishes.hasMusic || wishes.hasNotifications, !isSensors(packet) else { return .all }
    var visibility = Visibility(hidesOthers: true)
    visibility.way = link.client.valueHandle(of: characteristic)
    visibility.clock = link.client.valueHandle(of: .currentTime)
    visibility.source = link.client.valueHandle(of: .notificationSource)
    visibility.music = link.client.valueHandle(of: .entityUpdate)
    visibility.answer = link.client.valueHandle(of: .dataSource)
    return visibility
  }

  private func isSensors(_ packet: Span<UInt8>) -> Bool {
    guard packet.count > 2, packet[0] == PacketIndicator.aclData else { return false }
    return sensors.place(ofLink: (UInt16(packet[1]) | UInt16(packet[2]) << 8) & 0x0FFF) != nil
  }

  mutating func disconnect(at now: Instant) {
    switch phase {
    case .connected: end(.remoteUserTerminatedConnection, at: now)
    case .connecting: cancel(isUnwanted: true, at: now)
    case .cancelling: enter(.cancelling(isUnwanted: true), until: phaseDeadline)
    case .scanning, .idle: scan(at: now)
    default: break
    }
    scanner.preferNobody()
  }

  mutating func leave(at now: Instant) {
    search.note(.left)
    disconnect(at: now)
  }

  /// Whether there is no link, none in the making, and nothing left to send.
  package var mayEnd: Bool {
    switch phase {
    case .connected, .connecting, .cancelling, .disconnecting: false
    default:
      pending.isEmpty && controller.commands.isIdle && sensors.isAlone && leaving.isEmpty
        && sensors.activity == .none
    }
  }

  // MARK: - For the extensions

  mutating func report(_ event: HostEvent) { events.append(event) }

  /// Does something else from now on; at `deadline` it has lasted too long or something is due.
  mutating func enter(_ phase: Phase, until deadline: Instant? = nil) {
    self.phase = phase
    phaseDeadline = deadline
  }

  /// Does the same for longer, or until something else is due in it.
  mutating func stay(until deadline: Instant?) { phaseDeadline = deadline }

  /// Puts a command behind the others for the controller, unless it has no answer to it.
  mutating func send(_ command: Command) { controller.send(command) }

  /// Drops what was prepared to be sent.
  mutating func dropPending() { pending.removeAll() }

  /// Ends a step: sensors and the home have their turn, and `pending` is filled: data first, as encryption
  /// holds up what comes behind it.
  ///
  /// Core Specification, Vol 6, Part B, 5.1.3.1. There is never more than the controller has buffers for.
  mutating func settle(at now: Instant) {
    tendSensors(at: now)
    tendHome(at: now)
    guard pending.isEmpty else { return }
    if phase == .connected, let reason = link.machine.farewell, link.sender.isFlushed {
      end(reason, at: now)
    }
    prepareData(at: now)
    if pending.isEmpty, let command = controller.commands.next(at: now) {
      command.write(into: &pending)
    }
  }

  /// Drops a prepared packet that belongs to a link which is gone.
  mutating func dropPendingData(of handle: UInt16) {
    let isOfLink = UInt16(pending[1]) | UInt16(pending[2] & 0x0F) << 8 == handle
    if pending[0] == PacketIndicator.aclData, isOfLink { pending.removeAll() }
  }
}
