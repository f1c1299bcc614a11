import BoardFile
import Bytes
import Device
import DeviceState
import Graphics
import Recording
import TestSupport

/// Text from people and phones: board files, arguments, streets, and what is made of them.
func runTexts(_ feed: inout Feed) {
  let kind = feed.u8()
  if kind >= 200 { return drawScreen(&feed) }
  switch kind % 3 {
  case 0: readBoardFile(feed.rest())
  case 1: readArguments(&feed)
  default: drawStreet(&feed)
  }
}

private func readBoardFile(_ text: [UInt8]) {
  var parser = BoardParser()
  do throws(BoardError) {
    try parser.read(file: text.span)
    let board = try parser.finish()
    reach("board")
    readAgain(board)
    explain(board)
  } catch {
    var message = FixedBuffer<2048>()
    let name = Array("board.conf".utf8)
    error.write(file: name.span, to: &message)
    if message.isEmpty || contains(message.bytes, 0x0A) { finding("a complaint that is no line") }
    reach("complaint")
  }
}

/// What is written of a board is read as the same board.
private func readAgain(_ board: Board) {
  let first = written(board)
  var parser = BoardParser()
  do throws(BoardError) {
    try parser.read(file: first.span)
    let second = written(try parser.finish())
    if second != first { finding("read again it is another board") }
  } catch {
    finding("what is written of a board is refused")
  }
}

private func written(_ board: Board) -> [UInt8] {
  var text: [UInt8] = []
  for key in (0..<Key.count).compactMap(Key.init) {
    var value = FixedBuffer<512>()
    board.write(key, to: &value)
    // The store is told only where it is named, and some keys where no other decides.
    if !value.isEmpty { text += Array(key.name.utf8) + [0x3D] + array(value.bytes) + [0x0A] }
  }
  return text
}

/// Whatever fails on it, there is a line that says so.
private func explain(_ board: Board) {
  for number in Int32(1)...133 {
    let reason = Errno(rawValue: number)
    check { RadioFailure.errno(reason).explain(board.hci, into: &$0) }
    check { reason.explain(board.display, into: &$0) }
    check { reason.explainButtons(board, into: &$0) }
    check { reason.explainLine(of: .alert, on: board, into: &$0) }
    check { reason.explainLine(of: .panelReset, on: board, into: &$0) }
    check { $0.append(reason.explanation(for: .store)) }
  }
}

private func check(_ explain: (inout Explanation) -> Void) {
  var message = Explanation()
  explain(&message)
  if message.isEmpty || contains(message.bytes, 0x0A) { finding("an explanation that is no line") }
}

private func readArguments(_ feed: inout Feed) {
  var arguments = Arguments()
  var argument: [UInt8] = []
  var position = 1
  do throws(UsageError) {
    while !feed.isEmpty {
      argument = feed.take(Int(feed.u8()))
      try arguments.read(argument.span, position: position)
      position += 1
    }
    try arguments.finish()
    reach("arguments")
    var help = FixedBuffer<8192>()
    Arguments.writeHelp(to: &help)
    if help.isOverflown { finding("the help is too long") }
    for number in 0..<position where arguments.isOverride(number) { reach("override") }
  } catch {
    var message = FixedBuffer<512>()
    error.write(about: argument.span, to: &message)
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
