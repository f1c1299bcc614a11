import BondFile
import Bytes
import Expecting
import PlainBonds
import TestSupport

@testable import Device
@testable import VirtualDevice

/// What the store has beside phone and sensors: the brightness that the rider chose, and the way around the wheel, as
/// the rides tell it.
struct StoredSettingTests {
  /// In milliseconds.
  private static let second: Int64 = 1_000
  private static let minute: Int64 = 60_000
  private static let settings = ["pairing=preferred"]
  private let usualContrast: UInt8 = 207

  /// Knows nobody, and shows that there is no phone.
  private func alone(_ settings: [String] = settings) throws -> World {
    let world = try World(settings)
    world.pass(40 * Self.second)
    return world
  }

  private func paired() throws -> World {
    let world = try World.paired()
    world.pass(16 * Self.second)
    return world
  }

  /// Whether it is lit, and with less than the light that the board wants.
  private func isDim(_ world: World) -> Bool {
    world.panel.isOn && world.panel.contrast < usualContrast
  }

  private func isBright(_ world: World) -> Bool {
    world.panel.isOn && world.panel.contrast == usualContrast
  }

  private func storeIsDim(_ world: World) -> Bool {
    let disk = world.disk
    let store = BondStore(disk.span)
    return store.isDim
  }

  // MARK: - Over a restart

  /// A phone stays remembered.
  @Test(arguments: [false, true]) func dimIsKeptOverARestart(_ isPaired: Bool) throws {
    let world = isPaired ? try paired() : try alone()
    let before = World.bond(on: world.disk)
    var writes: [Instant] = []
    world.onStore = { [unowned world] _, _ in writes.append(world.now) }
    let pressed = world.now
    world.press("A")
    world.pass(20 * Self.second)
    expect(writes, [pressed + 5 * Self.second])
    let again = try World.started(with: world.disk)
    expect(isDim(world) && isDim(again) && again.events("error").isEmpty)
    expect(again.states("bond") == (isPaired ? ["loaded"] : []))
    expect(World.bond(on: again.disk) == before && (before != nil) == isPaired)
    again.press("a")
    expect(isDim(again), "a press wakes it as dim as it was")
  }

  /// A dark panel would look broken.
  @Test func afterARestartAPanelThatWasOffIsBright() throws {
    let world = try alone()
    world.press("A")
    world.pass(5 * Self.second)
    world.press("A")
    world.pass(11 * Self.minute)
    let again = try World.started(with: world.disk)
    expect(!world.panel.isOn && isBright(again))
  }

  @Test func whereNobodyIsRememberedNorIsTheBrightness() throws {
    let disk = try paired().disk
    let world = try World.started(with: disk, ["pairing=off"])
    world.press("A")
    world.pass(20 * Self.minute)
    expect(world.disk == disk && world.attempts[.store] == nil)
  }

  // MARK: - The card

  /// A rider who wants it off passes dim.
  @Test func onTheWayRoundNothingIsWritten() throws {
    let world = try alone()
    world.onStore = { _, _ in Issue.record("a write") }
    for _ in 0..<3 {
      world.press("A")
      world.pass(4_999)
    }
    world.pass(20 * Self.minute)
  }

  @Test func howeverOftenItIsPressedThereIsOneWriteInTenMinutes() throws {
    let world = try alone()
    var writes: [Int64] = []
    world.onStore = { [unowned world] _, _ in writes.append(world.now.milliseconds) }
    let start = world.now.milliseconds
    for second in 1...3_600 as ClosedRange<Int64> {
      if second % 7 == 0 { world.press("A") }
      world.pass(start + second * Self.second - world.now.milliseconds)
    }
    #expect(writes.count > 3)
    #expect(zip(writes, writes.dropFirst()).allSatisfy { $1 - $0 >= 10 * Self.minute })
    // It is the last choice that stays.
    while !isDim(world) { world.press("A") }
    world.pass(10 * Self.minute)
    expect(storeIsDim(world))
  }

