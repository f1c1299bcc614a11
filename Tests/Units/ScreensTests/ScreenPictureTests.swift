import Foundation
import Graphics
import Screens
import TestSupport
import Testing

/// A panel by its name in the board file, and each of them on its edge.
enum Panel: String, CaseIterable {
  case large = "128x64"
  case flat = "128x32"
  case small = "64x48"
  case tiny = "72x40"
  case tall = "64x128"
  case narrow = "32x128"
  case smallUpright = "48x64"
  case tinyUpright = "40x72"

  static let wide: [Panel] = [.large, .flat, .small, .tiny]
  static let upright: [Panel] = [.tall, .narrow, .smallUpright, .tinyUpright]

  var size: Size {
    switch self {
    case .large: Size(128, 64)
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
}

extension Golden: CustomTestStringConvertible {
  var testDescription: String { name }
}

/// Every screen on every panel looks as in the folder `Pictures`.
@Suite struct ScreenPictureTests {
  @Test(arguments: Golden.english, Panel.allCases)
  func aScreenLooksAsItsPicture(_ golden: Golden, _ panel: Panel) throws {
    try Pictures.expect(golden.draw(on: panel), golden.file(panel))
  }

  private static let translatedPanels = Panel.wide + [.tall]

  @Test(arguments: Golden.translated, translatedPanels)
  func soDoesOneInAnotherLanguage(_ golden: Golden, _ panel: Panel) throws {
    try Pictures.expect(golden.draw(on: panel), golden.file(panel))
  }

  @Test(arguments: Golden.translatedOnceMore)
  func soDoesOneInEachLanguageOnTheLargePanel(_ golden: Golden) throws {
    try Pictures.expect(golden.draw(on: .large), golden.file(.large))
  }

  @Test func everyPictureBelongsToAScreen() throws {
    let wanted =
      Golden.english.flatMap { golden in Panel.allCases.map(golden.file) }
      + Golden.translated.flatMap { golden in Self.translatedPanels.map(golden.file) }
      + Golden.translatedOnceMore.map { $0.file(.large) }
    #expect(Set(wanted).count == wanted.count)
    for name in try Pictures.names() where !wanted.contains(name) {
      if isRecording { try Pictures.remove(name) }
      #expect(isRecording, "\(name).pbm belongs to no screen")
    }
  }
}
