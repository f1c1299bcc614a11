import Bytes
import Central
import Expecting
import HCI
import Seeded
import TestSupport
import VirtualAir

/// What the air and a broken controller can throw at the host: it never traps, never hangs,
/// and finds its phone again by itself.
@Suite struct HostileTests {
  private static let value = bytes("04 03 02 01 01 d2 04 00 00") + Array("Lennéstraße".utf8)

  /// The packets that a whole session hears, one of each kind.
  private static let recorded: [[UInt8]] = {
    let session = Session()
    var kinds: Set<[UInt8]> = []
    let heard = session.heard.filter { packet in
      // Events differ by code and subevent, data by channel and attribute opcode.
      let kind =
        packet[0] == 0x04 ? Array(packet[0...1] + packet[3..<4]) : [2, packet[7], packet[9]]
      return kinds.insert(kind).inserted
    }
    return nonEmpty(heard)
  }()

  @Test func theRecordingHasEverythingThatASessionHears() {
    // Answers, status, completed packets, connection, report; six kinds of answers and the value.
    #expect(Self.recorded.count >= 12)
  }

  @Test(arguments: recorded.indices)
  func centralBehaviour6_everyPrefixOfAPacketIsHarmless(_ index: Int) {
    for count in 0..<Self.recorded[index].count {
      expectRecovery(after: Array(Self.recorded[index][..<count]))
    }
  }

  @Test(
    arguments: [
      "04 13 05 02 40 00 01 00",  // two handles, bytes for one
      "04 05 03 00 40 00",  // a disconnection without its reason
      "04 3e 12 01 00 40 00 00 01 01 02 03 04 05 c6 18 00 00 00 90 01",  // a link, one byte short
      "02 40 20 05 00 01 00 04",  // data shorter than it says
      "05 00 00 00 00",  // no packet that a controller of ours sends
      "",
    ])
  func centralBehaviour6_aBadPacketIsCountedAndDropped(_ packet: String) {
    let session = Session()
    let count = session.central.droppedCount
    session.central.hears(packet)
    expect(session.central.droppedCount, count + 1)
    expect(session.recovers())
  }

  @Test(arguments: recorded.indices)
  func centralBehaviour6_everySingleBitFlipOfAPacketIsHarmless(_ index: Int) {
    for bit in 0..<Self.recorded[index].count * 8 {
      var packet = Self.recorded[index]
      packet[bit / 8] ^= 1 << UInt8(bit % 8)
      expectRecovery(after: packet)
    }
  }

  @Test func centralBehaviour6_noiseIsHarmless() {
    let seed = testSeed
    var random = SeededGenerator(state: seed)
    for _ in 0..<300 {
      let session = Session()
      for _ in 0..<20 {
        var packet = (0..<Int.random(in: 0...60, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
        // Mostly something that gets beyond the first check.
        if packet.count > 3, Bool.random(using: &random) {
          packet[0] = 0x04
          packet[2] = UInt8(packet.count - 3)
        }
        session.central.hears(packet)
      }
      guard session.recovers() else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }

  private func expectRecovery(after packet: [UInt8]) {
    let session = Session()
    session.central.hears(packet)
    if !session.recovers() { Issue.record("after \(hex(packet))") }
  }

  // MARK: - Loss

  @Test func centralBehaviour39_aLossAfterAnyPacketLeadsBackToTheRide() {
    let whole = Session()
    for step in 1...whole.saidCount {
      let session = Session(losesLinkAfter: step)
      if !session.recovers() { Issue.record("lost after packet \(step) of \(whole.saidCount)") }
    }
  }

  @Test func centralBehaviour39_aPhoneThatFallsSilentAtAnyStepIsFoundAgain() {
    for request in [UInt8(0x02), 0x06, 0x08, 0x04, 0x12, 0x0A] {
      let session = Session(silentAt: request)
      session.phone.withheld = []
      if !session.recovers() { Issue.record("silent at request \(request)") }
    }
  }

  @Test func centralBehaviour39_aTransportThatIsLostAtAnyStepIsBroughtUpAnew() {
    let whole = Session()
    for step in 1...whole.saidCount {
      let session = Session(losesTransportAfter: step)
      if !session.recovers() { Issue.record("lost after packet \(step) of \(whole.saidCount)") }
    }
  }

  @Test func aThousandLossesLeaveNothingBehind() {
    let session = Session()
    for _ in 0..<1_000 {
      session.controller.disconnect(reason: 0x08, session.central)
      session.controller.advertise(session.central)
      session.central.pass(1_000)
    }
    // One of each ride, and one that was asked for.
    expect(session.central.values.count, 1_002)
    expect(session.central.takeEvents().filter { $0 == .ready(isSubscribed: true) }.count, 1_001)
  }

  // MARK: - A session

  /// Bring-up, search, discovery and a read, with a fault at a chosen step.
  final class Session {
    let central = Central()
    let controller = VirtualController()
    let phone = VirtualPhone()
    private(set) var heard: [[UInt8]] = []
    private(set) var saidCount = 0

    init(
      losesLinkAfter linkStep: Int? = nil, losesTransportAfter transportStep: Int? = nil,
      silentAt request: UInt8? = nil
    ) {
      controller.phone = phone
      phone.value = HostileTests.value
      if let request { phone.withheld = [request] }
      controller.attach(to: central)
      let take = central.controller
      central.controller = { [unowned self] central, packet in
        saidCount += 1
        take?(central, packet)
        if saidCount == linkStep, controller.isConnected {
          controller.disconnect(reason: 0x08, central)
        }
        if saidCount == transportStep { restart() }
      }
      central.onHearing = { [unowned self] in heard.append($0) }
      central.start()
      controller.advertise(central)
      central.pass(200)
      central.read()
    }

    private func restart() {
      controller.powerCycle()
      central.stop()
      central.start()
    }

    /// Whether the phone's value is read again, within a minute and a half and without help.
    ///
    /// The phone advertises while it is not connected; a controller that was told nonsense
    /// about its link loses that link, as a real one does by supervision timeout.
    func recovers() -> Bool {
      if controller.isConnected { controller.disconnect(reason: 0x08, central) }
      let count = central.values.count
      for _ in 0..<90 {
        controller.advertise(central)
        central.pass(1_000)
        central.read()
        if central.values.count > count, central.values.last == HostileTests.value { return true }
      }
      return false
    }
  }
}
