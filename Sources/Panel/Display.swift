public import Graphics

/// The driver of a panel: pictures in, the I2C messages that show them out.
///
/// Does no input or output. After any call send what stands in `message` as one
/// I2C write and call `messageWasSent`, until `message` is empty; if a write
/// fails, call `invalidate`. It remembers what the panel shows and where the
/// panel's address pointer stands, and sends only what changes.
public struct Display: ~Copyable {
  /// One message: what it does, so that its arrival can be noted.
  private enum Step {
    case none
    case initialize
    case refresh
    case adjust
    case setOn(Bool)
    case draw(Route)
  }

  private let kind: PanelKind
  private let rotation: Rotation
  private var wanted: Settings
  private var known: Settings
  private var isInitialized = false
  private var isShowing = false
  private var isRefreshDue = false

  private var target: Bitmap
  private var shown: Bitmap
  private var isShownKnown = false
  private var areas = AreaList()
  private var pointer: AddressPointer

  private var step = Step.none
  private var pending = Message()

  /// A panel of which nothing is known; nothing is sent before the first `show`.
  ///
  /// `contrast` is 1...255.
  public init(_ kind: PanelKind, rotation: Rotation, contrast: UInt8) {
    self.kind = kind
    self.rotation = rotation
    wanted = Settings(contrast: contrast, isInverted: false, isOn: true)
    known = Settings(contrast: contrast, isInverted: false, isOn: false)
    target = Bitmap(kind.size)
    shown = Bitmap(kind.size)
    pointer = AddressPointer(hasPagesOnly: kind.hasPagesOnly)
  }

  /// Width and height of the panel.
  public var size: Size { kind.size }

  /// Whether the panel is meant to be on.
  public var isOn: Bool { wanted.isOn }

