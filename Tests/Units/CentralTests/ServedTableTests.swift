import Central
import Expecting
import TestSupport
import VirtualAir

/// The fifteen attributes of our server: what a stranger gets of them, and what the remembered phone.
///
/// Answers by Core Specification, Vol 3, Part F, 3.4 and Part C, 10.3.1.
struct ServedTableTests {
  /// Whose link it is.
  enum Standing: CaseIterable {
    /// A stranger's, which is not encrypted.
    case stranger
    /// The remembered phone's, while its encryption has begun.
    case begun
    /// The remembered phone's, encrypted.
    case remembered
  }

  /// A link of this kind on which both sides take this many octets; our own client waits for an answer.
  static func scene(_ standing: Standing, mtu: UInt16 = 23, isAsking: Bool = false) -> Encounter {
    let scene = Encounter(standing == .stranger ? .off : .preferred)
    scene.phone.mtu = mtu
    if standing == .stranger { _ = scene.meet() } else { scene.pair() }
    if standing == .begun {
      scene.lose()
      scene.controller.encrypts = false
      _ = scene.meet()
    }
    if isAsking {
      scene.phone.withheld = [0x0A]
      scene.central.read()
    }
    _ = scene.central.takeEvents()
    return scene
  }

  /// The first octets of the long UUIDs.
  private static let uart = "9e ca dc 24 0e e5 a9 e0 93 f3 a3 b5"

  /// Requests and answers that are the same for all.
  @Test(
    arguments: [
      // V13, V14: the three services, the last one with a long UUID in an answer of its own.
      ("10 01 00 ff ff 00 28", "11 06 01 00 05 00 00 18 06 00 09 00 01 18"),
      ("10 0a 00 ff ff 00 28", "11 14 0a 00 0f 00 \(uart) 01 00 40 6e"),
      ("10 10 00 ff ff 00 28", "01 10 10 00 0a"),
      ("06 01 00 ff ff 00 28 \(uart) 01 00 40 6e", "07 0a 00 0f 00"),
      // V15: Service Changed.
      ("08 06 00 09 00 03 28", "09 07 07 00 20 08 00 05 2a"),
      // V16: TX alone.
      ("08 0c 00 0f 00 03 28", "09 15 0d 00 10 0e 00 \(uart) 03 00 40 6e"),
      // V17: a configuration is found by its type.
      ("04 09 00 09 00", "05 01 09 00 02 29"), ("04 0f 00 0f 00", "05 01 0f 00 02 29"),
      ("04 0c 00 0c 00", "05 02 0c 00 \(uart) 02 00 40 6e"),
      ("04 0e 00 ff ff", "05 02 0e 00 \(uart) 03 00 40 6e"),
      // Values of which there are none to read, by their handles and by their types.
      ("0a 08 00", "01 0a 08 00 02"), ("0c 08 00 00 00", "01 0c 08 00 02"),
      ("0a 0c 00", "01 0a 0c 00 02"), ("0a 0e 00", "01 0a 0e 00 02"),
      ("08 01 00 ff ff 05 2a", "01 08 08 00 02"),
      ("08 01 00 ff ff \(uart) 02 00 40 6e", "01 08 0c 00 02"),
      // What is no service has nothing behind it (3.4.3.4): the name alone is found.
      ("06 01 00 ff ff 00 2a 4c 65 6e 6b 65 72", "07 03 00 03 00"),
      // By a value that nobody may read nothing is found.
      ("06 01 00 ff ff 05 2a", "01 06 01 00 0a"),
      // V19: nothing long is written, and commands get no answer.
      ("16 0c 00 00 00 41", "01 16 0c 00 06"), ("16 0c 00 00 00", "01 16 0c 00 06"),
      ("18 01", "01 18 00 00 06"), ("52 0c 00 41", ""), ("52 0f 00 01 00", ""),
      ("d2 0c 00 41 00 00 00 00 00 00 00 00 00 00 00 00", ""),
      // Nobody awaits this confirmation.
      ("1e", ""),
    ], Standing.allCases)
  func peripheralBehaviour31_theTableIsTheSameOnEveryLink(
    _ exchange: (request: String, answer: String), _ standing: Standing
  ) {
    for mtu: UInt16 in [23, 517] {
      for isAsking in [false, true] {
        let scene = Self.scene(standing, mtu: mtu, isAsking: isAsking)
        let expected = exchange.answer.isEmpty ? [] : [exchange.answer]
        expect(scene.answers(to: exchange.request), expected, "MTU \(mtu)")
        expect(scene.central.takeEvents(), [])
      }
    }
  }

