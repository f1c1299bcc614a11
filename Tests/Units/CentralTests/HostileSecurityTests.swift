import Bytes
import Central
import Expecting
import HCI
import SMP
import Seeded
import TestSupport
import VirtualAir

/// Phones and controllers that say what is out of place on the way to a secure link.
@Suite struct HostileSecurityTests {
  /// As of an earlier link with the same handle: Core Specification, Vol 4, Part E, 7.7.8 and 7.7.39.
  @Test(arguments: ["04 08 04 00 40 00 01", "04 30 03 00 40 00"])
  func anEncryptionThatNobodyAskedForMakesNoLinkSecure(_ event: String) {
    let scene = Encounter(.required)
    _ = scene.meet()
    scene.central.hears(event)
    scene.controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), scene.central)
    expect(scene.central.takeEvents(), [])
    scene.central.confirm(true)
    expect(scene.central.takeEvents().first, .encrypted, "the pairing goes on")
  }

  @Test func aPhoneThatIsForgottenCannotSayThatItForgotUs() {
    let scene = Encounter.pairedAndLost()
    scene.controller.encrypts = false
    _ = scene.meet()
    scene.controller.withheld = [0x0406]  // our Disconnect comes too late
    scene.central.forget()
    scene.controller.disconnect(reason: 0x06, scene.central)
    #expect(!scene.central.takeEvents().contains(.bondRejected(isToBeTold: true)))
  }

  @Test func aFloodOfWishesForParametersKeepsNobodyFromLeaving() {
    let scene = Encounter(.off)
    _ = scene.meet()
    scene.controller.withheld = [0x2013]
    // Connection Parameter Update Request, 30 to 50 ms, while the controller takes its time.
    for identifier in UInt8(1)...40 {
      let request = [0x12, identifier] + bytes("08 00 18 00 28 00 00 00 90 01")
      scene.controller.send(channel: 0x05, request, scene.central)
    }
    scene.central.disconnect()
    scene.controller.withheld = []
    scene.controller.commandStatus(0x2013, 0, scene.central)
    expect(!scene.controller.isConnected)
  }

  /// Whatever a phone says of security, at whatever moment, nothing of it is shown.
  @Test func centralBehaviour37_noiseOpensNoLink() {
    let seed = testSeed
    var random = SeededGenerator(state: seed)
    for _ in 0..<300 {
      let scene = Encounter(.required)
      _ = scene.meet()
      for _ in 0..<8 {
        let code = UInt8.random(in: 0x00...0x10, using: &random)
        let count = [0, 1, 6, 7, 8, 16, 64].randomElement(using: &random) ?? 0
        let rest = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        scene.controller.send(channel: 0x06, [code] + rest, scene.central)
        if Int.random(in: 0..<4, using: &random) == 0 { scene.central.confirm(true) }
        let isEncrypted = scene.phone.isEncrypted
        let values = scene.central.values
        let news = VirtualPhone.notification([1, 2, 3, 4])
        scene.controller.send(channel: 0x04, news, scene.central)
        guard isEncrypted || scene.central.values == values else {
          Issue.record("seed \(seed)")
          return
        }
        scene.central.pass(Int64.random(in: 0...6_000, using: &random))
      }
    }
  }
}

/// By USB, events and data come by two pipes: data may be here before the word that the link is encrypted.
@Suite struct OvertakenEncryptionTests {
  @Test func centralBehaviour85_aPhoneWhoseIdentityOvertakesEncryptionChangeIsRemembered() {
    let scene = Encounter()
    _ = scene.meet()
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
    for packet in late { scene.central.hears(packet) }
    expect(scene.central.takeEvents().prefix(2), [.encrypted, .remember(.keys)])
    scene.central.adoptBond()
    scene.lose()
    scene.phone.address = scene.security.privateAddress(9)
    #expect(scene.meet().contains(.encrypted), "it is known by its identity key")
  }
}
