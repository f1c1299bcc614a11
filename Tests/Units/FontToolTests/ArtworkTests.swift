import Expecting
import Foundation

@testable import FontTool

/// The project's own artwork, whole, cut and spoilt.
struct ArtworkTests {
  private static let files = ["roundabouts", "signs", "turns"]

  private func text(_ name: String) throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Fonts/arrows/\(name).arrows")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test func theArtworkHasEverySign() throws {
    let names = try Self.files.flatMap {
      try Artwork(parsing: text($0), file: $0).drawings.keys
    }
    expect(names.count, 32)
    expect(Set(names).count, 32)
  }

  @Test(arguments: files) func everyPrefixIsDrawnOrRefusedWithItsPlace(_ file: String) throws {
    let text = try text(file)
    for end in text.indices {
      do {
        let drawings = try Artwork(parsing: String(text[..<end]), file: "f").drawings
        // Only the last one can be cut; it is drawn with each of its lines.
        guard text[end] == "\n",
          let last = drawings.values.first(where: { $0.name == lastName(text[..<end]) }),
          last.mirrored == nil
        else { continue }
        expect(Raster(last, size: 8).pixels.count, 64)
      } catch {
        let line = text[..<end].count { $0 == "\n" } + 1
        #expect("\(error)".hasPrefix("f:\(line): "), "\(error)")
      }
    }
  }

  private func lastName(_ text: Substring) -> String? {
    text.split(separator: "\n").last { $0.hasPrefix("arrow ") }
      .map { String($0.split(separator: " ")[1]) }
  }

  /// What nobody would draw: nothing, far outside, backwards, wider than the picture.
  @Test(arguments: [
    "stroke 0 5 5 5 5", "stroke -999 1 1 2 2", "stroke 999 -999 -999 999 999",
    "path 6 9 17 5 5 5 5", "path 6 999 0 1 1 50 1 1 1", "path 6 -9 -17 1 1 9 9 1 1 9 9",
    "path 0 1e-300 999 1 1 1 9 9 9", "arc 6 28 28 -5 0 90", "arc 6 28 28 0 -999 999",
    "fill 1 1 1 1 1 1", "fill 1 1 9 9 1 1", "checks 1 1 -5 0 9", "checks 1 1 999 999 0",
    "disc 28 28 -3", "disc 999 999 999", "clear disc -999 0 1e-300",
  ])
  func strangeShapesAreDrawnAllTheSame(_ line: String) throws {
    let drawings = try Artwork(parsing: "arrow a\n\(line)", file: "f").drawings
    for size in [8, 9, 56] {
      expect(Raster(try #require(drawings["a"]), size: size).pixels.count, size * size)
    }
  }

  @Test(arguments: ["nan", "inf", "1000", "1e9", "0x", "–5", "5,5"])
  func whatIsNoNumberIsNamed(_ word: String) throws {
    #expect(throws: ToolError.self) {
      try Artwork(parsing: "arrow a\ndisc 28 28 \(word)", file: "f")
    }
  }

  /// By hand: three units wide on a grid of 8 is one pixel, but the grid is even, so two; and the middle
  /// line turns from up to right around (4, 4) at two pixels.
  @Test(arguments: [
    (
      "path 3 0 21 28 49 28 7",
      [
        "........", "...##...", "..####..", ".######.", "...##...", "...##...", "...##...",
        "...##...",
      ]
    ),
    (
      "path 14 14 0 14 56 14 14 56 14",
      [
        "........", "..######", ".#######", ".##.....", ".##.....", ".##.....", ".##.....",
        ".##.....",
      ]
    ),
  ])
  func aPathEndsInARightAngleAndBendsInAnArc(_ path: String, _ picture: [String]) throws {
    let drawings = try Artwork(parsing: "arrow a\n\(path)", file: "f").drawings
    let raster = Raster(try #require(drawings["a"]), size: 8)
    let rows = (0..<8).map { y in
      (0..<8).map { raster.pixels[y * 8 + $0] ? "#" : "." }.joined()
    }
    expect(rows, picture)
  }
}
