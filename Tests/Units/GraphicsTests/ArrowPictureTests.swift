import Foundation
import TestSupport
import Testing

@testable import Graphics

/// All signs of one size side by side, as P1 PBM files that were reviewed by eye.
///
/// `LENKER_RECORD=1 swift test --filter ArrowPictureTests` writes what is drawn now instead of
/// comparing; look at it before it is committed. What mirrors another sign is left out.
@Suite struct ArrowPictureTests {
  static let order: [[Arrow]] = [
    [
      .none, .straight, .start, .finish, .pointOfInterest, .offRoute, .unknown,
    ],
    [
      .slightRight, .right, .sharpRight, .forkRight, .uTurn, .roundabout, .exitUnknown,
    ],
    [
      .exitRightCounterclockwise, .exit1Of1Counterclockwise, .exit1Of2Counterclockwise,
      .exit2Of2Counterclockwise, .exit1Of3Counterclockwise, .exit2Of3Counterclockwise,
      .exit3Of3Counterclockwise,
    ],
  ]

  @Test(arguments: [27, 32, 40, 48, 56]) func signsLookAsReviewed(_ size: Int) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Pictures/arrows-\(size).pbm")
    let drawn = sheet(size)
    let expected = try reviewedPicture(file, now: drawn)
    let rows = zip(drawn.split(separator: "\n"), expected.split(separator: "\n"))
    let differing = rows.enumerated().filter { $1.0 != $1.1 }.map { $0.offset - 2 }
    #expect(drawn == expected, "arrows-\(size).pbm differs in rows \(differing)")
  }

  /// The signs as a P1 PBM, one pixel apart.
  private func sheet(_ size: Int) -> String {
    let lines = Self.order.flatMap { line in
      let signs = line.map { Sign($0, size) }
      return (0...size).map { y in
        signs.map { sign in (0...size).map { sign.isLit($0, y) ? "1" : "0" }.joined() }.joined()
      }
    }
    return "P1\n\(lines[0].count) \(lines.count)\n" + lines.joined(separator: "\n") + "\n"
  }
}
