import BondFile
import Bytes
import Expecting
import PlainBonds
import TestSupport
import VirtualAir

@testable import Device
@testable import VirtualDevice

/// A program of another version than before: the panel says so once, where somebody has used the device.
///
/// Each world here runs version 0.2.0.
struct UpdateTests {
  private static let settings = ["pairing=preferred"]
  /// What a store of before says, and the version that the program has.
  private static let (old, new) = ("0.1.0", "0.2.0")

  private static func version(_ text: String) -> ToldVersion { ToldVersion(Array(text.utf8).span) }

  private func told(on disk: [UInt8]) -> ToldVersion {
    let store = BondStore(disk.span)
    return store.told
  }

  /// The same store, as a program of that version has left it.
  private func told(_ version: String, _ disk: [UInt8]) -> [UInt8] {
    var disk = disk
    var store = BondStore(disk.span)
    store.newTold = Self.version(version)
    switch store.bond(in: disk.span) {
    case .some(let bond): store.save(bond, isDim: store.isDim)
    case .none: store.saveWithoutBond(isDim: store.isDim)
    }
    let (bytes, offset) = (array(store.output), store.outputOffset)
    disk.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    return disk
  }

  /// A store with a phone that was paired by a code, and was told of that version last.
  private func used(_ version: String = old) throws -> World {
    let world = try World.paired(Self.settings)
    world.disk = told(version, world.disk)
    return world
  }

  /// A store with a sensor and no phone.
  private func sensorsOnly(_ version: String = old) throws -> [UInt8] {
    let world = try World(Self.settings)
    world.pass(1_000)
    world.remember(try plainSensor(.heart))
    return told(version, world.disk)
  }

  private func updates(_ world: World) -> [String?] {
    world.events("update").map { $0["version"] }
  }

  /// Starts with this store, and counts its writes.
  private func start(
    _ disk: [UInt8], _ settings: [String] = settings, near other: World? = nil,
    mistake: String = "", version: String = new
  ) throws -> World {
    let world = try World(settings, boots: false, mistake: mistake, version: version)
    world.disk = disk
    if let other { world.meet(other) }
    return world
  }

  private func writes(_ world: World) -> Int { world.takeOrder().count { $0 == "store" } }

  // MARK: - Once

  @Test func thePanelSaysTheNewVersionForThreeSecondsBehindTheFirstPicture() throws {
    let world = try start(try used().disk)
    world.faults[.hci] = .noSuchDevice  // its driver is being loaded
    var glasses: [String] = []
    world.onPicture = { [unowned world] in glasses.append(world.glass) }
    world.pass(200)
    expect(glasses, [world.drawn(.starting), world.drawn(.updated)])
    expect(updates(world), [Self.new])
    world.faults[.hci] = nil
    world.pass(2_700)
    expect(world.shows(.updated) && writes(world) == 0)
    world.pass(200)
    expect(world.shows(.waiting("Fairy")))
    expect(writes(world) == 1 && told(on: world.disk) == Self.version(Self.new))
    expect(World.bond(on: world.disk) != nil && world.events("error").isEmpty)
    for _ in 0..<2 {
      let again = try start(world.disk)
      again.pass(700_000)
      expect(updates(again) == [] && again.disk == world.disk && writes(again) == 0)
    }
  }

  /// From no version, as programs had that knew of none; from an older and a newer one; and back.
  ///
  /// Of another commit the panel says the same.
  @Test func anyOtherVersionIsToldAndNoOtherCommit() throws {
    for (before, now, isTold) in [
      ("", "0.2.0", true), ("0.1.9", "0.2.0", true), ("0.2.1", "0.2.0", true),
      ("0.2.0-dev+1", "0.2.0", true), ("0.2.0", "0.2.0-dev+12345678", true),
      ("0.2.0-dev+1111", "0.2.0-dev+2222", false),
    ] {
      let world = try start(try used(before).disk, version: now)
      world.pass(5_000)
      expect(updates(world), isTold ? [now] : [], "\(before) to \(now)")
      expect(told(on: world.disk), Self.version(isTold ? now : before))
    }
  }

  @Test func aProgramWithoutAVersionSaysAndWritesNone() throws {
    let world = try start(try used().disk, version: "")
    world.pass(5_000)
    world.remember(try plainSensor(.heart))
    expect(updates(world) == [] && told(on: world.disk) == Self.version(Self.old))
  }

