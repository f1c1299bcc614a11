import Foundation
import Graphics
import Screens
import TestSupport
import Testing

/// A panel by its name in the board file.
enum Panel: String, CaseIterable {
  case large = "128x64"
  case flat = "128x32"
  case small = "64x48"
  case tiny = "72x40"

  var size: Size {
    switch self {
    case .large: Size(128, 64)
    case .flat: Size(128, 32)
    case .small: Size(64, 48)
    case .tiny: Size(72, 40)
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
  @Test(arguments: Golden.all, Panel.allCases)
  func aScreenLooksAsItsPicture(_ golden: Golden, _ panel: Panel) throws {
    try Pictures.expect(golden.draw(on: panel), golden.file(panel))
  }

  @Test func everyPictureBelongsToAScreen() throws {
    let wanted = Golden.all.flatMap { golden in Panel.allCases.map(golden.file) }
    #expect(Set(wanted).count == wanted.count)
    for name in try Pictures.names() where !wanted.contains(name) {
      if isRecording { try Pictures.remove(name) }
      #expect(isRecording, "\(name).pbm belongs to no screen")
    }
  }
}
