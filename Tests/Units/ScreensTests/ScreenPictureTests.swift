import Expecting
import Foundation
import Graphics
import Screens
import TestSupport
import Words

/// A panel by its name in the board file, and each of them on its edge.
enum Panel: String, CaseIterable {
  case large = "128x64"
  case square = "128x128"
  case flat = "128x32"
  case small = "64x48"
  case tiny = "72x40"
  case tall = "64x128"
  case narrow = "32x128"
  case smallUpright = "48x64"
  case tinyUpright = "40x72"

  /// One of each kind of layout: lying, square and upright.
  static let kinds: [Panel] = [.large, .square, .tall]
  static let wide: [Panel] = [.large, .flat, .small, .tiny]
  static let upright: [Panel] = [.tall, .narrow, .smallUpright, .tinyUpright]

  var size: Size {
    switch self {
    case .large: Size(128, 64)
    case .square: Size(128, 128)
    case .flat: Size(128, 32)
    case .small: Size(64, 48)
    case .tiny: Size(72, 40)
    case .tall: Size(64, 128)
    case .narrow: Size(32, 128)
    case .smallUpright: Size(48, 64)
    case .tinyUpright: Size(40, 72)
    }
  }

  func bitmap(_ screen: Screen) -> Bitmap {
    var bitmap = Bitmap(size)
    bitmap.draw(screen)
    return bitmap
  }

  /// A turn to the left, or what is made of it, on this panel.
  func turn(
    _ street: String, _ distance: String = "350 m", offset: Int = 0,
    _ change: (inout TurnFigures) -> Void = { _ in }
  ) -> Bitmap {
    let (far, road) = (Array(distance.utf8), Array(street.utf8))
    var turn = ShownTurn(TurnFigures(.left), distance: far.span, street: road.span)
    turn.streetOffset = offset
    change(&turn.figures)
    return bitmap(.navigation(turn))
  }

  /// How many columns of its street do not fit.
  func overflow(_ street: String, _ change: (inout TurnFigures) -> Void = { _ in }) -> Int {
    let (far, road) = (Array("350 m".utf8), Array(street.utf8))
    var turn = ShownTurn(TurnFigures(.left), distance: far.span, street: road.span)
    change(&turn.figures)
    return Bitmap(size).streetOverflow(of: turn)
  }
}

extension Pixels {
  /// The rows in which a pixel is lit, in some of the columns.
  func litRows(_ columns: Range<Int>? = nil) -> [Int] {
    (0..<height).filter { y in (columns ?? 0..<width).contains { self[$0, y] } }
  }
}

extension Language {
  /// Its name in a board file.
  var code: String {
    switch self {
    case .english: "en"
    case .german: "de"
    case .french: "fr"
    case .spanish: "es"
    case .italian: "it"
    case .dutch: "nl"
    }
  }
}

/// Every layout looks as on its sheet in the folder `Pictures`.
///
/// `LENKER_RECORD=1 swift test --filter PictureTests` writes what is drawn now instead of comparing, and
/// removes the sheets that belong to no screen; look at each change before it is committed.
struct ScreenPictureTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Pictures")

  @Test(arguments: Golden.all) func aScreenLooksAsOnItsSheet(_ golden: Golden) throws {
    let file = Self.folder.appending(path: golden.name + ".txt")
    for difference in try differences(of: golden.sheet, from: file) {
      Issue.record("\(difference)")
    }
  }

  @Test func everySheetBelongsToAScreen() throws {
    let wanted = Golden.all.map { $0.name + ".txt" }
    expect(Set(wanted).count, wanted.count)
    for name in try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    where !wanted.contains(name) {
      if isRecording {
        try FileManager.default.removeItem(at: Self.folder.appending(path: name))
      } else {
        Issue.record("\(name) belongs to no screen")
      }
    }
  }
}
