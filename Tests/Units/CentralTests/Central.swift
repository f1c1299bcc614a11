import Bytes
import Controller
import Crypto
import HCI
import Judging
import Link
import PlainBonds
import SMP
import TestSupport
import VirtualAir

@testable import Central

/// The host with a clock that only a test moves, and everything it says and reports.
final class Central {
  private var host: Host<CountingCrypto>
  private let judge: PacketJudge
  /// The blocks that were encrypted: one for each resolution of an address.
  let blocks = CountingCrypto.Blocks()
  /// Whether the controller's word can be taken for what it does; else nothing that is sent is judged by it.
  var isControllerHonest = true
  private var isDraining = false
  private(set) var now: Instant
  /// Packets in the order in which they were sent, taken by `takeSaid`.
  private var said: [[UInt8]] = []
  private(set) var events: [HostEvent] = []
  /// The bytes of each `notification` and `value` event.
  private(set) var values: [[UInt8]] = []
  /// The bytes of each `written` event.
  private(set) var written: [[UInt8]] = []
  private(set) var names: [String] = []
  /// The bytes of each `value` and `name` of a sensor.
  private(set) var sensorBytes: [[UInt8]] = []
  /// What each new phone advertised itself as.
  private(set) var heardNames: [String] = []
  /// The name that came with the last bond.
  private(set) var bondName = ""
  /// What stands at the other end; it answers by calling `receive`.
  var controller: ((Central, [UInt8]) -> Void)?
  /// The controller whose time is ours.
  var air: VirtualController?
  /// Whether the transport takes nothing at the moment.
  var isTransportFull = false
  /// Sees each packet before the host does.
  var onHearing: (([UInt8]) -> Void)?

  static let service = UUID(0x71C1_E128_D92F_4FA8, 0xA2B2_0F17_1DB3_436C)
  static let characteristic = UUID(0x503D_D605_9BCB_4F6E, 0xB235_270A_5748_3026)

  init(
    at start: Instant = Instant(milliseconds: 0), pairing: PairingPolicy = .off,
    boardAddress: DeviceAddress? = nil, service: UUID = Central.service,
    characteristic: UUID = Central.characteristic, sensors: Bool = true, music: Bool = false,
    name: String = "Lenker", advertises: Bool = false
  ) {
    now = start
    judge = PacketJudge(mayAdvertise: advertises)
    host = Host(
      service: service, profile: Wanted.forRide(characteristic, of: service, music: music),
      name: Array(name.utf8).span, pairing: pairing, sensors: sensors, advertises: advertises,
      boardAddress: boardAddress, cryptography: CountingCrypto(blocks))
  }

  var controllerFacts: ControllerFacts? { host.controllerFacts }

  /// All bytes that the host keeps of the controller.
  var controllersMemory: [UInt8] { withUnsafeBytes(of: host.controller) { Array($0) } }

  func start() {
    judge.transportWasOpened()
    host.step(.start, at: now)
    drain()
  }

  func stop() {
    host.stop(at: now)
    drain()
  }

  /// What becomes of a packet on its way from the controller.
  var onPacket: ([UInt8]) -> [[UInt8]] = { [$0] }

  func receive(_ packet: [UInt8]) { for packet in onPacket(packet) { hear(packet) } }

  private func hear(_ packet: [UInt8]) {
    onHearing?(packet)
    if isControllerHonest { judge.received(packet) }
    host.step(.packet(packet.span), at: now)
    drain()
  }

  func receive(_ text: String) { receive(bytes(text)) }

  func read() { change { $0.step(.ask(.value), at: $1) } }
  /// Ends the link, or the attempt at one; the search begins again.
  func disconnect() {
    change {
      $0.disconnect(at: $1)
      $0.settle(at: $1)
    }
  }
  func confirm(_ isSame: Bool) { change { $0.step(.answer(isYes: isSame), at: $1) } }
  func forget() { change { $0.step(.forget, at: $1) } }

  func remember(_ bond: PlainBond) throws {
    host.setBond(try bond.make(), at: now)
    drain()
  }

  /// As from a store in which there is nobody.
  func rememberNobody() { change { $0.setBond(nil, at: $1) } }

  var isBondRejected: Bool { host.security.isBondRejected }

  /// Whether there is a bond that waits for the disk.
  var hasNewBond: Bool {
    switch host.newBond {
    case .some: true
    case .none: false
    }
  }

  /// Remembers what is to be remembered, as if it were on disk.
  func adoptBond() {
    host.adoptBond()
    bondName = string(host.bondName)
  }

  var memory: Remembrance { host.security.memory }
  var stage: HostStage { host.stage }
  var searchEnd: Instant? { host.searchEnd }

  func leave() { change { $0.step(.leave, at: $1) } }

  var mayEnd: Bool { host.mayEnd }

  func readBattery() { change { $0.step(.ask(.battery), at: $1) } }

  /// Has the host do something.
  func change(_ act: (inout Host<CountingCrypto>, Instant) -> Void) {
    act(&host, now)
    drain()
  }

