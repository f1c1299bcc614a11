import Bytes
import Expecting
import TestSupport
import VirtualDevice

@testable import Device

/// What has to be found out about a panel and its bus, once in each run of the program.
final class PanelStartTests {
  private var distance: UInt32 = 100
  private let elsewhere =
    "/dev/i2c-1 address 0x3c: no panel answers here, but one does at 0x3d and is used:"
    + " set display = i2c:/dev/i2c-1@0x3d"
  private let silent =
    "/dev/i2c-1 address 0x3c: no panel answers at this address:"
    + " check its power and wires, and i2cdetect -y 1"

  private func messages(_ world: World) -> [String?] { world.events("error").map { $0["message"] } }

  /// Another picture is due, and there is time for attempts to show it.
  private func change(_ world: World) {
    distance += 10
    world.tell(8, distance, "Hauptstraße", id: distance)
    world.pass(1_200)
  }

  private func ride(_ world: World) {
    world.advertise()
    change(world)
  }

  // MARK: - One call for several messages

  @Test(arguments: PanelOutageTests.errors)
  func centralBehaviour63_anAdapterThatCannotJoinMessagesGetsThemOneByOne(_ reason: Errno) throws {
    let world = try World(boots: false)
    world.joinedFault = reason
    world.pass(200)
    expect(world.shows(.searching(secondsLeft: nil)))
    expect(world.calls.count > 2 && Set(world.calls) == [1])
    #expect(world.events("error").isEmpty, "that is no trouble")
  }

  @Test(arguments: PanelOutageTests.errors)
  func centralBehaviour63_afterAnyErrorEachMessageHasACallOfItsOwn(_ reason: Errno) throws {
    let world = try World()
    ride(world)
    expect(world.calls.count > 2 && world.calls.allSatisfy { $0 > 1 })
    world.faults[.panel] = reason
    change(world)
    world.faults[.panel] = nil
    let before = world.calls.count
    for _ in 0..<3 {
      change(world)
      // Neither a bus that is opened again nor a whole picture makes it try again.
      world.cutPanelPower()
      world.fail(.panel, .noSuchDevice)
      change(world)
    }
    let after = world.calls.dropFirst(before)
    expect(after.count > 10 && Set(after) == [1])
    expect(world.events("error").first.map { $0["source"] }, "i2c")
  }

  /// The adapter may be another one by then, or the wire mended.
  @Test func centralBehaviour63_theNextStartJoinsMessagesAgain() throws {
    let before = try World()
    ride(before)
    before.faults[.panel] = .timedOut
    change(before)
    before.faults[.panel] = nil
    change(before)
    expect(before.calls.last, 1)
    let after = try World(boots: false)
    after.disk = before.disk
    after.pass(200)
    ride(after)
    expect(after.calls.count > 2 && after.calls.allSatisfy { $0 > 1 })
  }

  // MARK: - Its power

  /// It would have been dimmed meanwhile; nothing is due before it takes its first message, and of the adapter nothing
  /// is known, as nothing was sent.
  @Test func aBusThatComesAfterAMinuteIsWaitedForWithoutSpinning() throws {
    let world = try World(boots: false)
    world.faults[.panel] = .noSuchFile
    world.pass(61_000)
    world.faults[.panel] = nil
    world.pass(1_000)
    expect(world.device.deadline.map { $0 > world.now }, true)
    expect(world.calls.first.map { $0 > 1 }, true)
  }

  @Test func centralBehaviour66_aPanelHas100MillisecondsBeforeItsFirstMessage() throws {
    let world = try World(boots: false)
    world.pass(99)
    let early = world.messages.count
    world.pass(1)
    expect(early, 0)
    expect(world.shows(.searching(secondsLeft: nil)))
  }

  @Test(arguments: [Errno.noSuchFile, .noSuchDevice])
  func centralBehaviour66_aPanelWhoseBusComesLaterGets100Milliseconds(_ reason: Errno) throws {
    let world = try World()
    world.fail(.panel, reason)
    world.faults[.panel] = .noSuchFile
    world.cutPanelPower()
    world.pass(1_600)
    world.faults[.panel] = nil
    let before = world.messages.count
    world.pass(400)
    let opened = try #require(world.attempts[.panel]?.last)
    world.pass(opened + 99 - world.now.milliseconds)
    let early = world.messages.count
    world.pass(1)
    expect(early, before)
    #expect(world.messages.count > before)
  }

  // MARK: - Its supply

  /// From a minute after the start on, with whatever happens then; no timer is for it.
  @Test(arguments: [(59_999, false), (60_000, true)] as [(Int64, Bool)])
  func withAPictureAMinuteLaterItGetsItsSettingsAnew(_ time: Int64, _ isHealed: Bool) throws {
    let world = try World(boots: false)
    world.pass(1_000)
    let before = world.messages.count
    world.pass(time - 1_000)
    world.press("b")
    let settings = world.messages.dropFirst(before).filter { $0.starts(with: bytes("00 A8")) }
    #expect(world.messages.count > before)
    expect(settings.count, isHealed ? 1 : 0)
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
    expect(world.events("frame").count, pictures + 1, "the settings")
  }

  // MARK: - Its address

  @Test func centralBehaviour66_aPanelAtTheOtherAddressIsUsedAndTheLineToChangeTold() throws {
    let world = try World(boots: false)
    world.panelAddress = 0x3D
    world.pass(100)
    expect(world.shows(.searching(secondsLeft: nil)), "at once")
    world.pass(5_000)
    expect(messages(world), [elsewhere])
    let other = try World(["display=i2c:/dev/i2c-4@0x3d"])
    let swapped = elsewhere.replacing("0x3c", with: "?").replacing("0x3d", with: "0x3c")
    expect(
      messages(other),
      [swapped.replacing("?", with: "0x3d").replacing("/dev/i2c-1", with: "/dev/i2c-4")])
  }

