import Bytes
import DeviceState
import Expecting
import TestSupport
import VirtualDevice

@testable import Device

/// A radio that hangs is brought back by a ladder of steps, each of them told.
struct RecoveryTests {
  /// As on the card: somebody rebinds, and the board may be rebooted at any time.
  private static let card = RecoveryMeans(canRebind: true, rebootTime: Instant(milliseconds: 0))
  /// As with the package.
  private static let package = RecoveryMeans(canRebind: true, rebootTime: nil)

  private func started(_ means: RecoveryMeans, _ settings: [String] = ["hci=hci0"]) throws -> World
  {
    let world = try World(settings, means: means)
    world.pass(1_000)
    world.onRebind = { $0.controller.isHanging = false }
    return world
  }

  /// The chip hangs and says so before, or a command finds out.
  private func hang(_ world: World) {
    world.controller.isHanging = true
    for _ in 0..<39 { world.receive(bytes("04 10 01 00")) }
    world.pass(0)
  }

  /// The steps with their counts, in their order.
  private func steps(_ world: World) -> [String] {
    world.events("recovery").map { "\($0["step"] ?? "?") \($0[number: "count"] ?? 0)" }
  }

  @Test func centralBehaviour61_aResetIsTheFirstStepThenANewOpeningThenARebind() throws {
    let world = try started(Self.card)
    let start = world.now.milliseconds
    hang(world)
    expect(steps(world), ["reset 1"])
    world.pass(3_000)
    expect(steps(world), ["reset 1", "reopen 1"], "Reset has had no answer for 2 s")
    world.pass(6_999)
    expect(world.rebinds, [])
    world.pass(1)
    expect(world.rebinds, [start + 10_000])
    expect(steps(world), ["reset 1"] + (1...4).map { "reopen \($0)" } + ["rebind 1"])
  }

  /// Nothing is asked of it until the store was read: it cannot show that it is well.
  @Test func centralBehaviour61_aRadioThatNobodyAsksIsNotBroughtBack() throws {
    let world = try World(["hci=hci0", "pairing=preferred"], boots: false, means: Self.card)
    world.faults[.hci] = .noSuchDevice
    world.faults[.store] = .inputOutput
    world.pass(2_000)
    world.faults[.hci] = nil
    world.pass(600_000)
    expect(steps(world), [])
    world.faults[.store] = nil
    world.pass(2_000)
    expect(world.events("controller").count, 1)
  }

  /// The transport is closed meanwhile, so that nobody who lets go of it too late keeps its number from the new one.
  @Test func centralBehaviour61_aRadioThatARebindBringsBackRides() throws {
    let world = try started(Self.card)
    var state: PortState?
    world.onRebind = {
      $0.controller.isHanging = false
      state = $0.state(of: .hci)
    }
    hang(world)
    world.pass(12_999)
    expect(state == .closed && world.state(of: .hci) == .closed)
    world.pass(1)
    expect(world.state(of: .hci), .open)
    world.pass(1_000)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    expect(world.states("link").last, "ready")
    world.pass(600_000)
    expect(world.rebinds.count == 1 && world.events("recovery").last?["step"] == "rebind")
  }

  @Test func centralBehaviour61_afterAMinuteMoreTheWatchdogIsStarved() throws {
    let world = try started(Self.card)
    world.onRebind = { _ in }
    hang(world)
    world.pass(69_999)
    expect(!world.isRebootRequested)
    world.pass(1)
    expect(world.isRebootRequested)
    expect(world.rebinds.count == 1 && steps(world).last == "reboot 1")
    world.controller.isHanging = false
    world.pass(5_000)
    expect(!world.isRebootRequested, "it came back before the watchdog ran out")
  }

