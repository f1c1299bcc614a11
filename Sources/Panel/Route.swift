/// How to get an area's bytes into the RAM: which address commands go before them.
struct Route: Equatable {
  /// What is sent: the area that was asked for, or more where that is cheaper.
  var area: Area
  /// `21`, or both halves of the column in page mode.
  var setsColumns: Bool
  /// `22`, or the page in page mode.
  var setsPages: Bool
  /// Bytes on the wire, the address included.
  var cost: Int
}

/// Where the controller will put the next data byte, as far as it is known.
enum AddressPointer {
  case window(WindowPointer?)
  case page(PagePointer?)

  /// Not known.
  init(hasPagesOnly: Bool) { self = hasPagesOnly ? .page(nil) : .window(nil) }

  /// The cheapest route to `area` from here.
  func route(to area: Area) -> Route {
    switch self {
    case .window(let pointer?): pointer.route(to: area)
    case .window(nil):
      Route(area: area, setsColumns: true, setsPages: true, cost: 14 + area.count)
    case .page(let pointer?): pointer.route(to: area)
    case .page(nil):
      Route(area: area, setsColumns: true, setsPages: true, cost: 8 + area.count)
    }
  }

  /// Moves on as the controller does when the route's message has arrived.
  mutating func follow(_ route: Route) {
    switch self {
    case .window(let pointer):
      var pointer = pointer ?? WindowPointer(route.area)
      pointer.follow(route)
      self = .window(pointer)
    case .page:
      self = .page(PagePointer(column: route.area.lastColumn + 1, page: route.area.firstPage))
    }
  }

  /// Nothing is known any more.
  mutating func forget() {
    switch self {
    case .window: self = .window(nil)
    case .page: self = .page(nil)
    }
  }
}

/// The pointer in horizontal addressing mode: SSD1306 data sheet, figure 10-3.
///
/// It walks along the window's columns, then its pages, and from the window's
/// last byte back to the first: a window that was filled can be filled again
/// without an address.
struct WindowPointer {
  private var window: Area
  private var column: Int
  private var page: Int

  /// At the start of `window`.
  init(_ window: Area) {
    self.window = window
    column = window.firstColumn
    page = window.firstPage
  }

  /// Leaves out what the pointer has right already.
  ///
  /// A larger area that needs fewer commands was tried: on recorded rides it saved
  /// less than one byte in a hundred, as tight windows serve the next frame as well.
  func route(to area: Area) -> Route {
    let fitsColumns =
      column == area.firstColumn
      && (area.isRow
        ? area.lastColumn <= window.lastColumn
        : window.firstColumn == area.firstColumn && window.lastColumn == area.lastColumn)
    let fitsPages = page == area.firstPage && (area.isRow || area.lastPage <= window.lastPage)
    return Route(
      area: area, setsColumns: !fitsColumns, setsPages: !fitsPages,
      cost: 2 + (fitsColumns ? 0 : 6) + (fitsPages ? 0 : 6) + area.count)
  }

  mutating func follow(_ route: Route) {
    let area = route.area
    if route.setsColumns {
      window.firstColumn = area.firstColumn
      window.lastColumn = area.lastColumn
    }
    if route.setsPages {
      window.firstPage = area.firstPage
      window.lastPage = area.lastPage
    }
    page = area.lastPage
    column = area.lastColumn + 1
    guard column > window.lastColumn else { return }
    column = window.firstColumn
    page = page == window.lastPage ? window.firstPage : page + 1
  }
}

/// The pointer in page addressing mode: it walks along one page.
///
/// A new column is always sent in both halves: the data sheets do not say whether
/// half a column changes the pointer or the register that it started from.
struct PagePointer {
  var column: Int
  var page: Int

  /// Compares the area itself with a longer one that starts where the pointer is.
  func route(to area: Area) -> Route {
    let pageCost = page == area.firstPage ? 0 : 2
    let gap = area.firstColumn - column
    var longer = area
    longer.firstColumn = column
    let isContinued = gap == 0 || pageCost == 0 && 0...4 ~= gap
    return Route(
      area: isContinued ? longer : area, setsColumns: !isContinued, setsPages: pageCost > 0,
      cost: 2 + pageCost + (isContinued ? longer.count : 4 + area.count))
  }
}