  @Test(arguments: [0x3C, 0x3D] as [UInt8])
  func centralBehaviour66_aPanelThatComesLaterIsFoundAtEitherAddress(_ address: UInt8) throws {
    let world = try World(boots: false)
    world.panelAddress = 0
    world.pass(10_100)
    expect(messages(world), [silent], "once")
    world.panelAddress = address
    world.pass(600)
    #expect(!world.messages.isEmpty)
    expect(messages(world), [silent] + (address == 0x3D ? [elsewhere] : []))
  }

  /// Where it is known to be it comes back to, twice a second.
  @Test(arguments: [0x3C, 0x3D] as [UInt8])
  func aPanelThatHasWorkedIsNotLookedForElsewhere(_ address: UInt8) throws {
    let world = try World(boots: false)
    world.panelAddress = address
    world.pass(100)
    ride(world)
    let before = world.messages.count
    world.panelAddress = address ^ 1
    change(world)
    expect(world.messages.count, before)
    expect(messages(world).last??.contains(address == 0x3C ? "0x3c: no" : "0x3d: no"), true)
    world.panelAddress = address
    change(world)
    #expect(world.messages.count > before)
  }

  @Test func anAddressThatNoPanelHasIsTheBuildersOwn() throws {
    let world = try World(["display=i2c:/dev/i2c-1@0x3e"])
    world.panelAddress = 0x3C
    world.pass(5_000)
    #expect(world.messages.isEmpty)
    expect(world.events("error").count, 1)
  }

  /// A wire at ground is no matter of addresses.
  @Test func aBusThatIsStuckIsAskedAtOneAddressOnly() throws {
    let world = try World(boots: false)
    world.panelAddress = 0x3D
    world.faults[.panel] = .timedOut
    world.pass(3_000)
    expect(messages(world).count, 1)
    expect(world.attempts[.panel].map { $0.count < 10 }, true)
  }
}

/// The line that resets a panel before its first command.
struct PanelResetTests {
  private static let settings = [
    "panel=ssd1309-128x64", "buttons=gpio:/dev/gpiochip0", "button-a=17", "panel-reset=25",
  ]

  /// When the first message of a start came, counted from the opening of the line.
  private func restart(_ world: World) -> (high: Int64?, message: Int64?) {
    let (resets, messages) = (world.resets.count, world.messages.count)
    var message: Int64?
    for _ in 0..<700 where message == nil {
      if world.messages.count > messages { message = world.now.milliseconds } else { world.pass(1) }
    }
    guard let low = world.resets.dropFirst(resets).first, !low.isHigh else { return (nil, nil) }
    let high = world.resets.dropFirst(resets).first { $0.isHigh }
    return (high.map { $0.time - low.time }, message.map { $0 - low.time })
  }

  @Test func theLineIsLowFor10MillisecondsBeforeAPanelIsStarted() throws {
    let world = try World(Self.settings, boots: false)
    let start = restart(world)
    expect(start.high, 10)
    expect(start.message, 100, "a panel that gets its power has 100 ms in any case")
  }

  @Test func afterAFaultOfTheBusThePanelIsResetAndRestsFor10Milliseconds() throws {
    let world = try World(Self.settings)
    world.cutPanelPower()
    world.fail(.panel, .remoteIO)
    let start = restart(world)
    expect(start.high, 10)
    expect(start.message, 20)
    world.pass(1_000)
    expect(world.shows(.searching(secondsLeft: nil)))
  }

  @Test func aLineThatCannotBeHadIsToldOnceAndThePanelStartsOnceItIsThere() throws {
    let world = try World(Self.settings, boots: false)
    world.faults[.panelReset] = .busy
    world.pass(10_000)
    expect(world.messages.isEmpty && world.resets.isEmpty)
    expect(world.events("error").compactMap { $0["source"] }, ["gpio"])
    world.faults[.panelReset] = nil
    world.pass(1_000)
    expect(world.resets.map(\.isHigh) == [false, true] && !world.messages.isEmpty)
  }

  @Test func aLineThatCannotBeSetIsOpenedAnew() throws {
    let world = try World(Self.settings, boots: false)
    world.pass(5)
    world.faults[.panelReset] = .inputOutput
    world.pass(10)
    world.faults[.panelReset] = nil
    world.pass(1_000)
    expect(world.resets.map(\.isHigh) == [false, false, true] && !world.messages.isEmpty)
  }

  /// The kernel gives the name to no other chip while somebody has a line of the one that went.
  @Test func theLineIsLetGoOfWithAChipThatTheButtonsMiss() throws {
    let world = try World(Self.settings)
    world.fail(.buttons, .noSuchDevice)
    expect(world.state(of: .panel), .closed)
    world.pass(1_100)
    expect(world.state(of: .panel) == .open && world.resets.count == 4)
  }

  @Test func aPanelThatWorksIsNotResetAgainAndWithoutTheLineNone() throws {
    for (settings, resets) in [
      (Self.settings, [false, true]), (["panel=ssd1309-128x64"], []),
    ] {
      let world = try World.following(settings)
      world.pass(120_000)
      expect(world.resets.map(\.isHigh) == resets && !world.messages.isEmpty)
    }
  }
}
