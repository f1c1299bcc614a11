import Foundation
import Komoot
import Navigation
import TestSupport
import Testing
import Turns

/// The recorded rides, beside the project, and the alerts that a person expects of them.
@Suite struct RecordedRideTests {
  @Test(
    .enabled(if: RecordedRide.areThere, "the recorded rides are not beside the project"),
    arguments: ["potsdam-long", "potsdam-short"])
  func theAlertsAreThoseThatAPersonExpects(_ name: String) throws {
    let log = try RecordedRide(name)
    let expected = try RecordedRide.expectations(name)
    let announced = alerts(of: log)
    for (alert, expectation) in zip(announced, expected) {
      let time = try #require(log.times[expectation.line])
      #expect(
        alert.level == expectation.level && abs(alert.time - time) <= alert.level.tolerance,
        "expected \(expectation.level) at line \(expectation.line), not \(alert)")
    }
    #expect(announced.map(\.level) == expected.map(\.level))
  }

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

extension RecordedRide {
  /// What a person who looks at the log expects: lines of `LINE LEVEL why`.
  fileprivate static func expectations(
    _ name: String
  ) throws -> [(line: Int, level: AlertLevel)] {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let file = here.appending(path: "Rides/\(name).txt")
    let levels: [Substring: AlertLevel] = [
      "depart": .depart, "low": .low, "medium": .medium, "high": .high, "arrive": .arrive,
    ]
    return try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") }
      .map {
        let words = $0.split(separator: " ")
        return (try #require(Int(words[0])), try #require(levels[words[1]]))
      }
  }
}
