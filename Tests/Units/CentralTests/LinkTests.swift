import ATT
import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// From a link to the first value, and what a phone may do on the way.
struct LinkTests {
  private let controller = VirtualController()

  @Test func theWayToTheFirstValueByteByByte() {
    controller.leBuffers = (251, 8)
    let value = bytes("04 03 02 01 01 d2 04 00 00") + Array("Hauptstraße".utf8)
    let (central, _) = Self.connected(controller) { $0.value = value }
    expect(
      central.takeAttributes(),
      [
        "02 05 02",
        "06 01 00 ff ff 00 28 6c 43 b3 1d 17 0f b2 a2 a8 4f 2f d9 28 e1 c1 71",
        "08 20 00 2f 00 03 28",
        "08 21 00 2f 00 03 28",
        "04 23 00 2f 00",
        "12 24 00 01 00",
        "0a 22 00",
        // Once there is a turn: Service Changed, which this phone lacks, the phone's name, and its battery.
        "06 01 00 ff ff 00 28 01 18", "08 01 00 ff ff 00 2a", "08 01 00 ff ff 19 2a",
      ])
    expect(central.values, [value])
    expect(central.names, ["Fairy"])
    central.read()
    expect(central.takeSaid(), ["02 40 00 07 00 03 00 04 00 0a 22 00"])
    expect(central.values, [value, value])
  }

  /// Whichever side asks first.
  @Test(arguments: [(185, 185), (517, 517), (600, 517), (0, 23)] as [(UInt16, Int)])
  func centralBehaviour19_theMTUIsTheSmallerOfBoth(_ offered: UInt16, _ agreed: Int) {
    expect(Self.connected { $0.mtu = offered }.0.mtu, agreed)
    let (central, phone) = Self.connected(controller) { $0.withheld = [0x02] }
    controller.send(channel: 0x04, [0x02] + little(offered), central)
    expect(phone.answers, [bytes("04 03 05 02")])
    expect(central.mtu, agreed)
  }

  @Test func centralBehaviour20_30SecondsWithoutAnAnswerEndTheLink() {
    let (central, phone) = Self.connected(controller) { $0.withheld = [0x0A] }
    central.pass(29_999)
    expect(controller.isConnected)
    central.pass(1)
    expect(!controller.isConnected)
    expect(
      central.takeEvents().suffix(3),
      [.unanswered, .disconnected(ErrorCode(rawValue: 0x16)), .scan(.fast)])
    // A late answer of the link that is gone is harmless.
    phone.withheld = []
    central.receive("02 40 20 06 00 02 00 04 00 0b 01")
    expect(central.takeEvents(), [])
    expect(central.droppedCount, 1)
  }

  @Test func anAnswerToNothingChangesNothing() {
    let (central, _) = Self.connected(controller) { $0.withheld = [0x06] }
    for answer in ["03 40 00", "0b 01", "13", "01 0a 22 00 01", "09 07 20 00 02 1f 00 19 2a"] {
      controller.send(channel: 0x04, bytes(answer), central)
    }
    expect(central.mtu, 185)
    controller.send(channel: 0x04, bytes("07 20 00 2f 00"), central)
    #expect(central.takeEvents().contains(.ready(isSubscribed: true)))
  }

