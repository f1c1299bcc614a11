import Graphics

/// Moves the picture up or down by a row now and then, so that no pixel is lit for ever.
///
/// The controller's start line says which row of the RAM is shown first: SSD1306 data sheet, section
/// 10.1.6. The RAM is a ring of 64 rows, so a move costs three bytes on the wire. The row that
/// leaves must be dark, so that nothing is cut off. Only `advance` and `startLine(for:of:)` change
/// the start line.
struct PixelShift {
  /// Which row of the RAM is shown first: 0, 1 for a picture that is moved up, or 63.
  private(set) var startLine = 0
  private var movesUp = true

  /// Leaves the middle for one side, the other one each time, or returns to it.
  mutating func advance(_ bytes: Span<UInt8>, _ size: Size) {
    guard startLine == 0 else {
      startLine = 0
      return
    }
    let next = movesUp ? 1 : 63
    movesUp.toggle()
    if Self.hasRoom(for: next, bytes, size) {
      startLine = next
    } else if Self.hasRoom(for: 64 - next, bytes, size) {
      startLine = 64 - next
    }
  }

  /// The start line for another picture: back in the middle if that one has no room.
  mutating func startLine(for bytes: Span<UInt8>, of size: Size) -> Int {
    if startLine != 0, !Self.hasRoom(for: startLine, bytes, size) { startLine = 0 }
    return startLine
  }

  /// Whether the row is dark that the start line takes away.
  private static func hasRoom(
    for startLine: Int, _ bytes: Span<UInt8>, _ size: Size
  ) -> Bool {
    let start = startLine == 1 ? 0 : (size.height / 8 - 1) * Bitmap.maxWidth
    let row: UInt8 = startLine == 1 ? 0x01 : 0x80
    var lit: UInt8 = 0
    for column in 0..<Bitmap.maxWidth { lit |= bytes[start &+ column] }
    return lit & row == 0
  }
}
