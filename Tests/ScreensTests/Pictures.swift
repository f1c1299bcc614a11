import Foundation
import Graphics
import Testing

/// Expected pictures as text: P1 PBM files beside the tests, reviewed by eye.
///
/// `LENKER_RECORD=1 swift test --filter ScreensTests` writes what is drawn now instead of comparing;
/// look at each change before it is committed.
enum Pictures {
  /// Compares a bitmap with its picture, or records it.
  static func expect(
    _ bitmap: borrowing Bitmap, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Pictures/\(name).pbm")
    let drawn = text(bitmap)
    if ProcessInfo.processInfo.environment["LENKER_RECORD"] == "1" {
      try drawn.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(
      drawn == expected, "\(name) differs:\n\(readable(drawn))", sourceLocation: sourceLocation)
  }

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
