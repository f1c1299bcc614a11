import Graphics

/// The areas still to be sent, the last of them first.
struct AreaList: ~Copyable {
  /// As many as there can be: of the 128 columns of 16 pages, a run and the gap behind it take eight.
  private var storage = InlineArray<256, Area>(repeating: Area(columns: 0, 0, pages: 0, 0))
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// The area to be sent next; there must be one.
  var last: Area {
    // Without the attribute and the span each read would copy the whole array.
    @_addressableSelf
    borrowing get { storage.span[count &- 1] }
  }

  mutating func removeAll() { count = 0 }
  mutating func removeLast() { count -= 1 }

  /// Becomes the glass's columns of the whole RAM, page by page where there are no windows.
  ///
  /// That is more than the glass of a low panel: the start line can bring any row into view.
  mutating func assignWhole(of panel: PanelFacts, pageByPage: Bool) {
    count = 0
    let (last, pages) = (panel.size.width - 1, panel.pageCount)
    guard pageByPage else {
      return append(Area(columns: 0, last, pages: 0, pages - 1))
    }
    for page in (0..<pages).reversed() { append(Area(columns: 0, last, pages: page, page)) }
  }

  /// Becomes the glass's pages in which `shown` and `target` differ, each as a whole.
  ///
  /// Returns how many bytes differ.
  mutating func assignPages(
    from shown: Span<UInt8>, to target: Span<UInt8>, of panel: PanelFacts
  ) -> Int {
    let width = panel.size.width
    count = 0
    var changes = 0
    for page in (0..<panel.size.height / 8).reversed() {
      let start = page &* Bitmap.maxWidth
      let before = changes
      for index in start..<start &+ width where shown[index] != target[index] { changes &+= 1 }
      if changes > before { append(Area(columns: 0, width - 1, pages: page, page)) }
    }
    return changes
  }

  /// Becomes areas that hold all bytes of the glass in which `shown` and `target` differ.
  ///
  /// Each area costs its bytes and the price of its address. Unchanged bytes in a gap of a page or in
  /// the union of two areas are sent where that costs no more than another area. The sum never
  /// exceeds the whole glass and an address for each page. `firstPage` is sent first. Returns how
  /// many bytes differ.
  mutating func assign(
    from shown: Span<UInt8>, to target: Span<UInt8>, of panel: PanelFacts, firstPage: Int
  ) -> Int {
    let (width, pages) = (panel.size.width, panel.size.height / 8)
    count = 0
    var changes = 0
    for distance in 1...pages {
      let page = (firstPage &+ distance) % pages
      let start = page &* Bitmap.maxWidth
      let shown = shown.extracting(start..<start &+ width)
      let target = target.extracting(start..<start &+ width)
      var run: Area?
      for column in 0..<width where shown[column] != target[column] {
        changes &+= 1
        if let last = run?.lastColumn, column &- last <= panel.addressPrice &+ 1 {
          run?.lastColumn = column
        } else {
          if let run { insert(run, for: panel) }
          run = Area(columns: column, column, pages: page, page)
        }
      }
      if let run { insert(run, for: panel) }
    }
    return changes
  }

  /// Adds a run of a page, united with areas where that costs no more than both.
  private mutating func insert(_ run: Area, for panel: PanelFacts) {
    var area = run
    var index = 0
    while !panel.hasPagesOnly, index < count {
      let union = area.union(storage[index])
      if union.count <= area.count + storage[index].count + panel.addressPrice {
        area = union
        count -= 1
        storage[index] = storage[count]
        index = 0
      } else {
        index += 1
      }
    }
    append(area)
  }

  private mutating func append(_ area: Area) {
    storage[count] = area
    count += 1
  }
}

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

  var count: Int { width &* (lastPage &- firstPage &+ 1) }

  /// The smallest area that holds both.
  func union(_ other: Area) -> Area {
    Area(
      columns: min(firstColumn, other.firstColumn), max(lastColumn, other.lastColumn),
      pages: min(firstPage, other.firstPage), max(lastPage, other.lastPage))
  }
}
