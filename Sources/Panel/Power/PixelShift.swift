import Graphics

/// Moves the picture by a row now and then, so that no pixel is lit for ever.
///
/// The controller's start line says which row of the RAM is shown first: SSD1306 data sheet, section
/// 10.1.6. The RAM is a ring of 64 rows, so a move costs three bytes on the wire. The row that
/// leaves must be dark, so that nothing is cut off. With the SH1107 it is a ring of 128 columns.
/// Only `advance` and `startLine(for:)` change the start line.
struct PixelShift {
  private let size: Size
  private let isSideways: Bool
  /// The line that the glass begins with, as its module is wired.
  private let offset: Int
  /// 0, 1 for a picture that is moved up or to the left, or -1.
  private var move = 0
  private var movesUp = true

  /// A picture in the middle of a glass.
  init(_ panel: PanelFacts, offset: Int) {
    (size, isSideways, self.offset) = (panel.size, panel.isSideways, offset)
  }

  /// Which row of the RAM is shown first, or column.
  var startLine: Int { (move - offset) & (isSideways ? 127 : 63) }

  /// Leaves the middle for one side, the other one each time, or returns to it.
  mutating func advance(_ bytes: Span<UInt8>) {
    guard move == 0 else {
      move = 0
      return
    }
    let next = movesUp ? 1 : -1
    movesUp.toggle()
    if hasRoom(for: next, bytes) {
      move = next
    } else if hasRoom(for: -next, bytes) {
      move = -next
    }
  }

  /// The start line for another picture: back in the middle if that one has no room.
  mutating func startLine(for bytes: Span<UInt8>) -> Int {
    if move != 0, !hasRoom(for: move, bytes) { move = 0 }
    return startLine
  }

  /// Whether the row is dark that a move takes away, or the column.
  private func hasRoom(for move: Int, _ bytes: Span<UInt8>) -> Bool {
    var lit: UInt8 = 0
    if isSideways {
      let column = move == 1 ? 0 : size.width - 1
      for page in 0..<size.height / 8 { lit |= bytes[page &* Bitmap.maxWidth &+ column] }
      return lit == 0
    }
    let start = move == 1 ? 0 : (size.height / 8 - 1) * Bitmap.maxWidth
    let row: UInt8 = move == 1 ? 0x01 : 0x80
    for column in 0..<Bitmap.maxWidth { lit |= bytes[start &+ column] }
    return lit & row == 0
  }
}
