import Bytes
import Central
import Expecting
import HCI
import SMP
import TestSupport
import VirtualAir

/// What the air and a broken controller can throw at the host: it never traps, never hangs,
/// and finds its phone again by itself.
struct HostileTests {
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

  @Test(arguments: recorded.indices)
  func centralBehaviour6_everyPrefixAndEachBitFlipOfAPacketIsHarmless(_ index: Int) {
    // Answers, status, completed packets, connection, report; six kinds of answers and the value.
    #expect(Self.recorded.count >= 12, "everything that a session hears")
    let whole = Self.recorded[index]
    for count in whole.indices { expectRecovery(after: Array(whole[..<count])) }
    for bit in 0..<whole.count * 8 {
      var packet = whole
      packet[bit / 8] ^= 1 << UInt8(bit % 8)
      expectRecovery(after: packet)
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
    session.central.receive(packet)
    expect(session.central.droppedCount, count + 1)
    expect(session.recovers())
  }

  private func expectRecovery(after packet: [UInt8]) {
    let session = Session()
    session.central.receive(packet)
    if !session.recovers() { Issue.record("after \(hex(packet))") }
  }

  /// Bring-up, search, discovery and a read.
  final class Session {
    let central = Central()
    let controller = VirtualController()
    let phone = VirtualPhone()
    private(set) var heard: [[UInt8]] = []

    init() {
      controller.phone = phone
      phone.value = HostileTests.value
      controller.attach(to: central)
      central.onHearing = { [unowned self] in heard.append($0) }
      central.start()
      controller.advertise(central)
      central.pass(200)
      central.read()
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

/// Phones and controllers that say what is out of place on the way to a secure link.
struct HostileSecurityTests {
  @Test func aPhoneThatIsForgottenCannotSayThatItForgotUs() {
    let scene = Encounter.pairedAndLost()
    scene.controller.encrypts = false
    _ = scene.meet()
    scene.controller.withheld = [0x0406]  // our Disconnect comes too late
    scene.central.forget()
    scene.controller.disconnect(reason: 0x06, scene.central)
    #expect(!scene.central.takeEvents().contains(.bondRejected(isToBeTold: true)))
  }

  /// Connection Parameter Update Requests, 30 to 50 ms, while the controller takes its time.
  @Test(arguments: [false, true])
  func aFloodOfWishesForParametersIsForgottenWithTheLinkAndKeepsNobodyFromLeaving(_ isLost: Bool) {
    let scene = Encounter.met(.off)
    scene.controller.withheld = [0x2013]
    for identifier in UInt8(1)...40 {
      let request = [0x12, identifier] + bytes("08 00 18 00 28 00 00 00 90 01")
      scene.controller.send(channel: 0x05, request, scene.central)
    }
    if !isLost { scene.central.disconnect() }
    scene.controller.withheld = []
    if isLost { scene.lose() }
    scene.controller.commandStatus(0x2013, isLost ? 0x02 : 0, scene.central)
    expect(!scene.controller.isConnected)
    if isLost { expect(scene.controller.commands.suffix(2), [0x200B, 0x200C]) }
  }
}

/// By USB, events and data come by two pipes: data may be here before the word that the link is encrypted.
struct OvertakenEncryptionTests {
  @Test func centralBehaviour85_aPhoneWhoseIdentityOvertakesEncryptionChangeIsRemembered() {
    let scene = Encounter.met()
    var late: [[UInt8]] = []
    scene.central.onPacket = { packet in
      guard packet.starts(with: [0x04, 0x08]) else { return [packet] }
      late.append(packet)
      return []
    }
    scene.central.confirm(true)
    expect(late.count, 1)
    expect(scene.central.takeEvents(), [], "nothing is known of an open link")
    scene.central.onPacket = { [$0] }
    for packet in late { scene.central.receive(packet) }
    expect(scene.central.takeEvents().prefix(2), [.encrypted, .remember(.keys)])
    scene.central.adoptBond()
    scene.lose()
    scene.phone.address = scene.security.privateAddress(9)
    #expect(scene.meet().contains(.encrypted), "it is known by its identity key")
  }
}
