import BondFile
import Bytes
import Expecting
import PlainBonds
import TestSupport
import VirtualAir

@testable import Device
@testable import VirtualDevice

/// The way around the wheel: as the board file has it, or as the rides tell it, over a restart.
@Suite struct CircumferenceTests {
  private static let settings = ["pairing=preferred", "wheel=auto"]
  /// In millimetres: that of the bicycle that is ridden.
  private static let wheel: Int64 = 2_120

  /// The phone is paired with, and the ride has not begun.
  private func paired(_ settings: [String] = settings, with disk: [UInt8]? = nil) throws -> World {
    let world = try World(settings, pairs: true, boots: false)
    if let disk { world.disk = disk }
    world.pass(100)
    world.tell(8, 500, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    world.press("a")
    world.pass(20_000)
    return world
  }

  private func restarted(_ disk: [UInt8], _ settings: [String] = settings) throws -> World {
    try World.started(with: disk, settings)
  }

  /// Rides to so many turns that are 500 m apart, at 10 m/s, with a sensor that counts revolutions.
  private func ride(_ world: World, turns: Int = 13) {
    var (way, counted, distance): (Int64, Int64, Int64) = (0, 0, 0)
    for turn in 0..<turns {
      for second in 0...49 {
        way += 10_000
        let revolutions = way / Self.wheel
        distance += (revolutions - counted) * world.device.circumference
        counted = revolutions
        world.device.hearWheel(distance: distance, speed: 10_000, at: world.now)
        world.tell(
          turn % 2 == 0 ? 8 : 1, UInt32(490 - second * 10), "street \(turn)",
          id: UInt32(turn * 50 + second + 1))
        world.pass(1_000)
      }
    }
  }

  private func kept(_ disk: [UInt8]) -> UInt16 {
    let store = BondStore(disk.span)
    return store.circumference
  }

  private func isLearned(_ circumference: Int64) -> Bool {
    abs(circumference - Self.wheel) < 8
  }

  @Test(arguments: [0, 2_150] as [UInt16])
  func aWheelOfTheBoardFileIsTakenAsItIsAndNothingIsLearned(_ known: UInt16) throws {
    let world = try paired(["pairing=preferred", "wheel=2250"], with: disk(with: known))
    world.onStore = { _, _ in Issue.record("a write") }
    ride(world, turns: 30)
    expect(world.device.circumference == 2_250 && kept(world.disk) == known)
  }

  @Test func aWheelThatIsToBeLearnedIsUsualAtFirst() throws {
    expect(try World(Self.settings).device.circumference, 2_105)
    expect(try World(["wheel=auto", "pairing=off"]).device.circumference, 2_105)
  }

  @Test func whatARideHasTaughtIsWrittenOnceAndIsThereAfterARestart() throws {
    let world = try paired()
    let bond = World.bond(on: world.disk)
    var writes = 0
    world.onStore = { _, _ in writes += 1 }
    ride(world)
    let circumference = Int64(kept(world.disk))
    expect(isLearned(circumference) && isLearned(world.device.circumference))
    expect(writes == 1 && bond != nil && World.bond(on: world.disk) == bond)
    let again = try restarted(world.disk)
    expect(again.device.circumference, circumference)
    #expect(again.events("error").isEmpty)
    let other = try restarted(world.disk, ["pairing=preferred", "wheel=2250"])
    expect(other.device.circumference == 2_250 && kept(other.disk) == kept(world.disk))
  }

  @Test func whereNobodyIsRememberedItCountsUntilTheEndOfTheProgram() throws {
    let world = try World(["pairing=off", "wheel=auto"])
    world.onStore = { _, _ in Issue.record("a write") }
    world.advertise()
    world.pass(1_000)
    ride(world)
    expect(isLearned(world.device.circumference) && world.events("error").isEmpty)
  }

  /// It goes with whatever is written next, and has no write of its own any more.
  @Test func aWriteThatFailsIsNotRepeatedForItsSake() throws {
    let world = try paired()
    world.faults[.store] = .noSpace
    ride(world)
    expect(world.events("error").compactMap { $0["source"] }, ["store"])
    world.faults[.store] = nil
    var writes = 0
    world.onStore = { _, _ in writes += 1 }
    world.pass(60_000)
    expect(writes == 0 && kept(world.disk) == 0 && isLearned(world.device.circumference))
    world.remember(try plainSensor(.heart))
    expect(writes == 1 && isLearned(Int64(kept(world.disk))))
  }

  /// What the store has of before does not count then.
  @Test func whatIsLearnedWhileTheStoreIsAwayIsWrittenWhenItIsBack() throws {
    let world = try paired(with: disk(with: 2_150))
    expect(world.device.circumference, 2_150)
    world.faults[.store] = .noSpace
    world.remember(try plainSensor(.heart))
    ride(world)
    world.faults[.store] = nil
    var writes = 0
    world.onStore = { _, _ in writes += 1 }
    world.pass(10_000)
    expect(writes == 1 && isLearned(Int64(kept(world.disk))))
    expect(isLearned(world.device.circumference))
  }

  @Test func forgettingThePhoneKeepsTheWheel() throws {
    let world = try paired()
    ride(world)
    let circumference = kept(world.disk)
    world.press("B")
    world.pass(1_000)
    expect(
      World.bond(on: world.disk) == nil && kept(world.disk) == circumference && circumference != 0)
    expect(try restarted(world.disk).device.circumference, Int64(circumference))
  }

  /// A record of before has none, and a bicycle has no wheel of these.
  @Test(arguments: [0, 1, 1_789, 2_421, 0xFFFF] as [UInt16])
  func aWheelThatNoBicycleHasIsUsual(_ circumference: UInt16) throws {
    expect(try restarted(disk(with: circumference)).device.circumference, 2_105)
  }

  /// Nobody is remembered on it.
  private func disk(with circumference: UInt16) -> [UInt8] {
    var store = BondStore([UInt8](repeating: 0, count: 1024).span)
    store.newCircumference = circumference
    store.saveWithoutBond(isDim: false)
    return array(store.output) + [UInt8](repeating: 0, count: 512)
  }

  // MARK: - While something else is written, or the current is lost

  /// The bond, the sensor and the wheel are on the disk, in one write or in two.
  @Test func aWheelIsNeverWrittenInTheMiddleOfAnotherWrite() throws {
    let world = try paired()
    ride(world, turns: 11)
    let first = try restarted(world.disk)
    var device = startedDevice(world.disk, first.device.board, first.storeFacts)
    let time = Instant(milliseconds: 0)
    device.receive(.bLong, at: time)
    let erasure = array(device.storeOutput)
    device.store.keep(circumference: 2_250)
    device.advance(to: time)
    expect(!erasure.isEmpty && array(device.storeOutput) == erasure)
    var disk = world.disk
    var writes = 0
    while !device.storeOutput.isEmpty {
      let (bytes, offset) = (array(device.storeOutput), device.storeOutputOffset)
      disk.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      device.storeOutputWasWritten(at: time)
      writes += 1
    }
    expect(writes == 3 && kept(disk) == 2_250 && World.bond(on: disk) == nil)
    let isForgotten = device.host.memory == .nothing
    expect(isForgotten)
  }
}