  @Test func theWriteOfABondHasTheBrightnessWithIt() throws {
    let world = try World(Self.settings, pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.press("A")
    world.pass(Self.second)
    var writes = 0
    world.onStore = { _, _ in writes += 1 }
    world.press("a")
    world.pass(20 * Self.minute)
    expect(writes == 1 && storeIsDim(world) && World.bond(on: world.disk) != nil)
  }

  // MARK: - What fails

  /// Told as any failure of the store, and tried again with the next write that may be.
  @Test func aDiskThatFailsIsToldOnceAndChangesNothingOfTheRide() throws {
    let world = try paired()
    world.faults[.store] = .noSpace
    world.press("A")
    world.pass(9 * Self.minute)
    world.tell(5, 90, "Am Markt", id: 2)
    expect(world.events("error").compactMap { $0["source"] }, ["store"])
    expect(world.states("link").last, "encrypted")
    expect(isDim(world) && world.showsMoved(.turn(.left, "90 m", "Am Markt")))
    world.faults[.store] = nil
    world.pass(2 * Self.minute)
    expect(storeIsDim(world) && World.bond(on: world.disk) != nil)
  }

  @Test(arguments: [false, true])
  func aStoreThatComesLateBringsItsSensorsAndItsBrightnessUnlessTheRiderHasChosen(_ hasChosen: Bool)
    throws
  {
    let first = try alone()
    first.press("A")
    first.pass(5 * Self.second)
    first.remember(try plainSensor(.speed))
    let world = try World(Self.settings, boots: false)
    world.disk = first.disk
    world.faults[.store] = .noSuchFile
    world.pass(10 * Self.second)
    expect(isBright(world))
    if hasChosen { world.press("AAA") }
    world.faults[.store] = nil
    world.pass(10 * Self.second)
    #expect(hasChosen ? isBright(world) : isDim(world))
    #expect(storeIsDim(world) != hasChosen)
    expect(try world.device.sensors == plainSensors([.speed]))
  }

  // MARK: - The way around the wheel

  private static let auto = ["pairing=preferred", "wheel=auto"]
  /// In millimetres: that of the bicycle that is ridden.
  private static let wheel: Int64 = 2_120

  /// The phone is paired with, and the ride has not begun.
  private func pairedRider(_ settings: [String] = auto, with disk: [UInt8]? = nil) throws -> World {
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

  private func restarted(_ disk: [UInt8], _ settings: [String] = auto) throws -> World {
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
        world.device.receiveWheel(distance: distance, speed: 10_000, at: world.now)
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
    let world = try pairedRider(["pairing=preferred", "wheel=2250"], with: disk(with: known))
    world.onStore = { _, _ in Issue.record("a write") }
    ride(world, turns: 30)
    expect(world.device.circumference == 2_250 && kept(world.disk) == known)
  }

  @Test func whatARideHasTaughtIsWrittenOnceAndIsThereAfterARestart() throws {
    let world = try pairedRider()
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
    let world = try pairedRider()
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
    let world = try pairedRider(with: disk(with: 2_150))
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
    let world = try pairedRider()
    ride(world)
    let circumference = kept(world.disk)
    world.press("B")
    world.pass(1_000)
    expect(
      World.bond(on: world.disk) == nil && kept(world.disk) == circumference && circumference != 0)
    expect(try restarted(world.disk).device.circumference, Int64(circumference))
  }

  /// A record of before has none, and a bicycle has no wheel of the others.
  @Test func aWheelThatIsToBeLearnedIsUsualAtFirst() throws {
    expect(try World(["wheel=auto", "pairing=off"]).device.circumference, 2_105)
    for circumference in [0, 1, 1_789, 2_421, 0xFFFF] as [UInt16] {
      expect(try restarted(disk(with: circumference)).device.circumference, 2_105)
    }
  }

  /// Nobody is remembered on it.
  private func disk(with circumference: UInt16) -> [UInt8] {
    var store = BondStore([UInt8](repeating: 0, count: 1024).span)
    store.newCircumference = circumference
    store.saveWithoutBond(isDim: false)
    return array(store.output) + [UInt8](repeating: 0, count: 512)
  }
}