  /// The next I2C message without its address byte; empty if there is nothing to send.
  ///
  /// At most 1037 bytes.
  public var message: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { pending.bytes }
  }

  /// Shows `bitmap`: prepares the messages that change the panel to it.
  public mutating func show(_ bitmap: borrowing Bitmap) {
    let changes = ChangeMap(moving: &target, to: bitmap, from: shown)
    if isShownKnown {
      areas.assign(changes, isPaged: kind.hasPagesOnly)
    } else {
      areas.assignWhole(
        columns: size.width, pages: target.pageCount, isPaged: kind.hasPagesOnly)
    }
    isShowing = true
    prepare()
  }

  /// The bus failed or the panel lost power: nothing is known any more.
  ///
  /// The next `show` initialises the panel and draws everything.
  public mutating func invalidate() {
    isInitialized = false
    isShowing = false
    isRefreshDue = false
    isShownKnown = false
    areas.removeAll()
    pointer.forget()
    prepare()
  }

  /// Sends the configuration and, with the next picture, the address anew.
  ///
  /// To be called each 60 s: it heals a panel whose supply dipped.
  public mutating func refresh() {
    isRefreshDue = isInitialized
    prepare()
  }

  /// Sets the contrast, 1...255.
  public mutating func setContrast(_ contrast: UInt8) {
    wanted.contrast = contrast
    prepare()
  }

  /// Shows lit pixels dark and dark ones lit, or not.
  public mutating func setInverted(_ isInverted: Bool) {
    wanted.isInverted = isInverted
    prepare()
  }

  /// Switches the panel on or off; it keeps its picture, and takes new ones meanwhile.
  public mutating func setOn(_ isOn: Bool) {
    wanted.isOn = isOn
    prepare()
  }

  /// Switches the panel off, then clears its RAM, so that no old picture can come back.
  public mutating func shutDown() {
    wanted.isOn = false
    guard isShowing else { return }
    show(Bitmap(size))
  }

  /// Notes that `message` has arrived, and prepares the next.
  public mutating func messageWasSent() {
    switch step {
    case .none: break
    case .initialize:
      isInitialized = true
      known = Settings(contrast: wanted.contrast, isInverted: wanted.isInverted, isOn: false)
    case .refresh:
      isRefreshDue = false
      pointer.forget()
      known.contrast = wanted.contrast
      known.isInverted = wanted.isInverted
    case .adjust:
      known.contrast = wanted.contrast
      known.isInverted = wanted.isInverted
    case .setOn(let isOn): known.isOn = isOn
    case .draw(let route): noteDrawing(route)
    }
    prepare()
  }

  private mutating func noteDrawing(_ route: Route) {
    pointer.follow(route)
    let area = glassArea(route.area)
    for page in area.firstPage...area.lastPage {
      for column in area.firstColumn...area.lastColumn {
        shown[page: page, column: column] = target[page: page, column: column]
      }
    }
    areas.removeAll(within: area)
    if areas.isEmpty { isShownKnown = true }
  }

  /// Decides the next step from what is known to what is wanted, and writes its message.
  private mutating func prepare() {
    step = nextStep()
    pending.removeAll()
    switch step {
    case .none: break
    case .initialize:
      Configuration(kind, rotation, wanted).appendInitialization(to: &pending)
    case .refresh:
      Configuration(kind, rotation, wanted).appendRefresh(isOn: known.isOn, to: &pending)
    case .adjust:
      pending.beginCommands()
      if known.contrast != wanted.contrast { pending.add(.setContrast(wanted.contrast)) }
      if known.isInverted != wanted.isInverted { pending.add(.setInverted(wanted.isInverted)) }
    case .setOn(let isOn):
      pending.beginCommands()
      pending.add(.setDisplayOn(isOn))
    case .draw(let route): append(route)
    }
  }

  private func nextStep() -> Step {
    guard isShowing else { return .none }
    guard isInitialized else { return .initialize }
    if isRefreshDue { return .refresh }
    if known.isOn, !wanted.isOn { return .setOn(false) }
    if known.contrast != wanted.contrast || known.isInverted != wanted.isInverted {
      return .adjust
    }
    if !areas.isEmpty { return .draw(cheapestRoute()) }
    return known.isOn == wanted.isOn ? .none : .setOn(wanted.isOn)
  }

  /// The route that needs the fewest bytes beside those of its area.
  private func cheapestRoute() -> Route {
    var best = pointer.route(to: ramArea(areas[0]))
    var bestExtra = best.cost - areas[0].count
    for index in 1..<max(1, areas.count) {
      let route = pointer.route(to: ramArea(areas[index]))
      let extra = route.cost - areas[index].count
      if extra < bestExtra { (best, bestExtra) = (route, extra) }
    }
    return best
  }

  private mutating func append(_ route: Route) {
    let area = route.area
    let (first, last) = (UInt8(area.firstColumn), UInt8(area.lastColumn))
    let (top, bottom) = (UInt8(area.firstPage), UInt8(area.lastPage))
    if kind.hasPagesOnly {
      if route.setsPages { pending.addControlled(.setPage(top)) }
      if route.setsColumns {
        pending.addControlled(.setLowColumn(first & 0x0F))
        pending.addControlled(.setHighColumn(first >> 4))
      }
    } else {
      if route.setsColumns { pending.addControlled(.setColumnAddress(first: first, last: last)) }
      if route.setsPages { pending.addControlled(.setPageAddress(first: top, last: bottom)) }
    }
    pending.beginData()
    let glass = glassArea(area)
    for page in glass.firstPage...glass.lastPage {
      for column in glass.firstColumn...glass.lastColumn {
        pending.add(target[page: page, column: column])
      }
    }
  }

  private func ramArea(_ area: Area) -> Area { moved(area, by: kind.columnOffset) }
  private func glassArea(_ area: Area) -> Area { moved(area, by: -kind.columnOffset) }

  private func moved(_ area: Area, by columns: Int) -> Area {
    Area(
      columns: area.firstColumn + columns, area.lastColumn + columns,
      pages: area.firstPage, area.lastPage)
  }
}