  /// V16, of which an MTU of 23 has room for one line.
  @Test(arguments: Standing.allCases)
  func peripheralBehaviour31_bothLongDeclarationsFitIntoALargeAnswer(_ standing: Standing) {
    let rx = " 0b 00 08 0c 00 \(Self.uart) 02 00 40 6e"
    let tx = " 0d 00 10 0e 00 \(Self.uart) 03 00 40 6e"
    for (mtu, lines) in [(23, rx), (517, rx + tx)] as [(UInt16, String)] {
      let scene = Self.scene(standing, mtu: mtu)
      expect(scene.answers(to: "08 0b 00 0f 00 03 28"), ["09 15" + lines])
    }
  }

  /// What a stranger gets for a read and a write of two zeros, the remembered phone before, and after the encryption.
  @Test(
    arguments: [
      (0, "01", "01"), (1, "ok", "03"), (2, "ok", "03"), (3, "ok", "03"), (4, "ok", "03"),
      (5, "ok", "03"), (6, "ok", "03"), (7, "ok", "03"), (8, "02", "03"), (9, "key", "key"),
      (10, "ok", "03"), (11, "ok", "03"), (12, "02", "key"), (13, "ok", "03"), (14, "02", "03"),
      (15, "key", "key"), (16, "01", "01"), (0xFFFF, "01", "01"),
    ] as [(UInt16, String, String)], Standing.allCases)
  func peripheralBehaviour31_eachHandleAllowsWhatTheTableSays(
    _ line: (handle: UInt16, read: String, write: String), _ standing: Standing
  ) {
    let scene = Self.scene(standing)
    let handle = hex(little(line.handle))
    for (opcode, tail, expected) in [("0a", "", line.read), ("12", " 00 00", line.write)] {
      let answer = scene.answers(to: "\(opcode) \(handle)\(tail)")
      var code = expected
      if expected == "key" {
        code = standing == .stranger ? "05" : standing == .begun ? "0f" : "ok"
      }
      if code == "ok" {
        expect(answer.count == 1 && answer[0].hasPrefix(opcode == "0a" ? "0b" : "13"))
      } else {
        expect(answer, ["01 \(opcode) \(handle) \(code)"])
        expect(scene.central.takeEvents() == [] && scene.central.written == [])
      }
    }
  }

  /// By its type too: what may not be read ends a list, or is refused.
  @Test(arguments: [
    (Standing.stranger, "01 08 09 00 05"), (.begun, "01 08 09 00 0f"),
    (.remembered, "09 04 09 00 00 00 0f 00 00 00"),
  ])
  func peripheralBehaviour31_configurationsAreReadWithAKeyOnly(standing: Standing, answer: String) {
    let scene = Self.scene(standing)
    expect(scene.answers(to: "08 01 00 ff ff 02 29"), [answer])
    let found = scene.answers(to: "06 01 00 ff ff 02 29 00 00")
    expect(found, [standing == .remembered ? "07 09 00 09 00 0f 00 0f 00" : "01 06 01 00 0a"])
  }

  // MARK: - Writing

