import Bytes
public import Graphics

/// A kind of panel: its controller, its glass, and how the two are wired.
public enum PanelKind: Equatable, Sendable {
  /// SSD1306, 128 × 64: the common 0.96 inch module.
  case ssd1306Size128x64
  /// SSD1306, 128 × 32: 0.91 inch.
  case ssd1306Size128x32
  /// SSD1306, 64 × 48: 0.66 inch.
  case ssd1306Size64x48
  /// SSD1306B, 72 × 40: 0.42 inch.
  case ssd1306Size72x40
  /// SH1106, 128 × 64: 1.3 inch.
  case sh1106Size128x64

  /// All names, for messages to the user.
  public static var names: String {
    "ssd1306-128x64, ssd1306-128x32, ssd1306-64x48, ssd1306-72x40, sh1106-128x64"
  }

  /// The kind that is called `name` in the board file.
  public init?(name: Span<UInt8>) {
    if isText(name, "ssd1306-128x64") {
      self = .ssd1306Size128x64
    } else if isText(name, "ssd1306-128x32") {
      self = .ssd1306Size128x32
    } else if isText(name, "ssd1306-64x48") {
      self = .ssd1306Size64x48
    } else if isText(name, "ssd1306-72x40") {
      self = .ssd1306Size72x40
    } else if isText(name, "sh1106-128x64") {
      self = .sh1106Size128x64
    } else {
      return nil
    }
  }

  /// Width and height of the glass in pixels.
  public var size: Size {
    switch self {
    case .ssd1306Size128x64, .sh1106Size128x64: Size(128, 64)
    case .ssd1306Size128x32: Size(128, 32)
    case .ssd1306Size64x48: Size(64, 48)
    case .ssd1306Size72x40: Size(72, 40)
    }
  }

  /// The RAM column of the glass's left edge; the glass is in the middle of the
  /// RAM, so that it is the same from both sides.
  var columnOffset: Int {
    switch self {
    case .ssd1306Size128x64, .ssd1306Size128x32: 0
    case .ssd1306Size64x48: 32
    case .ssd1306Size72x40: 28
    case .sh1106Size128x64: 2
    }
  }

  /// Whether the controller knows page addressing only, as the SH1106.
  var hasPagesOnly: Bool { self == .sh1106Size128x64 }

  /// The argument of `D9`.
  var precharge: UInt8 {
    switch self {
    case .ssd1306Size128x64, .ssd1306Size128x32, .sh1106Size128x64: 0xF1
    case .ssd1306Size64x48, .ssd1306Size72x40: 0x22
    }
  }

  /// The argument of `DB`.
  var vcomhLevel: UInt8 {
    switch self {
    case .ssd1306Size128x64, .ssd1306Size128x32, .sh1106Size128x64: 0x40
    case .ssd1306Size64x48: 0x00
    case .ssd1306Size72x40: 0x20
    }
  }

  /// The argument of `D9` for a dim panel: each phase one clock, the shortest there is.
  ///
  /// The controllers have the phases in opposite halves of the byte.
  var dimPrecharge: UInt8 { 0x11 }

  /// The argument of `DB` for a dim panel: 0.65 of the supply, the lowest level of the SSD1306.
  ///
  /// The SH1106 has finer steps, 0.430 + 0.006415 for each, and would be dark at its lowest.
  var dimVCOMHLevel: UInt8 { hasPagesOnly ? 0x22 : 0x00 }

  /// What the makers of such modules set: the argument of `81`.
  public var usualContrast: UInt8 {
    switch self {
    case .ssd1306Size128x64, .ssd1306Size64x48, .sh1106Size128x64: 0xCF
    case .ssd1306Size128x32: 0x8F
    case .ssd1306Size72x40: 0xAF
    }
  }
}

/// How the panel is mounted.
public enum Rotation: Equatable, Sendable {
  /// As the module's print has it.
  case upright
  /// Upside down.
  case halfTurn
}

private func isText(_ name: Span<UInt8>, _ text: String) -> Bool {
  let utf8 = text.utf8
  return isEqual(name, utf8.span)
}