  @Test func centralBehaviour23_indicationsAreConfirmedAndNotificationsIgnoredOfOtherHandles() {
    let (central, phone) = Self.connected(controller)
    controller.send(channel: 0x04, bytes("1d 99 00 01 02"), central)
    expect(phone.answers.last, bytes("04 1e"))
    controller.send(channel: 0x04, bytes("1b 23 00 01"), central)
    expect(central.values, [])
    controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), central)
    expect(central.values, [[1, 2, 3, 4]])
  }

  @Test func centralBehaviour24_aNotificationDuringATransactionIsKept() {
    let (central, phone) = Self.connected(controller) { $0.withheld = [0x12] }
    controller.send(channel: 0x04, VirtualPhone.notification([7, 7]), central)
    expect(central.values, [[7, 7]], "the answer to the subscription is still to come")
    // Before the first part of a read it is news of its own.
    controller.send(channel: 0x04, [0x13], central)
    phone.withheld = [0x0A, 0x0C]
    central.read()
    controller.send(channel: 0x04, VirtualPhone.notification([8, 8]), central)
    expect(central.values, [[7, 7], [8, 8]])
    // Between the parts it is news, too, and all is read again, so that no two values mix.
    let long = (0..<200).map { UInt8($0) }
    controller.send(channel: 0x04, [0x0B] + long[..<184], central)
    phone.withheld = []
    phone.value = long
    controller.send(channel: 0x04, VirtualPhone.notification([9, 9]), central)
    let count = phone.requests.count
    controller.send(channel: 0x04, [0x0D] + long[184...], central)
    expect(phone.requests[count...], [0x0A, 0x0C, 0x0A])
    expect(central.values, [[7, 7], [8, 8], [9, 9], long])
  }

  /// How a phone's CCCD may differ.
  enum CCCD: String, CaseIterable, Sendable {
    case absent, refused, behindAnotherDescriptor
  }

  @Test(arguments: CCCD.allCases)
  func centralBehaviour26_theValueCanBeReadThoughTheCCCDIs(_ cccd: CCCD) {
    let (central, phone) = Self.connected {
      $0.hasCCCD = cccd != .absent
      $0.refusesCCCD = cccd == .refused
      $0.descriptorBeforeCCCD = cccd == .behindAnotherDescriptor
    }
    let isSubscribed = cccd == .behindAnotherDescriptor
    #expect(central.takeEvents().contains(.ready(isSubscribed: isSubscribed)))
    phone.value = VirtualPhone.turn
    central.read()
    expect(central.values, [phone.value])
  }

  /// Its app adds it once it is opened again.
  @Test func centralBehaviour140_aPhoneWithoutTheServiceRestsForEverLongerUpToAMinute() {
    let (central, phone) = Self.connected(controller) { $0.hasService = false }
    let address = DeviceAddress(0xC605_0403_0201, .random)
    for rest in [5, 10, 20, 40, 60, 60] as [Int64] {
      #expect(central.takeEvents().contains(.serviceMissing(address, .service)))
      expect(!controller.isConnected)
      for _ in 0..<rest * 2 - 1 {
        controller.advertise(central)
        central.pass(500)
      }
      #expect(!central.takeEvents().contains(.connecting(address)), "\(rest) s")
      phone.hasService = rest == 60
      central.pass(500)
      controller.advertise(central)
      central.pass(200)
      if rest == 60 { break }
    }
    #expect(central.takeEvents().contains(.ready(isSubscribed: true)))
    // Bluetooth off and on: it begins with the shortest rest again.
    phone.hasService = false
    controller.disconnect(reason: 0x13, central)
    central.pass(1_000)
    controller.advertise(central)
    central.pass(1_000)
    phone.hasService = true
    central.pass(4_500)
    controller.advertise(central)
    central.pass(200)
    expect(controller.isConnected)
  }

  @Test func centralBehaviour16_dataOfAStaleHandleAreDropped() {
    let (central, _) = Self.connected(controller)
    central.receive([0x02, 0x41, 0x20, 9, 0, 5, 0, 4, 0] + VirtualPhone.notification([1, 2]))
    controller.disconnect(reason: 0x08, central)
    central.receive([0x02, 0x40, 0x20, 9, 0, 5, 0, 4, 0] + VirtualPhone.notification([1, 2]))
    expect(central.values, [])
    expect(central.droppedCount, 2)
  }

  /// Intervals, latency and timeout: 30 to 50 ms; a shortest one that is longer than the longest; silences of 2 s; a
  /// loss that is noticed after 20 s; timeouts shorter than the silence, and of 100 ms, 1.99 s and 2 s: a hand before
  /// the antenna lasts longer than a second.
  @Test(arguments: [
    ("18 00 28 00 00 00 90 01", true), ("28 00 18 00 00 00 90 01", false),
    ("a0 00 c8 00 07 00 58 02", false), ("18 00 28 00 00 00 d0 07", false),
    ("18 00 28 00 09 00 0a 00", false), ("50 00 64 00 04 00 64 00", false),
    ("18 00 28 00 00 00 0a 00", false), ("18 00 28 00 00 00 c7 00", false),
    ("18 00 28 00 00 00 c8 00", true),
  ])
  func centralBehaviour146_aWishThatNoRideCouldBearIsRefused(_ wish: String, _ isTaken: Bool) {
    let controller = VirtualController.hearingWishes()
    let (central, phone) = Self.connected(controller)
    _ = central.takeSaid()
    controller.send(channel: 0x05, bytes("12 01 08 00 " + wish), central)
    expect(phone.answers.last, bytes("05 13 01 02 00 0\(isTaken ? 0 : 1) 00"))
    let update = "01 13 20 0e 40 00 \(wish) 00 00 00 00"
    expect(central.takeSaid().contains(update), isTaken)
    central.receive("04 3e 0b 06 40 00 " + wish)
    expect(
      central.takeSaid(),
      [isTaken ? "01 20 20 0e 40 00 \(wish) 00 00 00 00" : "01 21 20 03 40 00 3b"])
    expect(controller.isConnected)
  }

  @Test func centralBehaviour18_aRefusedWishForSpeedIsHarmless() {
    controller.supportedCommands[33] = 1 << 6
    controller.supportedCommands[35] = 1 << 6
    controller.features = 1 << 5 | 1 << 8
    controller.refused = [0x2022: 0x11, 0x2032: 0x11]
    let (central, phone) = Self.connected(controller)
    expect(controller.commands.suffix(2), [0x2022, 0x2032])
    phone.value = VirtualPhone.turn
    central.read()
    expect(central.values, [phone.value])
  }

  @Test func centralBehaviour3_noMoreIsSentThanTheControllerHasBuffers() {
    controller.completesPackets = false
    controller.leBuffers = (27, 2)
    let (central, _) = Self.connected(controller)
    // MTU takes one; of the service's 27 bytes in two pieces only the first goes out.
    expect(controller.dataPackets, 2)
    controller.complete(1, central)
    expect(controller.dataPackets, 3)
    // All buffers come back with the next link.
    controller.disconnect(reason: 0x08, central)
    controller.completesPackets = true
    central.pass(5_000)
    controller.advertise(central)
    central.pass(200)
    #expect(central.takeEvents().contains(.ready(isSubscribed: true)))
  }

  @Test func disconnectingEndsTheLinkAndSearchesAnew() {
    let (central, _) = Self.connected(controller)
    _ = central.takeSaid()
    _ = central.takeEvents()
    central.disconnect()
    expect(central.takeSaid().first, "01 06 04 03 40 00 13")
    expect(central.takeEvents(), [.disconnected(ErrorCode(rawValue: 0x16)), .scan(.fast)])
    // It is a stranger again, so others have the same chance.
    controller.advertise(central)
    #expect(!central.takeEvents().contains(.ready(isSubscribed: true)))
    central.pass(100)
    controller.advertise(central)
    central.pass(100)
    #expect(central.takeEvents().contains(.ready(isSubscribed: true)))
  }

  @Test func aStrangerThatLeadsToNothingGivesWayToOthers() {
    let (central, _) = Self.connected(controller) { $0.withheld = [0x06] }
    central.pass(19_999)
    expect(controller.isConnected)
    central.pass(1)
    expect(!controller.isConnected)
    // It rests although it is the strongest, and the next one has its turn.
    #expect(central.takeEvents().contains(.unfinished))
    controller.advertise(central, rssi: -20)
    controller.report(bytes("01 02 02 02 02 02 c2"), VirtualPhone.listing, rssi: -90, central)
    central.pass(200)
    #expect(central.takeEvents().contains(.connecting(DeviceAddress(0xC202_0202_0202, .random))))
  }

  @Test func aPhoneThatHadTheServiceIsNotWaitedForWithoutEnd() {
    let (central, phone) = Self.connected(controller)
    phone.hasService = false
    central.read()
    central.pass(290_000)
    expect(controller.isConnected)
    central.pass(20_000)
    expect(!controller.isConnected)
    expect(controller.isScanning)
    controller.advertise(central)
    central.pass(200)
    expect(!controller.isConnected, "others have their turn for a minute")
  }

  @Test(arguments: [true, false]) func leavingEndsTheLinkAndTheSearch(_ isLinked: Bool) {
    let central = isLinked ? Self.connected(controller).0 : BringUpTests.started(controller).0
    _ = central.takeEvents()
    central.leave()
    let end: [HostEvent] = isLinked ? [.disconnected(ErrorCode(rawValue: 0x16))] : []
    expect(central.takeEvents(), end + [.scan(.off)])
    expect(central.mayEnd)
    expect(!controller.isScanning)
    central.pass(100_000)
    expect(central.takeEvents(), [])
  }

  static func connected(
    _ controller: VirtualController = VirtualController(),
    configure: (VirtualPhone) -> Void = { _ in }
  ) -> (Central, VirtualPhone) {
    let phone = VirtualPhone()
    configure(phone)
    let (central, _) = BringUpTests.started(controller)
    controller.phone = phone
    controller.advertise(central)
    central.pass(180)
    return (central, phone)
  }
}

