import Bytes
import Graphics
import Messages
import Words

/// The page of what the phone plays: the title as large as fits, the artist, and what the button does.
extension Bitmap {
  mutating func drawMusic(
    _ title: Span<UInt8>, _ artist: Span<UInt8>, in language: Language
  ) {
    guard !title.isEmpty || !artist.isEmpty else {
      return draw(nil, language[.music], words: language[.nothingPlays])
    }
    guard !title.isEmpty else { return drawMusic(artist, title, in: language) }
    let next = language[.nextOrPause]
    let hint = fitting(next.bytes, rows: 2 * lineHeight, wrapped: size.isSquare)
    // A small panel has no room for the hint beside the title.
    let hintRows = size.height < 60 || size.width < 56 ? 0 : rows(of: hint, most: 2)
    let height = size.height - hintRows
    let artistRows = rows(of: artist, most: isUpright ? 2 : 1)
    let titleHeight = height - artistRows
    let font = Font.largest(from: size.isSquare ? .bold24 : .bold18) {
      rows(of: title, $0) <= titleHeight && !(isUpright && parts(title, $0))
    }
    let titleRows = min(rows(of: title, font), titleHeight / lineHeight(font) * lineHeight(font))
    let top = (titleHeight - titleRows) / 2
    drawLines(of: title, font, from: top, rows: titleRows)
    drawLines(of: artist, from: top + titleRows, rows: artistRows)
    drawLines(of: hint, from: height, rows: hintRows)
  }
}
