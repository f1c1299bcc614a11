import Bytes
import Central
import Expecting
import HCI
import Search
import TestSupport
import VirtualAir

/// From advertisements to an attempt to connect.
struct ScanTests {
  private static let phone = DeviceAddress(0xC605_0403_0201, .random)

  /// A listing of the service, in each of the places where it counts, and what is none.
  @Test(
    arguments: [
      ("a complete list", bytes("02 01 06 11 07") + VirtualPhone.service, 0, true),
      ("an incomplete list", bytes("11 06") + VirtualPhone.service, 0, true),
      (
        "behind another UUID",
        bytes("21 07") + [UInt8](repeating: 1, count: 16) + VirtualPhone.service, 0, true
      ),
      ("a scan response", bytes("06 09 46 61 69 72 79 11 07") + VirtualPhone.service, 4, true),
      ("another service", bytes("11 07") + [UInt8](repeating: 7, count: 16), 0, false),
      ("a list that is cut", VirtualPhone.listing.dropLast(), 0, false),
      ("a structure that lies about its length", bytes("ff 07") + VirtualPhone.service, 0, false),
      ("nothing", [], 0, false),
      ("who takes no connections", VirtualPhone.listing, 3, false),
    ] as [(String, [UInt8], UInt8, Bool)])
  func centralBehaviour11_theServiceCountsIn(
    _ place: String, _ data: [UInt8], _ type: UInt8, _ counts: Bool
  ) {
    let (central, controller) = BringUpTests.started()
    _ = central.takeEvents()
    controller.report(bytes("01 01 02 03 04 05 c6"), data, type: type, central)
    expect(central.takeEvents(), (counts ? [.phone(Self.phone, rssi: -60, .service)] : []))
    central.pass(1_000)
    expect(counts || central.takeEvents() == [])
  }

  /// LE Extended Advertising Report of this type.
  private static func extendedReport(_ type: UInt8) -> [UInt8] {
    let head = [type] + bytes("00 01 01 02 03 04 05 c6 01 00 ff 7f c4 00 00 00 00 00 00 00 00 00")
    let report = head + [UInt8(VirtualPhone.listing.count)] + VirtualPhone.listing
    return [0x04, 0x3E, UInt8(report.count + 2), 0x0D, 1] + report
  }

  /// ADV_SCAN_IND and its response, by legacy reports, of which the last four are known; then both in one extended one.
  @Test func aScanResponseOfWhoTakesNoConnectionsIsNoPhone() {
    let (central, controller) = BringUpTests.started()
    _ = central.takeEvents()
    let addresses = (0..<5).map { [1, $0, 2, 3, 4, 5, 0xC6] as [UInt8] }
    for address in addresses { controller.report(address, bytes("02 01 06"), type: 2, central) }
    for address in addresses.dropFirst() {
      controller.report(address, VirtualPhone.listing, type: 4, central)
    }
    central.receive(Self.extendedReport(0x1A))
    expect(central.takeEvents(), [])
    // Another one's response still counts.
    controller.report(bytes("01 01 02 03 04 05 c7"), VirtualPhone.listing, type: 4, central)
    expect(
      central.takeEvents(), [.phone(DeviceAddress(0xC705_0403_0201, .random), rssi: -60, .service)])
  }

  /// And a malformed structure ends the parse of its own report only.
  @Test func centralBehaviour12_extendedReportsAndThoseBehindAMalformedOneAreUnderstood() {
    let good = bytes("00 01 01 02 03 04 05 c6 12") + VirtualPhone.listing + [0xC4]
    let bad = bytes("00 01 09 09 09 09 09 c9 04 11 07 00 00 c4")
    let legacy = [0x04, 0x3E, UInt8(2 + bad.count + good.count), 0x02, 2] + bad + good
    for report in [Self.extendedReport(0x13), legacy] {
      let (central, _) = BringUpTests.started()
      _ = central.takeEvents()
      central.receive(report)
      expect(central.takeEvents(), [.phone(Self.phone, rssi: -60, .service)])
    }
  }

  @Test func centralBehaviour9_scanningIsFastFor30SecondsAndThenSlow() {
    let (central, controller) = BringUpTests.started()
    _ = central.takeEvents()
    _ = central.takeSaid()
    central.pass(29_999)
    expect(central.takeEvents(), [])
    central.pass(1)
    expect(central.takeEvents(), [.scan(.slow)])
    // Off, 64 ms of 640 ms and still active, on again.
    expect(
      central.takeSaid(),
      ["01 0c 20 02 00 00", "01 0b 20 07 01 00 04 66 00 00 00", "01 0c 20 02 01 00"])
    expect(controller.isScanning)
    // Who hears nobody is woken once, a minute after the scan began, to see whether the controller still listens.
    expect(central.deadline, Instant(milliseconds: 60_000))
    central.searchFast()
    expect(central.takeEvents(), [.scan(.fast)])
  }

