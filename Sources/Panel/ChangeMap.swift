import Bytes

/// The bytes of a panel in the order of `Bitmap`: eight pages of 128 columns.
typealias PanelBytes = InlineArray<1024, UInt8>

/// Columns of one page, or of several at once: one bit each.
struct ColumnSet: Equatable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// None.
  init() {}

  init(_ low: UInt64, _ high: UInt64) { (self.low, self.high) = (low, high) }

  var isEmpty: Bool { low | high == 0 }

  /// How many columns belong to it.
  var count: Int { low.nonzeroBitCount &+ high.nonzeroBitCount }

  mutating func formUnion(_ other: ColumnSet) {
    low |= other.low
    high |= other.high
  }

  /// Each column's right neighbour.
  var movedRight: ColumnSet { ColumnSet(low &<< 1, high &<< 1 | low &>> 63) }

  func subtracting(_ other: ColumnSet) -> ColumnSet {
    ColumnSet(low & ~other.low, high & ~other.high)
  }

  /// Whether a column from `first` to `last` belongs to it.
  func intersects(_ first: Int, _ last: Int) -> Bool { next(from: first) <= last }

  /// The first column from `column` on that belongs to it; 128 if there is none.
  func next(from column: Int) -> Int { Self.firstBit(low, high, from: column) }

  /// The first column from `column` on that does not belong to it; 128 if there is none.
  func nextGap(from column: Int) -> Int { Self.firstBit(~low, ~high, from: column) }

  private static func firstBit(_ low: UInt64, _ high: UInt64, from column: Int) -> Int {
    if column < 64 {
      let rest = low &>> UInt64(widening: UInt(bitPattern: column))
      if rest != 0 { return column &+ rest.trailingZeroBitCount }
    }
    guard column < 128 else { return 128 }
    let start = max(column, 64)
    let rest = high &>> UInt64(widening: UInt(bitPattern: start &- 64))
    return rest == 0 ? 128 : start &+ rest.trailingZeroBitCount
  }
}

/// Which bytes of the RAM must change.
struct ChangeMap: ~Copyable {
  static var columns: Int { 128 }
  static var pages: Int { 8 }
  private var rows = InlineArray<8, ColumnSet>(repeating: ColumnSet())

  /// Marks where `wanted` differs from `shown`.
  init(from shown: Span<UInt8>, to wanted: Span<UInt8>) {
    for page in 0..<Self.pages {
      let start = page &* Self.columns
      let first = Self.differences(shown, wanted, start)
      let second = Self.differences(shown, wanted, start &+ 32)
      let third = Self.differences(shown, wanted, start &+ 64)
      let fourth = Self.differences(shown, wanted, start &+ 96)
      rows[page] = ColumnSet(
        UInt64(widening: first) | UInt64(widening: second) &<< 32,
        UInt64(widening: third) | UInt64(widening: fourth) &<< 32)
    }
  }

  /// Which of 32 bytes differ; most often none does, which needs no look at each.
  @inline(__always)
  private static func differences(
    _ one: Span<UInt8>, _ other: Span<UInt8>, _ start: Int
  ) -> UInt32 {
    let one = one.extracting(start..<start &+ 32)
    let other = other.extracting(start..<start &+ 32)
    var difference: UInt8 = 0
    for index in 0..<32 { difference |= one[index] ^ other[index] }
    guard difference != 0 else { return 0 }
    var bits: UInt32 = 0
    for index in 0..<32 where one[index] != other[index] {
      bits |= 1 &<< UInt32(truncatingIfNeeded: index)
    }
    return bits
  }

  /// The columns of a page that change.
  subscript(page: Int) -> ColumnSet {
    // Without the attribute and the span each look would copy the whole array.
    @_addressableSelf
    borrowing get { rows.span[page] }
  }

  /// How many bytes change.
  var count: Int {
    var count = 0
    for page in 0..<Self.pages { count &+= rows[page].count }
    return count
  }
}
