import Bytes

/// A command to the controller; arguments beyond their bits are cut.
///
/// SSD1306 data sheet, revision 1.1, table 9-1; the numbers in brackets are its sections. The last
/// group belongs to relatives of that chip.
struct Command {
  private let opcode: UInt8
  private let first, second: UInt8?

  private init(_ opcode: UInt8, _ first: UInt8? = nil, _ second: UInt8? = nil) {
    (self.opcode, self.first, self.second) = (opcode, first, second)
  }

  func append<Writer: ByteWriter & ~Copyable>(to writer: inout Writer) {
    writer.append(opcode)
    if let first { writer.append(first) }
    if let second { writer.append(second) }
  }

  // MARK: Fundamental commands

  /// `81`: contrast, 1...255, growing (10.1.7).
  static func setContrast(_ contrast: UInt8) -> Command { Command(0x81, contrast) }
  /// `A4`, `A5`: lights every pixel whatever the RAM holds (10.1.9).
  static func setEntireDisplayOn(_ isOn: Bool) -> Command { Command(isOn ? 0xA5 : 0xA4) }
  /// `A6`, `A7`: a 0 in the RAM is a lit pixel (10.1.10).
  static func setInverted(_ isInverted: Bool) -> Command { Command(isInverted ? 0xA7 : 0xA6) }
  /// `AE`, `AF`: sleep or show (10.1.12).
  static func setDisplayOn(_ isOn: Bool) -> Command { Command(isOn ? 0xAF : 0xAE) }

  // MARK: Scrolling

  /// `2E`, `2F`: stops or starts scrolling (10.2.3 and 10.2.4).
  static func setScrolling(_ isOn: Bool) -> Command { Command(isOn ? 0x2F : 0x2E) }

  // MARK: Addressing

  /// `00`...`0F`: the column's low four bits, in page mode (10.1.1).
  static func setLowColumn(_ bits: UInt8) -> Command { Command(bits & 0x0F) }
  /// `10`...`1F`: the column's high four bits, in page mode (10.1.2).
  static func setHighColumn(_ bits: UInt8) -> Command { Command(0x10 | bits & 0x0F) }
  /// `20`: how the address moves on after a data byte (10.1.3).
  static func setAddressingMode(_ mode: AddressingMode) -> Command { Command(0x20, mode.rawValue) }
  /// `21`: the window's columns, not in page mode; above 127 for relatives with 132 (10.1.4).
  static func setColumnAddress(first: UInt8, last: UInt8) -> Command { Command(0x21, first, last) }
  /// `22`: the window's pages, not in page mode (10.1.5).
  static func setPageAddress(first: UInt8, last: UInt8) -> Command {
    Command(0x22, first & 7, last & 7)
  }
  /// `B0`...`B7`: the page, in page mode (10.1.13); up to `BF` for the 16 pages of the SH1107.
  static func setPage(_ page: UInt8) -> Command { Command(0xB0 | page & 0x0F) }

  // MARK: Hardware configuration

  /// `40`...`7F`: which row of the RAM is shown first (10.1.6).
  static func setStartLine(_ row: UInt8) -> Command { Command(0x40 | row & 0x3F) }
  /// `A0`, `A1`: column 0 of the RAM is SEG127 (10.1.8).
  static func setSegmentRemap(_ isOn: Bool) -> Command { Command(isOn ? 0xA1 : 0xA0) }
  /// `A8`: how many rows are driven, 16...64 (10.1.11); up to 128 for the SH1107.
  static func setMultiplexRatio(rows: UInt8) -> Command { Command(0xA8, (rows &- 1) & 0x7F) }
  /// `C0`, `C8`: COM outputs are scanned from the last to the first (10.1.14).
  static func setReversedScan(_ isOn: Bool) -> Command { Command(isOn ? 0xC8 : 0xC0) }
  /// `D3`: by how many COM outputs the picture is shifted, 0...63 (10.1.15).
  static func setDisplayOffset(_ rows: UInt8) -> Command { Command(0xD3, rows & 0x3F) }
  /// `DA`: how COM outputs lie on the pins (10.1.18).
  static func setCOMPins(isAlternating: Bool, isSwapped: Bool) -> Command {
    Command(0xDA, 0x02 | (isAlternating ? 0x10 : 0) | (isSwapped ? 0x20 : 0))
  }

  // MARK: Timing and driving

  /// `D5`: oscillator frequency in the high four bits, divide ratio in the low (10.1.16).
  static func setClock(_ bits: UInt8) -> Command { Command(0xD5, bits) }
  /// `D9`: pre-charge, second phase in the high four bits, first in the low (10.1.17).
  static func setPrecharge(_ bits: UInt8) -> Command { Command(0xD9, bits) }
  /// `DB`: the voltage of deselected COM outputs (10.1.19).
  static func setVCOMHLevel(_ bits: UInt8) -> Command { Command(0xDB, bits) }

  // MARK: Charge pump (application note at the end of the data sheet)

  /// `8D`: the charge pump that feeds the panel, from the next `AF` on.
  static func setChargePump(_ isOn: Bool) -> Command { Command(0x8D, isOn ? 0x14 : 0x10) }

  // MARK: Relatives

  /// `AD` with `30` or `00`: the SSD1306B's own current reference at 30 µA, for 72 × 40 panels.
  static func setInternalReference(_ isOn: Bool) -> Command { Command(0xAD, isOn ? 0x30 : 0x00) }
  /// `AD`: the voltage converter of SH1106 and SH1107 (their data sheets, command 10); bit 0 switches it on.
  ///
  /// The SH1107's other bits are the switching frequency. The converter is on after a reset; the command is
  /// taken while the panel is off.
  static func setConverter(_ bits: UInt8) -> Command { Command(0xAD, bits) }
  /// `20`: page addressing, a command of one byte with the SH1107 (its data sheet, command 3).
  static var setPageAddressing: Command { Command(0x20) }
  /// `DC`: which column of the SH1107's RAM its first COM output shows (its data sheet, command 17).
  static func setFirstColumn(_ column: UInt8) -> Command { Command(0xDC, column & 0x7F) }
  /// `E3`: nothing.
  static var doNothing: Command { Command(0xE3) }
  /// `FD` with `16` or `12`: the SSD1309 takes no command but this one (its data sheet, table 9-1).
  static func setCommandLock(_ isOn: Bool) -> Command { Command(0xFD, isOn ? 0x16 : 0x12) }

  /// How the address moves on after a data byte: the argument of `20`.
  enum AddressingMode: UInt8 {
    /// Along the window's columns, then to its next page.
    case horizontal = 0
    /// Down the window's pages, then to its next column.
    case vertical = 1
    /// Along the columns of one page.
    case page = 2
  }
}
