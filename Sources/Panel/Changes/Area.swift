/// A rectangle of RAM bytes in the glass's columns and pages; both ends belong to it.
struct Area {
  var firstColumn: Int
  var lastColumn: Int
  var firstPage: Int
  var lastPage: Int

  init(columns firstColumn: Int, _ lastColumn: Int, pages firstPage: Int, _ lastPage: Int) {
    self.firstColumn = firstColumn
    self.lastColumn = lastColumn
    self.firstPage = firstPage
    self.lastPage = lastPage
  }

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
