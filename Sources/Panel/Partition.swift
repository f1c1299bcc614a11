/// How changes are divided into areas, so that few bytes go over the wire.
///
/// What lies between two changes can be sent again, at a byte each, or left out by addressing the
/// second of them anew. `Route` has the exact price of that, which depends on what was sent before;
/// the prices here are those that led to the least over the pictures of recorded rides. The tests
/// compare with the true optimum.
extension AreaList {
  /// A new address for other columns, when pages are cut into runs.
  private static var runPrice: Int { 6 }
  /// What a new address for other pages costs beyond that.
  private static var stripePrice: Int { 3 }
  /// In page addressing mode: page, both halves of the column, address and two control bytes,
  /// of which the page is needed for the first run only.
  private static var longestGapInPage: Int { 6 }

  /// Becomes the whole of a RAM with `columns`, page by page if `isPaged`.
  mutating func assignWhole(columns: Int, isPaged: Bool) {
    removeAll()
    let last = ChangeMap.pages - 1
    guard isPaged else {
      _ = append(Area(columns: 0, columns - 1, pages: 0, last))
      return
    }
    for page in 0...last { _ = append(Area(columns: 0, columns - 1, pages: page, page)) }
  }

  /// Becomes areas that hold all changes; each lies in one page if `isPaged`.
  mutating func assign(_ changes: borrowing ChangeMap, isPaged: Bool) {
    removeAll()
    guard !isPaged else {
      var gap = Self.longestGapInPage
      while !collectRuns(changes, gap: gap) { gap *= 2 }
      return
    }
    let stripes = Stripes(changes, stripePrice: Self.stripePrice, runPrice: Self.runPrice)
    var price = Self.runPrice
    while !collectStripes(changes, stripes, runPrice: price) { price *= 2 }
    sort()
  }

  /// Becomes the runs of changed bytes of each page; `false` if there are too many.
  private mutating func collectRuns(_ changes: borrowing ChangeMap, gap: Int) -> Bool {
    removeAll()
    for page in 0..<ChangeMap.pages {
      var columns = Runs(changes[page], gap: gap)
      while let run = columns.next() {
        let area = Area(columns: run.first, run.last, pages: page, page)
        guard append(area) else { return false }
      }
    }
    return true
  }

  /// Becomes the runs of each stripe, united where that pays; `false` if there are too many.
  private mutating func collectStripes(
    _ changes: borrowing ChangeMap, _ stripes: borrowing Stripes, runPrice: Int
  ) -> Bool {
    removeAll()
    var end = ChangeMap.pages
    while end > 0 {
      let start = stripes.start(before: end)
      var columns = Runs(
        stripes.columns(before: end), gap: (runPrice &- 1) / (end &- start))
      while let run = columns.next() {
        let area = Area(columns: run.first, run.last, pages: start, end &- 1)
        guard insert(changes.tightened(area)) else { return false }
      }
      end = start
    }
    return true
  }

  /// Adds an area, or the union with others while that costs no more than both.
  private mutating func insert(_ area: Area) -> Bool {
    var area = area
    var index = 0
    while index < count {
      if area.isNear(self[index]), Self.gain(area, self[index]) >= 0 {
        area = area.union(self[index])
        remove(at: index)
        index = 0
      } else {
        index &+= 1
      }
    }
    return append(area)
  }

  /// How many bytes on the wire the union of two areas saves: the second address among them.
  @inline(__always)
  private static func gain(_ a: Area, _ b: Area) -> Int {
    let sharesColumns = a.firstColumn == b.firstColumn && a.lastColumn == b.lastColumn
    let sharesPages = a.firstPage == b.firstPage && a.lastPage == b.lastPage
    return a.count &+ b.count &+ (sharesColumns || sharesPages ? 7 : 8) &- a.union(b).count
  }
}

/// The runs of columns in a set, those together that are up to a gap apart.
private struct Runs {
  private let columns: ColumnSet
  private let gap: Int
  private var start: Int

  init(_ columns: ColumnSet, gap: Int) {
    self.columns = columns
    self.gap = gap
    start = columns.next(from: 0)
  }

  mutating func next() -> (first: Int, last: Int)? {
    guard start < ChangeMap.columns else { return nil }
    let first = start
    var end: Int
    repeat {
      end = columns.nextGap(from: start)
      start = columns.next(from: end)
    } while start < ChangeMap.columns && start &- end <= gap
    return (first, end &- 1)
  }
}

extension ChangeMap {
  /// An area without the pages above and below in which it has no change.
  fileprivate func tightened(_ area: Area) -> Area {
    var area = area
    while !area.isRow, !self[area.firstPage].intersects(area.firstColumn, area.lastColumn) {
      area.firstPage &+= 1
    }
    while !area.isRow, !self[area.lastPage].intersects(area.firstColumn, area.lastColumn) {
      area.lastPage &-= 1
    }
    return area
  }
}

/// The pages cut into stripes, so that the runs of columns in all stripes cost the least.
///
/// Exact for its prices: each stripe's runs are united where the gap costs less than an address,
/// and the cuts are found by dynamic programming over the last page of each stripe.
struct Stripes: ~Copyable {
  private var costs = InlineArray<9, Int>(repeating: 0)
  private var starts = InlineArray<9, Int>(repeating: 0)
  private var unions = InlineArray<9, ColumnSet>(repeating: ColumnSet())

  init(_ changes: borrowing ChangeMap, stripePrice: Int, runPrice: Int) {
    for end in 1...ChangeMap.pages {
      costs[end] = .max
      var columns = ColumnSet()
      var start = end
      while start > 0 {
        start &-= 1
        // Unchanged pages at the edge of a stripe only make it larger.
        if start == end &- 1, changes[start].isEmpty {
          (costs[end], starts[end]) = (costs[start], start)
          break
        }
        columns.formUnion(changes[start])
        let bytes = columns.count &* (end &- start)
        guard bytes < costs[end] else { break }
        let before = costs[start] &+ stripePrice
        let cost = columns.cost(bytes, end &- start, runPrice, limit: costs[end] &- before)
        guard before &+ cost < costs[end] else { continue }
        (costs[end], starts[end], unions[end]) = (before &+ cost, start, columns)
      }
    }
  }

  /// The first page of the last of the stripes that end before page `end`.
  func start(before end: Int) -> Int { starts[end] }

  /// The columns that change anywhere in that stripe.
  func columns(before end: Int) -> ColumnSet { unions[end] }
}

extension ColumnSet {
  /// The bytes of all runs in a stripe of `height` pages, and `runPrice` to get behind each.
  ///
  /// `bytes` is what its columns have themselves. Counts no further than to `limit`.
  ///
  /// A gap costs as much if it is sent as it has bytes, so each column in it costs `height` until
  /// the price of an address is reached. All gaps are walked at once, a column at a time. (What
  /// the right edge cuts off is left out: that is some bytes too little for a run that ends there.)
  fileprivate func cost(_ bytes: Int, _ height: Int, _ runPrice: Int, limit: Int) -> Int {
    var cost = bytes
    var edge = self
    var rest = runPrice
    while rest > 0, cost < limit {
      edge = edge.movedRight.subtracting(self)
      cost &+= edge.count &* min(height, rest)
      rest &-= height
    }
    return cost
  }
}
