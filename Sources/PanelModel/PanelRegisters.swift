enum PanelController: Equatable {
  case ssd1306
  case sh1106
  case ssd1309
  case sh1107

  var columns: Int { self == .sh1106 ? 132 : 128 }

  var pages: Int { self == .sh1107 ? 16 : 8 }

  var lastLine: Int { self == .sh1107 ? 127 : 63 }

  /// Whether it remaps when the RAM is shown, not when the RAM is written.
  var remapsGlass: Bool { self == .sh1106 || self == .sh1107 }

  /// How many bytes follow a command; `nil` if there is no such command.
  ///
  /// SSD1306 data sheet, table 9-1, and its application note for `8D`; `AD` as the
  /// SSD1306B has it. SH1106 and SH1107 data sheets, tables of commands; SSD1309 data sheet, table 9-1.
  func argumentCount(of opcode: UInt8) -> Int? {
    guard self != .sh1107 else { return argumentCountOfSH1107(opcode) }
    return switch opcode {
    case 0x00...0x1F, 0x40...0x7F, 0xA0, 0xA1, 0xA4...0xA7, 0xAE, 0xAF, 0xB0...0xB7, 0xC0, 0xC8,
      0xE3:
      0
    case 0x81, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB: 1
    default:
      self == .sh1106 ? argumentCountOfSH1106(opcode) : argumentCountOfSSD130x(opcode)
    }
  }

  /// The SSD1309 has a lock and a GPIO pin, and neither a charge pump nor a reference.
  private func argumentCountOfSSD130x(_ opcode: UInt8) -> Int? {
    switch opcode {
    case 0x2E, 0x2F: 0
    case 0x20: 1
    case 0x8D, 0xAD: self == .ssd1306 ? 1 : nil
    case 0xDC, 0xFD: self == .ssd1309 ? 1 : nil
    case 0x21, 0x22, 0xA3: 2
    case 0x29, 0x2A: 5
    case 0x26, 0x27: 6
    default: nil
    }
  }

  /// Pump voltage, the undefined bits of the scan direction, and read-modify-write.
  private func argumentCountOfSH1106(_ opcode: UInt8) -> Int? {
    switch opcode {
    case 0x30...0x33, 0xC1...0xC7, 0xC9...0xCF, 0xE0, 0xEE: 0
    case 0xAD: 1
    default: nil
    }
  }

  /// Seven bits of column, 16 pages, the mode in the command itself, and a start line of two bytes.
  private func argumentCountOfSH1107(_ opcode: UInt8) -> Int? {
    switch opcode {
    case 0x00...0x17, 0x20, 0x21, 0xA0, 0xA1, 0xA4...0xA7, 0xAE, 0xAF, 0xB0...0xCF, 0xE0, 0xE3,
      0xEE:
      0
    case 0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDB, 0xDC: 1
    default: nil
    }
  }
}

/// The registers of the controller; initially as after power-on.
struct PanelRegisters {
  enum Mode: Int {
    case horizontal, vertical, page
  }

  // Display.
  var isOn = false
  var isSupplied = false
  var isEntirelyOn = false
  var isInverted = false
  var contrast: UInt8 = 0x7F
  /// Whether the controller takes no command but `FD`.
  var isLocked = false

  // Address.
  var mode = Mode.page
  var column = 0
  var page = 0
  var firstColumn = 0
  var lastColumn = 127
  var firstPage = 0
  var lastPage = 7
  var pageModeColumn = 0

  // Mapping.
  var startLine = 0
  var displayOffset = 0
  var multiplexRatio = 64
  var isSegmentRemapped = false
  var isScanReversed = false
  var arePinsAlternating = true
  var arePinsSwapped = false

  /// Executes a command; returns whether it is valid.
  mutating func execute(
    _ opcode: UInt8, _ first: UInt8, _ second: UInt8, _ controller: PanelController
  ) -> Bool {
    switch opcode {
    case 0x00...0x1F, 0x20...0x22, 0xB0...0xBF:
      return setAddress(opcode, Int(first), Int(second), controller)
    case 0x40...0x7F: startLine = Int(opcode & 0x3F)
    case 0xDC: if controller == .sh1107 { startLine = Int(first & 0x7F) }
    case 0x81: contrast = first
    case 0x8D: isSupplied = first & 0x04 != 0
    case 0xA0, 0xA1: isSegmentRemapped = opcode == 0xA1
    case 0xA4, 0xA5: isEntirelyOn = opcode == 0xA5
    case 0xA6, 0xA7: isInverted = opcode == 0xA7
    case 0xA8:
      let rows = Int(first) & controller.lastLine + 1
      guard rows >= 16 else { return false }
      multiplexRatio = rows
    case 0xAD: if controller.remapsGlass { isSupplied = first & 0x01 != 0 }
    case 0xAE, 0xAF: isOn = opcode == 0xAF
    case 0xFD: isLocked = first & 0x04 != 0
    case 0xC0...0xCF: isScanReversed = opcode & 0x08 != 0
    case 0xD3: displayOffset = Int(first) & controller.lastLine
    case 0xDA:
      arePinsAlternating = first & 0x10 != 0
      arePinsSwapped = first & 0x20 != 0
    default: break  // timing, scrolling and the like show in no picture
    }
    return true
  }

