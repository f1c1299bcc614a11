/// A bold typeface, named by its size in pixels; every one falls back to fixed-width ones.
///
/// Helvetica for Latin letters, 6x13B or 8x13B for Greek and Cyrillic, GNU Unifont for the rest of
/// the world; `Fonts/fonts.conf` says which letters each has. A line of `bold12` or `bold14` never
/// has more than 13 rows above the baseline and 3 below it, whatever is written.
package enum Font: UInt8, Sendable {
  /// Capitals of 9 rows: small text in all Latin letters.
  case bold12
  /// Capitals of 11 rows: text in all Latin letters.
  case bold14
  /// Capitals of 14 rows: titles, and streets on a square panel, in all Latin letters.
  case bold18
  /// Capitals of 19 rows, digits of 18.
  case bold24
  /// Capitals of 25 rows, digits of 24.
  case bold34
  /// Digits of 34 rows, with point and comma, and nothing else.
  case bold48
  /// The same as `bold48`, with digits of 39 rows.
  case bold56

  /// Rows of a capital letter above the baseline.
  package var capHeight: Int { table.capHeight }

  /// Rows of a digit above the baseline.
  package var digitHeight: Int { table.glyph(0x30)?.top ?? capHeight }

  /// Rows below the baseline that letters such as `g` reach.
  package var descent: Int { table.descent }

  /// Where this font's own glyphs are.
  var table: GlyphTable {
    @inline(never)  // one copy
    get {
      switch self {
      case .bold12: GlyphTable(Tables.bold12)
      case .bold14: GlyphTable(Tables.bold14)
      case .bold18: GlyphTable(Tables.bold18)
      case .bold24: GlyphTable(Tables.bold24)
      case .bold34: GlyphTable(Tables.bold34)
      case .bold48: GlyphTable(Tables.bold48)
      case .bold56: GlyphTable(Tables.bold56)
      }
    }
  }

  /// Where a glyph is looked for next, before `GlyphTable.unifont`.
  var fallback: GlyphTable {
    self == .bold12 ? GlyphTable(Tables.fixed6x13) : GlyphTable(Tables.fixed8x13)
  }

  /// The next smaller font, or `nil` for the smallest.
  package var smaller: Font? { rawValue == 0 ? nil : Font(rawValue: rawValue - 1) }

  /// The next larger font, or the largest.
  package var larger: Font { Font(rawValue: rawValue + 1) ?? self }

  /// The largest font from `first` down that fits; the smallest if none does.
  package static func largest(from first: Font, where fits: (Font) -> Bool) -> Font {
    var font = first
    while !fits(font), let smaller = font.smaller { font = smaller }
    return font
  }

  /// The look of the largest font from `first` down for which `look` returns one.
  package static func largest<Look>(from first: Font, look: (Font) -> Look?) -> Look? {
    var candidate: Font? = first
    while let font = candidate {
      if let found = look(font) { return found }
      candidate = font.smaller
    }
    return nil
  }

  var box: Size { Size(capHeight / 2 + 2, capHeight) }
}

extension GlyphTable {
  /// Where a glyph is looked for last.
  static var unifont: GlyphTable { GlyphTable(Tables.unifont) }
}
