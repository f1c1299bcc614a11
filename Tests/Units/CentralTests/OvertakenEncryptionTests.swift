import Bytes
import Central
import TestSupport
import Testing
import VirtualAir

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
    #expect(late.count == 1)
    #expect(scene.central.takeEvents() == [], "nothing is known of an open link")
    scene.central.onPacket = { [$0] }
    for packet in late { scene.central.hears(packet) }
    #expect(scene.central.takeEvents().prefix(2) == [.encrypted, .remember(.keys)])
    scene.central.adoptBond()
    scene.lose()
    scene.phone.address = scene.security.privateAddress(9)
    #expect(scene.meet().contains(.encrypted), "it is known by its identity key")
  }
}
