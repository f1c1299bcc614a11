import Bytes
import Graphics
package import Words

/// A call: the caller's name, and which button takes the call or refuses it.
extension Bitmap {
  package mutating func drawCall(of name: Span<UInt8>, in language: Language) {
    let call = language[.call]
    if name.isEmpty {
      drawCall(call.bytes, name, in: language)
    } else {
      drawCall(name, call.bytes, in: language)
    }
  }

  private mutating func drawCall(_ title: Span<UInt8>, _ text: Span<UInt8>, in language: Language) {
    let answers = Answers(in: language)
    var message = Message(.phone, title: title, text: text)
    message.free.height = answerRows(answers) + (isUpright ? 2 : 0)
    draw(answers)
    let rows = size.height - message.free.height
    guard rows < 3 * lineHeight, !isUpright else { return draw(message) }
    // If only the name has room, a handset shows that this is a call.
    var line = FixedBuffer<128>()
    line.append("☎ ")
    line.append("%".utf8.span, naming: title)
    drawLines(of: line.bytes, from: 0, rows: rows)
  }
}
