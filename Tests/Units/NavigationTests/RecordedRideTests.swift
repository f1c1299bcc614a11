import Expecting
import Navigation
import PhoneServices
import TestSupport
import Turns

/// The recorded rides, and the alerts that a person expects of them.
@Suite struct RecordedRideTests {
  @Test(
    .enabled(if: RecordedRide.areThere, "the rides are not among the recordings"),
    arguments: ["potsdam-long", "potsdam-short"])
  func theAlertsAreThoseThatAPersonExpects(_ name: String) throws {
    let log = try RecordedRide(name)
    let expected = try RecordedRide.expectedAlerts(name).map {
      (line: $0.line, level: try #require(Self.levels[$0.level]))
    }
    let announced = alerts(of: log)
    for (alert, expectation) in zip(announced, expected) {
      let time = try #require(log.times[expectation.line])
      expect(
        alert.level == expectation.level && abs(alert.time - time) <= alert.level.tolerance,
        "expected \(expectation.level) at line \(expectation.line), not \(alert)")
    }
    expect(announced.map(\.level), expected.map(\.level))
  }

  private static let levels: [String: AlertLevel] = [
    "depart": .depart, "low": .low, "medium": .medium, "high": .high, "arrive": .arrive,
  ]

  /// What a display announces that hears the log as a phone tells it, the last instruction every 2 s.
  private func alerts(of log: RecordedRide) -> [Announcement] {
    var display = Display()
    var nextRepeat: Int64 = 2_000
    var last: RecordedRide.Row?
    for row in log.rows {
      while nextRepeat < row.time {
        if let last { display.tell(last.distance, at: nextRepeat) }
        nextRepeat += 2_000
      }
      display.turn(Maneuver(direction: row.direction), row.street)
      display.tell(row.distance, at: row.time)
      last = row
    }
    return display.announced
  }
}

extension AlertLevel {
  /// By how many milliseconds two persons who look at the same log may differ.
  fileprivate var tolerance: Int64 {
    switch self {
    case .none, .depart, .low, .arrive: 0
    case .medium: 4_000
    // A reading's second, and the time of the 10 m to which the logs round.
    case .high: 2_500
    }
  }
}
