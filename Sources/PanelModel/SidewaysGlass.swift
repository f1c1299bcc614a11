import Graphics
import Panel

/// The glass of the SH1107, whose COM outputs drive columns and whose segments drive rows.
///
/// Its data sheet, figure 10 and command 17: a bit of a page is a segment, a column of the RAM a line.
extension PanelModel {
  /// Makes `glass`, which has the bytes `seen`, what a person sees of it; returns whether it changed.
  func updateSideways(_ glass: inout Bitmap, _ seen: Span<UInt8>) -> Bool {
    var isChanged = false
    let ram = ram.span
    for x in 0..<glass.size.width {
      let column = shownColumn(x)
      for page in 0..<glass.pageCount {
        var bits: UInt8 = 0
        if let column { bits = shownRows(page, column, of: ram) }
        guard seen[page * Bitmap.maxWidth + x] != bits else { continue }
        glass[page: page, column: x] = bits
        isChanged = true
      }
    }
    return isChanged
  }

  /// The column of the RAM that the glass's column `x` shows; `nil` if it is not driven.
  ///
  /// The left edge is at the first COM output.
  private func shownColumn(_ x: Int) -> Int? {
    guard isOn else { return nil }
    let lines = registers.multiplexRatio
    let forward = x + registers.displayOffset
    let backward = lines - 1 - x + registers.displayOffset
    let line = (registers.isScanReversed ? backward : forward) & 127
    return line < lines ? (line + registers.startLine) & 127 : nil
  }

  /// Eight rows of that column, the topmost in bit 0; the upper edge is at the first segment.
  private func shownRows(_ page: Int, _ column: Int, of ram: Span<UInt8>) -> UInt8 {
    if registers.isEntirelyOn { return 0xFF }
    var bits = ram[(registers.isSegmentRemapped ? 15 - page : page) * 132 + column]
    if registers.isSegmentRemapped { bits = bits.reversed }
    return registers.isInverted ? ~bits : bits
  }
}

extension UInt8 {
  /// Its bits in the opposite order.
  fileprivate var reversed: UInt8 {
    var (rest, result) = (self, UInt8(0))
    for _ in 0..<8 {
      result = result &<< 1 | rest & 1
      rest &>>= 1
    }
    return result
  }
}
