import Bytes
import Linux
import Testing

/// WATCHDOG_USEC and WATCHDOG_PID as systemd sets them: sd_watchdog_enabled(3).
@Suite struct WatchdogTests {
  private static func watchdog(_ microseconds: String, process: String = "") -> Watchdog {
    let (time, number) = (Array(microseconds.utf8), Array(process.utf8))
    return Watchdog(microseconds: time.span, process: number.span, ours: 4711)
  }

  @Test(
    arguments: [
      ("30000000", 10_000), ("20000000", 6_666), ("3000", 1), ("2999", 1), ("1", 1),
      ("18446744073709551614", 6_148_914_691_236_517),
    ] as [(String, Int64)])
  func threeSignsOfLifeFitIntoItsTime(_ microseconds: String, _ milliseconds: Int64) {
    #expect(Self.watchdog(microseconds).interval == milliseconds)
  }

  @Test(
    arguments: [
      "", "0", "00", "-1", "+1", "1s", " 1", "1 ", "0x10", "1.5", "١", "18446744073709551615",
      "18446744073709551616", "99999999999999999999", "10000000000000000000000000000",
    ])
  func withoutAProperTimeNobodyWantsAny(_ microseconds: String) {
    var watchdog = Self.watchdog(microseconds)
    let isDue = watchdog.takeDue(at: Instant(milliseconds: 0))
    #expect(!isDue && watchdog == .none && watchdog.deadline == nil)
  }

  @Test(arguments: ["4711", "04711"]) func oneForThisProcessCounts(_ process: String) {
    #expect(Self.watchdog("3000000", process: process).interval == 1_000)
  }

  @Test(arguments: ["4712", "1", "4711x", "0", "-4711"])
  func oneForAnotherProcessDoesNot(_ process: String) {
    #expect(Self.watchdog("3000000", process: process) == .none)
  }

  @Test func theFirstIsDueAtOnceAndTheOthersAnIntervalAfterTheOneBefore() {
    var watchdog = Self.watchdog("30000000")
    var due: [Int64] = []
    // A loop that is woken every 0.7 s by other things, from any time on.
    for time in stride(from: Int64(5_000), through: 35_000, by: 700) {
      if watchdog.takeDue(at: Instant(milliseconds: time)) { due.append(time) }
    }
    #expect(due == [5_000, 15_500, 26_000])
    #expect(watchdog.deadline == Instant(milliseconds: 36_000))
  }

  @Test func aLoopThatHungSaysSoOnceAndDoesNotMakeUpForIt() {
    var watchdog = Self.watchdog("30000000")
    let signs = [0, 100_000, 100_001, 109_999, 110_000].map {
      watchdog.takeDue(at: Instant(milliseconds: $0))
    }
    #expect(signs == [true, true, false, false, true])
  }
}
