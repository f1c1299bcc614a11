import CFreeType
import Foundation

/// A font file of fixed-size pictures, or of outlines at one size, as FreeType reads it.
final class BitmapFont {
  private let source: Recipe.Font
  private var library: FT_Library?
  private var face: FT_Face?

  init(_ font: Recipe.Font, in folder: String) throws {
    source = font
    let path = font.file.hasPrefix("/") ? font.file : folder + "/" + font.file
    guard FT_Init_FreeType(&library) == 0 else { throw ToolError("FreeType does not start") }
    guard FT_New_Face(library, path, 0, &face) == 0 else {
      throw ToolError(
        "\(path): cannot be read as a font; install it with: apt-get install \(font.package)")
    }
    if let em = font.em {
      guard FT_Set_Pixel_Sizes(face, FT_UInt(em.width), FT_UInt(em.height)) == 0 else {
        throw ToolError(
          "\(path): cannot be drawn at \(em.height) pixels; it is no font of outlines")
      }
    } else if FT_Select_Size(face, 0) != 0 {
      throw ToolError("\(path): has no fixed size; give one: em \(font.name) WIDTH HEIGHT")
    }
  }

  deinit {
    FT_Done_Face(face)
    FT_Done_FreeType(library)
  }

  /// The glyphs in the font's ranges, with the copies that `aliases` asks for.
  ///
  /// Letters outside `joined` keep a dark column between them.
  func glyphs(aliases: [UInt32: UInt32], joined: [ClosedRange<UInt32>]) throws -> GlyphSet {
    guard let metrics = face?.pointee.size.pointee.metrics else {
      throw ToolError("\(source.file): has no metrics")
    }
    var glyphs: [UInt32: Glyph] = [:]
    for code in source.ranges.joined() { glyphs[code] = try glyph(code) }
    for (code, other) in aliases where glyphs[code] == nil { glyphs[code] = glyphs[other] }
    glyphs.compose(source.marks)
    for (code, rows) in source.pictures { glyphs[code] = Glyph(standing: rows) }
    for (code, pen) in try overlay() {
      // The pen has passed the letter when a mark is drawn. Those of scripts from right to left,
      // which the file has at the pen, are drawn around the letter's middle instead.
      guard var mark = glyphs[code] else { continue }
      mark.left += pen == 0 ? -mark.advance / 2 : pen
      mark.advance = 0
      glyphs[code] = mark
    }
    glyphs = glyphs.mapValues {
      $0.squeezed(above: source.limit.above, below: source.limit.below).lowered(by: source.lowered)
    }
    glyphs = glyphs.spaced(besides: joined)
    guard !glyphs.isEmpty else {
      throw ToolError("\(source.file): has no glyph in the ranges of \(source.name)")
    }
    return GlyphSet(
      ascent: metrics.ascender >> 6, descent: -(metrics.descender >> 6),
      capHeight: try glyph(0x48)?.rows ?? metrics.ascender >> 6, glyphs: glyphs)
  }

  /// Columns from the pen to where each mark is drawn, from lines such as `0301:-8`.
  private func overlay() throws -> [UInt32: Int] {
    guard let path = source.overlay else { return [:] }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw ToolError("\(path): cannot be read; install it with: apt-get install unifont")
    }
    var places: [UInt32: Int] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: ":")
      guard words.count == 2, let code = UInt32(words[0], radix: 16), let pen = Int(words[1]) else {
        throw ToolError("\(path): '\(line)' is not a code and a number of columns")
      }
      places[code] = pen
    }
    return places
  }

  private func glyph(_ code: UInt32) throws -> Glyph? {
    let index = FT_Get_Char_Index(face, FT_ULong(code))
    guard index != 0 else { return nil }
    // FT_LOAD_TARGET_MONO, a macro that Swift does not see: hinted for pixels without grey.
    let target = FT_Int32(FT_RENDER_MODE_MONO.rawValue) << 16
    guard FT_Load_Glyph(face, index, FT_Int32(FT_LOAD_RENDER | FT_LOAD_MONOCHROME) | target) == 0,
      let slot = face?.pointee.glyph.pointee,
      slot.bitmap.pixel_mode == UInt8(FT_PIXEL_MODE_MONO.rawValue)
    else {
      throw ToolError("\(source.file): the glyph of U+\(String(code, radix: 16)) cannot be read")
    }
    let glyph = Glyph(
      advance: slot.advance.x >> 6, left: Int(slot.bitmap_left), top: Int(slot.bitmap_top),
      columns: columns(of: slot.bitmap))
    guard glyph.rows <= Glyph.maxRows, glyph.columns.count < 128, (0..<128).contains(glyph.advance),
      (-64..<64).contains(glyph.left), (-64..<64).contains(glyph.top)
    else {
      throw ToolError(
        "\(source.file): U+\(String(code, radix: 16)) is beyond \(Glyph.maxRows) rows or 127 columns"
      )
    }
    return glyph
  }

  /// The columns of a picture whose rows have their leftmost pixel in a byte's highest bit.
  private func columns(of bitmap: FT_Bitmap) -> [UInt64] {
    var columns = [UInt64](repeating: 0, count: Int(bitmap.width))
    for y in 0..<Int(bitmap.rows) {
      for byte in 0..<(columns.count + 7) / 8 {
        var rest = bitmap.buffer[y * Int(bitmap.pitch) + byte]
        while rest != 0 {
          let bit = rest.leadingZeroBitCount
          columns[8 * byte + bit] |= 1 << UInt64(y)
          rest &= ~(0x80 >> UInt8(bit))
        }
      }
    }
    return columns
  }
}
