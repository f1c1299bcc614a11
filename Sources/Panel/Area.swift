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

  /// How many bytes lie in it.
  var count: Int { (lastColumn - firstColumn + 1) * (lastPage - firstPage + 1) }

  /// Whether it lies in one page.
  var isRow: Bool { firstPage == lastPage }

  func isWithin(_ other: Area) -> Bool {
    other.firstColumn <= firstColumn && lastColumn <= other.lastColumn
      && other.firstPage <= firstPage && lastPage <= other.lastPage
  }

  /// The smallest area that holds both.
  func union(_ other: Area) -> Area {
    Area(
      columns: min(firstColumn, other.firstColumn), max(lastColumn, other.lastColumn),
      pages: min(firstPage, other.firstPage), max(lastPage, other.lastPage))
  }
}

/// The areas still to be sent, those on top first.
struct AreaList: ~Copyable {
  static var capacity: Int { 32 }
  private var storage = InlineArray<32, Area>(repeating: Area(columns: 0, 0, pages: 0, 0))
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  subscript(index: Int) -> Area { storage[index] }

  mutating func removeAll() { count = 0 }

  /// Returns whether there was room.
  mutating func append(_ area: Area) -> Bool {
    guard count < Self.capacity else { return false }
    storage[count] = area
    count += 1
    return true
  }

  mutating func remove(at index: Int) {
    count -= 1
    for next in index..<count { storage[next] = storage[next + 1] }
  }

  mutating func removeAll(within area: Area) {
    var index = 0
    while index < count {
      if storage[index].isWithin(area) { remove(at: index) } else { index += 1 }
    }
  }

  /// Becomes the whole of `columns` × `pages`, page by page if `isPaged`.
  mutating func assignWhole(columns: Int, pages: Int, isPaged: Bool) {
    removeAll()
    guard isPaged else {
      _ = append(Area(columns: 0, columns - 1, pages: 0, pages - 1))
      return
    }
    for page in 0..<pages { _ = append(Area(columns: 0, columns - 1, pages: page, page)) }
  }

  /// Becomes areas that hold all changes, chosen for few bytes on the wire.
  mutating func assign(_ changes: borrowing ChangeMap, isPaged: Bool) {
    // A gap is worth sending if a new row costs as much: the address, the column
    // and the byte before the data. Windows start with smaller pieces, as runs in
    // neighbouring pages may make a better area.
    var gap = isPaged ? 6 : 2
    while !collect(changes, gap: gap) { gap *= 4 }
    if !isPaged { merge() }
  }

  /// Becomes the runs of changed bytes, where gaps of up to `gap` belong to a run.
  ///
  /// Returns whether they fit; runs of one page each always do.
  private mutating func collect(_ changes: borrowing ChangeMap, gap: Int) -> Bool {
    removeAll()
    for page in 0..<ChangeMap.pages {
      var first = changes.next(true, page: page, from: 0)
      while first < ChangeMap.columns {
        var end = changes.next(false, page: page, from: first)
        var next = changes.next(true, page: page, from: end)
        while next < ChangeMap.columns, next - end <= gap {
          end = changes.next(false, page: page, from: next)
          next = changes.next(true, page: page, from: end)
        }
        guard append(Area(columns: first, end - 1, pages: page, page)) else { return false }
        first = next
      }
    }
    return true
  }

  /// Unites pairs, the most profitable first, while the union costs no more than both.
  private mutating func merge() {
    while true {
      var best = (gain: -1, kept: 0, gone: 0)
      for one in 0..<count {
        for other in one + 1..<max(count, one + 1) {
          let gain = gain(storage[one], storage[other])
          if gain > best.gain { best = (gain, one, other) }
        }
      }
      guard best.gain >= 0 else { return }
      storage[best.kept] = storage[best.kept].union(storage[best.gone])
      remove(at: best.gone)
    }
  }

  /// How many bytes on the wire the union of two areas saves.
  private func gain(_ a: Area, _ b: Area) -> Int {
    let sharesColumns = a.firstColumn == b.firstColumn && a.lastColumn == b.lastColumn
    let sharesPages = a.firstPage == b.firstPage && a.lastPage == b.lastPage
    let overhead = sharesColumns || sharesPages ? 8 : 14
    return a.count + b.count + overhead - a.union(b).count
  }
}
