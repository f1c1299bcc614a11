import TestSupport
import Testing
import VirtualDevice

/// Counters that are at their end after years stop nothing.
@Suite struct CounterTests {
  @Test func aRideGoesOnAndIsReportedThoughEachCounterIsAtItsEnd() throws {
    let world = try World(["report=file:/tmp/report"], countingFrom: .max)
    for round in 0..<2 {
      world.advertise()
      world.pass(1_000)
      for index in 0..<600 {
        world.tell(8, UInt32(1_000 + index), "Straße \(round) \(index)")
        world.pass(1_000)
      }
      world.hears(bytes("04 3e 01"))
      world.loseLink()
    }
    let counters = world.device.counters
    #expect(counters.recordedBytes > 24_576 && counters.recordedBytes < 1 << 20)
    #expect((500..<10_000).contains(counters.droppedEntries))
    #expect((0..<100).contains(counters.keptLinks))
    #expect((1_000..<1_300).contains(counters.streets))
    #expect((0..<100).contains(counters.droppedPackets))
    #expect(world.told.count == 1_200)
    world.press("r")
    world.pass(100)
    let report = try #require(ReportFile(world.reportFile))
    #expect(report.packets.count > 100)
  }
}
