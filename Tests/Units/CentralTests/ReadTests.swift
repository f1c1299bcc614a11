import ATT
import Central
import Expecting
import Link
import TestSupport
import VirtualAir

/// Reading a value to its end, however the phone cuts and changes it.
struct ReadTests {
  /// A value of this many bytes; the first ones tell it from the next.
  private static func value(_ count: Int, seed: UInt8 = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) &+ seed }
  }

  /// MTU 23 carries 22 bytes in an answer, so 22, 44 and 66 are exact multiples.
  @Test(arguments: [0, 1, 9, 21, 22, 23, 43, 44, 45, 66, 100, 511, 512])
  func centralBehaviour27_aValueOfAnyLengthIsReadWhole(_ count: Int) {
    for blobErrorAtEnd in [nil, 0x07, 0x0B] as [UInt8?] {
      let (central, phone) = LinkTests.connected {
        $0.mtu = 23
        $0.blobErrorAtEnd = blobErrorAtEnd
      }
      phone.value = Self.value(count)
      central.read()
      expect(central.values, [Self.value(count)], "error \(String(describing: blobErrorAtEnd))")
    }
  }

  /// Another value is notified each time: the third time the first part is all.
  @Test func centralBehaviour27_aValueThatIsNotifiedAnewThreeTimesIsCut() {
    let (part, other) = (Self.value(22), Self.value(22, seed: 1))
    var reading = LongRead()
    reading.begin()
    for _ in 0..<3 {
      expect(reading.receive(part.span, partCount: 22), .unfinished)
      reading.notified(other.span, identifierCount: 4)
      expect(reading.receive(part.span, partCount: 22), .unfinished, "it does not count")
    }
    expect(reading.receive(part.span, partCount: 22), .whole)
    expect(reading.isCut)
  }

  /// An answer that is full says nothing of more, where no value can be longer.
  @Test(arguments: [513, 517] as [UInt16])
  func centralBehaviour27_aLargeMTUNeedsOneReadOnly(_ mtu: UInt16) {
    let (central, phone) = LinkTests.connected { $0.mtu = mtu }
    phone.value = Self.value(512)
    let count = phone.requests.count
    central.read()
    expect(Array(phone.requests[count...]), [0x0A])
    expect(central.values, [Self.value(512)])
  }

  /// An app that thinks of the smallest MTU cuts what is read, and hands the rest out by Read Blob.
  @Test(arguments: [20, 22], [0, 1, 60])
  func centralBehaviour56_aFirstPartOfTheLengthOfASmallPacketIsReadOn(_ cut: Int, _ more: Int) {
    for blobErrorAtEnd in [nil, 0x07, 0x0B] as [UInt8?] {
      let (central, phone) = LinkTests.connected {
        $0.mtu = 185
        $0.cut = cut
        $0.blobErrorAtEnd = blobErrorAtEnd
      }
      phone.value = Self.value(cut + more)
      central.read()
      expect(central.values, [Self.value(cut + more)])
      if more == 0 { expect(phone.requests.count { $0 == 0x0C }, 1) }
    }
  }

  /// While the second part is on its way, and while it is made sure of that the first one still holds.
  @Test(arguments: [(0x0C, 1), (0x0A, 2)] as [(UInt8, Int)])
  func centralBehaviour27_aNotificationBetweenThePartsIsNotMixedIn(_ opcode: UInt8, _ number: Int) {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.mtu = 23 }
    phone.value = Self.value(40)
    var count = 0
    phone.onRequest = {
      if $0 == opcode { count += 1 }
      guard $0 == opcode, count == number else { return }
      controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), central)
    }
    central.read()
    // What it says is read instead, as soon as that is possible.
    expect(central.values, [[1, 2, 3, 4], Self.value(40)])
    expect(phone.requests.suffix(3), [0x0A, 0x0C, 0x0A])
  }

  /// It is repeated each two seconds.
  @Test func centralBehaviour137_aNotificationOfTheValueThatIsBeingReadDoesNotHoldItUp() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.mtu = 23 }
    phone.value = Self.value(40)
    phone.onRequest = {
      let notification = VirtualPhone.notification(Array(Self.value(4)))
      if $0 == 0x0C { controller.send(channel: 0x04, notification, central) }
    }
    let count = phone.requests.count
    central.read()
    expect(central.values, [Self.value(4), Self.value(40)])
    expect(phone.requests[count...], [0x0A, 0x0C, 0x0A])
  }

  /// Each is refused or empty where the new value, which is shorter, has nothing more.
  @Test(arguments: [nil, 0x07] as [UInt8?], [9, 15, 22, 30, 44, 60])
  func centralBehaviour137_ofAValueThatChangesNothingIsMixedOrCut(_ error: UInt8?, _ count: Int) {
    let (central, phone) = LinkTests.connected {
      $0.mtu = 23
      $0.blobErrorAtEnd = error
    }
    phone.value = Self.value(60)
    phone.onRequest = { if $0 == 0x0C { phone.value = Self.value(count, seed: 50) } }
    central.read()
    expect(central.values, [Self.value(count, seed: 50)])
  }

  @Test func centralBehaviour137_ofAValueThatNeverStopsChangingTheFirstPartIsGiven() {
    let (central, phone) = LinkTests.connected { $0.mtu = 23 }
    var seed: UInt8 = 0
    phone.onRequest = { opcode in
      guard opcode == 0x0A || opcode == 0x0C else { return }
      seed &+= 1
      phone.value = Self.value(40, seed: seed)
    }
    phone.value = Self.value(40)
    let count = phone.requests.count
    central.read()
    // Between two letters.
    expect(central.values, [Array(Self.value(40, seed: seed).prefix(22))])
    // Each of three attempts ends with the first part of the next one.
    expect(phone.requests[count...], [0x0A, 0x0C, 0x0A, 0x0C, 0x0A, 0x0C, 0x0A])
    // The next read has as many attempts.
    phone.value = Self.value(40)
    phone.onRequest = { opcode in
      if opcode == 0x0C, phone.value == Self.value(40) { phone.value = Self.value(40, seed: 200) }
    }
    central.read()
    expect(central.values.last, Self.value(40, seed: 200))
  }

  @Test func aValueThatNeverEndsIsCutAt512Bytes() {
    let (central, phone) = LinkTests.connected { $0.mtu = 23 }
    phone.value = Self.value(5_000)
    central.read()
    expect(central.values, [Self.value(512)])
  }

  @Test(arguments: [UInt8(0x0A), 0x01, 0x02, 0x80])
  func centralBehaviour27_aRefusedReadIsReportedAndTheNextOneWorks(_ code: UInt8) {
    let (central, phone) = LinkTests.connected()
    _ = central.takeEvents()
    phone.readError = code
    central.read()
    expect(central.takeEvents().first, .readRefused(AttributeError(rawValue: code)))
    phone.readError = nil
    central.pass(2_000)  // an invalid handle means a new search
    phone.value = Self.value(9)
    central.read()
    expect(central.values, [Self.value(9)])
  }

  @Test func readsThatOverlapBecomeOneMoreRead() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.withheld = [0x0A] }
    phone.value = Self.value(9)
    for _ in 0..<5 { central.read() }
    phone.withheld = []
    controller.send(channel: 0x04, [0x0B] + Self.value(10), central)
    expect(central.values, [Self.value(10), Self.value(9)])
  }
}

