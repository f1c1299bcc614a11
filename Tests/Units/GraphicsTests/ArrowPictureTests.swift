import Foundation
import TestSupport
import Testing

@testable import Graphics

/// All signs of one size side by side, for each size, on a sheet that was reviewed by eye.
///
/// `LENKER_RECORD=1 swift test --filter PictureTests` writes what is drawn now instead of comparing;
/// look at it before it is committed. What mirrors another sign is left out.
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

  @Test func signsLookAsReviewed() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Pictures/arrows.txt")
    var sheet = PictureSheet()
    for size in [27, 32, 40, 48, 56] { sheet.add("size \(size)", signs(size)) }
    for difference in try differences(of: sheet, from: file) { Issue.record("\(difference)") }
  }

  /// The signs in lines, one pixel apart.
  private func signs(_ size: Int) -> Pixels {
    let lines = Self.order.map { line in line.map { Sign($0, size) } }
    let pitch = size + 1
    return Pixels(width: pitch * lines[0].count, height: pitch * lines.count) { x, y in
      lines[y / pitch][x / pitch].isLit(x % pitch, y % pitch)
    }
  }
}
