import Graphics
import TestSupport

/// How many pixels are lit outside a rectangle.
func litPixels(_ bitmap: borrowing Bitmap, outside inner: Rectangle? = nil) -> Int {
  var count = 0
  for y in 0..<bitmap.size.height {
    for x in 0..<bitmap.size.width where bitmap[x, y] {
      if let inner, x >= inner.origin.x, x < inner.origin.x + inner.size.width,
        y >= inner.origin.y, y < inner.origin.y + inner.size.height
      {
        continue
      }
      count += 1
    }
  }
  return count
}

/// A line of text as rows of a panel: at the left edge, its letters standing on row 19.
func line(_ text: String, _ font: Font = .bold14) -> [String] { line(Array(text.utf8), font) }

/// A line of bytes, likewise.
func line(_ bytes: [UInt8], _ font: Font = .bold14) -> [String] {
  var bitmap = Bitmap(Size(128, 64))
  bitmap.draw(bytes.span, font: font, at: Point(0, 20))
  return rows(bitmap)
}

/// The rows of a bitmap.
func rows(_ bitmap: borrowing Bitmap) -> [String] {
  picture(bitmap).split(separator: "\n").map(String.init)
}

/// How many pixels are lit in rows.
func litPixels(_ rows: [String]) -> Int { rows.joined().count { $0 == "#" } }

/// Columns that a line takes.
func width(_ text: String, _ font: Font = .bold14) -> Int {
  let bytes = Array(text.utf8)
  return font.width(of: bytes.span)
}

/// All fonts.
let fonts: [Font] = [.bold12, .bold14, .bold18, .bold24, .bold34]