/// What a link that led to nothing means for the next one to the same phone.
struct UnfinishedLinkTests {
  private let controller = VirtualController()

  /// Whether the phone is connected to when it is heard now.
  private func isConnectedTo(by central: Central) -> Bool {
    controller.advertise(central)
    central.pass(200)
    return controller.isConnected
  }

  /// So long after the end of the first link the second one ends.
  @Test(arguments: [(119_999, 60_000), (120_000, 5_000)] as [(Int64, Int64)])
  func centralBehaviour83_anUnfinishedLinkCountsForTwoMinutes(_ time: Int64, _ rest: Int64) {
    let (central, _) = LinkTests.connected(controller) { $0.withheld = [0x06] }
    while controller.isConnected { central.pass(1) }
    let end = central.now
    central.pass(time - 20_180)
    expect(isConnectedTo(by: central))
    while controller.isConnected { central.pass(1) }
    expect(central.now - end, time)
    central.pass(rest - 400)
    expect(!isConnectedTo(by: central))
    central.pass(400)
    expect(isConnectedTo(by: central))
  }

  @Test func centralBehaviour83_anUnfinishedLinkCountsOnce() {
    let (central, _) = LinkTests.connected(controller) { $0.withheld = [0x06] }
    central.pass(20_000)
    expect(!controller.isConnected)
    for rest in [5_000, 60_000, 5_000] as [Int64] {
      central.pass(rest - 400)
      expect(!isConnectedTo(by: central), "it rests for \(rest) ms")
      central.pass(400)
      expect(isConnectedTo(by: central))
      central.pass(20_000)
      expect(!controller.isConnected)
    }
  }

