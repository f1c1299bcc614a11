import Bytes
import Central
import Controller
import HCI
import TestSupport
import Testing
import VirtualAir

/// A chip without an address of its own gets the board's.
@Suite struct BoardAddressTests {
  private static let board = DeviceAddress(0xB827_EB12_3456, .public)

  /// Brings a controller up whose address is this, most significant byte first; what it says then.
  private static func started(
    _ address: String, _ change: (VirtualController) -> Void = { _ in },
    boardAddress: DeviceAddress? = board
  ) -> (address: DeviceAddress?, commands: [UInt16]) {
    let central = Central(boardAddress: boardAddress)
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

  /// As the kernel's driver and Raspberry Pi OS know them.
  @Test(arguments: [
    "43 43 a1 12 1f ac", "43 43 a0 12 1f ac", "43 45 c5 00 1f ac", "aa aa aa aa aa aa",
  ])
  func aSharedAddressIsReplacedByTheBoards(_ address: String) {
    let (told, commands) = Self.started(address)
    #expect(told == Self.board)
    // Read, written, and then all from Reset on.
    #expect(
      commands.prefix(9) == [
        0x0C03, 0x1001, 0x1002, 0x1009, 0xFC01, 0x0C03, 0x1001, 0x1002, 0x1009,
      ])
    #expect(commands.filter { $0 == 0xFC01 }.count == 1)
  }

  @Test(arguments: ["b8 27 eb 4c 45 4e", "43 44 a1 12 1f ac", "aa aa aa aa aa ab"])
  func anAddressOfItsOwnStays(_ address: String) {
    let (told, commands) = Self.started(address)
    #expect(told != Self.board && !commands.contains(0xFC01))
  }

  @Test func whereTheBoardIsNotKnownTheSharedOneStays() {
    let (told, commands) = Self.started("43 43 a1 12 1f ac", boardAddress: nil)
    #expect(told == DeviceAddress(0x4343_A112_1FAC, .public) && !commands.contains(0xFC01))
  }

  /// Whose command of that number may do anything.
  @Test(arguments: [UInt16(0), 2, 10, 13, 93, 0xFFFF])
  func centralBehaviour5_anotherMakersChipIsNotAsked(_ manufacturer: UInt16) {
    let (_, commands) = Self.started("43 43 a1 12 1f ac", { $0.manufacturer = manufacturer })
    #expect(!commands.contains(0xFC01))
  }

  @Test func aChipOfCypressIsAskedToo() {
    let (told, _) = Self.started("43 45 c5 00 1f ac", { $0.manufacturer = 305 })
    #expect(told == Self.board)
  }

  @Test func aChipThatRefusesIsUsedAsItIs() {
    let (told, commands) = Self.started("43 43 a1 12 1f ac", { $0.refused = [0xFC01: 0x01] })
    #expect(told == DeviceAddress(0x4343_A112_1FAC, .public))
    #expect(commands.filter { $0 == 0x0C03 }.count == 1)
  }

  @Test func aChipThatOnlyPretendsIsAskedOnce() {
    let (told, commands) = Self.started("43 43 a1 12 1f ac", { $0.takesAddress = false })
    #expect(told == DeviceAddress(0x4343_A112_1FAC, .public))
    #expect(commands.filter { $0 == 0xFC01 }.count == 1)
  }

  @Test func itIsAskedAgainWheneverItIsBroughtUp() {
    let central = Central(boardAddress: Self.board)
    for _ in 1...2 {
      let controller = VirtualController()
      controller.address = bytes("ac 1f 12 a1 43 43")
      controller.attach(to: central)
      central.start()
      #expect(Self.addressTold(central) == Self.board)
    }
  }

  /// By hand, by the rule of bthelper: each of the last three bytes ^ AA behind B8:27:EB.
  @Test(arguments: [
    ("00000000a3f1c2d4", 0xB827_EB5B_687E), ("10000000FFFFFFFF", 0xB827_EB55_5555),
    ("0000000000aaaaaa\0", 0xB827_EB00_0000), ("00000000deadbeef\n", 0xB827_EB07_1445),
  ])
  func theBoardsAddressIsThatOfRaspberryPiOS(_ serial: String, _ expected: UInt64) {
    #expect(Self.address(serial) == DeviceAddress(expected, .public))
  }

  @Test(arguments: [
    "", "0000000000000000", "a3f1c2d4", "00000000a3f1c2d", "00000000a3f1c2dg", "00000000a3f1c2d4 0",
  ])
  func whatIsNoSerialNumberGivesNone(_ text: String) {
    #expect(Self.address(text) == nil)
  }

  /// Others have serial numbers, too, and no right to these addresses.
  @Test(arguments: ["", "raspberry", "xunlong,orangepi-zero\0raspberrypi,fake\0"])
  func anotherBoardHasNone(_ compatible: String) {
    #expect(Self.address("00000000a3f1c2d4", of: compatible) == nil)
  }

  private static func address(
    _ serial: String, of compatible: String = "raspberrypi,model-zero-w\0brcm,bcm2835\0"
  ) -> DeviceAddress? {
    boardAddress(
      compatible: Array(compatible.utf8).span, serialNumber: Array(serial.utf8).span)
  }

  @Test func centralBehaviour79_aChipThatDoesNotAnswerIsAskedOnceMore() {
    let central = Central(boardAddress: Self.board)
    let controller = VirtualController()
    controller.address = bytes("ac 1f 12 a1 43 43")
    controller.withheld = [0xFC01]
    controller.attach(to: central)
    central.start()
    for _ in 0..<2 {
      #expect(controller.commands.last == 0xFC01)
      central.pass(2_000)
      #expect(central.takeEvents() == [.failed(.commandTimeout(Opcode(rawValue: 0xFC01)))])
      central.pass(250)
    }
    #expect(Self.addressTold(central) == DeviceAddress(0x4343_A112_1FAC, .public))
  }
}
