import Central
import Expecting
import TestSupport
import VirtualAir

/// Phones that agree to a large MTU, and end the link at the first long packet.
@Suite struct LongFrameTests {
  private static let value =
    bytes("04 03 02 01 01 d2 04 00 00") + Array("Große Präsidentenstraße".utf8)

  /// A phone that was paired with while its values were short, and has a long one now.
  private func lost() -> Encounter {
    let scene = Encounter.paired()
    scene.phone.mtu = 517
    scene.phone.value = Self.value
    scene.lose()
    return scene
  }

  /// One advertisement is enough, and leads to one link.
  private func meet(_ scene: Encounter) -> [HostEvent] {
    scene.central.pass(1_000)
    scene.controller.advertise(scene.central)
    return scene.central.takeEvents()
  }

  /// Its own end, and silence; with a first piece and without one.
  @Test(arguments: [0, 1], [0x13, 0x08] as [UInt8])
  func centralBehaviour120_aPhoneThatEndsTwoLinksAtALongFrameGetsShortOnes(
    _ pieces: Int, _ reason: UInt8
  ) {
    let scene = lost()
    scene.phone.longFrameEnd = (pieces, reason)
    expect(meet(scene).contains(.longFramesRefused), false)
    expect(meet(scene).contains(.longFramesRefused), true)
    _ = scene.central.takeSaid()
    for _ in 0..<3 {
      let values = scene.central.values.count
      expect(meet(scene).contains(.longFramesRefused), false)
      expect(scene.central.mtu == 23 && scene.controller.isConnected)
      expect(scene.central.values.count > values && scene.central.values.last == Self.value)
      scene.controller.send(channel: 0x04, bytes("02 05 02"), scene.central)
      expect(scene.phone.answers.last, bytes("04 03 17 00"))
      expect(scene.central.mtu, 23)
      scene.lose()
    }
    #expect(!scene.central.takeSaid().contains { $0.hasSuffix("04 00 02 05 02") }, "nobody asks")
  }

  /// The link goes at other moments: later, at our end, or before anything long was asked for.
  @Test(arguments: [2_100, 0] as [Int64])
  func centralBehaviour120_aLinkThatEndsOtherwiseIsNoSign(_ time: Int64) {
    let scene = lost()
    scene.phone.withheld = [time > 0 ? 0x0A : 0x12]
    for _ in 0..<4 {
      expect(meet(scene).contains(.longFramesRefused), false)
      scene.central.pass(time)
      scene.controller.disconnect(reason: 0x13, scene.central)
      expect(scene.central.takeEvents().contains(.longFramesRefused), false)
    }
    scene.phone.withheld = []
    _ = meet(scene)
    expect(scene.central.mtu, 517)
  }

  @Test func centralBehaviour120_whoHasSentALongFrameIsNotSuspected() {
    let scene = lost()
    scene.phone.longFrameEnd = (1, 0x13)
    _ = meet(scene)
    scene.phone.longFrameEnd = nil
    _ = meet(scene)
    scene.lose()
    scene.phone.longFrameEnd = (1, 0x13)
    for _ in 0..<3 { expect(meet(scene).contains(.longFramesRefused), false) }
    scene.phone.longFrameEnd = nil
    _ = meet(scene)
    expect(scene.central.mtu, 517)
  }

  @Test func centralBehaviour120_aPhoneThatComesByItselfIsOfferedNoLongOnesEither() {
    let visit = Visit()
    for _ in 0..<2 {
      visit.comes()
      visit.says("03 05 02")
      visit.central.hears(bytes("02 40 20 1b 00 3c 00 04 00 0b") + [UInt8](repeating: 7, count: 22))
      visit.end()
      visit.central.pass(1_000)
    }
    #expect(visit.central.takeEvents().contains(.longFramesRefused))
    _ = visit.takeAnswers()
    visit.comes()
    visit.says("02 05 02")
    let answers = visit.takeAnswers()
    expect(answers.contains("03 17 00") && !answers.contains("02 05 02"))
  }
}