  @Test func aSensorAloneIsReasonEnough() throws {
    let world = try start(try sensorsOnly())
    world.pass(5_000)
    expect(updates(world) == [Self.new] && told(on: world.disk) == Self.version(Self.new))
    expect(try world.device.sensors == plainSensors([.heart]))
  }

  /// The record of such a phone is not written, so that it would be told at each start.
  @Test func whereACodeIsMissingThePairingComesFirst() throws {
    let first = try World.paired(Self.settings) { $0.security.manner = .justWorks }
    let world = try start(told(Self.old, first.disk), ["pairing=required"])
    world.faults[.hci] = .noSuchDevice
    world.pass(2_000)
    expect(world.shows(.starting))
    world.faults[.hci] = nil
    world.pass(5_000)
    expect(updates(world) == [] && world.shows(.codeMissing) && writes(world) == 0)
  }

  // MARK: - The first start

  @Test(arguments: [nil, "0.1.0"])
  func whereNothingIsKeptTheVersionIsWrittenWithThePhoneAndNotTold(_ before: String?) throws {
    let world = try World(Self.settings, pairs: true, boots: false)
    if let before {
      let used = try World.paired(Self.settings)
      used.press("B")
      used.pass(1_000)
      world.disk = told(before, used.disk)
    }
    world.pass(6_000)
    expect(updates(world) == [] && writes(world) == 0)
    if before != nil { world.press("a") }
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(20_000)
    expect(updates(world) == [] && writes(world) == 1 && World.bond(on: world.disk) != nil)
    expect(told(on: world.disk), Self.version(Self.new))
    let again = try start(world.disk)
    again.pass(5_000)
    expect(updates(again) == [] && writes(again) == 0)
  }

  // MARK: - Cuts and faults

  /// What is written for anything else until then has the old version.
  @Test func aWriteBeforeItIsToldLeavesItToBeTold() throws {
    let world = try start(try used().disk)
    world.faults[.panel] = .remoteIO
    world.pass(1_000)
    world.remember(try plainSensor(.heart))
    expect(writes(world) == 1 && told(on: world.disk) == Self.version(Self.old))
    world.faults[.panel] = nil
    world.pass(8_000)
    expect(updates(world) == [Self.new] && told(on: world.disk) == Self.version(Self.new))
  }

  @Test func aStoreThatRefusesTheVersionHasItToldOnceInARun() throws {
    let world = try start(try used().disk)
    world.pass(1_000)
    world.faults[.store] = .noSpace
    world.pass(600_000)
    expect(updates(world) == [Self.new] && world.events("error").count == 1)
    world.faults[.store] = nil
    world.pass(600_000)
    expect(updates(world) == [Self.new] && writes(world) == 0)
    // The next write has it.
    world.remember(try plainSensor(.heart))
    expect(told(on: world.disk), Self.version(Self.new))
  }

  @Test func aStoreThatComesLateHasItToldThen() throws {
    let world = try start(try used().disk)
    world.faults[.store] = .noSuchFile
    world.pass(10_000)
    expect(updates(world), [])
    world.faults[.store] = nil
    world.pass(6_000)
    expect(updates(world) == [Self.new] && told(on: world.disk) == Self.version(Self.new))
  }

  @Test(arguments: [false, true])
  func aStoreThatIsNotOursHasNothingTold(_ isDamaged: Bool) throws {
    var disk = try used().disk
    for half in [0, 512] { disk[half + (isDamaged ? 60 : 8)] = 0xFF }
    let world = try start(disk)
    world.pass(60_000)
    expect(updates(world), [])
  }

  // MARK: - What comes first

  @Test func itWaitsForAPanelAndForATurnThatIsThere() throws {
    let first = try used()
    let world = try start(first.disk, near: first)
    world.faults[.panel] = .noSuchFile
    world.phone.address = world.security.privateAddress(3)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(5_000)
    expect(world.hasTurn && updates(world) == [])
    world.faults[.panel] = nil
    world.pass(5_000)
    expect(world.showsAnywhere(.turn(.right, "350 m", "Hauptstraße")))
    world.press("a")
    world.pass(1_000)
    expect(updates(world), [], "nor does it hide a page that the rider wants")
    while world.device.scene.page != .turn { world.press("a") }
    world.tell(0, 0, "", id: 2)
    world.pass(200)
    expect(world.showsAnywhere(.updated) && updates(world) == [Self.new])
  }

