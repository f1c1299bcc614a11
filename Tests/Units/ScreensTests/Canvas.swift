import Graphics
import Screens
import TestSupport
import Words

/// A bitmap on which screens are drawn in one language.
struct Canvas: ~Copyable {
  var bitmap: Bitmap
  let language: Language

  mutating func draw(_ screen: Screen) { bitmap.draw(screen, in: language) }

  mutating func drawTestPicture(caption: Span<UInt8>) { bitmap.drawTestPicture(caption: caption) }

  /// What the device makes of a distance that is given in English.
  func translated(_ distance: String) -> String {
    distance == "Now"
      ? language.text(of: .now)
      : distance.replacing(".", with: String(UnicodeScalar(language.decimalSign)))
  }
}
