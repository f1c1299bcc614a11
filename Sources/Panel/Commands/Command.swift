import Bytes

/// What the controller can be told: one case for each command.
///
/// SSD1306 data sheet, revision 1.1, section 9 (table 9-1) and section 10;
/// the last group belongs to relatives of that chip.
enum Command {
  // MARK: Fundamental commands

  /// `81`: contrast, 1...255, growing. Section 10.1.7.
  case setContrast(UInt8)
  /// `A4`, `A5`: lights every pixel whatever the RAM holds. Section 10.1.9.
  case setEntireDisplayOn(Bool)
  /// `A6`, `A7`: a 0 in the RAM is a lit pixel. Section 10.1.10.
  case setInverted(Bool)
  /// `AE`, `AF`: sleep or show. Section 10.1.12.
  case setDisplayOn(Bool)

  // MARK: Scrolling

  /// `2E`, `2F`: starts or stops scrolling. Sections 10.2.3 and 10.2.4.
  case setScrolling(Bool)

  // MARK: Addressing

  /// `00`...`0F`: the column's low four bits, in page mode. Section 10.1.1.
  case setLowColumn(UInt8)
  /// `10`...`1F`: the column's high four bits, in page mode. Section 10.1.2.
  case setHighColumn(UInt8)
  /// `20`: how the address moves on after a data byte. Section 10.1.3.
  case setAddressingMode(AddressingMode)
  /// `21`: the window's columns, not in page mode; above 127 for relatives with 132. Section 10.1.4.
  case setColumnAddress(first: UInt8, last: UInt8)
  /// `22`: the window's pages, not in page mode. Section 10.1.5.
  case setPageAddress(first: UInt8, last: UInt8)
  /// `B0`...`B7`: the page, in page mode. Section 10.1.13.
  case setPage(UInt8)

  // MARK: Hardware configuration

  /// `40`...`7F`: which row of the RAM is shown first. Section 10.1.6.
  case setStartLine(UInt8)
  /// `A0`, `A1`: column 0 of the RAM is SEG127. Section 10.1.8.
  case setSegmentRemap(Bool)
  /// `A8`: how many rows are driven, 16...64. Section 10.1.11.
  case setMultiplexRatio(rows: UInt8)
  /// `C0`, `C8`: COM outputs are scanned from the last to the first. Section 10.1.14.
  case setReversedScan(Bool)
  /// `D3`: by how many COM outputs the picture is shifted, 0...63. Section 10.1.15.
  case setDisplayOffset(UInt8)
  /// `DA`: how COM outputs lie on the pins. Section 10.1.18.
  case setCOMPins(isAlternating: Bool, isSwapped: Bool)

  // MARK: Timing and driving

  /// `D5`: oscillator frequency in the high four bits, divide ratio in the low. Section 10.1.16.
  case setClock(UInt8)
  /// `D9`: pre-charge, second phase in the high four bits, first in the low. Section 10.1.17.
  case setPrecharge(UInt8)
  /// `DB`: the voltage of deselected COM outputs. Section 10.1.19.
  case setVCOMHLevel(UInt8)

  // MARK: Charge pump (application note at the end of the data sheet)

  /// `8D`: the charge pump that feeds the panel, from the next `AF` on.
  case setChargePump(Bool)

  // MARK: Relatives

  /// `AD` with `30` or `00`: the SSD1306B's own current reference at 30 µA, for 72 × 40 panels.
  case setInternalReference(Bool)
  /// `AD` with `8B` or `8A`: the SH1106's voltage converter, on after a reset; taken while the panel is off. SH1106 data
  /// sheet, command 10.
  case setConverter(Bool)
  /// `FD` with `16` or `12`: the SSD1309 takes no command but this one. SSD1309 data sheet, table 9-1.
  case setCommandLock(Bool)

  /// How the address moves on after a data byte: the argument of `20`.
  enum AddressingMode: UInt8 {
    /// Along the window's columns, then to its next page.
    case horizontal = 0
    /// Down the window's pages, then to its next column.
    case vertical = 1
    /// Along the columns of one page.
    case page = 2
  }

  /// Adds the command's one to three bytes; arguments beyond their bits are cut.
  ///
  /// One switch without a `default`: a command that writes nothing does not compile.
  func append<Writer: ByteWriter & ~Copyable>(to writer: inout Writer) {
    switch self {
    case .setContrast(let contrast): writer.append(0x81, contrast)
    case .setEntireDisplayOn(let isOn): writer.append(isOn ? 0xA5 : 0xA4)
    case .setInverted(let isInverted): writer.append(isInverted ? 0xA7 : 0xA6)
    case .setDisplayOn(let isOn): writer.append(isOn ? 0xAF : 0xAE)

    case .setScrolling(let isOn): writer.append(isOn ? 0x2F : 0x2E)

    case .setLowColumn(let bits): writer.append(bits & 0x0F)
    case .setHighColumn(let bits): writer.append(0x10 | bits & 0x0F)
    case .setAddressingMode(let mode): writer.append(0x20, mode.rawValue)
    case .setColumnAddress(let first, let last): writer.append(0x21, first, last)
    case .setPageAddress(let first, let last): writer.append(0x22, first & 7, last & 7)
    case .setPage(let page): writer.append(0xB0 | page & 7)

    case .setStartLine(let row): writer.append(0x40 | row & 0x3F)
    case .setSegmentRemap(let isOn): writer.append(isOn ? 0xA1 : 0xA0)
    case .setMultiplexRatio(let rows): writer.append(0xA8, (rows &- 1) & 0x3F)
    case .setReversedScan(let isOn): writer.append(isOn ? 0xC8 : 0xC0)
    case .setDisplayOffset(let rows): writer.append(0xD3, rows & 0x3F)
    case .setCOMPins(let isAlternating, let isSwapped):
      writer.append(0xDA, 0x02 | (isAlternating ? 0x10 : 0) | (isSwapped ? 0x20 : 0))

    case .setClock(let bits): writer.append(0xD5, bits)
    case .setPrecharge(let bits): writer.append(0xD9, bits)
    case .setVCOMHLevel(let bits): writer.append(0xDB, bits)

    case .setChargePump(let isOn): writer.append(0x8D, isOn ? 0x14 : 0x10)

    case .setInternalReference(let isOn): writer.append(0xAD, isOn ? 0x30 : 0x00)
    case .setConverter(let isOn): writer.append(0xAD, isOn ? 0x8B : 0x8A)
    case .setCommandLock(let isOn): writer.append(0xFD, isOn ? 0x16 : 0x12)
    }
  }
}

extension ByteWriter where Self: ~Copyable {
  fileprivate mutating func append(_ opcode: UInt8, _ argument: UInt8) {
    append(opcode)
    append(argument)
  }

  fileprivate mutating func append(_ opcode: UInt8, _ first: UInt8, _ second: UInt8) {
    append(opcode, first)
    append(second)
  }
}
