import Bytes
import Device
import Seeded
import TestSupport
import VirtualAir
import VirtualDevice

/// A device, the phone that it remembers, and a rider, for days and weeks.
///
/// All comes from the seed. What must hold meanwhile is noted as a finding where it does not: after
/// each return of the rider's phone a turn of it is told; nobody else is connected to, listened to or
/// remembered.
final class Life {
  static let hour: Int64 = 3_600_000

  var world: World
  let settings: [String]
  let seed: UInt64
  var random: SeededGenerator
  var figures = Figures()
  var phoneIDs: Watched
  var sequences: Watched
  /// How often the clock has passed 2^31, 2^32 and 2^53 ms.
  var clockPassings = [0, 0, 0]
  var lastClock: Int64
  /// Milliseconds of this life before the world that is now.
  private var past: Int64 = 0
  private var worldStart: Instant

  // The ride.
  var street = "Start"
  var direction: UInt8 = 2
  var distance: UInt32 = 500
  var identifier: UInt32 = .max - 20
  var told: (distance: UInt32, street: String)?
  var isFreshHeard = false
  // The phone.
  let kind: PhoneKind
  var addressEpoch: Int64 = -1
  var addresses: Set<[UInt8]> = []
  var isRiderHelping = false
  var isAsked = false
  var isScanSlow = false
  var lastPress: Int64 = -1
  var schedule = Schedule()
  /// The phone on the link that it made last, by itself.
  var visitor: VirtualCentral?
  /// Whether it comes by itself at all.
  let isVisited: Bool
  var diskBefore: [UInt8] = []
  var lastWrite: (offset: Int, bytes: [UInt8])?
  private var nextSample: Int64 = 0

  /// How long this life has lasted, in milliseconds.
  var elapsed: Int64 { past + (world.now - worldStart) }

  init(seed: UInt64, isVisited: Bool) throws {
    self.seed = seed
    self.isVisited = isVisited
    random = SeededGenerator(state: seed)
    kind = seed.isMultiple(of: 2) ? .android : .ios
    settings = [
      "pairing=" + (seed % 4 < 2 ? "preferred" : "required"), "report=file:/var/lib/lenker/report",
      "advertise=" + (isVisited ? "on" : "off"),
    ]
    let start = Self.clockStart(0, &random)
    world = try World(settings, at: start, pairs: true)
    worldStart = world.now
    lastClock = world.now.milliseconds
    phoneIDs = Watched("phone's identifiers of instructions", identifier)
    sequences = Watched("sequence number of the bond's records", .max - 2)
    kind.apply(to: world.phone)
    world.phone.value = kind.silence
    attach()
  }

  /// Shortly before the clock's milliseconds need another bit.
  static func clockStart(_ number: Int, _ random: inout SeededGenerator) -> Instant {
    let before = Int64.random(in: 5...30, using: &random) * 60_000
    return Instant(milliseconds: bounds[number % 3] - before)
  }

  static let bounds: [Int64] = [1 << 31, 1 << 32, 1 << 53]

  // MARK: - The clock

  func pass(_ milliseconds: Int64) {
    var rest = milliseconds
    while rest > 0 {
      let step = min(rest, 30_000)
      world.pass(step)
      rest -= step
      look()
    }
  }

  /// Puts another world in the place of this one: the device is switched on again.
  func change(to next: World) {
    past = elapsed
    world = next
    worldStart = next.now
    lastClock = next.now.milliseconds
    attach()
  }

  private func attach() {
    world.onSend = { [unowned self] packet in self.sees(packet) }
    world.onStore = { [unowned self] bytes, offset in
      self.diskBefore = self.world.disk
      self.lastWrite = (offset, bytes)
      self.figures.storeWrites[offset / 512] += 1
    }
  }

  // MARK: - What must hold

  func find(_ what: String) {
    let hours = Double(elapsed / 36_000) / 100
    figures.findings.append("\(what), after \(hours) h, \(world.connection), seed \(seed)")
  }

  /// Nobody is to be connected to but the rider's phone, or who replays its address.
  private func sees(_ packet: [UInt8]) {
    guard packet.count == 29, packet[0] == 1, packet[1] == 0x0D, packet[2] == 0x20 else { return }
    let peer = Array(packet[9..<16])
    if !addresses.contains(peer) { find("connects to a stranger, \(hex(peer))") }
  }

  private func look() {
    for event in world.events { take(event) }
    figures.reportBytes += 4_096 * world.order.count { $0 == "report" }
    world.forgetWhatCameOut()
    watchCounters()
    let clock = world.now.milliseconds
    for (index, bound) in Self.bounds.enumerated() where lastClock < bound && clock >= bound {
      clockPassings[index] += 1
    }
    lastClock = clock
    if elapsed >= nextSample {
      nextSample = elapsed + 30_000
      sampleGlass()
    }
  }

  private func take(_ event: VirtualDevice.Event) {
    switch (event.name, event["state"]) {
    case ("instruction", _):
      figures.heard += 1
      if event["street"] == Self.strangersStreet { find("a stranger's turn is told") }
      if let told, event["street"] == told.street, event[number: "distance"] == Int(told.distance) {
        isFreshHeard = true
      }
    case ("frame", _): figures.pictures += 1
    case ("link", "connected"): figures.links += 1
    case ("scan", _): isScanSlow = event["mode"] == "slow"
    case ("pairing", "confirm"), ("pairing", "ask"):
      isAsked = true
      if !isRiderHelping { find("the rider is asked unasked") }
    case ("pairing", "done"): figures.pairings += 1
    case ("bond", "saved"): checkBond()
    case ("report", "saved"): figures.reports += 1
    default: break
    }
  }

  /// Whoever is remembered is the rider's phone, and nobody became so without a press.
  private func checkBond() {
    let irk = array(world.security.irk.bytes)
    let isOurs = [0, 512].contains { Array(world.disk[$0 + 24..<$0 + 40]) == irk }
    if !isOurs { find("somebody else is remembered") }
    if lastPress < 0 { find("somebody is remembered without a press") }
  }

  // MARK: - Counters

  private func watchCounters() {
    phoneIDs.see(identifier)
    guard hasSequence, figures.storeWrites != seenWrites else { return }
    seenWrites = figures.storeWrites
    sequences.see(sequence)
  }

  /// Whether the disk's numbers were set near their end.
  var hasSequence = false
  private var seenWrites = [0, 0]
}
