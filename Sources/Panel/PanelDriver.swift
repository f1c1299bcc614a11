import Bytes
package import Graphics

/// The driver of a panel: pictures in, the I²C messages that show them out.
///
/// After any call, send `message` as one I²C write and call `messageWasSent`, until `message` is
/// empty. If a write fails, call `invalidate`. It sends only what differs from what the panel shows.
package struct PanelDriver: ~Copyable {
  /// One message: what it does, so that its arrival can be noted.
  private enum Step {
    case none
    case initialize
    case refresh
    case adjust
    case setOn(Bool)
    case address(Area)
    case draw(Area)
  }

  private let panel: PanelFacts
  private let rotation: Rotation
  /// Width and height of a picture that fills the panel.
  package let pictureSize: Size
  private let updates: Updates
  /// The RAM column of the glass's left edge.
  private let firstColumn: Int
  private var wanted: Settings
  private var known: Settings
  /// Whether the panel is meant to be on.
  package private(set) var isOn = true
  private var isKnownOn = false
  private var isInitialized = false
  private var isInterrupted = false
  private var isShowing = false
  private var isRefreshDue = false
  private var shift: PixelShift

  /// The RAM as it shall be, and as it is; both complemented while the panel inverts.
  private var target = InlineArray<2048, UInt8>(repeating: 0)
  private var shown = InlineArray<2048, UInt8>(repeating: 0)
  private var isShownKnown = false
  private var areas = AreaList()
  /// Whether the next area's address has arrived, so that its bytes come next.
  private var isAddressed = false
  /// The page that was set last, if the controller has only page addressing; data do not change it.
  private var page: Int?

  private var step = Step.none
  private var pending = Message()

  /// A panel of which nothing is known; nothing is sent before the first `show`.
  ///
  /// `contrast` is 1...255. `columnOffset` is the RAM column at the left edge, as it is mounted, of a
  /// glass that is 128 pixels wide; `nil` for the usual column of its kind.
  package init(
    _ kind: PanelKind, rotation: Rotation, columnOffset: UInt8? = nil,
    updates: Updates = .changes, contrast: UInt8
  ) {
    panel = kind.facts
    self.rotation = rotation
    pictureSize = kind.pictureSize(rotation)
    self.updates = updates
    let offset = columnOffset.map { Int($0) } ?? panel.usualColumnOffset
    // A RAM that is no wider than the glass has no columns to skip; the offset is one of the start line.
    firstColumn = panel.isSideways ? 0 : panel.inset + offset
    shift = PixelShift(panel, offset: panel.isSideways ? offset : 0)
    wanted = Settings(contrast: contrast, startLine: shift.startLine)
    known = wanted
  }

  private var size: Size { panel.size }

  /// The next I²C message without its address byte; empty if there is nothing to send.
  ///
  /// At most 1025 bytes.
  package var message: Span<UInt8> {
    @_lifetime(&self)
    mutating get { pending.bytes }
  }

  /// Shows `bitmap`: prepares the messages that change the panel to it.
  ///
  /// If lit and dark are swapped, as in an alert, the controller inverts its output and the RAM stays.
  /// Returns whether the picture differs from the one that the panel shows.
  @discardableResult
  package mutating func show(_ bitmap: borrowing Bitmap) -> Bool {
    if rotation.isUpright { bitmap.copyTurned(to: &target) } else { bitmap.copy(to: &target) }
    if bitmap.size != pictureSize {
      // Pixels outside the panel stay dark, in case the bitmap is larger.
      for index in 0..<2048
      where index & 127 >= size.width || index >> 7 >= size.height / 8 { target[index] = 0 }
    }
    let wasInverted = wanted.isInverted
    if wasInverted { complementTarget() }
    if isShownKnown { assignChanges() } else { assignWhole() }
    isAddressed = false
    wanted.startLine = shift.startLine(for: target.span)
    isShowing = true
    prepare()
    return !areas.isEmpty || wanted.isInverted != wasInverted
  }

  /// The bus failed or the panel lost power: nothing is known any more.
  ///
  /// The next `show` initialises the panel and draws everything.
  package mutating func invalidate() {
    isInitialized = false
    isInterrupted = true
    isShowing = false
    isRefreshDue = false
    isShownKnown = false
    areas.removeAll()
    forgetAddress()
    prepare()
  }

  /// Sends the configuration again and, with the next picture, the address.
  ///
  /// Called each 60 s, it repairs a panel whose supply dipped.
  package mutating func refresh() {
    isRefreshDue = isInitialized
    prepare()
  }

  /// Moves the picture by a row, or back, to spare the pixels.
  ///
  /// Called every few minutes. A picture without a dark row at its edge does not move.
  package mutating func shiftPicture() {
    shift.advance(target.span)
    wanted.startLine = shift.startLine
    prepare()
  }

  /// Shows with as little light as can be read, or with the contrast that the user wants.
  package mutating func setDim(_ isDim: Bool) {
    wanted.isDim = isDim
    prepare()
  }

  /// Switches the panel on or off; it keeps its picture, and takes new ones meanwhile.
  package mutating func setOn(_ isOn: Bool) {
    self.isOn = isOn
    prepare()
  }

  /// Switches the panel off, then clears its RAM, so that no old picture can come back.
  package mutating func shutDown() {
    isOn = false
    guard isShowing else { return }
    show(Bitmap(pictureSize))
  }

  /// Notes that `message` has arrived, and prepares the next.
  package mutating func messageWasSent() {
    switch step {
    case .none: break
    case .initialize:
      isInitialized = true
      isInterrupted = false
      known = wanted
      isKnownOn = false
    case .refresh:
      isRefreshDue = false
      // The panel may have lost everything, including its address.
      forgetAddress()
      known = wanted
    case .adjust: known = wanted
    case .setOn(let isOn): isKnownOn = isOn
    case .address(let area):
      isAddressed = true
      if panel.hasPagesOnly, updates == .changes { page = area.firstPage }
    case .draw(let area):
      isAddressed = false
      noteDrawing(area)
    }
    prepare()
  }

  private mutating func forgetAddress() {
    isAddressed = false
    page = nil
  }

  private mutating func noteDrawing(_ area: Area) {
    let target = target.span
    for page in area.firstPage...area.lastPage {
      let start = page &* Bitmap.maxWidth
      for index in start &+ area.firstColumn...start &+ area.lastColumn {
        shown[index] = target[index]
      }
    }
    areas.removeLast()
    if areas.isEmpty { isShownKnown = true }
  }

  /// Decides the next step from what is known to what is wanted, and writes its message.
  private mutating func prepare() {
    step = nextStep()
    pending.removeAll()
    let configuration = Configuration(
      panel: panel, rotation: rotation, updates: updates, settings: wanted)
    switch step {
    case .none: break
    case .initialize:
      configuration.appendInitialization(ofInterrupted: isInterrupted, to: &pending)
    case .refresh: configuration.appendRefresh(isOn: isKnownOn, to: &pending)
    case .adjust: configuration.appendChanges(from: known, to: &pending)
    case .setOn(let isOn):
      pending.beginCommands()
      pending.add(.setDisplayOn(isOn))
    case .address(let area): appendAddress(of: area)
    case .draw(let area):
      pending.beginData()
      let bytes = target.span
      pending.add(area, of: bytes)
    }
  }

  private mutating func nextStep() -> Step {
    guard isShowing else { return .none }
    guard isInitialized else { return .initialize }
    if isRefreshDue { return .refresh }
    if isKnownOn, !isOn { return .setOn(false) }
    if known != wanted { return .adjust }
    if !areas.isEmpty { return isAddressed ? .draw(areas.last) : .address(areas.last) }
    return isKnownOn == isOn ? .none : .setOn(isOn)
  }

  /// Whether the controller is in page addressing mode.
  private var hasPages: Bool { panel.hasPagesOnly || updates == .pages }

  private mutating func appendAddress(of area: Area) {
    let first = UInt8(area.firstColumn + firstColumn)
    let last = UInt8(area.lastColumn + firstColumn)
    pending.beginCommands()
    if hasPages {
      if page != area.firstPage { pending.add(.setPage(UInt8(area.firstPage))) }
      pending.add(.setLowColumn(first & 0x0F))
      pending.add(.setHighColumn(first >> 4))
    } else {
      pending.add(.setColumnAddress(first: first, last: last))
      pending.add(.setPageAddress(first: UInt8(area.firstPage), last: UInt8(area.lastPage)))
    }
  }

  /// Chooses the areas to send of the target, or of its complement if that changes fewer bytes.
  private mutating func assignChanges() {
    let changes = chooseAreas()
    // Each unchanged byte differs from the complement: with up to half changed, that is no closer.
    guard changes > size.width * size.height / 16 else { return }
    complementTarget()
    if chooseAreas() < changes {
      wanted.isInverted.toggle()
    } else {
      complementTarget()
      _ = chooseAreas()
    }
  }

  private mutating func chooseAreas() -> Int {
    guard updates != .changes else {
      return areas.assign(from: shown.span, to: target.span, of: panel, firstPage: page ?? 0)
    }
    let changes = areas.assignPages(from: shown.span, to: target.span, of: panel)
    if updates == .whole, changes > 0 { assignWhole() }
    return changes
  }

  private mutating func assignWhole() { areas.assignWhole(of: panel, pageByPage: hasPages) }

  private mutating func complementTarget() {
    for page in 0..<size.height / 8 {
      for column in 0..<size.width { target[page &* Bitmap.maxWidth &+ column] ^= 0xFF }
    }
  }
}
