import Bond
import Bytes
import PlainBonds
import TestSupport
import Testing

/// Stores that version 0.2.0 wrote: one as it was released, and one of later days that still bore its number.
///
/// Made apart from `BondRecord`, by its table; the checksums are those of Python's `zlib.crc32`.
@Suite struct EarlierStoreTests {
  private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  /// Phone 1, which was paired with without a code, and bright: the release knew no sensors.
  private static let released =
    bytes(
      """
      89 4c 4b 42 4f 4e 44 0a 02 01 51 00 07 00 00 00 03 01 01 00 00 ee ff c0
      30 31 32 33 34 35 36 37 38 39 3a 3b 3c 3d 3e 3f 40 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f
      07 70 68 6f 6e 65 20 31
      """) + zeros(25) + bytes("11 00 12 00 13 00 14") + zeros(412) + bytes("49 dd 14 0b")

  /// Phone 2, which was paired with by a code, dim, a wheel of 2105 mm, and a sensor of each kind of then.
  private static let whole =
    bytes(
      """
      89 4c 4b 42 4f 4e 44 0a 02 01 51 00 08 00 00 00 0b 01 02 00 00 ee ff c0
      60 61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70 71 72 73 74 75 76 77 78 79 7a 7b 7c 7d 7e 7f
      07 70 68 6f 6e 65 20 32
      """) + zeros(25) + bytes("21 00 22 00 23 00 24") + zeros(9) + bytes("01 39 08") + zeros(176)
    + bytes("01 01 01 00 00 ee ff d0 01 00 02 00 07 68 65 61 72 74 20 31") + zeros(36)
    + bytes("01 01 01 01 00 ee ff d0 01 01 02 01 07 73 70 65 65 64 20 31") + zeros(36)
    + bytes("01 01 01 02 00 ee ff d0 01 02 02 02 07 70 6f 77 65 72 20 31") + zeros(36)
    + bytes("01 01 01 03 00 ee ff d0 01 03 02 03 07 72 61 64 61 72 20 31") + zeros(36)
    + bytes("ec 3d 76 fb")

  private static var all: Disk.Contents {
    get throws {
      Disk.Contents(
        finding: .bond(PlainBond(number: 2)), isDim: true, circumference: 2_105,
        sensors: try plainSensors([.heart, .speed, .power, .radar]))
    }
  }

  /// In either half; the other one has what was before.
  @Test(arguments: [false, true])
  func aStoreOf020WithAPhoneAndFourSensorsIsReadWithNothingLost(_ isFirst: Bool) throws {
    let halves = isFirst ? Self.whole + Self.released : Self.released + Self.whole
    let disk = Disk(bytes: halves)
    #expect(disk.bytes.count == BondStore.size && disk.condition == .sound)
    #expect(disk.contents == (try Self.all))
  }

  @Test func aStoreOf020KeepsItsPhoneWhateverIsWrittenBesideIt() throws {
    var disk = Disk(bytes: Self.released)
    let before = disk.contents
    #expect(before == Disk.Contents(finding: .bond(PlainBond(number: 1))))
    for kind in everyKind { try disk.change(.remember(kind)) }
    let sensors = try plainSensors()
    #expect(disk.finding == before.finding && disk.sensors == sensors)
  }

  @Test func aStoreOf020KeepsItsSensorsWhenItsPhoneIsReplacedOrForgotten() throws {
    for change in [Change.save(3), .erase] {
      var disk = Disk(bytes: Self.released + Self.whole)
      try disk.change(change)
      let sensors = try Self.all.sensors
      #expect(disk.sensors == sensors && disk.isDim && disk.circumference == 2_105)
    }
  }
}
