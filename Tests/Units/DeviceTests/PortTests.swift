import BondFile
import Bytes
import DeviceState
import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// Each port that fails is told of once, opened again, and the rest goes on meanwhile.
struct PortTests {
  @Test(arguments: [(.panel, "i2c"), (.buttons, "gpio"), (.store, "store")] as [(Port, String)])
  func whatCannotBeOpenedIsToldOnceAndTriedAgain(_ port: Port, _ source: String) throws {
    let world = try World(["pairing=preferred"], boots: false)
    world.faults[port] = .noSuchFile
    world.pass(10_000)
    expect(world.events("error").compactMap { $0["source"] }, [source])
    let times = try #require(world.attempts[port])
    let pause: Int64 = port == .panel ? 500 : 1_000
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == pause })
    world.faults[port] = nil
    world.pass(1_000)
    expect(world.state(of: port), .open)
  }

  @Test func eachKindOfTroubleIsToldOnceHoweverTheyAlternate() throws {
    let world = try World(boots: false)
    for second in 0..<10 {
      world.faults[.panel] = second % 2 == 0 ? .timedOut : .wouldBlock
      world.pass(1_000)
    }
    expect(world.events("error").count, 2)
  }

  /// What the rider sees must not wait for something else to happen.
  @Test func centralBehaviour7_aRadioThatFailsIsToldAtOnceAndOpenedAgainWithinASecond() throws {
    let world = try World.following()
    world.controller.connects = false
    world.loseRadio(.stream(.unknownIndicator(0xFF)))
    world.pass(0)
    expect(world.state(of: .hci), .closed)
    expect(world.events("error").last.map { $0["source"] }, "hci")
    world.pass(1_000)
    expect(world.state(of: .hci), .open)
    world.pass(7_000)
    expect(world.events("stale").count, 1, "the turn stays meanwhile")
  }

  /// One of this machine, whose driver may be loaded later than we are; one of another is missed at once.
  @Test func aControllerThatIsNotThereYetIsAwaitedForFiveSeconds() throws {
    let world = try World(["hci=hci0"], boots: false)
    world.faults[.hci] = .noSuchDevice
    world.pass(4_900)
    expect(world.shows(.starting))
    expect(world.attempts[.hci].map { $0.count }, 50, "each tenth of a second")
    world.pass(1_100)
    expect(world.connection, .noRadio)
    expect(world.events("error").count, 1)
    let other = try World(["hci=tcp:127.0.0.1:1"], boots: false)
    other.faults[.hci] = .connectionRefused
    other.pass(0)
    expect(other.connection, .noRadio)
  }

  /// A partition is left alone instead.
  @Test(arguments: [false, true])
  func somebodyElsesFileIsKeptAsideAndTold(_ isPartition: Bool) throws {
    let world = try World(["pairing=preferred"], boots: false)
    world.disk = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 13) }
    world.storeFacts = StoreFacts(
      isDevice: isPartition, isFree: !isPartition, isOpenToOthers: false)
    let before = world.disk
    world.pass(3_000)
    expect(world.asides == (isPartition ? 0 : 1) && (world.disk == before) == isPartition)
    expect(world.events("error").compactMap { $0["source"] }, ["store"])
    expect(world.state(of: .store), isPartition ? .closed : .open)
  }

  /// It is not free, as the bond is there.
  @Test func aPartitionWithABondOfOursIsOurs() throws {
    let paired = try World.paired()
    let facts = StoreFacts(isDevice: true, isFree: false, isOpenToOthers: false)
    let isOthers = isForeign(BondStore(paired.disk.span), facts)
    expect(!isOthers)
    let world = try World(["pairing=preferred"], boots: false)
    (world.disk, world.storeFacts) = (paired.disk, facts)
    world.pass(3_000)
    expect(world.state(of: .store), .open)
    expect(world.states("bond"), ["loaded"])
  }

  @Test func itLeavesTheGlassDarkAndTheLinkClosed() throws {
    let world = try World.following()
    world.leave()
    #expect(!world.glass.contains("#"))
    expect(world.mayEnd)
    expect(world.states("link").last, "disconnected")
  }
}

/// What the log says of the chip: which one it is, its patch, and what its driver did not find.
struct ChipTests {
  /// Of another maker, or of one that nobody here knows, nothing is claimed.
  @Test func centralBehaviour103_chipAndPatchAreNamedOrTheFileThatIsMissing() throws {
    for (change, chip, patch, missing) in [
      ({ $0.revision = 0x01FC }, "BCM43430A1", 508, nil),
      ({ ($0.revision, $0.subversion) = (0x005C, 0x410C) }, "BCM43430B0", 92, nil),
      ({ _ in }, "BCM43430A1", 0, "brcm/BCM43430A1.hcd"),
      ({ $0.subversion = 0x410C }, "BCM43430B0", 0, "brcm/BCM43430B0.hcd"),
      ({ $0.manufacturer = 2 }, nil, nil, nil), ({ $0.subversion = 0x6119 }, nil, nil, nil),
    ] as [((VirtualController) -> Void, String?, Int?, String?)] {
      let world = try World(boots: false)
      change(world.controller)
      world.pass(100)
      let event = try #require(world.events("controller").first)
      expect([event["chip"], event["missing"]], [chip, missing])
      expect(event[number: "patch"], patch)
    }
  }

  // MARK: - Packets that make no sense
}
