import Bytes
package import Graphics
package import Panel

/// A model of a panel: takes I²C messages as the controller does, and shows what the glass shows.
///
/// It is written from the data sheets of the SSD1306 (revision 1.1), SH1106 (version 2.3), SSD1309 and SH1107 (version
/// 2.1). `PanelDriver` is written apart from it, so that each finds the other's errors. From `Panel` it takes only the
/// kinds and sizes. What time alone changes (scrolling, blinking) is not modelled.
package struct PanelModel: ~Copyable {
  package let kind: PanelKind
  /// How many bytes the controller would not understand.
  ///
  /// Such are unknown commands, arguments out of range, commands of another addressing mode, data
  /// beyond the RAM, and control bytes with reserved bits.
  package private(set) var faults = 0

  private(set) var registers = PanelRegisters()
  private(set) var ram = InlineArray<2112, UInt8>(repeating: 0)
  private var opcode: UInt8 = 0
  private var missingArguments = 0
  private var argumentCount = 0
  private var arguments = InlineArray<6, UInt8>(repeating: 0)

  /// A panel after power-on: off, with noise in its RAM.
  package init(_ kind: PanelKind) {
    self.kind = kind
    registers.isSupplied = kind.controller != .ssd1306
    registers.lastColumn = kind.controller.columns - 1
    registers.lastPage = kind.controller.pages - 1
    registers.multiplexRatio = kind.controller.lastLine + 1
    var noise: UInt32 = 0x2545_F491
    for index in 0..<2112 {
      noise ^= noise &<< 13
      noise ^= noise &>> 17
      noise ^= noise &<< 5
      ram[index] = UInt8(truncatingIfNeeded: noise)
    }
  }

  /// Whether the panel is on and its supply as well.
  package var isOn: Bool { registers.isOn && registers.isSupplied }

  /// Which row of the RAM the glass shows first, 0...63; with the SH1107 which column, 0...127.
  package var startLine: Int { registers.startLine }

  /// The contrast, 0...255; 127 after power-on.
  package var contrast: UInt8 { registers.contrast }

  /// Takes one I²C write, without the address byte.
  ///
  /// Section 8.1.5.2: a control byte says whether command or data follows. One byte follows if `Co` is
  /// 1, and the rest of the message if `Co` is 0.
  package mutating func receive(_ message: Span<UInt8>) {
    var index = 0
    while index < message.count {
      let control = message[index]
      index += 1
      if control & 0x3F != 0 { faults += 1 }
      let isLast = control & 0x80 == 0
      let end = isLast ? message.count : min(index + 1, message.count)
      while index < end {
        if control & 0x40 == 0 {
          receiveCommand(message[index])
        } else {
          receiveData(message[index])
        }
        index += 1
      }
    }
  }

  // MARK: Commands

  private mutating func receiveCommand(_ byte: UInt8) {
    if missingArguments > 0 {
      arguments[argumentCount] = byte
      argumentCount += 1
      missingArguments -= 1
    } else {
      opcode = byte
      argumentCount = 0
      guard let length = kind.controller.argumentCount(of: byte) else {
        faults += 1
        return
      }
      missingArguments = length
    }
    guard missingArguments == 0 else { return }
    guard !registers.isLocked || opcode == 0xFD else { return }
    if !registers.execute(opcode, arguments[0], arguments[1], kind.controller) { faults += 1 }
  }

  // MARK: Graphics RAM

  /// Section 8.7: a page is 8 rows, a byte one column of it, bit 0 on top.
  private mutating func receiveData(_ byte: UInt8) {
    guard registers.column < kind.controller.columns else {
      faults += 1
      return
    }
    ram[registers.page * 132 + storedColumn(registers.column)] = byte
    registers.advance(kind.controller)
  }

  /// The SSD1306 and SSD1309 remap when data is written (section 10.1.8: "only affects
  /// subsequent data input"), SH1106 and SH1107 when it is shown.
  private func storedColumn(_ column: Int) -> Int {
    guard !kind.controller.remapsGlass, registers.isSegmentRemapped else { return column }
    return 127 - column
  }

  // MARK: Glass

  /// Makes `glass` what a person in front of the panel sees; returns whether it changed.
  ///
  /// The glass is mounted so that with `A1` and `C8` row 0 is on top and column 0 on the left; the glass
  /// of the SH1107, so that this is the case with `A0` and `C0`. All is dark while the panel is off.
  @discardableResult
  package func updateGlass(_ glass: inout Bitmap) -> Bool {
    var seen = InlineArray<2048, UInt8>(repeating: 0)
    glass.copy(to: &seen)
    let isSideways = kind.controller == .sh1107
    let lines = shownLines(isSideways ? 0 : glass.size.height)
    let ram = ram.span
    var isChanged = false
    for x in 0..<kind.size.width {
      var lit = isSideways ? 0 : litRows(x, of: ram, lines.span)
      for page in 0..<glass.pageCount {
        let bits = isSideways ? rowsSideways(x, page, of: ram) : UInt8(truncatingIfNeeded: lit)
        lit &>>= 8
        guard seen[page * Bitmap.maxWidth + x] != bits else { continue }
        glass[page: page, column: x] = bits
        isChanged = true
      }
    }
    return isChanged
  }

  /// The bit of the RAM's line that each row of the glass shows, from the top; 0 for a row that is not
  /// driven.
  private func shownLines(_ height: Int) -> InlineArray<64, UInt64> {
    var lines = InlineArray<64, UInt64>(repeating: 0)
    guard isOn else { return lines }
    for y in 0..<height {
      if let row = shownRow(y) { lines[y] = 1 &<< UInt64(widening: UInt32(row)) }
    }
    return lines
  }

  /// The rows that are lit in the glass's column `x`, the top one in bit 0.
  private func litRows(_ x: Int, of ram: Span<UInt8>, _ lines: Span<UInt64>) -> UInt64 {
    let column = segmentColumn(x)
    var stored: UInt64 = 0
    for page in (0..<8).reversed() {
      stored = stored &<< 8 | UInt64(widening: UInt32(ram[page * 132 + column]))
    }
    if registers.isInverted { stored = ~stored }
    if registers.isEntirelyOn { stored = .max }
    guard stored != 0 else { return 0 }
    var lit: UInt64 = 0
    for y in lines.indices.reversed() { lit = lit &<< 1 | (stored & lines[y] != 0 ? 1 : 0) }
    return lit
  }

  /// The column of the RAM that drives the glass's column `x`.
  ///
  /// The glass's left edge is at the high segments, its middle at the controller's.
  private func segmentColumn(_ x: Int) -> Int {
    let columns = kind.controller.columns
    let segment = columns - 1 - (columns - kind.size.width) / 2 - x
    let isRemapped = kind.controller == .sh1106 && registers.isSegmentRemapped
    return isRemapped ? columns - 1 - segment : segment
  }

  /// The row of the RAM that the glass's row `y` shows; `nil` if it is not driven.
  private func shownRow(_ y: Int) -> Int? {
    registers.line(of: registers.output(onPin: kind.pin(ofGlassRow: y)), kind.controller)
  }
}

