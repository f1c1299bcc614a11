import Bytes
import Expecting
import Screens
import TestSupport
import VirtualAir
import VirtualDevice

/// What the log says of the chip: which one it is, its patch, and what its driver did not find.
@Suite struct ChipTests {
  private func told(_ change: (VirtualController) -> Void) throws -> Event {
    let world = try World(boots: false)
    change(world.controller)
    world.pass(100)
    return try #require(world.events("controller").first)
  }

  @Test func centralBehaviour103_aPatchedChipIsNamedWithItsPatch() throws {
    let chip = try told { $0.revision = 0x01FC }
    expect(chip["chip"] == "BCM43430A1" && chip[number: "patch"] == 508 && chip["missing"] == nil)
    let other = try told { ($0.revision, $0.subversion) = (0x005C, 0x410C) }
    expect(other["chip"] == "BCM43430B0" && other[number: "patch"] == 92)
  }

  @Test func centralBehaviour103_withoutAPatchItsFileIsNamed() throws {
    let chip = try told { _ in }
    expect(chip[number: "patch"] == 0 && chip["missing"] == "brcm/BCM43430A1.hcd")
    let other = try told { $0.subversion = 0x410C }
    expect(other["missing"], "brcm/BCM43430B0.hcd")
  }

  /// Of another maker, or one that nobody here knows.
  @Test func centralBehaviour103_ofAnotherChipNothingIsClaimed() throws {
    for chip in [try told { $0.manufacturer = 2 }, try told { $0.subversion = 0x6119 }] {
      expect(chip["chip"] == nil && chip[number: "patch"] == nil && chip["missing"] == nil)
    }
  }
}

/// Packets that make no sense, in mid-ride: the rider sees nothing of them.
@Suite struct NoiseTests {
  @Test(
    arguments: [
      ("a vendor's event", "04 ff 01 00"),
      ("the answer to a command that was never given", "04 0e 04 01 fe fc 00"),
      ("an inquiry result", "04 02 03 01 02 03"),
      ("data for a link that is not there", "02 ff 0e 04 00 00 00 04 00"),
      ("a report without reports", "04 3e 02 02 00"),
      ("a report without even their number", "04 3e 01 02"),
      ("an event without a number", "04 00 00"),
      ("an event that is cut", "04 0e ff"),
    ])
  func aPacketThatMakesNoSenseChangesNothing(_ what: String, _ packet: String) throws {
    let world = try World.following()
    let (glass, links) = (world.glass, world.events("link").count)
    world.hears(bytes(packet))
    world.pass(1_000)
    expect(world.glass, glass)
    world.tell(8, 340, "Hauptstraße", id: 2)
    expect(world.shows(.turn(.right, "340 m", "Hauptstraße")))
    expect(world.events("error").isEmpty && world.events("link").count == links)
  }
}
