import Bytes
import Graphics
import Words

/// The page of what the phone plays: the title as large as fits, the artist, and what the button does.
extension Bitmap {
  mutating func drawMusic(
    _ title: Span<UInt8>, _ artist: Span<UInt8>, in language: Language
  ) {
    guard !title.isEmpty || !artist.isEmpty else { return drawSilence(in: language) }
    guard !title.isEmpty else { return drawMusic(artist, title, in: language) }
    let next = language[.unpairNext]
    let hint = fitting(next.bytes)
    // A small panel has no room for it beside what plays.
    let hintRows = size.height < 60 || size.width < 56 ? 0 : rows(of: hint, .bold12, most: 2)
    let height = size.height - hintRows
    let artistRows = rows(of: artist, .bold12, most: isUpright ? 2 : 1)
    let titleHeight = height - artistRows
    let font = Font.largest(from: .bold18) {
      rows(of: title, $0) <= titleHeight
        && !(isUpright && parts(title, $0, width: size.width))
    }
    let titleRows = min(rows(of: title, font), titleHeight / lineHeight(font) * lineHeight(font))
    let top = (titleHeight - titleRows) / 2
    drawLines(of: title, font, in: Rectangle(x: 0, y: top, width: size.width, height: titleRows))
    drawLines(
      of: artist, .bold12,
      in: Rectangle(x: 0, y: top + titleRows, width: size.width, height: artistRows))
    drawLines(
      of: hint, .bold12, in: Rectangle(x: 0, y: height, width: size.width, height: hintRows))
  }

  /// Rows of a text in lines, at most so many.
  private func rows(of text: Span<UInt8>, _ font: Font, most: Int = .max) -> Int {
    min(most, lines(of: text, font, width: size.width)) * lineHeight(font)
  }

  private mutating func drawSilence(in language: Language) {
    let title = language[.music]
    let text = language[.nothingPlays]
    draw(Message(title: fitting(title.bytes), text: fitting(text.bytes)))
  }
}