  @Test func centralBehaviour15_amongStrangersTheStrongestIsTaken() {
    let (central, controller) = BringUpTests.started()
    controller.connects = false
    controller.report(bytes("01 01 01 01 01 01 c1"), VirtualPhone.listing, rssi: -80, central)
    controller.report(bytes("01 02 02 02 02 02 c2"), VirtualPhone.listing, rssi: -50, central)
    controller.report(bytes("01 03 03 03 03 03 c3"), VirtualPhone.listing, rssi: 127, central)
    central.pass(200)
    expect(central.takeEvents().last, .connecting(DeviceAddress(0xC202_0202_0202, .random)))
    expect(controller.peer, bytes("01 02 02 02 02 02 c2"))
  }

  @Test func afterARideAnAttemptThatFailedBeforeItCountsForNothing() {
    let near = bytes("01 02 02 02 02 02 c2")
    let (central, controller) = BringUpTests.started()
    let phone = VirtualPhone()
    controller.phone = phone
    controller.connects = false
    controller.report(near, phone.advertisement, rssi: -40, central)
    central.pass(200)
    expect(controller.peer, near)
    controller.connect(central, status: 0x3E)
    controller.connects = true
    controller.advertise(central)
    central.pass(200)
    #expect(central.takeEvents().contains(.ready(isSubscribed: true)))
    central.disconnect()
    central.pass(10_000)
    for _ in 0..<3 {
      controller.report(near, phone.advertisement, rssi: -40, central)
      controller.advertise(central)
      central.pass(100)
    }
    expect(controller.peer, near, "it is the nearer one of two strangers")
  }

  @Test func manyPhonesAtOnceOverrunNothing() {
    let (central, controller) = BringUpTests.started()
    controller.connects = false
    for number in UInt8(0)..<200 {
      controller.report(
        [1, number, 0, 0, 0, 0, 0xC0], VirtualPhone.listing, rssi: -100 + Int8(number / 4), central)
    }
    central.pass(200)
    expect(controller.peer, bytes("01 c4 00 00 00 00 c0"), "the first of the strongest")
  }

  enum Cancel: CaseIterable { case succeeds, comesTooLate, isNotAnswered }

  /// A link that came up meanwhile is used, and where there is no answer everything starts over.
  @Test(arguments: Cancel.allCases)
  func centralBehaviour13_aPendingConnectIsCancelledOnceAfter5Seconds(_ cancel: Cancel) {
    let (central, controller) = Self.connecting()
    if cancel != .succeeds { controller.withheld = [0x200E] }
    central.pass(4_999)
    #expect(!controller.commands.contains(0x200E))
    central.pass(1)
    expect(controller.commands.filter { $0 == 0x200E }.count, 1)
    switch cancel {
    case .succeeds: expect(controller.isScanning && central.takeEvents().last == .scan(.fast))
    case .comesTooLate:
      controller.connect(central)
      controller.commandComplete(0x200E, [0x0C], central)
      central.pass(3_000)
      #expect(central.takeEvents().contains(.ready(isSubscribed: true)))
    case .isNotAnswered:
      central.pass(2_000)
      expect(central.takeEvents().failures.count, 1)
      controller.withheld = []
      central.pass(1_000)
      expect(central.takeEvents().last, .scan(.fast))
    }
  }

  /// As is an attempt that is refused.
  @Test(arguments: [nil, 0x0C] as [UInt8?])
  func centralBehaviour14_aConnectionThatFailedToBeEstablishedIsARetry(_ refusal: UInt8?) {
    let controller = VirtualController()
    controller.refused[0x200D] = refusal
    let (central, _) = Self.connecting(controller)
    if refusal == nil { controller.connect(central, status: 0x3E) }
    let events = central.takeEvents()
    expect(events.last == .scan(.fast) && events.failures == [])
  }

  /// A host whose attempt to connect is pending.
  static func connecting(
    _ controller: VirtualController = VirtualController()
  ) -> (Central, VirtualController) {
    let (central, _) = BringUpTests.started(controller)
    controller.phone = VirtualPhone()
    controller.connects = false
    controller.advertise(central)
    central.pass(180)
    return (central, controller)
  }

  @Test func centralBehaviour52_aLinkToSomebodyElseThanWasAskedForIsEnded() {
    let (central, controller) = Self.connecting()
    _ = central.takeEvents()
    _ = central.takeSaid()
    controller.connect(central, to: bytes("01 09 09 09 09 09 49"))
    #expect(central.takeSaid().contains("01 06 04 03 40 00 13"))
    let events = central.takeEvents()
    expect(!events.isConnected && events.last == .scan(.fast))
  }

