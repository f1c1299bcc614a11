import Bytes
import Central
import HCI
import Seeded
import TestSupport
import Testing
import VirtualAir

/// A wire that damages one packet of the controller: the ride goes on by itself, whichever it was.
@Suite struct WireFaultTests {
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

    static let all = [dropped, doubled, late, corrupt, withheld, reset, resetInSilence, linkLost]
  }

  @Test(arguments: Fault.all)
  func centralBehaviour39_theRideGoesOnAfterAFaultAtAnyStep(_ fault: Fault) {
    let count = Ride().wire.count
    #expect(count > 40, "all of a session")
    for step in 1...count where !Ride(fault, at: step).isHeardAgain() {
      Issue.record("\(fault) at packet \(step)")
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

  /// Between controller and host.
  final class Wire: HCIReceiver {
    let central = Central()
    let controller = VirtualController()
    private(set) var count = 0
    /// How many bytes the packet that was to be short has behind its length.
    private(set) var faultyCount = 0
    private var fault: (what: Fault, step: Int)?
    private var held: [UInt8]?
    private var random = SeededGenerator(state: 1)
    private var silenceEnd: Instant?

    init(_ fault: (Fault, Int)?) {
      self.fault = fault
      central.controller = { [unowned self] _, packet in controller.take(packet, self) }
    }

    func hears(_ packet: [UInt8]) {
      count += 1
      if let silenceEnd, central.now < silenceEnd, isAnswer(packet) { return }
      guard let fault, fault.step == count else {
        central.hears(packet)
        if let late = held {
          held = nil
          central.hears(late)
        }
        return
      }
      act(fault.what, packet)
    }

    private func act(_ fault: Fault, _ packet: [UInt8]) {
      switch fault {
      case .dropped: break
      case .doubled: for _ in 0..<2 { central.hears(packet) }
      case .late: held = packet
      case .short(let kept):
        faultyCount = packet.count - header(packet)
        var short = Array(packet[..<(header(packet) + kept)])
        short[header(packet) - (packet[0] == 0x04 ? 1 : 2)] = UInt8(kept)
        central.hears(short)
      case .corrupt:
        var damaged = packet
        for _ in 0..<2 {
          let index = Int.random(in: header(packet)..<packet.count, using: &random)
          damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        central.hears(damaged)
      case .withheld:
        silenceEnd = central.now + 5_000
        if !isAnswer(packet) { central.hears(packet) }
      case .reset, .resetInSilence:
        controller.powerCycle()
        if fault == .reset { central.hears("04 10 01 42") }
      case .linkLost:
        central.hears(packet)
        if controller.isConnected { controller.disconnect(reason: 0x08, self) }
      }
    }

    /// Indicator and length, and in data the handle.
    private func header(_ packet: [UInt8]) -> Int { packet[0] == 0x04 ? 3 : 5 }

    private func isAnswer(_ packet: [UInt8]) -> Bool {
      packet[0] == 0x04 && (packet[1] == 0x0E || packet[1] == 0x0F)
    }
  }

  /// Bring-up, search, discovery and some news, with a fault at a step; the phone is always there.
  final class Ride {
    let wire: Wire
    private let phone = VirtualPhone()
    private var number: UInt8 = 0

    init(_ fault: Fault? = nil, at step: Int = 0) {
      wire = Wire(fault.map { ($0, step) })
      wire.controller.phone = phone
      phone.mtu = 23
      phone.hasServiceChanged = true
      wire.central.start()
      for _ in 0..<4 { goOn() }
    }

    /// Another second, with something new to read.
    private func goOn() {
      number += 1
      phone.value = [number] + [UInt8](repeating: 0x41, count: 30)
      if !wire.controller.isConnected { wire.controller.advertise(wire) }
      wire.central.pass(250)
      if let news = phone.news { wire.controller.send(channel: 0x04, news, wire) }
      wire.central.read()
      wire.central.pass(750)
    }

    /// Whether the newest value is read, within two minutes and without help.
    func isHeardAgain() -> Bool {
      for _ in 0..<120 {
        if wire.central.values.last == phone.value { return true }
        goOn()
      }
      return false
    }
  }
}
