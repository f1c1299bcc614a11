import BondFile
import Bytes
import DeviceState
import Expecting
import HCI
import Screens
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// Each port that fails is told of once, opened again, and the rest goes on meanwhile.
@Suite struct PortTests {
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
  @Test func aSendThatFailsIsDrawnAtOnce() throws {
    let world = try World.following()
    world.controller.connects = false
    world.loseRadio()
    world.pass(0)
    expect(world.events("error").last.map { $0["source"] }, "hci")
    world.pass(8_000)
    world.press("A")
    expect(world.events("stale").count, 1, "the turn stays meanwhile")
  }

  @Test func centralBehaviour7_aRadioWhoseStreamHasGarbageIsOpenedAgainWithinASecond() throws {
    let world = try World.following()
    world.loseRadio(.stream(.unknownIndicator(0xFF)))
    world.pass(0)
    expect(world.state(of: .hci), .closed)
    world.pass(1_000)
    expect(world.state(of: .hci), .open)
  }

  @Test func aRadioThatIsLostWithoutATurnIsShownAtOnce() throws {
    let world = try World()
    world.faults[.hci] = .noSuchDevice
    world.loseRadio(.errno(.noSuchDevice))
    let before = world.messages.count
    world.pass(0)
    #expect(world.messages.count > before)
    expect(world.connection, .noRadio)
  }

  /// One of this machine, whose driver may be loaded later than we are.
  @Test func aControllerThatIsNotThereYetIsAwaitedForFiveSeconds() throws {
    let world = try World(["hci=hci0"], boots: false)
    world.faults[.hci] = .noSuchDevice
    world.pass(4_900)
    expect(world.shows(.starting))
    expect(world.attempts[.hci].map { $0.count }, 50, "each tenth of a second")
    world.pass(1_100)
    expect(world.connection, .noRadio)
    expect(world.events("error").count, 1)
  }

  @Test func aControllerOfAnotherMachineIsMissedAtOnce() throws {
    let world = try World(["hci=tcp:127.0.0.1:1"], boots: false)
    world.faults[.hci] = .connectionRefused
    world.pass(0)
    expect(world.connection, .noRadio)
  }

  @Test func somebodyElsesFileIsKeptAsideAndTold() throws {
    let world = try World(["pairing=preferred"], boots: false)
    world.disk = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 13) }
    world.pass(0)
    expect(world.asides, 1)
    expect(world.events("error").compactMap { $0["source"] }, ["store"])
    expect(world.state(of: .store), .open)
  }

  @Test func aPartitionOfSomebodyElsesIsLeftAlone() throws {
    let world = try World(["pairing=preferred"], boots: false)
    world.disk = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 13) }
    world.storeFacts = StoreFacts(isDevice: true, isFree: false, isOpenToOthers: false)
    let before = world.disk
    world.pass(3_000)
    expect(world.disk == before && world.asides == 0)
    expect(world.state(of: .store), .closed)
    expect(world.events("error").count, 1)
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
    expect(world.events("bond").map { $0["state"] }, ["loaded"])
  }

  @Test func aPanelThatLostItsPowerIsWholeAgainWithinASecondOfItsReturn() throws {
    let world = try World.following()
    let glass = world.glass
    world.faults[.panel] = .remoteIO
    world.tell(8, 340, "Hauptstraße", id: 2)
    world.cutPanelPower()
    world.pass(3_200)
    world.faults[.panel] = nil
    world.tell(8, 350, "Hauptstraße", id: 3)
    world.pass(1_000)
    expect(world.glass, glass)
    expect(world.events("error").count, 1)
  }

  /// Far from a turn nothing new is to be seen for minutes, and no fault of the bus told of it.
  @Test func aPanelWhoseSupplyDippedIsLitAgainInAMinuteThoughItsPictureIsTheSame() throws {
    let world = try World()
    world.tell(8, 20_400, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    let pictures = world.events("frame").count
    world.cutPanelPower()
    for index in 1...31 {
      world.tell(8, 20_400 - 10 * UInt32(index), "Hauptstraße", id: UInt32(1 + index))
      world.pass(2_000)
    }
    let isOn = world.panel.isOn
    expect(isOn)
    // That is the settings.
    expect(world.events("frame").count, pictures + 1)
  }

  @Test func itLeavesTheGlassDarkAndTheLinkClosed() throws {
    let world = try World.following()
    world.leave()
    #expect(!world.glass.contains("#"))
    expect(world.mayEnd)
    expect(world.events("link").last.map { $0["state"] }, "disconnected")
  }
}
