import Testing
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
    #expect(chip["chip"] == "BCM43430A1" && chip[number: "patch"] == 508 && chip["missing"] == nil)
    let other = try told { ($0.revision, $0.subversion) = (0x005C, 0x410C) }
    #expect(other["chip"] == "BCM43430B0" && other[number: "patch"] == 92)
  }

  @Test func centralBehaviour103_withoutAPatchItsFileIsNamed() throws {
    let chip = try told { _ in }
    #expect(chip[number: "patch"] == 0 && chip["missing"] == "brcm/BCM43430A1.hcd")
    let other = try told { $0.subversion = 0x410C }
    #expect(other["missing"] == "brcm/BCM43430B0.hcd")
  }

  /// Of another maker, or one that nobody here knows.
  @Test func centralBehaviour103_ofAnotherChipNothingIsClaimed() throws {
    for chip in [try told { $0.manufacturer = 2 }, try told { $0.subversion = 0x6119 }] {
      #expect(chip["chip"] == nil && chip[number: "patch"] == nil && chip["missing"] == nil)
    }
  }
}