  /// Sets the address or the mode; table 9-1 says which commands work in which mode.
  ///
  /// `00`...`1F` and `B0`...`B7` need page mode, `21` and `22` one of the others. The SH1107 has no windows.
  /// It takes an address in either mode.
  private mutating func setAddress(
    _ opcode: UInt8, _ first: Int, _ second: Int, _ controller: PanelController
  ) -> Bool {
    switch (opcode, mode) {
    case (0x20, _) where controller == .sh1107: mode = .page
    case (0x21, _) where controller == .sh1107: mode = .vertical
    case (0x00...0x1F, _) where controller == .sh1107: setPageModeColumn(opcode, controller)
    case (0xB0...0xBF, _) where controller == .sh1107: page = Int(opcode & 15)
    case (0x20, _):
      guard let mode = Mode(rawValue: first & 3) else { return false }
      self.mode = mode
    case (0x00...0x0F, .page), (0x10...0x1F, .page): setPageModeColumn(opcode, controller)
    case (0xB0...0xB7, .page): page = Int(opcode & 7)
    case (0x21, .horizontal), (0x21, .vertical):
      guard first & 0x7F <= second & 0x7F else { return false }
      (firstColumn, lastColumn) = (first & 0x7F, second & 0x7F)
      column = firstColumn
    case (0x22, .horizontal), (0x22, .vertical):
      guard first & 7 <= second & 7 else { return false }
      (firstPage, lastPage) = (first & 7, second & 7)
      page = firstPage
    default: return false
    }
    return true
  }

  /// The SSD1306's and SSD1309's column has seven bits, the SH1106's eight, of which 0...131 exist.
  private mutating func setPageModeColumn(_ opcode: UInt8, _ controller: PanelController) {
    let bits = Int(opcode & 0x0F)
    let isHigh = opcode & 0x10 != 0
    let column = isHigh ? pageModeColumn & 0x0F | bits << 4 : pageModeColumn & 0xF0 | bits
    pageModeColumn = controller == .sh1106 ? column : column & 0x7F
    self.column = pageModeColumn
  }

  /// Moves the address past a data byte: figures 10-1 to 10-4.
  mutating func advance(_ controller: PanelController) {
    switch mode {
    case .page: advanceInPage(controller)
    case .horizontal: if !advanceColumn() { _ = advancePage(controller) }
    case .vertical: if !advancePage(controller) { _ = advanceColumn() }
    }
  }

  private mutating func advanceInPage(_ controller: PanelController) {
    let last = controller.columns - 1
    if column < last {
      column += 1
    } else if !controller.remapsGlass {
      column = pageModeColumn
    }
  }

  /// Moves to the next column; returns `false` if it wrapped.
  private mutating func advanceColumn() -> Bool {
    let isEnd = column == lastColumn
    column = isEnd ? firstColumn : (column + 1) & 127
    return !isEnd
  }

  /// Moves to the next page; returns `false` if it wrapped.
  private mutating func advancePage(_ controller: PanelController) -> Bool {
    let isEnd = page == lastPage
    page = isEnd ? firstPage : (page + 1) % controller.pages
    return !isEnd
  }

  /// The line of the RAM that a COM output shows; `nil` if it is not driven.
  ///
  /// Tables 10-1 and 10-2: the display offset turns lines against COM outputs, the start line turns the
  /// RAM against lines.
  func line(of output: Int, _ controller: PanelController) -> Int? {
    let scanned = isScanReversed ? multiplexRatio - 1 - output : output
    let line = (scanned + displayOffset) & controller.lastLine
    return line < multiplexRatio ? (line + startLine) & controller.lastLine : nil
  }

  /// The COM output that drives a pin: table 10-3 the other way round.
  func output(onPin pin: Int) -> Int {
    let unswapped = arePinsSwapped ? pin ^ 32 : pin
    guard arePinsAlternating else { return unswapped }
    return unswapped < 32 ? unswapped * 2 : (unswapped - 32) * 2 + 1
  }
}