  /// Asks the host for something.
  func ask<Answer>(_ question: (borrowing Host<CountingCrypto>) -> Answer) -> Answer {
    question(host)
  }

  func searchFast() { change { $0.step(.searchFast, at: $1) } }

  /// Lets the time pass as the real loop does: at once, and then no more than at each deadline.
  func pass(_ milliseconds: Int64) {
    let end = now + milliseconds
    air?.advance(self)
    advance()
    drain()
    while let due = nextDeadline, due <= end {
      if due > now { now = due }
      air?.advance(self)
      advance()
      drain()
      if let next = nextDeadline, next <= now { giveUp("a deadline stays behind, at \(now)") }
    }
    now = end
  }

  /// When something happens by itself, to the host or in the air.
  private var nextDeadline: Instant? {
    guard let time = air?.deadline else { return host.deadline }
    let next = Instant(milliseconds: time)
    return host.deadline.map { min($0, next) } ?? next
  }

  private func advance() {
    while let conclusion = host.takeConclusion(at: now) {
      host.step(.conclusion(conclusion), at: now)
    }
    host.step(.time, at: now)
  }

  var deadline: Instant? { host.deadline }
  var droppedCount: Int64 { host.droppedCount }
  var mtu: Int { host.mtu }
  var battery: UInt8? { host.peerBattery }
  var peerRSSI: Int8? { host.peerRSSI }
  var peerName: String { ask { string($0.peerName) } }
  /// That of the remembered phone, or else the same.
  var phoneName: String { ask { string($0.phoneName) } }

  func takeSaid() -> [String] {
    defer { said = [] }
    return said.map { hex($0) }
  }

  /// The attribute PDUs among them, on the link to the phone.
  func takeAttributes() -> [String] {
    takeSaid().filter { $0.hasPrefix("02 40 00") && $0.dropFirst(21).hasPrefix("04 00") }
      .map { String($0.dropFirst("02 40 00 00 00 00 00 04 00 ".count)) }
  }

  func takeEvents() -> [HostEvent] {
    defer { events = [] }
    return events
  }

  /// Takes events and sends packets; what a packet brings about is sent behind it, not within it.
  private func drain() {
    takeHostEvents()
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while !isTransportFull {
      let packet = array(host.output)
      guard !packet.isEmpty else { return }
      host.step(.sent, at: now)
      if isControllerHonest { judge.sent(packet) }
      said.append(packet)
      controller?(self, packet)
      takeHostEvents()
    }
  }

  private func takeHostEvents() {
    while let event = host.takeEvent() {
      events.append(event)
      switch event {
      case .notification, .value: values.append(array(host.value))
      case .written: written.append(array(host.value))
      case .name: names.append(string(host.peerName))
      case .sensor(_, .value), .sensor(_, .name): sensorBytes.append(array(host.sensorBytes))
      case .phone(let address, _, _): heardNames.append(string(host.heardName(of: address)))
      default: break
      }
    }
  }
}

extension Central: HCIReceiver {}

/// Counts the blocks that are encrypted.
struct CountingCrypto: Crypto {
  final class Blocks {
    fileprivate(set) var count = 0
  }

  private let blocks: Blocks
  private var real = SoftwareCrypto()

  init(_ blocks: Blocks) { self.blocks = blocks }

  func e(key: Octets<16>, _ block: Octets<16>) -> Octets<16> {
    blocks.count += 1
    return real.e(key: key, block)
  }

  mutating func makeKeyPair() throws(CryptoError) -> KeyPair { try real.makeKeyPair() }

  mutating func sharedSecret(
    privateKey: Octets<32>, publicKey: PublicKey
  ) throws(CryptoError) -> Octets<32> {
    try real.sharedSecret(privateKey: privateKey, publicKey: publicKey)
  }

  mutating func random(into bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
    try real.random(into: &bytes)
  }
}

/// What a test asks of several events at once.
extension [HostEvent] {
  var failures: [HostEvent] { filter { if case .failed = $0 { true } else { false } } }
  /// Whether each rejection of our key is to be told.
  var rejections: [Bool] {
    compactMap { if case .bondRejected(let isToBeTold) = $0 { isToBeTold } else { nil } }
  }
  /// Whether the rider is asked to compare.
  var asksToCompare: Bool { contains { if case .compare = $0 { true } else { false } } }
  var pairingFailures: Int { count { if case .pairingFailed = $0 { true } else { false } } }
  var advertisingRefusals: [ErrorCode] {
    compactMap { if case .advertisingRefused(let code) = $0 { code } else { nil } }
  }
  var isConnected: Bool { contains { if case .connected = $0 { true } else { false } } }
}

extension VirtualController {
  /// One that can tell us what a peer's link layer wishes, and be told our answer.
  static func hearingWishes() -> VirtualController {
    let controller = VirtualController()
    controller.supportedCommands[33] = 1 << 4 | 1 << 5
    controller.features = 1 << 1
    return controller
  }

  /// Stands at the other end of the central's transport from now on.
  func attach(to central: Central) {
    central.controller = { [self] central, packet in take(packet, central) }
    central.air = self
    clock = { [unowned central] in central.now.milliseconds }
  }
}
