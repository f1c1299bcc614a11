import Bytes
import TestSupport
import Testing
import VirtualDevice

@testable import Device

/// The line that resets a panel before its first command.
@Suite struct PanelResetTests {
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
    #expect(start.high == 10)
    #expect(start.message == 100, "a panel that gets its power has 100 ms in any case")
  }

  @Test func afterAFaultOfTheBusThePanelIsResetAndRestsFor10Milliseconds() throws {
    let world = try World(Self.settings)
    world.cutPanelPower()
    world.fail(.panel, .remoteIO)
    let start = restart(world)
    #expect(start.high == 10)
    #expect(start.message == 20)
    world.pass(1_000)
    #expect(world.shows(.searching(secondsLeft: nil)))
  }

  @Test func aPanelThatWorksIsNotResetAgain() throws {
    let world = try World(Self.settings)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(120_000)
    #expect(world.resets.map(\.isHigh) == [false, true])
  }

  @Test func aLineThatCannotBeHadIsToldOnceAndThePanelStartsOnceItIsThere() throws {
    let world = try World(Self.settings, boots: false)
    world.faults[.panelReset] = .busy
    world.pass(10_000)
    #expect(world.messages.isEmpty && world.resets.isEmpty)
    #expect(world.events("error").compactMap { $0["source"] } == ["gpio"])
    world.faults[.panelReset] = nil
    world.pass(1_000)
    #expect(world.resets.map(\.isHigh) == [false, true] && !world.messages.isEmpty)
  }

  @Test func aLineThatCannotBeSetIsOpenedAnew() throws {
    let world = try World(Self.settings, boots: false)
    world.pass(5)
    world.faults[.panelReset] = .inputOutput
    world.pass(10)
    world.faults[.panelReset] = nil
    world.pass(1_000)
    #expect(world.resets.map(\.isHigh) == [false, false, true] && !world.messages.isEmpty)
  }

  /// The kernel gives the name to no other chip while somebody has a line of the one that went.
  @Test func theLineIsLetGoOfWithAChipThatTheButtonsMiss() throws {
    let world = try World(Self.settings)
    world.fail(.buttons, .noSuchDevice)
    #expect(world.state(of: .panel) == .closed)
    world.pass(1_100)
    #expect(world.state(of: .panel) == .open && world.resets.count == 4)
  }

  @Test func aBoardWithoutTheLineResetsNothing() throws {
    let world = try World(["panel=ssd1309-128x64"])
    #expect(world.resets.isEmpty && !world.messages.isEmpty)
  }
}
