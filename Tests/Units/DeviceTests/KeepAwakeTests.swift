import Bytes
import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// A short load that keeps a power bank on: when the processor is not to sleep.
@Suite struct KeepAwakeTests {
  /// When the processor began and ceased to be loaded, in milliseconds since the start, looked at each 10 ms.
  private func loads(_ world: World, for time: Int64) -> [Int64] {
    let start = world.now
    var changes: [Int64] = []
    var last = world.isLoading
    while world.now - start < time {
      world.pass(10)
      if world.isLoading != last { changes.append(world.now - start) }
      last = world.isLoading
    }
    return changes
  }

  @Test(arguments: [5, 60] as [Int64]) func eachIntervalHasThreeTenthsOfASecond(_ interval: Int64)
    throws
  {
    let world = try World(["keep-awake=\(interval)"])
    let changes = loads(world, for: 2 * interval * 1_000 + 500)
    // The panel was switched on for a tenth of a second before.
    let begin = interval * 1_000 - 100
    expect(
      changes, [begin, begin + 300, begin + interval * 1_000, begin + interval * 1_000 + 300])
  }

  @Test func withoutTheSettingThereIsNone() throws {
    #expect(loads(try World(), for: 70_000).isEmpty)
  }

  /// Nothing waits for it, and nothing else is done.
  @Test func aRideIsTheSameWithIt() throws {
    func ride(_ settings: [String]) throws -> World {
      let world = try World(settings)
      world.tell(8, 350, "Hauptstraße")
      world.advertise()
      for second in 0..<40 {
        world.tell(8, UInt32(350 - 8 * second), "Hauptstraße", id: UInt32(2 + second))
        world.pass(1_000)
      }
      world.press("a")
      world.pass(20_000)
      return world
    }
    let (plain, loaded) = (try ride([]), try ride(["keep-awake=5"]))
    expect(plain.messages, loaded.messages)
    // Estimates are told and shown whenever the device wakes.
    for name in ["instruction", "alert", "link", "stale", "button"] {
      expect(plain.events(name).map(\.line), loaded.events(name).map(\.line))
    }
    #expect(loaded.timerWakeUps - plain.timerWakeUps <= 2 * 60 / 5)
  }

  @Test func whoLeavesIsNotLoaded() throws {
    let world = try World(["keep-awake=5"])
    world.pass(5_100)
    expect(world.isLoading)
    world.leave()
    expect(!world.isLoading)
  }

  /// A bus that hangs for seconds: the next load has its whole length, and there is only one.
  @Test func aLateOneIsWholeAndTheOnlyOne() throws {
    let world = try World(["keep-awake=5"])
    world.sleep(17_000)
    expect(world.isLoading)
    expect(loads(world, for: 11_000), [300, 5_000, 5_300, 10_000, 10_300])
  }
}
