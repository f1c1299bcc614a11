/// The pictures of a line of text with their places, from left to right.
struct TextLayout: ~Escapable {
  /// One picture and its place.
  struct Item {
    /// The picture, or `nil` for the box that stands for an unknown character.
    let glyph: Glyph?
    /// Whether the picture is in the fallback's table.
    let isFallback: Bool
    /// Columns from the start of the line to the picture's origin.
    let x: Int
    /// Whether it is a blank, where a line may end.
    let isSpace: Bool
  }

  private var reader: TextReader
  private var last = (x: 0, advance: 0)
  private let font: Font
  private let table: GlyphTable

  /// Columns from the start of the line to where the next picture goes.
  private(set) var width = 0

  /// Lays out `text` from its first byte on.
  @_lifetime(copy text)
  init(_ text: Span<UInt8>, font: Font) {
    reader = TextReader(text)
    self.font = font
    table = font.table
  }

  /// Index of the first byte of the text that is not laid out yet.
  var index: Int { reader.index }

  /// The next picture, or `nil` at the end.
  @_lifetime(self: copy self)
  mutating func next() -> Item? {
    while let element = reader.next() {
      switch element {
      case .character(let code): return place(code)
      case .mark(let code): if let item = placeMark(code) { return item }
      }
    }
    return nil
  }

  @_lifetime(self: copy self)
  private mutating func place(_ code: UInt32) -> Item {
    let own = table.glyph(code)
    let glyph = own ?? font.fallback.glyph(code)
    last = (width, glyph?.advance ?? font.box.width + 2)
    width += last.advance
    return Item(glyph: glyph, isFallback: own == nil, x: last.x, isSpace: code == 0x20)
  }

  /// Draws a mark over the middle of what stands before it; one that no table has is left out.
  private func placeMark(_ code: UInt32) -> Item? {
    let own = table.glyph(code)
    guard let glyph = own ?? font.fallback.glyph(code) else { return nil }
    return Item(
      glyph: glyph, isFallback: own == nil, x: last.x + (last.advance - glyph.advance) / 2,
      isSpace: false)
  }

  /// The table that the picture of `item` is in.
  func table(of item: Item) -> GlyphTable { item.isFallback ? font.fallback : table }
}
