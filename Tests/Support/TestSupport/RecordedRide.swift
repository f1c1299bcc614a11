package import Foundation

/// A log of komoot's app among the recordings: see `README.md` beside the rides for its columns.
package struct RecordedRide {
  /// What the phone said, and when.
  package struct Row {
    /// Milliseconds since the first row.
    package var time: Int64
    /// komoot's number of the direction.
    package var direction: UInt8
    /// In metres.
    package var distance: UInt32
    /// Its name.
    package var street: String

    /// What the phone said, as it is.
    package init(time: Int64, direction: UInt8, distance: UInt32, street: String) {
      (self.time, self.direction, self.distance, self.street) = (time, direction, distance, street)
    }
  }

  /// Whether there are any.
  package static let areThere = Recordings.has("rides")

  /// All rows that say something.
  package private(set) var rows: [Row] = []
  /// When each line of the file was received; the first line is 1.
  package private(set) var times: [Int: Int64] = [:]
  /// Which row each line of the file is.
  package private(set) var indices: [Int: Int] = [:]

  /// Reads `potsdam-long` or another one.
  package init(_ name: String) throws {
    let file = Recordings.folder("rides").appending(path: name + ".csv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
    var begin: Double?
    for (index, line) in lines.enumerated() {
      let columns = line.split(separator: ",", omittingEmptySubsequences: false)
      guard columns.count == 14, let received = Double(columns[12]) else { continue }
      let first = begin ?? received
      begin = first
      let time = Int64((received - first).rounded())
      times[index + 1] = time
      indices[index + 1] = rows.count
      rows.append(
        Row(
          // The rows of the start have the code of a turn to the left.
          time: time, direction: columns[0] == "START" ? 2 : UInt8(columns[11]) ?? 255,
          distance: columns[9].firstMatch(of: /In (\d+) m/).flatMap { UInt32($0.1) } ?? 0,
          street: columns[8].trimmingCharacters(in: ["\""])))
    }
  }

  /// The alerts that a person who looks at the log expects, each with its line of the file.
  package static func expectedAlerts(_ name: String) throws -> [(line: Int, level: String)] {
    let file = URL(filePath: #filePath)
      .appending(path: "../../../Units/NavigationTests/Rides/\(name).txt").standardized
    return try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") }
      .map {
        let words = $0.split(separator: " ")  // LINE LEVEL why
        return (Int(words[0]) ?? -1, String(words[1]))
      }
  }
}

/// What was recorded of real phones and controllers, which is no part of the project: `Tests/README.md`.
package enum Recordings {
  private static let folder =
    ProcessInfo.processInfo.environment["LENKER_RECORDINGS"].map { URL(filePath: $0) }
    ?? URL(filePath: #filePath).appending(path: "../../../../../shared").standardized

  /// One of its folders, such as `rides`.
  package static func folder(_ name: String) -> URL { folder.appending(path: name) }

  /// Whether that is there.
  package static func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder(name).path)
  }
}

/// The bench's own ride, `Boards/bench/rides/lenker-tour.csv`.
package enum OwnRide {
  private static let file =
    URL(filePath: #filePath)
    .appending(path: "../../../../Boards/bench/rides/lenker-tour.csv").standardized

  /// All rows, which have four columns; only a street has quotation marks, or a comma between them.
  package static func rows() throws -> [RecordedRide.Row] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
    return lines.dropFirst().map { line in
      let columns = line.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
      return RecordedRide.Row(
        time: Int64(columns[0]) ?? -1, direction: UInt8(columns[1]) ?? 255,
        distance: UInt32(columns[2]) ?? 0, street: columns[3].trimmingCharacters(in: ["\""]))
    }
  }
}
