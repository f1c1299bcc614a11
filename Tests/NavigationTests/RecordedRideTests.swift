import Foundation
import Komoot
import Navigation
import Testing
import Turns

/// The recorded rides, beside the project, and the alerts that a person expects of them.
@Suite struct RecordedRideTests {
  @Test(
    .enabled(if: Log.areThere, "the recorded rides are not beside the project"),
    arguments: ["potsdam-long", "potsdam-short"])
  func theAlertsAreThoseThatAPersonExpects(_ name: String) throws {
    let log = try Log(name)
    let expected = try log.expectations()
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
  private func alerts(of log: Log) -> [Announcement] {
    var display = Display()
    var nextRepeat: Int64 = 2_000
    var last: Log.Row?
    for row in log.rows {
      while nextRepeat < row.time {
        if let last { display.tell(last.distance, at: nextRepeat) }
        nextRepeat += 2_000
      }
      display.turn(row.maneuver, row.street)
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

/// A log of komoot's app: see `README.md` beside the rides for its columns.
private struct Log {
  struct Row {
    var time: Int64
    var maneuver: Maneuver
    var distance: UInt32
    var street: String
  }

  private static let here = URL(filePath: #filePath).deletingLastPathComponent()
  private static let folder = here.appending(path: "../../../shared/rides").standardized
  static let areThere = FileManager.default.fileExists(atPath: folder.path)

  let name: String
  private(set) var rows: [Row] = []
  /// By the line of the file, the first one being 1.
  private(set) var times: [Int: Int64] = [:]

  init(_ name: String) throws {
    self.name = name
    let file = Self.folder.appending(path: name + ".csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
    var begin: Double?
    for (index, line) in lines.enumerated() {
      let columns = line.split(separator: ",", omittingEmptySubsequences: false)
      guard columns.count == 14 else { continue }
      let received = try #require(Double(columns[12]))
      let first = begin ?? received
      begin = first
      let time = Int64((received - first).rounded())
      times[index + 1] = time
      rows.append(
        Row(
          // The rows of the start have the code of a turn to the left.
          time: time,
          maneuver: columns[0] == "START"
            ? .start : Maneuver(direction: try #require(UInt8(columns[11]))),
          distance: columns[9].firstMatch(of: /In (\d+) m/).flatMap { UInt32($0.1) } ?? 0,
          street: columns[8].trimmingCharacters(in: ["\""])))
    }
  }

  /// Lines of `LINE LEVEL why`.
  func expectations() throws -> [(line: Int, level: AlertLevel)] {
    let file = Self.here.appending(path: "Rides/\(name).txt")
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
