import Bytes
import Central
import Expecting
import HCI
import Seeded
import TestSupport
import VirtualAir

/// A wire that damages one packet of the controller: the ride goes on by itself, whichever it was.
struct WireFaultTests {
  /// What becomes of the packet.
  enum Fault: Equatable, Sendable {
    /// It is lost, or comes twice, or behind the next one.
    case dropped, doubled, late
    /// So many bytes are left behind its length.
    case short(Int)
    /// Two bits are wrong.
    case corrupt
    /// This and all answers to commands for 5 s are lost.
    case withheld
    /// The controller forgets everything, and says so or not.
    case reset, resetInSilence
    /// The link is lost behind it.
    case linkLost
    /// One bit is wrong in what says where it ends; or it is cut and does not say so.
    case misframed, cut
    /// Bytes that are no packet come in front of it.
    case garbage
    /// The transport is closed in its place.
    case closed
    /// What the host sends next never arrives.
    case unheard

    static let all = [
      dropped, doubled, late, corrupt, withheld, reset, resetInSilence, linkLost, misframed, cut,
      garbage, closed, unheard,
    ]
  }

  /// A strap is heard again, too; and a paired phone tells of its music again, on the next link at the latest.
  @Test(
    arguments: Fault.all.map { ($0, .nobody, 40) }
      + [Fault.dropped, .doubled, .late, .corrupt, .garbage, .unheard].map { ($0, .strap, 50) }
      + [Fault.dropped, .doubled, .garbage].map { ($0, .music, 40) } as [(Fault, Company, Int)])
  func centralBehaviour39_theRideGoesOnAfterAnyFault(fault: Fault, company: Company, least: Int) {
    let count = Ride(with: company).wire.count
    #expect(count > least, "all of a session, or of a link that begins with encryption")
    for step in 1...count where !Ride(fault, at: step, with: company).isHeardAgain() {
      Issue.record("\(fault) at packet \(step)")
    }
  }

  @Test func centralBehaviour39_theRideGoesOnAfterAMinuteOfFaultsAtRandom() {
    for number in 0..<50 {
      let ride = Ride(with: .strap)
      ride.suffer(SeededGenerator(state: testSeed &+ UInt64(number)))
      if !ride.isHeardAgain() { Issue.record("ride \(number) of seed \(testSeed)") }
    }
  }

  /// With a length that says so: the framing of the stream is kept.
  @Test func centralBehaviour39_theRideGoesOnThoughAPacketLacksItsEnd() {
    for step in 1...Ride().wire.count {
      for kept in 0..<Ride(.short(0), at: step).wire.faultyCount
      where !Ride(.short(kept), at: step).isHeardAgain() {
        Issue.record("packet \(step), \(kept) bytes kept")
      }
    }
  }

  /// Between controller and host; what is no packet, or hangs, closes the transport, as in `Radio`.
  final class Wire: HCIReceiver {
    let central: Central
    let controller = VirtualController()
    private(set) var count = 0
    /// How many bytes the packet that was to be short has behind its length.
    private(set) var faultyCount = 0
    /// The fault that is next, and at which packet.
    private var fault: (what: Fault, step: Int)?
    /// How many packets out of a thousand meet another one.
    var chance = 0
    private var held: [UInt8]?
    var random = SeededGenerator(state: 1)
    private var silenceEnd: Instant?
    private var isNextUnheard = false
    private var stream: [UInt8] = []
    private var framer = H4Framer()
    private var isReading = false
    /// When a packet hangs that has begun, and when the transport is opened again.
    private var stall: Instant?
    private var reopening: Instant?

    init(_ central: Central) {
      self.central = central
      central.controller = { [unowned self] _, packet in
        guard !isNextUnheard else { return isNextUnheard = false }
        controller.take(packet, self)
      }
    }

    /// Puts a fault at the packet of this number, counted from now on.
    func meet(_ fault: Fault?, at step: Int) {
      count = 0
      self.fault = fault.map { ($0, step) }
    }

    func pass(_ milliseconds: Int64) {
      for _ in 0..<milliseconds / 250 {
        central.pass(250)
        if let stall, central.now >= stall { close() }
        guard let due = reopening, central.now >= due else { continue }
        reopening = nil
        central.isTransportFull = false
        central.start()
      }
    }

    private func bring(_ bytes: [UInt8]) {
      stream += bytes
      guard !isReading else { return }
      isReading = true
      defer { isReading = false }
      while !stream.isEmpty {
        guard reopening == nil else { return stream.removeAll() }
        do throws(H4Error) {
          let taken = try framer.receive(stream.span)
          stream.removeFirst(taken)
        } catch {
          return close()
        }
        if framer.isComplete { central.receive(array(framer.packet)) }
      }
      stall = framer.isInsidePacket ? stall ?? central.now + 500 : nil
    }

    private func close() {
      stream.removeAll()
      framer.removeAll()
      stall = nil
      reopening = central.now + 1_000
      central.isTransportFull = true
      central.stop()
    }