  @Test func aTurnTakesItsPlaceAndKeepsIt() throws {
    let first = try used()
    let world = try start(first.disk, near: first)
    world.phone.address = world.security.privateAddress(3)
    world.pass(200)
    expect(world.shows(.updated))
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    world.pass(10_000)
    expect(world.showsAnywhere(.turn(.right, "350 m", "Hauptstraße")))
    expect(updates(world) == [Self.new] && told(on: world.disk) == Self.version(Self.new))
  }

  @Test func aQuestionTakesItsPlace() throws {
    let world = try World(Self.settings, pairs: true, boots: false)
    world.disk = try sensorsOnly()
    world.pass(300)
    expect(world.shows(.updated))
    world.advertise()
    world.pass(1_500)
    expect(world.shows(.comparison(world.security.digits, phone: "Fairy")))
    world.press("a")
    world.pass(10_000)
    expect(updates(world) == [Self.new] && World.bond(on: world.disk) != nil)
  }

  @Test func aCallTakesItsPlace() throws {
    let first = try World.notifying(["notifications=all", "pairing=preferred"])
    let world = try start(
      told(Self.old, first.disk), ["notifications=all", "pairing=preferred"], near: first)
    world.faults[.panel] = .noSuchFile
    world.phone.address = world.security.privateAddress(3)
    world.tell(0, 0, "", id: 7)
    world.advertise()
    world.answer(for: 14_000)
    world.happens(7)
    world.faults[.panel] = nil
    world.answer(for: 2_000)
    expect(world.shows(.call(World.caller)) && updates(world) == [])
    world.happens(kind: 2, 7)
    world.pass(200)
    expect(world.shows(.updated) && updates(world) == [Self.new])
    world.happens(8)
    expect(!world.shows(.updated))
  }

  @Test func whatIsWrongInTheBoardFileIsSaidFirst() throws {
    let world = try start(try used().disk, mistake: "board.conf:7: unknown key \"b\"")
    world.pass(10_000)
    expect(world.shows(.wrongSettings("board.conf:7: unknown key \"b\"")) && updates(world) == [])
    world.press("a")
    world.pass(100)
    expect(world.shows(.updated) && updates(world) == [Self.new])
  }

  @Test func aPressEndsItAndDoesNothingElseAndARadioThatFailsTakesItsPlace() throws {
    for press in ["a", "b"] {
      let world = try start(try used().disk)
      world.pass(500)
      expect(world.shows(.updated))
      world.press(press)
      world.pass(100)
      expect(world.shows(.waiting("Fairy")))
      expect(writes(world) == 1 && told(on: world.disk) == Self.version(Self.new))
    }
    let world = try start(try used().disk)
    world.pass(300)
    expect(world.shows(.updated))
    world.faults[.hci] = .accessDenied
    world.loseRadio()
    world.pass(100)
    expect(!world.shows(.updated) && world.connection == .noRadio)
  }

  // MARK: - Replayed

  private static let reporting =
    settings + ["report=file:/tmp/report", "buttons=gpio:/dev/gpiochip0", "button-a=17"]

  /// The rider rides with the phone that the store has, and keeps a sensor.
  private func ride(version: String, before: String) throws -> World {
    let first = try used(before)
    let world = try start(first.disk, Self.reporting, near: first, version: version)
    world.phone.address = world.security.privateAddress(3)
    world.pass(4_000)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(4_000)
    let strap = VirtualSensor(.heart, number: 1)
    world.controller.sensors = [strap]
    world.turnToSensors()
    world.findAndKeep(strap)
    world.pass(4_000)
    world.loseLink(of: strap)
    world.advertise(strap)
    world.pass(4_000)
    return world
  }

  @Test func aReportOfAnUpdateReplaysWithoutADivergence() throws {
    let world = try ride(version: Self.new, before: Self.old)
    expect(updates(world), [Self.new])
    let player = try world.replaysTheSame()
    let lines = String(decoding: player.events, as: UTF8.self).split(separator: "\n")
    let told = lines.filter { $0.contains("\"update\"") }.map(String.init)
    expect(told, world.events("update").map(\.line))
  }

  /// Their programs told nothing and wrote nothing for it; nor does that of today, or no sensor would be kept there.
  @Test func aReportOfAProgramThatKnewOfNoUpdatesReplaysWithoutADivergence() throws {
    let world = try ride(version: "", before: "")
    expect(!world.device.sensors.isEmpty && updates(world) == [])
    var recording = try world.recording()
    recording.version = Self.new
    let player = try replayed(recording)
    expect(player.comparison.divergences, [])
    #expect(!String(decoding: player.events, as: UTF8.self).contains("\"update\""))
  }
}