/// Phones that agree to a large MTU, and end the link at the first long packet.
struct LongFrameTests {
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
    // Its silence is noticed after the supervision timeout.
    if scene.phone.longFrameEnd?.reason == 0x08 { scene.central.pass(4_000) }
    return scene.central.takeEvents()
  }

  /// Its own end, and silence; with a first piece and without one.
  @Test(arguments: [0, 1], [0x13, 0x08] as [UInt8])
  func centralBehaviour120_whoEndsTwoLinksAtALongFrameGetsShortOnes(pieces: Int, reason: UInt8) {
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

  /// A read that it did not hear was asked when its silence had begun.
  @Test(arguments: [1_000, 3_900] as [Int64])
  func centralBehaviour120_aPhoneThatWasOutOfRangeBeforeTheReadIsNotSuspected(_ time: Int64) {
    let scene = lost()
    scene.phone.withheld = [0x0A]
    for _ in 0..<4 {
      expect(meet(scene).contains(.longFramesRefused), false)
      expect(scene.phone.requests.last, 0x0A)
      scene.central.pass(time)
      scene.controller.disconnect(reason: 0x08, scene.central)
      expect(scene.central.takeEvents().contains(.longFramesRefused), false)
    }
  }

  @Test func centralBehaviour120_onlyTwoLinksInARowCount() {
    let scene = lost()
    for _ in 0..<3 {
      scene.phone.longFrameEnd = (0, 0x13)
      expect(meet(scene).contains(.longFramesRefused), false)
      scene.phone.longFrameEnd = nil
      scene.phone.withheld = [0x12]
      expect(meet(scene).contains(.encrypted) && scene.controller.isConnected)
      scene.controller.disconnect(reason: 0x13, scene.central)
      scene.phone.withheld = []
    }
  }

  @Test func centralBehaviour120_theNextRememberedPhoneIsNotJudgedByTheLast() {
    let scene = lost()
    scene.phone.longFrameEnd = (0, 0x13)
    _ = meet(scene)
    #expect(meet(scene).contains(.longFramesRefused))
    scene.central.forget()
    let other = VirtualSecurity(number: 1)
    (scene.phone.security, scene.phone.address) = (other, other.privateAddress(1))
    (scene.phone.longFrameEnd, scene.phone.value) = (nil, VirtualPhone.turn)
    scene.central.pass(1_000)
    scene.central.searchFast()
    scene.pair()
    expect(scene.central.memory, .keys)
    scene.lose()
    #expect(meet(scene).contains(.encrypted))
    expect(scene.central.mtu, 517)
  }

  /// No long frame was awaited.
  @Test func centralBehaviour120_aPhoneOfShortFramesThatEndsItsLinkAtARequestIsNotSuspected() {
    let scene = lost()
    scene.phone.mtu = 23
    scene.phone.withheld = [0x0A]
    for _ in 0..<4 {
      expect(meet(scene).contains(.longFramesRefused), false)
      scene.controller.disconnect(reason: 0x13, scene.central)
      expect(scene.central.takeEvents().contains(.longFramesRefused), false)
    }
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
      visit.central.receive(
        bytes("02 40 20 1b 00 3c 00 04 00 0b") + [UInt8](repeating: 7, count: 22))
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
