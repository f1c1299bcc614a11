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
