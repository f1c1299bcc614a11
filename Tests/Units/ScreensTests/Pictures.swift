import Foundation
import Graphics
import Testing

/// Expected pictures as text: P1 PBM files beside the tests, reviewed by eye.
///
/// `Boards/bench/gallery --write` records what is drawn now instead of comparing, removes pictures
/// that belong to no screen, and makes the sheet of them anew; look at each change before it is
/// committed.
enum Pictures {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Pictures")

  static let isRecording = ProcessInfo.processInfo.environment["LENKER_RECORD"] == "1"

  /// Compares a bitmap with its picture, or records it.
  static func expect(
    _ bitmap: borrowing Bitmap, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let drawn = text(bitmap)
    if isRecording {
      try drawn.write(to: file(name), atomically: true, encoding: .utf8)
      return
    }
    let expected = try String(contentsOf: file(name), encoding: .utf8)
    #expect(
      drawn == expected, "\(name) differs:\n\(readable(drawn))", sourceLocation: sourceLocation)
  }

  /// The names of all pictures that there are.
  static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".pbm") }.map { String($0.dropLast(4)) }
  }

  static func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: file(name))
  }

  private static func file(_ name: String) -> URL { folder.appending(path: "\(name).pbm") }

  /// A bitmap as a P1 PBM, one row a line.
  static func text(_ bitmap: borrowing Bitmap) -> String {
    var text = "P1\n\(bitmap.size.width) \(bitmap.size.height)\n"
    for y in 0..<bitmap.size.height {
      for x in 0..<bitmap.size.width { text += bitmap[x, y] ? "1" : "0" }
      text += "\n"
    }
    return text
  }

  private static func readable(_ text: String) -> String {
    text.replacing("0", with: "·").replacing("1", with: "█")
  }
}
