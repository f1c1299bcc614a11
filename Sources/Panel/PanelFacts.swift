import Bytes
package import Graphics

/// The hardware facts of a kind of panel.
///
/// The values given here are those of most kinds.
struct PanelFacts {
  /// Where the voltage of the pixels comes from.
  enum Supply {
    /// The controller's charge pump.
    case chargePump
    /// The converter of SH1106 or SH1107: the argument of `AD` that switches it on.
    case converter(UInt8)
    /// A converter on the module.
    case module
  }

  /// Its name in the board file.
  let name: String
  let size: Size
  var supply = Supply.chargePump
  /// Whether the controller has no windows, like SH1106 and SH1107, and is written page by page.
  var hasPagesOnly = false
  /// Whether the COM outputs drive columns of the glass rather than rows, like those of the SH1107.
  ///
  /// The start line of the SH1107 moves the picture sideways. It has its own commands for the start line and for
  /// the mode, and none for pins. Its modules stand the right way without the remap that the others need.
  var isSideways = false
  /// The RAM column at the left edge of a glass that is 128 pixels wide, if none is set.
  ///
  /// The SH1106 has 132 columns, and modules mostly have the middle of them.
  var usualColumnOffset = 0
  /// Whether the controller can be locked, so that it takes only the command that unlocks it.
  var hasCommandLock = false
  /// Whether the module has no resistor for the current of the pixels, so that the chip's own is used.
  var needsInternalReference = false
  /// Whether the rows are soldered to both sides of the chip by turns.
  var hasAlternatingPins = true
  /// The argument of `D5`: the oscillator and its divider as they are after a reset.
  ///
  /// SSD1306 data sheet, table 9-1, `D5`; for the SSD1309 what its modules' makers set.
  var clock: UInt8 = 0x80
  /// The argument of `D9`.
  var precharge: UInt8 = 0xF1
  /// The argument of `DB`.
  var vcomhLevel: UInt8 = 0x40
  /// The argument of `DB` for a dim panel: 0.65 of the supply, the lowest level of the SSD1306
  /// (0.64 with the SSD1309).
  ///
  /// SH1106 and SH1107 have finer steps, 0.430 + 0.006415 for each, and would be dark at their lowest.
  var dimVCOMHLevel: UInt8 = 0x00

  /// The argument of `D9` for a dim panel: each phase one clock, the shortest there is.
  ///
  /// The controllers have the phases in opposite halves of the byte.
  var dimPrecharge: UInt8 { 0x11 }

  var pageCount: Int { isSideways ? 16 : 8 }

  /// How many rows of the glass, or columns if it is sideways, are driven one after the other.
  var lineCount: Int { isSideways ? size.width : size.height }

  /// By how many columns a narrower glass begins further right: it is in the middle of 128.
  var inset: Int { (Bitmap.maxWidth - size.width) / 2 }

  /// Bytes on the wire beside those of an area.
  ///
  /// These are two messages, with an address and a control byte each. One sets the window's columns
  /// and pages, or both halves of a column in the same page, and one has the data.
  var addressPrice: Int { hasPagesOnly ? 6 : 10 }
}

extension PanelKind {
  var facts: PanelFacts {
    switch self {
    case .ssd1306x128x64: PanelFacts(name: "ssd1306-128x64", size: Size(128, 64))
    case .ssd1306x128x32:
      PanelFacts(name: "ssd1306-128x32", size: Size(128, 32), hasAlternatingPins: false)
    case .ssd1306x64x48:
      PanelFacts(name: "ssd1306-64x48", size: Size(64, 48), precharge: 0x22, vcomhLevel: 0x00)
    case .ssd1306x72x40:
      PanelFacts(
        name: "ssd1306-72x40", size: Size(72, 40), needsInternalReference: true, precharge: 0x22,
        vcomhLevel: 0x20)
    case .sh1106x128x64:
      PanelFacts(
        name: "sh1106-128x64", size: Size(128, 64), supply: .converter(0x8B), hasPagesOnly: true,
        usualColumnOffset: 2, dimVCOMHLevel: 0x22)
    case .ssd1309x128x64:
      PanelFacts(
        name: "ssd1309-128x64", size: Size(128, 64), supply: .module, hasCommandLock: true,
        clock: 0xA0, precharge: 0x82, vcomhLevel: 0x34)
    case .sh1107x128x128:
      // The values after a reset, with which its modules are delivered.
      PanelFacts(
        name: "sh1107-128x128", size: Size(128, 128), supply: .converter(0x81), hasPagesOnly: true,
        isSideways: true, clock: 0x50, precharge: 0x22, vcomhLevel: 0x35, dimVCOMHLevel: 0x22)
    }
  }
}

/// A kind of panel: its controller, its glass, and how the two are wired.
///
/// The raw values count from 0, so that all kinds can be walked through without an array.
package enum PanelKind: UInt8, Sendable {
  /// SSD1306, 128 × 64: the common 0.96 inch module.
  case ssd1306x128x64
  /// SSD1306, 128 × 32: 0.91 inch.
  case ssd1306x128x32
  /// SSD1306, 64 × 48: 0.66 inch.
  case ssd1306x64x48
  /// SSD1306B, 72 × 40: 0.42 inch.
  case ssd1306x72x40
  /// SH1106, 128 × 64: 1.3 inch.
  case sh1106x128x64
  /// SSD1309, 128 × 64: 2.42 inch.
  case ssd1309x128x64
  /// SH1107, 128 × 128: 1.5 inch.
  case sh1107x128x128

  /// How many kinds there are: `init(rawValue:)` knows each number below.
  package static var count: Int { 7 }

  /// The kind that the board file calls `name`.
  package init?(name: Span<UInt8>) {
    for number in 0..<Self.count {
      guard let kind = PanelKind(rawValue: UInt8(truncatingIfNeeded: number)) else { continue }
      let utf8 = kind.name.utf8
      guard isEqual(utf8.span, name) else { continue }
      self = kind
      return
    }
    return nil
  }

  /// Its name in the board file.
  package var name: String { facts.name }

  /// Width and height of the glass in pixels.
  package var size: Size { facts.size }

  /// Width and height of a picture that fills the glass as it is mounted.
  package func pictureSize(_ rotation: Rotation) -> Size {
    rotation.isUpright ? Size(size.height, size.width) : size
  }
}

/// How a picture gets into the panel's RAM.
///
/// The last two are for clones that do not follow the data sheet's windows.
package enum Updates: Equatable, Sendable {
  /// Only what changes, in windows that cost the least.
  case changes
  /// Whole rows of 8 pixels, in page addressing mode; page and column are set each time.
  case pages
  /// Every picture as a whole; its address is set each time.
  case whole
}

/// By how many quarters the picture is turned clockwise on the glass.
package enum Rotation: UInt8, Sendable {
  /// As the module's print has it.
  case noTurn
  /// Upright, on a panel that is mounted with its right edge up.
  case quarterTurn
  /// Upside down.
  case halfTurn
  /// Upright, on a panel that is mounted with its left edge up.
  case threeQuarterTurn

  /// Whether the glass is wider than the picture.
  package var isUpright: Bool { self == .quarterTurn || self == .threeQuarterTurn }

  /// Whether the controller turns the picture by a half.
  var isReversed: Bool { self == .halfTurn || self == .threeQuarterTurn }
}
