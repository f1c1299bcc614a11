import Bytes
import Graphics
import Messages
import Words

/// Lenker's own battery, upright so that nobody takes it for the phone's, which lies beside the phone's name.
extension Bitmap {
  static var ownBatteryWidth: Int { 7 }

  /// Draws a battery that is filled from below by `percent`, and has its top right at `corner`.
  mutating func drawOwnBattery(_ percent: UInt8, corner: Point, rows: Int) {
    let (width, left) = (Self.ownBatteryWidth, corner.x - Self.ownBatteryWidth)
    fill(Point(left + 2, corner.y), Size(width - 4, 1))
    fill(Point(left, corner.y + 1), Size(width, rows - 1))
    // The frame is one pixel wide, and the filled part reaches it.
    let inside = rows - 3
    let empty = inside - (Int(min(percent, 100)) * inside + 50) / 100
    fill(Point(left + 1, corner.y + 2), Size(width - 2, empty), lit: false)
  }

  /// Draws the battery at the right edge, in the highest free place.
  mutating func drawOwnBattery(_ percent: UInt8, above bottom: Int) {
    let rows = Font.bold14.digitHeight
    var top = 0
    while top + rows <= bottom {
      if isDark(top - 1..<top + rows + 1, from: size.width - Self.ownBatteryWidth - 2) {
        return drawOwnBattery(percent, corner: Point(size.width, top), rows: rows)
      }
      top += 1
    }
  }

  /// Whether these rows are dark from a column to the right edge.
  private func isDark(_ rows: Range<Int>, from left: Int) -> Bool {
    for y in max(0, rows.lowerBound)..<min(rows.upperBound, size.height) {
      for x in max(0, left)..<size.width where self[x, y] { return false }
    }
    return true
  }

  /// Says that Lenker's battery is nearly empty.
  mutating func drawOwnBattery(percent: UInt8, in language: Language) {
    let words = language[.ownBattery]
    var title = FixedBuffer<8>()
    title.append(decimal: Int64(widening: UInt32(min(percent, 100))))
    title.append("%")
    if isUpright, size.width < 64 { return drawNarrow(title.bytes) }
    var message = Message(.battery, title: title.bytes, forms: words.bytes)
    message.titleFont = .bold24
    draw(message)
  }

  /// The symbol and the number below it, as a narrow panel has no room for the words.
  private mutating func drawNarrow(_ number: Span<UInt8>) {
    let font = Font.largest(from: .bold24) { $0.inkFits(number, in: size.width) }
    let symbol = Symbol.battery
    let rows = symbol.size.height + 8 + font.digitHeight
    let top = (size.height - rows) / 2
    draw(symbol, at: Point((size.width - symbol.size.width) / 2, top))
    let left = (size.width - font.inkWidth(of: number)) / 2
    draw(number, font: font, at: Point(left, top + rows))
  }
}