extension PanelKind {
  var controller: PanelController {
    switch self {
    case .ssd1306x128x64, .ssd1306x128x32, .ssd1306x64x48, .ssd1306x72x40: .ssd1306
    case .sh1106x128x64: .sh1106
    case .ssd1309x128x64: .ssd1309
    case .sh1107x128x128: .sh1107
    }
  }

  /// The COM pin that a row of the glass is soldered to.
  ///
  /// 128 × 32 glass takes the pins in order; the others take them in turn from
  /// both sides of the chip. The top row is at the last pin.
  fileprivate func pin(ofGlassRow y: Int) -> Int {
    let output = size.height - 1 - y
    return switch self {
    case .ssd1306x128x32: output
    case .ssd1306x128x64, .ssd1306x64x48, .ssd1306x72x40, .sh1106x128x64, .ssd1309x128x64,
      .sh1107x128x128:
      output & 1 == 0 ? output / 2 : 32 + output / 2
    }
  }
}

/// The glass of the SH1107, whose COM outputs drive columns and whose segments drive rows.
///
/// Its data sheet, figure 10 and command 17: a bit of a page is a segment, a column of the RAM a line.
extension PanelModel {
  /// Eight rows of the glass's column `x`, the topmost in bit 0; dark where the column is not driven.
  ///
  /// The left edge is at the first COM output, the upper one at the first segment.
  private func rowsSideways(_ x: Int, _ page: Int, of ram: Span<UInt8>) -> UInt8 {
    guard isOn, let column = registers.line(of: x, kind.controller) else { return 0 }
    if registers.isEntirelyOn { return 0xFF }
    var bits = ram[(registers.isSegmentRemapped ? 15 - page : page) * 132 + column]
    if registers.isSegmentRemapped { bits = bits.reversed }
    return registers.isInverted ? ~bits : bits
  }
}

extension UInt8 {
  fileprivate var reversed: UInt8 {
    var (rest, result) = (self, UInt8(0))
    for _ in 0..<8 {
      result = result &<< 1 | rest & 1
      rest &>>= 1
    }
    return result
  }
}
