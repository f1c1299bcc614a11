import Foundation
import Graphics
import TestSupport
import Testing

/// Expected pictures as text: P1 PBM files beside the tests, reviewed by eye.
///
/// `Boards/bench/gallery --write` records what is drawn now instead of comparing, removes pictures
/// that belong to no screen, and makes the sheet of them anew; look at each change before it is
/// committed.
enum Pictures {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Pictures")

  /// Compares a bitmap with its picture, or records it.
  static func expect(
    _ bitmap: borrowing Bitmap, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let drawn = portableBitmap(bitmap)
    let expected = try reviewedPicture(file(name), now: drawn)
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

  private static func readable(_ text: String) -> String {
    text.replacing("0", with: "·").replacing("1", with: "█")
  }
}
