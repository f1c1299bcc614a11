/// A rectangle of RAM bytes in the glass's columns and pages; both ends belong to it.
///
/// Kept in four bytes, as a list has room for many.
struct Area {
  private var first, last: UInt8
  private var top, bottom: UInt8

  init(columns firstColumn: Int, _ lastColumn: Int, pages firstPage: Int, _ lastPage: Int) {
    first = UInt8(truncatingIfNeeded: firstColumn)
    last = UInt8(truncatingIfNeeded: lastColumn)
    top = UInt8(truncatingIfNeeded: firstPage)
    bottom = UInt8(truncatingIfNeeded: lastPage)
  }

  var firstColumn: Int { Int(first) }
  var lastColumn: Int {
    get { Int(last) }
    set { last = UInt8(truncatingIfNeeded: newValue) }
  }
  var firstPage: Int { Int(top) }
  var lastPage: Int { Int(bottom) }

  var width: Int { lastColumn &- firstColumn &+ 1 }

  /// How many bytes lie in it.
  var count: Int { width &* (lastPage &- firstPage &+ 1) }

  /// The smallest area that holds both.
  func union(_ other: Area) -> Area {
    Area(
      columns: min(firstColumn, other.firstColumn), max(lastColumn, other.lastColumn),
      pages: min(firstPage, other.firstPage), max(lastPage, other.lastPage))
  }
}
