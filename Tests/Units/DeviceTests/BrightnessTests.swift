import BondFile
import Bytes
import DeviceState
import Expecting
import PlainBonds
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// The brightness that the rider chose, and what the store has of it.
@Suite struct BrightnessTests {
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
    let (isOn, contrast) = (world.panel.isOn, world.panel.contrast)
    return isOn && contrast < usualContrast
  }

  private func isBright(_ world: World) -> Bool {
    let (isOn, contrast) = (world.panel.isOn, world.panel.contrast)
    return isOn && contrast == usualContrast
  }

  private func storeIsDim(_ world: World) -> Bool {
    let disk = world.disk
    let store = BondStore(disk.span)
    return store.isDim
  }

  // MARK: - Over a restart

  @Test func dimIsKeptOverARestartThoughThereIsNoPhone() throws {
    let world = try alone()
    var writes: [Instant] = []
    world.onStore = { [unowned world] _, _ in writes.append(world.now) }
    let pressed = world.now
    world.press("A")
    world.pass(20 * Self.second)
    expect(writes, [pressed + 5 * Self.second])
    let again = try World.started(with: world.disk)
    expect(isDim(world) && isDim(again))
    expect(again.events("error").isEmpty && again.events("bond").isEmpty)
    again.press("a")
    expect(isDim(again), "a press wakes it as dim as it was")
  }

  @Test func dimIsKeptOverARestartBesideAPhoneWhichStaysRemembered() throws {
    let world = try paired()
    let before = World.bond(on: world.disk)
    world.press("A")
    world.pass(5 * Self.second)
    let again = try World.started(with: world.disk)
    expect(isDim(again) && before != nil && World.bond(on: again.disk) == before)
    expect(again.events("bond").compactMap { $0["state"] }, ["loaded"])
    expect(world.events("bond").compactMap { $0["state"] }, ["saved"], "that is the pairing")
  }

  /// A dark panel would look broken.
  @Test func afterARestartAPanelThatWasOffIsBright() throws {
    let world = try alone()
    world.press("A")
    world.pass(5 * Self.second)
    world.press("A")
    world.pass(11 * Self.minute)
    let isOn = world.panel.isOn
    let again = try World.started(with: world.disk)
    expect(!isOn && isBright(again))
  }

  @Test func whereNobodyIsRememberedNorIsTheBrightness() throws {
    let disk = try paired().disk
    let world = try World.started(with: disk, ["pairing=off"])
    world.press("A")
    world.pass(20 * Self.minute)
    expect(world.disk == disk && world.attempts[.store] == nil)
  }

  // MARK: - The card

  /// Whoever wants it off passes dim.
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

  @Test func whileABondIsToBeWrittenTheBrightnessWaits() throws {
    let disk = try paired().disk
    let start = Instant(milliseconds: 0)
    var device = startedDevice(disk)
    device.receive(.aLong, at: start)
    device.receive(.bLong, at: start + 4_000)
    let erasure = array(device.storeOutput)
    device.advance(to: start + 20 * Self.minute)
    let later = array(device.storeOutput)
    expect(erasure.count == 512 && later == erasure)
    device.storeOutputWasWritten(at: start + 20 * Self.minute)
    let rest = array(device.storeOutput)
    expect(rest.count == 512 && rest != erasure, "the second record of the erasure")
    device.storeOutputWasWritten(at: start + 20 * Self.minute)
    device.advance(to: start + 20 * Self.minute)
    let isIdle = device.storeOutput.isEmpty
    expect(isIdle, "the erasure took the brightness with it")
  }

  // MARK: - What fails

  /// Told as any failure of the store, and tried again with the next write that may be.
  @Test(arguments: [Errno.noSpace, .inputOutput, .readOnly])
  func aDiskThatFailsIsToldOnceAndChangesNothingOfTheRide(_ fault: Errno) throws {
    let world = try paired()
    world.faults[.store] = fault
    world.press("A")
    world.pass(9 * Self.minute)
    world.tell(5, 90, "Am Markt", id: 2)
    expect(world.events("error").compactMap { $0["source"] }, ["store"])
    expect(world.events("link").last.map { $0["state"] }, "encrypted")
    expect(isDim(world) && world.showsMoved(.turn(.left, "90 m", "Am Markt")))
    world.faults[.store] = nil
    world.pass(2 * Self.minute)
    expect(storeIsDim(world) && World.bond(on: world.disk) != nil)
  }

  @Test(arguments: [false, true])
  func aStoreThatComesLateBringsItsBrightnessUnlessTheRiderHasChosen(_ hasChosen: Bool) throws {
    let first = try alone()
    first.press("A")
    first.pass(5 * Self.second)
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
  }
}
