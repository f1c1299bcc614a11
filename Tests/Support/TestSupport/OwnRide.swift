import Foundation

/// The bench's own ride, `Boards/bench/rides/lenker-tour.csv`.
public enum OwnRide {
  private static let file =
    URL(filePath: #filePath)
    .appending(path: "../../../../Boards/bench/rides/lenker-tour.csv").standardized

  /// All rows, which have four columns; only a street has quotation marks, or a comma between them.
  public static func rows() throws -> [RecordedRide.Row] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
    return lines.dropFirst().map { line in
      let columns = line.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false)
      return RecordedRide.Row(
        time: Int64(columns[0]) ?? -1, direction: UInt8(columns[1]) ?? 255,
        distance: UInt32(columns[2]) ?? 0, street: columns[3].trimmingCharacters(in: ["\""]))
    }
  }
}