  /// At the edge of its range, where nothing gets through behind the encryption.
  @Test func centralBehaviour83_anUnfinishedLinkNeverCountsForTheRememberedPhone() {
    let scene = Encounter.pairedAndLost()
    for number in 1...4 {
      scene.controller.completesPackets = false
      scene.controller.advertise(scene.central)
      expect(scene.controller.isConnected)
      scene.central.pass(10_000)
      expect(!scene.controller.isConnected, "\(number)")
      scene.central.pass(1_000)
    }
    scene.controller.completesPackets = true
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
  }

  // MARK: - A phone that acknowledges nothing any more: the controller keeps what is meant for it

  @Test func aStrangerThatTakesNothingRestsForAMinuteTheSecondTime() {
    controller.completesPackets = false
    let (central, _) = LinkTests.connected(controller) { $0.withheld = [0x06] }
    for rest in [5_000, 60_000] as [Int64] {
      central.pass(10_000)
      expect(!controller.isConnected)
      central.pass(rest - 400)
      expect(!isConnectedTo(by: central), "it rests for \(rest) ms")
      central.pass(200)
      expect(isConnectedTo(by: central))
    }
  }

  /// It may stand at the edge of the range.
  @Test func theRememberedPhoneThatTakesNothingRestsForNoMinute() {
    let scene = Encounter.pairedAndLost()
    scene.phone.withheld = [0x06, 0x0A, 0x12]
    for _ in 0..<3 {
      scene.controller.completesPackets = false
      _ = scene.meet()
      expect(scene.controller.isConnected)
      scene.central.pass(10_000)
      expect(!scene.controller.isConnected)
      scene.controller.completesPackets = true
      scene.central.pass(5_000)
    }
  }

  @Test func aPhoneInARideThatTakesNothingIsLeftAfterTenSecondsAndTakenBackAtOnceEachTime() {
    let (central, _) = LinkTests.connected(controller) { $0.value = [1, 2, 3] }
    central.pass(60_000)
    for _ in 0..<3 {
      controller.completesPackets = false
      central.read()
      central.pass(9_999)
      expect(controller.isConnected)
      central.pass(1)
      expect(!controller.isConnected)
      #expect(central.takeEvents().contains(.unanswered))
      controller.completesPackets = true
      expect(isConnectedTo(by: central))
    }
  }
}
