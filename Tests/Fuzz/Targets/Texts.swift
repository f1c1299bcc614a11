import BoardFile
import Bytes
import Graphics

/// Text from people and phones: board files, arguments, streets.
func runTexts(_ feed: inout Feed) {
  switch feed.u8() % 3 {
  case 0: readBoardFile(feed.rest())
  case 1: readArguments(&feed)
  default: drawStreet(&feed)
  }
}

private func readBoardFile(_ text: [UInt8]) {
  var parser = BoardParser()
  do throws(BoardError) {
    try parser.read(file: text.span)
    _ = try parser.finish()
    reach("board")
  } catch {
    var message = FixedBuffer<2048>()
    let name = Array("board.conf".utf8)
    error.write(file: name.span, to: &message)
    if message.isEmpty || contains(message.bytes, 0x0A) { finding("a complaint that is no line") }
    reach("complaint")
  }
}

private func readArguments(_ feed: inout Feed) {
  var arguments = Arguments()
  var position = 1
  do throws(UsageError) {
    while !feed.isEmpty {
      let argument = feed.take(Int(feed.u8()))
      try arguments.read(argument.span, position: position)
      position += 1
    }
    try arguments.finish()
    reach("arguments")
  } catch {
    var message = FixedBuffer<512>()
    error.write(to: &message)
    if message.isEmpty { finding("no word of what is wrong with an argument") }
    reach("usage")
  }
}

private func contains(_ bytes: Span<UInt8>, _ wanted: UInt8) -> Bool {
  for index in bytes.indices where bytes[index] == wanted { return true }
  return false
}

/// Whatever a street is called, nothing is drawn outside of where it may be.
private func drawStreet(_ feed: inout Feed) {
  let font = feed.pick([Font.bold12, .bold14, .bold18, .bold24])
  let (x, y) = (Int(feed.u8() % 128), Int(feed.u8() % 64))
  let width = Int(feed.u8() % 129)
  let text = feed.rest()
  var bitmap = Bitmap(Size(128, 64))
  bitmap.draw(text.span, font: font, at: Point(x, y), width: width)
  for row in 0..<64 {
    for column in 0..<128 where bitmap[column, row] {
      if column < x || column >= x + width {
        finding("a pixel at \(column), \(row) beside the text")
      }
    }
  }
  reach("street")
}
