import Bytes
import Expecting
import HCI
import TestSupport

/// What a controller says that it can do, for the peripheral role.
@Suite struct ControllerFeaturesTests {
  /// V12: a virtual controller that lacks the bits 22 and 23, and an old laptop's.
  @Test(
    arguments: [
      (0x3FF_FF3F_FFFF, true, true), (0x3FF_FFFF_FFFF, true, true), (0xFFFF, true, false),
      (0x0249_1F00_4404, true, true), (0, false, false),
    ] as [(UInt64, Bool, Bool)])
  func peripheralVector12_theStatesSayWhatGoesBesideAdvertising(
    _ number: UInt64, _ mayScan: Bool, _ mayHaveLinks: Bool
  ) {
    let states = LEStates(rawValue: number)
    expect(states.advertisingWhileScanning, mayScan)
    expect(states.advertisingAsCentral, mayHaveLinks)
    expect(states.scanningAsCentral, mayHaveLinks)
    expect(states.initiatingAsCentral, mayHaveLinks)
  }

  /// Core Specification, Vol 4, Part E, 7.8.27: one bit less at a time.
  @Test(arguments: [10, 14, 24, 28, 35] as [UInt64])
  func peripheralVector12_eachStateHasItsBit(_ bit: UInt64) {
    let states = LEStates(rawValue: .max & ~(1 << bit))
    let all: [(Bool, [UInt64])] = [
      (states.advertisingWhileScanning, [10, 14]), (states.scanningAsCentral, [24]),
      (states.initiatingAsCentral, [28]), (states.advertisingAsCentral, [35]),
    ]
    for (isAllowed, bits) in all { #expect(isAllowed != bits.contains(bit), "\(bits)") }
  }

  /// Vol 4, Part E, 6.27: octets 25, 26 and 28; first as a BCM43430A1 has them.
  @Test(
    arguments: [
      ("F7 FF FF 7F", true), ("A0 03 00 06", true), ("80 03 00 06", false),
      ("20 03 00 06", false), ("A0 02 00 06", false), ("A0 01 00 06", false),
      ("A0 03 00 04", false), ("A0 03 00 02", false), ("00 00 00 00", false),
    ])
  func theCommandsOfThePeripheralRoleAreNeededTogether(_ octets: String, _ hasAll: Bool) throws {
    var all = [UInt8](repeating: 0, count: 64)
    all.replaceSubrange(25..<29, with: bytes(octets))
    let commands = try SupportedCommands(parsing: all.span)
    expect(commands.peripheralRole, hasAll)
  }
}
