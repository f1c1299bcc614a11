/// How to get an area's bytes into the RAM: which address commands go before them.
struct Route: Equatable {
  /// What of the column must be set.
  enum Columns: Equatable {
    case nothing
    /// `21`, or both halves in page mode.
    case whole
    /// `00`...`0F`, in page mode.
    case lowHalf
    /// `10`...`1F`, in page mode.
    case highHalf
  }

  /// What is sent: the area that was asked for, or more where that is cheaper.
  var area: Area
  var columns: Columns
  /// `22`, or the page in page mode.
  var setsPages: Bool
  /// Bytes of address commands.
  var commandCount: Int

  /// Bytes on the wire, the device's address included.
  ///
  /// The data take an address and a control byte. Commands in a message of their own cost another
  /// two; before the data in the same message each costs a control byte, which is as cheap for two.
  var cost: Int { 2 + commandCount + min(commandCount, 2) + area.count }

  /// Whether the commands are better off in a message of their own.
  var isAddressedApart: Bool { commandCount > 2 }
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
    case .window(nil): Route(area: area, columns: .whole, setsPages: true, commandCount: 6)
    case .page(let pointer?): pointer.route(to: area)
    case .page(nil): Route(area: area, columns: .whole, setsPages: true, commandCount: 3)
    }
  }

  /// Moves as the controller does when the route's commands have arrived.
  mutating func take(_ route: Route) {
    switch self {
    case .window(let pointer):
      var pointer = pointer ?? WindowPointer(route.area)
      pointer.take(route)
      self = .window(pointer)
    case .page(let pointer):
      var pointer = pointer ?? PagePointer(route.area)
      pointer.take(route)
      self = .page(pointer)
    }
  }

  /// Moves as the controller does when the bytes of `area` have arrived.
  mutating func pass(_ area: Area) {
    switch self {
    case .window(var pointer?):
      pointer.pass(area)
      self = .window(pointer)
    case .page(var pointer?):
      pointer.column = area.lastColumn + 1
      self = .page(pointer)
    default: break
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

  /// Leaves out what the pointer has right already, or fills the window's columns if that is cheaper.
  ///
  /// On recorded rides the latter saves two bytes in a thousand. A window that reaches further down
  /// than the area, for one below it, saves less than one.
  func route(to area: Area) -> Route {
    let exact = address(area)
    guard exact.columns != .nothing, column == window.firstColumn, column <= area.firstColumn,
      area.lastColumn <= window.lastColumn
    else { return exact }
    let wide = address(
      Area(
        columns: column, window.lastColumn, pages: area.firstPage, area.lastPage))
    return wide.cost < exact.cost ? wide : exact
  }

  private func address(_ area: Area) -> Route {
    let fitsColumns =
      column == area.firstColumn
      && (area.isRow
        ? area.lastColumn <= window.lastColumn
        : window.firstColumn == area.firstColumn && window.lastColumn == area.lastColumn)
    let fitsPages = page == area.firstPage && (area.isRow || area.lastPage <= window.lastPage)
    return Route(
      area: area, columns: fitsColumns ? .nothing : .whole, setsPages: !fitsPages,
      commandCount: (fitsColumns ? 0 : 3) + (fitsPages ? 0 : 3))
  }

  mutating func take(_ route: Route) {
    let area = route.area
    if route.columns != .nothing {
      window.firstColumn = area.firstColumn
      window.lastColumn = area.lastColumn
      column = area.firstColumn
    }
    if route.setsPages {
      window.firstPage = area.firstPage
      window.lastPage = area.lastPage
      page = area.firstPage
    }
  }

  mutating func pass(_ area: Area) {
    page = area.lastPage
    column = area.lastColumn + 1
    guard column > window.lastColumn else { return }
    column = window.firstColumn
    page = page == window.lastPage ? window.firstPage : page + 1
  }
}

/// The pointer in page addressing mode: it walks along one page.
struct PagePointer {
  var column: Int
  private var page: Int
  /// Where `column` was last set.
  private var start: Int

  /// At the start of `area`.
  init(_ area: Area) {
    column = area.firstColumn
    start = area.firstColumn
    page = area.firstPage
  }

  mutating func take(_ route: Route) {
    if route.setsPages { page = route.area.firstPage }
    guard route.columns != .nothing else { return }
    column = route.area.firstColumn
    start = column
  }

  /// Compares the area itself with a longer one that starts where the pointer is.
  func route(to area: Area) -> Route {
    let page = self.page == area.firstPage ? 0 : 1
    let gap = area.firstColumn - column
    let columns = columns(to: area.firstColumn)
    let whole = Route(
      area: area, columns: columns, setsPages: page > 0,
      commandCount: page + (columns == .whole ? 2 : 1))
    var longer = area
    longer.firstColumn = column
    let continued = Route(area: longer, columns: .nothing, setsPages: page > 0, commandCount: page)
    let isContinued = gap == 0 || page == 0 && gap > 0 && continued.cost <= whole.cost
    return isContinued ? continued : whole
  }

  /// Which half of the column must be set.
  ///
  /// The data sheets do not say whether half a column changes the pointer or the register that it
  /// started from: so one half is enough only if the other is the same in both.
  private func columns(to first: Int) -> Route.Columns {
    if first >> 4 == column >> 4, first >> 4 == start >> 4 { return .lowHalf }
    if first & 15 == column & 15, first & 15 == start & 15 { return .highHalf }
    return .whole
  }
}
