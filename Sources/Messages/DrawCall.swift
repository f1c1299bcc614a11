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

  private mutating func drawCall(
    _ title: Span<UInt8>, _ text: Span<UInt8>, in language: Language
  ) {
    let answers = Answers(in: language)
    var message = Message(.phone, title: title, text: text)
    message.free.height = answerRows(answers) + (isUpright ? 2 : 0)
    draw(answers)
    guard size.height - message.free.height < 2 * lineHeight else { return draw(message) }
    // A single line is left.
    draw(title, font: .bold12, at: Point(0, Font.bold12.capHeight + 1), width: size.width)
  }
}