  /// V18, and the same for the other configuration.
  @Test(arguments: [
    ("12 0f 00 01 00", "13"), ("12 0f 00 00 00", "13"), ("12 0f 00 02 00", "01 12 0f 00 13"),
    ("12 0f 00 03 00", "01 12 0f 00 13"), ("12 0f 00 01 01", "01 12 0f 00 13"),
    ("12 0f 00", "01 12 0f 00 0d"), ("12 0f 00 01", "01 12 0f 00 0d"),
    ("12 0f 00 01 00 00", "01 12 0f 00 0d"),
    ("12 09 00 02 00", "13"), ("12 09 00 00 00", "13"), ("12 09 00 01 00", "01 12 09 00 13"),
    ("12 09 00 02", "01 12 09 00 0d"), ("12 09 00 02 00 00", "01 12 09 00 0d"),
  ])
  func peripheralBehaviour31_aConfigurationTakesTwoValues(_ request: String, _ answer: String) {
    for mtu: UInt16 in [23, 517] {
      let scene = Self.scene(.remembered, mtu: mtu, isAsking: true)
      expect(scene.answers(to: request), [answer])
      let stranger = Self.scene(.stranger, mtu: mtu)
      expect(stranger.answers(to: request), ["01 " + request.prefix(8) + " 05"])
    }
  }

  /// The longest value of an attribute has 512 octets (Vol 3, Part F, 3.2.9); the MTU has room for more.
  @Test(arguments: [0, 1, 20, 100, 509, 510, 511, 512, 513, 514])
  func peripheralBehaviour31_whatTheRememberedPhoneWritesIsToldUnlessItIsTooLong(_ count: Int) {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
    let scene = Self.scene(.remembered, mtu: 517, isAsking: count <= 512)
    let answer = scene.answers(to: hex([0x12, 0x0C, 0x00] + value))
    expect(answer, [count <= 512 ? "13" : "01 12 0c 00 0d"])
    expect(scene.central.takeEvents(), count <= 512 ? [.written] : [])
    expect(scene.central.written, count <= 512 ? [value] : [])
  }

  /// A request gets one answer, whole or not; a command and a confirmation none.
  @Test(
    arguments: [
      "10 01 00 ff ff 00 28", "06 01 00 ff ff 00 28 01 18", "08 06 00 09 00 03 28",
      "04 0f 00 0f 00", "0a 0f 00", "0c 0f 00 00 00", "12 0f 00 01 00", "12 09 00 02 00",
      "12 0c 00 41 42", "16 0c 00 00 00 41", "18 01", "52 0c 00 41", "d2 0c 00 41", "02 17 00",
      "1e",
    ], Standing.allCases)
  func peripheralBehaviour31_everyPrefixGetsOneAnswer(_ request: String, _ standing: Standing) {
    let whole = bytes(request)
    let isAnswered = ![0x52, 0xD2, 0x1E].contains(whole[0])
    for count in 1...whole.count {
      let scene = Self.scene(standing)
      let answer = scene.answers(to: hex(Array(whole.prefix(count))))
      expect(answer.count, (isAnswered ? 1 : 0), "\(count) octets")
      if count < 3, isAnswered, whole[0] != 0x18 {
        expect(answer, ["01 \(hex([whole[0]])) 00 00 04"])
      }
      if count < whole.count, [0x09, 0x0F].contains(whole[1]), whole[0] == 0x12 {
        expect(scene.central.takeEvents(), [], "half a configuration sets nothing")
      }
    }
  }
}

extension Encounter {
  /// What our server says to a request of the phone, the channel left out.
  func answers(to request: String) -> [String] {
    said { controller.send(channel: 0x04, bytes(request), central) }
  }

  /// What our server says meanwhile, answers and what it tells by itself.
  func said(_ action: () -> Void) -> [String] {
    let count = phone.answers.count
    action()
    return phone.answers.dropFirst(count).map { hex(Array($0.dropFirst())) }
  }
}

/// Nordic's UART Service: what the phone writes to RX, and what TX notifies.
struct SerialLineTests {
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