  /// A start that was for the radio's sake is told when the next one may be.
  @Test func centralBehaviour61_theBoardIsNotStartedAnewBeforeItsTime() throws {
    let start = Instant(milliseconds: 1_000_000)
    let means = RecoveryMeans(canRebind: true, rebootTime: start + 600_000)
    let world = try World(["hci=hci0"], at: start, means: means)
    hang(world)
    world.pass(599_999)
    #expect(world.events("recovery").allSatisfy { $0["step"] != "reboot" })
    expect(world.rebinds.map { $0 - start.milliseconds }, (0..<10).map { 10_000 + 60_000 * $0 })
    world.pass(10_000)
    expect(!world.isRebootRequested)
    world.pass(1)
    expect(world.isRebootRequested && steps(world).last == "reboot 1")
  }

  /// Whether it came back before the watchdog ran out, or there is no watchdog.
  @Test(arguments: [false, true])
  func centralBehaviour61_theWatchdogIsStarvedAtMostEveryTenMinutes(_ comesBack: Bool) throws {
    let world = try started(Self.card)
    world.onRebind = { _ in }
    hang(world)
    world.pass(70_000)
    let first = world.now
    if comesBack {
      world.controller.isHanging = false
      world.pass(20_000)
      hang(world)
    }
    world.pass(first + 599_999 - world.now)
    expect(steps(world).filter { $0.hasPrefix("reboot") }, ["reboot 1"])
    world.pass(60_000)
    expect(steps(world).filter { $0.hasPrefix("reboot") }, ["reboot 1", "reboot 2"])
  }

  /// With the package the driver is bound anew each minute, and nothing more.
  @Test func centralBehaviour61_whereNobodyCanRebindItIsOpenedAnewForEver() throws {
    for (means, settings, rebinds) in [
      (Self.card, ["hci=tcp:127.0.0.1:1"], 0), (.none, ["hci=hci0"], 0),
      (Self.package, ["hci=hci0"], 4),
    ] as [(RecoveryMeans, [String], Int)] {
      let world = try started(means, settings)
      world.onRebind = { _ in }
      hang(world)
      world.pass(200_000)
      expect(world.rebinds.count == rebinds && !world.isRebootRequested)
      let steps = Set(world.events("recovery").compactMap { $0["step"] })
      expect(steps.subtracting(["rebind"]), ["reset", "reopen"])
      world.controller.isHanging = false
      world.pass(4_000)
      expect(world.connection, .searching)
    }
  }

  @Test func centralBehaviour61_aControllerThatIsUpForTenSecondsIsWell() throws {
    let world = try started(Self.card)
    world.receive(bytes("04 10 01 42"))
    world.pass(11_100)
    world.receive(bytes("04 10 01 42"))
    world.pass(0)
    expect(steps(world), ["reset 1", "reset 2"])
    world.pass(60_000)
    expect(world.events("recovery").count, 2)
  }

  @Test func centralBehaviour61_oneThatFailsAgainAndAgainAfterItsStartIsSwitchedOffAndOn() throws {
    let world = try started(Self.card)
    for _ in 0..<6 {
      world.receive(bytes("04 10 01 42"))
      world.pass(2_500)
    }
    expect(world.rebinds.count, 1)
    #expect(world.events("controller").count > 5)
  }

  @Test func centralBehaviour61_aControllerWhoseSetUpFailedIsSwitchedOffAndOn() throws {
    let world = try World(["hci=hci0"], boots: false, means: Self.card)
    let start = world.now.milliseconds
    world.faults[.hci] = .inProgress
    world.onRebind = { $0.faults[.hci] = nil }
    world.pass(20_000)
    expect(world.rebinds, [start + 10_000])
    expect(steps(world), ["rebind 1"], "what was never open is not opened again")
    let up = try #require(world.events("controller").first)
    #expect(up.line.hasPrefix("{\"t\":13."))
  }

  /// As at each start of the card, where the panel comes first.
  @Test func centralBehaviour61_aDriverThatIsLoadedLaterThanWeAreIsNoFailure() throws {
    let world = try World(["hci=hci0"], boots: false, means: Self.card)
    world.faults[.hci] = .noSuchDevice
    world.pass(1_000)
    world.faults[.hci] = .inProgress
    world.pass(1_000)
    world.faults[.hci] = nil
    world.pass(1_000)
    expect(world.events("controller").count, 1)
    expect(world.events("error").isEmpty && world.events("recovery").isEmpty)
    let start = world.now.milliseconds
    hang(world)
    world.pass(10_000)
    expect(steps(world).first == "reset 1" && world.rebinds == [start + 10_000])
  }

