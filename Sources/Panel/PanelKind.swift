import Bytes
package import Graphics

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

  /// How many kinds there are: `init(rawValue:)` knows each number below.
  package static var count: Int { 6 }

  /// What the board file calls it.
  package var name: String {
    switch self {
    case .ssd1306x128x64: "ssd1306-128x64"
    case .ssd1306x128x32: "ssd1306-128x32"
    case .ssd1306x64x48: "ssd1306-64x48"
    case .ssd1306x72x40: "ssd1306-72x40"
    case .sh1106x128x64: "sh1106-128x64"
    case .ssd1309x128x64: "ssd1309-128x64"
    }
  }

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

  /// Width and height of the glass in pixels.
  package var size: Size {
    switch self {
    case .ssd1306x128x64, .sh1106x128x64, .ssd1309x128x64: Size(128, 64)
    case .ssd1306x128x32: Size(128, 32)
    case .ssd1306x64x48: Size(64, 48)
    case .ssd1306x72x40: Size(72, 40)
    }
  }

  /// Width and height of a picture that fills the glass as it is mounted.
  package func pictureSize(_ rotation: Rotation) -> Size {
    rotation.isUpright ? Size(size.height, size.width) : size
  }

  /// The RAM column of a glass's left edge that is 128 pixels wide, where nothing else is said.
  ///
  /// The SH1106 has 132 columns, and modules mostly have the middle of them.
  var usualColumnOffset: Int { hasPagesOnly ? 2 : 0 }

  /// By how many columns a narrower glass begins further right: it is in the middle of 128.
  var inset: Int { (Bitmap.maxWidth - size.width) / 2 }

  /// Whether the controller knows page addressing only, as the SH1106.
  var hasPagesOnly: Bool {
    switch self {
    case .ssd1306x128x64, .ssd1306x128x32, .ssd1306x64x48, .ssd1306x72x40, .ssd1309x128x64: false
    case .sh1106x128x64: true
    }
  }

  /// Where the voltage of the pixels comes from.
  enum Supply {
    /// The controller's charge pump.
    case chargePump
    /// The converter of the SH1106.
    case converter
    /// A converter on the module.
    case module
  }

  var supply: Supply {
    switch self {
    case .ssd1306x128x64, .ssd1306x128x32, .ssd1306x64x48, .ssd1306x72x40: .chargePump
    case .sh1106x128x64: .converter
    case .ssd1309x128x64: .module
    }
  }

  /// Whether the controller can be locked, so that it hears no command but the one that unlocks it.
  var hasCommandLock: Bool { self == .ssd1309x128x64 }

  /// The argument of `D5`: the oscillator and its divider as they are after a reset.
  ///
  /// SSD1306 data sheet, table 9-1, `D5`; for the SSD1309 what its modules' makers set.
  var clock: UInt8 { self == .ssd1309x128x64 ? 0xA0 : 0x80 }

  /// Whether the module has no resistor for the current of the pixels, so that the chip's own is used.
  var needsInternalReference: Bool {
    switch self {
    case .ssd1306x72x40: true
    case .ssd1306x128x64, .ssd1306x128x32, .ssd1306x64x48, .sh1106x128x64, .ssd1309x128x64: false
    }
  }

  /// Whether the rows are soldered to both sides of the chip by turns.
  var hasAlternatingPins: Bool {
    switch self {
    case .ssd1306x128x64, .ssd1306x64x48, .ssd1306x72x40, .sh1106x128x64, .ssd1309x128x64: true
    case .ssd1306x128x32: false
    }
  }

  /// The argument of `D9`.
  var precharge: UInt8 {
    switch self {
    case .ssd1306x128x64, .ssd1306x128x32, .sh1106x128x64: 0xF1
    case .ssd1306x64x48, .ssd1306x72x40: 0x22
    case .ssd1309x128x64: 0x82
    }
  }

  /// The argument of `DB`.
  var vcomhLevel: UInt8 {
    switch self {
    case .ssd1306x128x64, .ssd1306x128x32, .sh1106x128x64: 0x40
    case .ssd1306x64x48: 0x00
    case .ssd1306x72x40: 0x20
    case .ssd1309x128x64: 0x34
    }
  }

  /// The argument of `D9` for a dim panel: each phase one clock, the shortest there is.
  ///
  /// The controllers have the phases in opposite halves of the byte.
  var dimPrecharge: UInt8 { 0x11 }

  /// The argument of `DB` for a dim panel: 0.65 of the supply, the lowest level of the SSD1306
  /// (0.64 with the SSD1309).
  ///
  /// The SH1106 has finer steps, 0.430 + 0.006415 for each, and would be dark at its lowest.
  var dimVCOMHLevel: UInt8 {
    switch self {
    case .ssd1306x128x64, .ssd1306x128x32, .ssd1306x64x48, .ssd1306x72x40, .ssd1309x128x64: 0x00
    case .sh1106x128x64: 0x22
    }
  }
}

/// How a picture gets into the panel's RAM.
///
/// All but the first is for clones that do not take windows as the data sheet has them.
package enum Updates: Equatable, Sendable {
  /// Only what changes, in windows that cost the least.
  case changes
  /// Whole rows of 8 pixels, in page addressing mode; page and column are set each time.
  case pages
  /// Every picture as a whole; its address is set each time.
  case whole
}

/// How the picture stands on the glass, turned clockwise by so many quarters.
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

  /// Whether the controller turns what it is sent by a half.
  var isReversed: Bool { self == .halfTurn || self == .threeQuarterTurn }
}
