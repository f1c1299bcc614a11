package import Foundation

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
