import Bytes
import Central
import HCI
import Search
import TestSupport
import Testing
import VirtualAir

/// iPhones with komoot in the background.
@Suite struct OverflowAreaTests {
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
    #expect(OverflowArea(service).bit == bit)
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
    #expect(found == isFound)
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
    controller.report(
      bytes("01 02 02 02 02 02 c2"), bytes("11 07") + VirtualPhone.service, rssi: -90, central)
    central.pass(200)
    #expect(controller.peer == bytes("01 02 02 02 02 02 c2"))
  }
}
