import Graphics

/// Which bytes of the RAM must change: one bit each.
struct ChangeMap: ~Copyable {
  static var columns: Int { 128 }
  static var pages: Int { 8 }
  private var words = InlineArray<32, UInt32>(repeating: 0)

  /// Makes `target` equal to `bitmap`, and marks where it then differs from `shown`.
  init(moving target: inout Bitmap, to bitmap: borrowing Bitmap, from shown: borrowing Bitmap) {
    let width = shown.size.width
    for page in 0..<shown.pageCount {
      for column in 0..<width {
        let byte = bitmap[page: page, column: column]
        target[page: page, column: column] = byte
        if byte != shown[page: page, column: column] {
          words[page &* 4 &+ column &>> 5] |= 1 &<< UInt32(truncatingIfNeeded: column)
        }
      }
    }
  }

  /// The first column from `column` on whose byte is changed, or not; 128 if there is none.
  func next(_ isChanged: Bool, page: Int, from column: Int) -> Int {
    var column = column
    while column < Self.columns {
      let word = words[page &* 4 &+ column &>> 5]
      let bits = (isChanged ? word : ~word) &>> UInt32(truncatingIfNeeded: column)
      if bits != 0 { return column + bits.trailingZeroBitCount }
      column = (column | 31) + 1
    }
    return Self.columns
  }
}