  /// What told of it was damaged on the wire, and its handle with it.
  @Test func aLinkThatOnlyTheControllerKnowsOfEndsWithReset() {
    let scene = Encounter()
    scene.controller.connects = false
    scene.controller.advertise(scene.central)
    scene.central.pass(200)
    _ = scene.central.takeEvents()
    scene.controller.connect(scene.central, status: 0x0B)
    #expect(scene.central.takeEvents().contains(.failed(.linkUnknown)))
    _ = scene.central.takeSaid()
    scene.central.pass(1_000)
    #expect(scene.central.takeSaid().contains("01 03 0c 00"))
    scene.controller.connects = true
    scene.central.pass(5_000)
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
  }

  @Test func aSearchThatBeginsAnewBeforeTheControllerIsToldIsToldOnce() {
    let (central, controller) = BringUpTests.started()
    let count = controller.commands.count
    controller.withheld = [0x200C]
    for _ in 0..<10 { central.disconnect() }
    controller.withheld = []
    controller.commandComplete(0x200C, [0x00], central)
    // Off, how, and on.
    expect(controller.commands[count...], [0x200C, 0x200B, 0x200C])
  }
}

/// iPhones with komoot in the background.
struct OverflowAreaTests {
  /// Published points, beside komoot's own bit.
  @Test(
    arguments: [
      (UUID(0x71C1_E128_D92F_4FA8, 0xA2B2_0F17_1DB3_436C), 44),
      (UUID(0xB82A_B3FC_1595_4F6A, 0x80F0_FE09_4CC2_18F9), 7),
      (UUID(0x17E0_33D3_490E_4BC9, 0x9FE8_2F56_7643_F4D3), 16),
      (UUID(0xC1F5_983C_FA94_4AC8, 0x8E2E_BB86_D6DE_9B21), 73),
      (UUID(0x9AA4_730F_B25C_4CC3, 0xB821_C931_559F_C196), 69),
      (UUID(0x7A0B_8D2E_4C1F_4E6A, 0x9B3D_2F5E_8C1A_7D10), 117),
      (UUID(short: 0x3333), 62), (UUID(short: 0x1001), 62),
    ] as [(UUID, Int)])
  func theBitOfAServiceIsAChecksumOfItsUUID(_ service: UUID, _ bit: Int) {
    expect(OverflowArea(service).bit, bit)
  }

  /// `mask[5] & 0x08` is komoot's bit.
  private static let mask = "00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00"
  private static let otherMask = "ff ff ff ff ff f7 ff ff ff ff ff ff ff ff ff ff"

  @Test(arguments: [
    ("the mask alone", "14 ff 4c 00 01 " + mask, true),
    ("behind another of Apple's frames", "18 ff 4c 00 10 02 aa bb 01 " + mask, true),
    ("behind the flags", "02 01 1a 14 ff 4c 00 01 " + mask, true),
    ("every bit but komoot's", "14 ff 4c 00 01 " + otherMask, false),
    ("another company", "14 ff 4d 00 01 " + mask, false),
    ("another type", "14 ff 4c 00 09 " + mask, false),
    ("data of a service instead of a company", "14 16 4c 00 01 " + mask, false),
    ("a mask that is cut", "09 ff 4c 00 01 00 00 00 00 08", false),
    ("a frame that lies about its length", "07 ff 4c 00 10 ff 01 08", false),
  ])
  func aMaskIsFound(_ where: String, _ advertisement: String, _ isFound: Bool) {
    let area = OverflowArea(Central.service)
    let data = bytes(advertisement)
    let found = area.isSet(in: data.span)
    expect(found, isFound)
  }

  @Test func aPhoneInTheBackgroundIsConnectedTo() {
    let (central, controller) = BringUpTests.started()
    let phone = VirtualPhone()
    phone.advertisement = bytes("14 ff 4c 00 01 " + Self.mask)
    controller.phone = phone
    controller.advertise(central)
    central.pass(200)
    let events = central.takeEvents()
    #expect(events.contains(.phone(DeviceAddress(0xC605_0403_0201, .random), rssi: -60, .overflow)))
    #expect(events.contains(.ready(isSubscribed: true)))
  }

  @Test func aPhoneThatNamesTheServiceComesBeforeAStrongerOneThatMay() {
    let (central, controller) = BringUpTests.started()
    controller.connects = false
    controller.report(
      bytes("01 01 01 01 01 01 c1"), bytes("14 ff 4c 00 01 " + Self.mask), rssi: -30, central)
    controller.report(bytes("01 02 02 02 02 02 c2"), VirtualPhone.listing, rssi: -90, central)
    central.pass(200)
    expect(controller.peer, bytes("01 02 02 02 02 02 c2"))
  }
}
