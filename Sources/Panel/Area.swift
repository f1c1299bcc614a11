/// A rectangle of RAM bytes in the glass's columns and pages; both ends belong to it.
struct Area: Equatable {
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
  var height: Int { lastPage &- firstPage &+ 1 }

  /// How many bytes lie in it.
  var count: Int { width &* height }

  /// Whether it lies in one page.
  var isRow: Bool { firstPage == lastPage }

  func isWithin(_ other: Area) -> Bool {
    other.firstColumn <= firstColumn && lastColumn <= other.lastColumn
      && other.firstPage <= firstPage && lastPage <= other.lastPage
  }

  /// Whether it comes first where areas are sent from the top left.
  func isBefore(_ other: Area) -> Bool {
    firstPage == other.firstPage
      ? firstColumn < other.firstColumn : firstPage < other.firstPage
  }

  /// The smallest area that holds both.
  func union(_ other: Area) -> Area {
    Area(
      columns: min(firstColumn, other.firstColumn), max(lastColumn, other.lastColumn),
      pages: min(firstPage, other.firstPage), max(lastPage, other.lastPage))
  }

  /// Whether there are at most nine columns between the two: a quick look before `union`.
  func isNear(_ other: Area) -> Bool {
    firstColumn &- other.lastColumn < 10 && other.firstColumn &- lastColumn < 10
  }

  func moved(by columns: Int) -> Area {
    Area(
      columns: firstColumn &+ columns, lastColumn &+ columns, pages: firstPage, lastPage)
  }
}

/// The areas still to be sent, those at the top first.
struct AreaList: ~Copyable {
  static var capacity: Int { 32 }
  private var storage = InlineArray<32, Area>(repeating: Area(columns: 0, 0, pages: 0, 0))
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> Area {
    // Without the attribute and the span each look would copy the whole array.
    @_addressableSelf
    borrowing get { storage.span[index] }
    set { storage[index] = newValue }
  }

  mutating func removeAll() { count = 0 }

  /// Returns whether there was room.
  mutating func append(_ area: Area) -> Bool {
    guard count < Self.capacity else { return false }
    storage[count] = area
    count += 1
    return true
  }

  mutating func remove(at index: Int) {
    count &-= 1
    for next in index..<count { storage[next] = self[next &+ 1] }
  }

  mutating func removeAll(within area: Area) {
    var kept = 0
    for index in 0..<count where !self[index].isWithin(area) {
      storage[kept] = self[index]
      kept += 1
    }
    count = kept
  }

  /// Brings those at the top to the front, and those on the left of each page before others.
  mutating func sort() {
    for end in 1..<max(1, count) {
      let area = self[end]
      var place = end
      while place > 0, area.isBefore(self[place - 1]) {
        storage[place] = self[place - 1]
        place -= 1
      }
      storage[place] = area
    }
  }
}