  @Test func centralBehaviour61_nothingIsSwitchedOffThatIsNotToBlame() throws {
    for reason in [.busy, .tooManyUsers, .radioBlocked, .notPermitted, .noSuchFamily] as [Errno] {
      let world = try World(["hci=hci0"], boots: false, means: Self.card)
      world.faults[.hci] = reason
      world.pass(300_000)
      expect(world.rebinds == [] && world.events("recovery").isEmpty, "\(reason)")
    }
  }

  // MARK: - A chip that is up and does nothing

  @Test func centralBehaviour155_aChipThatMakesNoLinksIsResetThenOpenedAnewThenRebound() throws {
    let world = try started(Self.package)
    world.controller.refused[0x200D] = 0x0C
    for (number, step) in ["reset 1", "reopen 1", "rebind 1"].enumerated() {
      for attempt: UInt8 in 1...2 {
        expect(steps(world).count, number)
        world.phone.address[1] = UInt8(number) << 4 | attempt
        world.advertise()
        world.pass(200)
      }
      #expect(steps(world).contains(step))
      if number == 0 {
        let said = "the controller makes no link, again and again with error 0x0c"
        expect(world.shows(.noRadio("Restarting Bluetooth: " + said)))
        let message = world.events("error").last?["message"]
        expect(message, said + ". Restarting Bluetooth")
      }
      world.pass(125_000)
      world.press("a")
    }
  }

  @Test func centralBehaviour156_aChipThatHearsNobodyIsResetAndNothingIsShownOfThat() throws {
    let world = try started(Self.card)
    world.pass(180_100)
    expect(steps(world), ["reset 1"])
    expect(world.events("error").isEmpty && world.connection == .searching)
  }

  // MARK: - What is said of it

  @Test func centralBehaviour62_whereNobodyElseHasTheControllerNobodyIsToBeStopped() throws {
    let world = try World(["hci=hci0"], boots: false, means: Self.card)
    world.faults[.hci] = .inProgress
    world.pass(6_000)
    let said = "hci0: its driver is setting it up, or failed to"
    expect(world.events("error").compactMap { $0["message"] }, [said])
    expect(world.shows(.trouble(.radioRestarts)))
    world.pass(5_000)
    expect(world.shows(.trouble(.radioRestarts)))
    world.pass(60_000)
    expect(world.showsMoved(.trouble(.restart)))
  }

  @Test func centralBehaviour62_anotherProgramIsNamedWhereThereIsOne() throws {
    let world = try World(["hci=hci0"], boots: false, means: Self.card)
    world.faults[.hci] = .busy
    world.pass(11_000)
    let said = "hci0: another program has the controller: stop bluetoothd or that program"
    expect(world.events("error").compactMap { $0["message"] }, [said])
    expect(world.shows(.trouble(.radio)), "on a card nobody has a command line")
    let other = try World(["hci=hci0"], boots: false, means: Self.package)
    other.faults[.hci] = .busy
    other.pass(11_000)
    expect(other.shows(.noRadio(said)))
  }

  @Test func centralBehaviour62_thePanelSaysWhatIsDoneNow() throws {
    let world = try started(Self.package)
    world.onRebind = { _ in }
    hang(world)
    expect(
      world.shows(.noRadio("Restarting Bluetooth: the controller reports hardware error 0x00")))
    let silent = "the controller does not answer command 0x0c03"
    world.pass(3_100)
    expect(world.shows(.noRadio("Reconnecting Bluetooth: " + silent)))
    world.pass(7_000)
    expect(world.shows(.noRadio("Restarting Bluetooth: " + silent)))
    expect(
      world.events("error").compactMap { $0["message"] },
      [
        "the controller reports hardware error 0x00. Restarting Bluetooth",
        silent + ". Reconnecting Bluetooth",
      ])
  }
}