    func receive(_ packet: [UInt8]) {
      count += 1
      if let silenceEnd, central.now < silenceEnd, isAnswer(packet) { return }
      if chance > 0, Int.random(in: 0..<1_000, using: &random) < chance {
        return act(Fault.all.randomElement(using: &random) ?? .dropped, packet)
      }
      guard let fault, fault.step == count else {
        bring(packet)
        if let late = held {
          held = nil
          bring(late)
        }
        return
      }
      act(fault.what, packet)
    }

    private func act(_ fault: Fault, _ packet: [UInt8]) {
      switch fault {
      case .dropped: break
      case .doubled: for _ in 0..<2 { bring(packet) }
      case .late: held = packet
      case .short(let kept):
        faultyCount = packet.count - header(packet)
        var short = Array(packet[..<(header(packet) + kept)])
        short[header(packet) - (packet[0] == 0x04 ? 1 : 2)] = UInt8(kept)
        bring(short)
      case .corrupt:
        var damaged = packet
        for _ in 0..<2 {
          let index = Int.random(in: header(packet)..<packet.count, using: &random)
          damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        bring(damaged)
      case .withheld:
        silenceEnd = central.now + 5_000
        if !isAnswer(packet) { bring(packet) }
      case .reset, .resetInSilence:
        controller.powerCycle()
        if fault == .reset { bring([0x04, 0x10, 1, 0x42]) }
      case .linkLost:
        bring(packet)
        if controller.isConnected { controller.disconnect(reason: 0x08, self) }
      case .misframed:
        var damaged = packet
        let places = packet[0] == 0x04 ? [0, 2] : [0, 3, 4]
        let index = places[Int.random(in: places.indices, using: &random)]
        damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        bring(damaged)
      case .cut: bring(Array(packet.dropLast(Int.random(in: 1..<packet.count, using: &random))))
      case .garbage: bring([0xFF] + (1..<16).map { UInt8($0) } + packet)
      case .closed: close()
      case .unheard:
        isNextUnheard = true
        bring(packet)
      }
    }

    /// Indicator and length, and in data the handle.
    private func header(_ packet: [UInt8]) -> Int { packet[0] == 0x04 ? 3 : 5 }

    private func isAnswer(_ packet: [UInt8]) -> Bool {
      packet[0] == 0x04 && (packet[1] == 0x0E || packet[1] == 0x0F)
    }
  }

  /// What a ride has beside the way.
  enum Company { case nobody, strap, music }

  /// Bring-up, search, discovery and some news, with a fault at a step; the phone is always there.
  ///
  /// With music it is paired with before, and the search for it comes first.
  final class Ride {
    let wire: Wire
    private let phone = VirtualPhone()
    private let strap = VirtualSensor(.heart)
    private let company: Company
    private var number: UInt8 = 0

    init(_ fault: Fault? = nil, at step: Int = 0, with company: Company = .nobody) {
      self.company = company
      let isPaired = company == .music
      wire = Wire(Central(pairing: isPaired ? .preferred : .off, music: isPaired))
      wire.controller.phone = phone
      phone.mtu = 23
      phone.hasServiceChanged = true
      if company == .strap {
        wire.central.isControllerHonest = false
        wire.controller.sensors = [strap]
        wire.central.follow(strap)
      }
      if isPaired { pair() }
      wire.meet(fault, at: step)
      if isPaired {
        wire.controller.disconnect(reason: 0x08, wire)
      } else {
        wire.central.start()
      }
      for _ in 0..<4 { goOn() }
    }

    private func pair() {
      let security = VirtualSecurity()
      security.manner = .comparison
      phone.security = security
      phone.address = security.privateAddress(1)
      phone.music.isThere = true
      wire.central.start()
      for _ in 0..<2 { goOn() }
      wire.central.confirm(true)
      goOn()
      wire.central.adoptBond()
      #expect(phone.music.allowed([]) != nil, "the phone is asked for its music")
    }

    /// A minute in which one packet of fifty meets a fault.
    func suffer(_ random: SeededGenerator) {
      wire.random = random
      wire.chance = 20
      for _ in 0..<60 { goOn() }
      wire.chance = 0
    }

    /// Another second, with something new to read.
    private func goOn() {
      number &+= 1
      phone.value = [number] + [UInt8](repeating: 0x41, count: 30)
      if !wire.controller.isConnected { wire.controller.advertise(wire) }
      if company == .strap {
        wire.controller.advertise(wire, strap)
        wire.controller.notify(beat, from: strap, wire)
      }
      wire.pass(250)
      if let news = phone.news { wire.controller.send(channel: 0x04, news, wire) }
      wire.central.read()
      wire.pass(750)
    }

    private var beat: [UInt8] { [0, number] }

    private var isAnythingMissing: Bool {
      switch company {
      case .nobody: false
      case .strap: wire.central.sensorBytes.last != beat
      case .music: phone.music.allowed([]) == nil
      }
    }

    /// Whether the newest value is read within two minutes and without help.
    ///
    /// Music that seems not to be there is searched for on the next link.
    func isHeardAgain() -> Bool {
      for second in 0..<120 {
        let isRead = wire.central.values.last == phone.value
        if isRead, !isAnythingMissing { return true }
        if isRead, company == .music, second == 30 {
          wire.controller.disconnect(reason: 0x08, wire)
        }
        goOn()
      }
      return false
    }
  }
}
