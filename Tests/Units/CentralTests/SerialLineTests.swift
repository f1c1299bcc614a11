import Central
import Expecting
import TestSupport
import VirtualAir

/// Nordic's UART Service: what the phone writes to RX, and what TX notifies.
@Suite struct SerialLineTests {
  /// V36.
  private static let line = bytes(
    """
    7B 22 74 22 3A 22 76 65 72 22 2C 22 66 77 22 3A 22 4C 65 6E 6B 65 72 22 2C 22 68 77 22 3A 22 50 69 22 7D
    0D 0A
    """)

  private func subscribed() -> Encounter {
    let scene = ServedTableTests.scene(.remembered, mtu: 185)
    expect(scene.answers(to: "12 0f 00 01 00"), ["13"])
    scene.central.adoptBond()
    _ = scene.central.takeEvents()
    return scene
  }

  private func told(_ scene: Encounter, _ value: [UInt8]) -> [String] {
    scene.said { scene.central.change { $0.step(.notify(value.span), at: $1) } }
  }

  @Test func peripheralBehaviour44_aLineIsNotifiedInPartsOf20Octets() {
    let scene = subscribed()
    expect(Self.line.count, 37)
    let parts = [Array(Self.line.prefix(20)), Array(Self.line.dropFirst(20))]
    expect(told(scene, Self.line), parts.map { hex([0x1B, 0x0E, 0x00] + $0) })
    expect(told(scene, [0x41]), ["1b 0e 00 41"])
    expect(told(scene, []), [])
    scene.lose()
    _ = scene.meet()
    expect(told(scene, [0x42]), ["1b 0e 00 42"], "the subscription outlives the link")
  }

  @Test func peripheralBehaviour31_nothingIsNotifiedWithoutASubscriptionAndAKey() {
    for standing in ServedTableTests.Standing.allCases {
      let scene = ServedTableTests.scene(standing)
      expect(told(scene, Self.line), [])
      #expect(scene.said { scene.central.pass(2_000) }.allSatisfy { !$0.hasPrefix("1b") })
    }
    let scene = subscribed()
    expect(scene.answers(to: "12 0f 00 00 00"), ["13"])
    expect(told(scene, Self.line), [])
    scene.lose()
    expect(told(scene, Self.line), [])
    scene.controller.encrypts = false
    _ = scene.meet()
    expect(told(scene, Self.line), [])
    scene.controller.encryptionEnds(scene.central)
    expect(scene.said { scene.central.pass(1_000) }, [])
  }

  /// The phone takes nothing for a while: what finds no room is dropped whole, the rest comes in order.
  @Test func peripheralBehaviour44_whatWaitsIsBounded() {
    let scene = subscribed()
    scene.controller.leBuffers = (251, 8)
    scene.central.isTransportFull = true
    let said = scene.said {
      for index in 0..<100 { _ = told(scene, [UInt8](repeating: UInt8(index), count: 37)) }
      scene.central.isTransportFull = false
      scene.central.pass(0)
    }
    let octets = said.flatMap { bytes($0).dropFirst(3) }
    #expect(said.allSatisfy { $0.hasPrefix("1b 0e 00") && bytes($0).count <= 23 })
    expect(octets.count % 37 == 0 && (37 * 6...37 * 8).contains(octets.count))
    let lines = stride(from: 0, to: octets.count, by: 37).map { Set(octets[$0..<$0 + 37]) }
    expect(lines.map(\.count), lines.map { _ in 1 })
    expect(lines.compactMap(\.first), (0..<lines.count).map { UInt8($0) })
    expect(told(scene, [0x7F]), ["1b 0e 00 7f"])
  }

  /// What waited then is not sent after the next subscription.
  @Test func peripheralBehaviour44_whatWaitsIsDroppedWhenThePhoneUnsubscribes() throws {
    let scene = subscribed()
    scene.controller.completesPackets = false
    let said = scene.said {
      for _ in 0..<6 { _ = told(scene, Self.line) }
      scene.controller.send(channel: 0x04, bytes("12 0f 00 00 00"), scene.central)
      for _ in 0..<100 { scene.controller.complete(1, scene.central) }
    }
    let end = try #require(said.firstIndex(of: "13"))
    expect(said[..<end].allSatisfy { $0.hasPrefix("1b 0e 00") } && end < 12, "some had no room")
    expect(said[(end + 1)...], [])
    scene.controller.completesPackets = true
    expect(scene.answers(to: "12 0f 00 01 00"), ["13"])
    expect(told(scene, [0x42]), ["1b 0e 00 42"])
  }

  /// However much is to be told, an answer comes, and our own question goes out.
  @Test func peripheralBehaviour31_whatIsToldHoldsUpNoAnswer() {
    let scene = subscribed()
    scene.controller.completesPackets = false
    let dropped = scene.central.droppedCount
    let requests = scene.phone.requests.count
    let said = scene.said {
      for _ in 0..<20 { _ = told(scene, Self.line) }
      scene.central.read()
      scene.controller.send(channel: 0x04, bytes("0a 03 00"), scene.central)
      for _ in 0..<100 { scene.controller.complete(1, scene.central) }
    }
    expect(said.contains("0b 4c 65 6e 6b 65 72") && scene.central.droppedCount == dropped)
    expect(scene.phone.requests.count, requests + 1)
    #expect(said.filter { $0.hasPrefix("1b") }.count > 10)
  }

  @Test func peripheralBehaviour31_eachWriteIsToldOnceAndInOrder() {
    let scene = subscribed()
    for (index, part) in Self.line.enumerated() {
      expect(scene.answers(to: hex([0x12, 0x0C, 0x00, part])), ["13"])
      expect(scene.central.takeEvents(), [.written])
      expect(scene.central.written, Self.line.prefix(index + 1).map { [$0] })
    }
  }

  /// The rider does not want it any more: what it says in its last half second is nothing.
  @Test func peripheralBehaviour31_aPhoneThatIsForgottenWritesNothing() {
    let scene = subscribed()
    scene.controller.completesPackets = false
    scene.central.forget()
    _ = scene.answers(to: "12 0c 00 41")
    expect(scene.central.written, [])
  }
}
