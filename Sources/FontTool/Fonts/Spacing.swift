extension Glyph {
  /// The same picture with its columns within the advance and a dark one at the right, so that it
  /// touches neither neighbour.
  func spaced() -> Glyph {
    var glyph = self
    guard !columns.isEmpty else { return glyph }
    glyph.left = max(0, left)
    glyph.advance = max(advance + glyph.left - left, glyph.left + columns.count + 1)
    return glyph
  }
}

extension [UInt32: Glyph] {
  /// Spaces all letters except marks and the `joined` ones, whose neighbours touch.
  func spaced(besides joined: [ClosedRange<UInt32>]) -> [UInt32: Glyph] {
    var glyphs = self
    for (code, glyph) in self where glyph.advance > 0 && !isMark(code) {
      if !joined.contains(where: { $0.contains(code) }) { glyphs[code] = glyph.spaced() }
    }
    return glyphs
  }

  private func isMark(_ code: UInt32) -> Bool {
    switch Unicode.Scalar(code)?.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }
}
