import Bytes
import Central
import Controller
import Expecting
import HCI
import TestSupport
import VirtualAir

/// A chip without an address of its own gets the board's.
struct BoardAddressTests {
  private static let board = DeviceAddress(0xB827_EB12_3456, .public)

  /// Brings a controller up whose address is this, most significant byte first; what it says then.
  private static func started(
    _ address: String, _ central: Central = Central(boardAddress: board),
    _ change: (VirtualController) -> Void = { _ in }
  ) -> (address: DeviceAddress?, commands: [UInt16]) {
    let controller = VirtualController()
    controller.address = bytes(address).reversed()
    change(controller)
    controller.attach(to: central)
    central.start()
    return (addressTold(central), controller.commands)
  }

  private static func addressTold(_ central: Central) -> DeviceAddress? {
    for case .controller(let address, _, _) in central.takeEvents() { return address }
    return nil
  }

  /// As the kernel's driver and Raspberry Pi OS know them; Cypress has Broadcom's.
  @Test(
    arguments: [
      ("43 43 a1 12 1f ac", 15), ("43 43 a0 12 1f ac", 15), ("43 45 c5 00 1f ac", 15),
      ("aa aa aa aa aa aa", 15), ("43 45 c5 00 1f ac", 305),
    ] as [(String, UInt16)])
  func aSharedAddressIsReplacedAtEachBringUp(_ address: String, _ manufacturer: UInt16) {
    let central = Central(boardAddress: Self.board)
    for _ in 1...2 {
      let (told, commands) = Self.started(address, central) { $0.manufacturer = manufacturer }
      expect(told, Self.board)
      // Read, written, and then all from Reset on.
      expect(
        commands.prefix(9),
        [0x0C03, 0x1001, 0x1002, 0x1009, 0xFC01, 0x0C03, 0x1001, 0x1002, 0x1009])
      expect(commands.filter { $0 == 0xFC01 }.count, 1)
    }
  }

  /// As does a shared one where the board is not known, or the command of that number may do anything.
  @Test(
    arguments: [
      ("b8 27 eb 4c 45 4e", board, 15), ("43 44 a1 12 1f ac", board, 15),
      ("aa aa aa aa aa ab", board, 15), ("43 43 a1 12 1f ac", nil, 15),
    ] + [0, 2, 10, 13, 93, 0xFFFF].map { ("43 43 a1 12 1f ac", board, $0) }
      as [(String, DeviceAddress?, UInt16)])
  func centralBehaviour5_anAddressOfItsOwnAndThatOfAnotherMakersChipStays(
    _ address: String, _ board: DeviceAddress?, _ manufacturer: UInt16
  ) {
    let (told, commands) = Self.started(address, Central(boardAddress: board)) {
      $0.manufacturer = manufacturer
    }
    let own = bytes(address).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    expect(told == DeviceAddress(own, .public) && !commands.contains(0xFC01))
  }

  @Test(arguments: [true, false])
  func aChipThatRefusesOrOnlyPretendsIsAskedOnceAndUsedAsItIs(_ refuses: Bool) {
    let (told, commands) = Self.started("43 43 a1 12 1f ac") {
      if refuses { $0.refused = [0xFC01: 0x01] } else { $0.takesAddress = false }
    }
    expect(told, DeviceAddress(0x4343_A112_1FAC, .public))
    expect(commands.count { $0 == 0xFC01 }, 1)
    expect(!refuses || commands.count { $0 == 0x0C03 } == 1)
  }

  /// By hand, by the rule of bthelper: each of the last three bytes ^ AA behind B8:27:EB.
  ///
  /// Other boards have serial numbers, too, and no right to these addresses.
  @Test(
    arguments: [
      ("00000000a3f1c2d4", pi, 0xB827_EB5B_687E), ("10000000FFFFFFFF", pi, 0xB827_EB55_5555),
      ("0000000000aaaaaa\0", pi, 0xB827_EB00_0000), ("00000000deadbeef\n", pi, 0xB827_EB07_1445),
      ("", pi, nil), ("0000000000000000", pi, nil), ("a3f1c2d4", pi, nil),
      ("00000000a3f1c2d", pi, nil), ("00000000a3f1c2dg", pi, nil), ("00000000a3f1c2d4 0", pi, nil),
      ("00000000a3f1c2d4", "", nil), ("00000000a3f1c2d4", "raspberry", nil),
      ("00000000a3f1c2d4", "xunlong,orangepi-zero\0raspberrypi,fake\0", nil),
    ] as [(String, String, UInt64?)])
  func aBoardWithASerialNumberHasTheAddressOfRaspberryPiOSAndNoOtherHasOne(
    _ serial: String, _ compatible: String, _ expected: UInt64?
  ) {
    let address = boardAddress(
      compatible: Array(compatible.utf8).span, serialNumber: Array(serial.utf8).span)
    expect(address, expected.map { DeviceAddress($0, .public) })
  }

  private static let pi = "raspberrypi,model-zero-w\0brcm,bcm2835\0"

  @Test func centralBehaviour79_aChipThatDoesNotAnswerIsAskedOnceMore() {
    let central = Central(boardAddress: Self.board)
    let controller = VirtualController()
    controller.address = bytes("ac 1f 12 a1 43 43")
    controller.withheld = [0xFC01]
    controller.attach(to: central)
    central.start()
    for _ in 0..<2 {
      expect(controller.commands.last, 0xFC01)
      central.pass(2_000)
      expect(central.takeEvents(), [.failed(.commandTimeout(Opcode(rawValue: 0xFC01)))])
      central.pass(250)
    }
    expect(Self.addressTold(central), DeviceAddress(0x4343_A112_1FAC, .public))
  }
}
