import Bytes
import Graphics
package import Words

/// The messages that consist of a symbol, a title and a phrase.
extension Bitmap {
  /// Draws a title, and a sentence in its longest form that fits.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, sentence: borrowing Wording
  ) {
    draw(Message(symbol, title: fitting(title.bytes), forms: sentence.bytes))
  }

  /// Draws a title, and a sentence or, where that does not fit, another one.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, _ sentence: borrowing Wording,
    or short: borrowing Wording
  ) {
    var message = Message(symbol, title: fitting(title.bytes), text: sentence.bytes.form(0))
    message.shorter = fitting(short.bytes)
    draw(message)
  }

  /// Draws a title, and a sentence that names a phone.
  package mutating func draw(
    _ symbol: Symbol, _ title: borrowing Wording, naming phone: Span<UInt8>,
    in sentence: borrowing Wording
  ) {
    var text = FixedBuffer<128>()
    text.append(sentence.bytes.form(0), naming: phone)
    var message = Message(symbol, title: fitting(title.bytes), text: text.bytes)
    message.shorter = sentence.bytes.form(1)
    draw(message)
  }

  /// Draws a title, and a word or two in the longest form that fits in a line.
  package mutating func draw(
    _ symbol: Symbol?, _ title: borrowing Wording, words: borrowing Wording
  ) {
    draw(Message(symbol, title: fitting(title.bytes), text: fitting(words.bytes)))
  }

  // MARK: - A time that runs out

  /// Draws a message, and at the bottom right the seconds that are left.
  ///
  /// A low panel has the seconds beside the title where `hasTimeAlways`, if it is wide, and else none.
  /// A panel with room at the bottom has a name there as well.
  package mutating func draw(
    _ message: consuming Message, secondsLeft: Int?, below name: Span<UInt8>? = nil,
    hasTimeAlways: Bool = true
  ) {
    var time = FixedBuffer<24>()
    if let secondsLeft {
      time.append(decimal: Int64(widening: max(0, secondsLeft)))
      time.append(" s")
    }
    let timeWidth = small.width(of: time.bytes)
    // The columns of two digits: what stands beside them stays while they get fewer.
    let taken = max(timeWidth, small.width(of: "88 s".utf8.span)) + 4
    guard hasBottomLine else {
      let isFree = hasTimeAlways && size.width >= 100
      if isFree { message.free.width = taken }
      draw(message)
      if isFree { draw(time.bytes, font: small, at: Point(size.width - timeWidth, 10)) }
      return
    }
    let bottom = size.height - 3
    message.free.height = lineHeight + 2
    if let name, isUpright {
      let nameRows = rows(of: name, most: 2)
      message.free.height += nameRows
      draw(message)
      drawLines(of: name, from: size.height - nameRows - lineHeight, rows: nameRows)
    } else {
      draw(message)
      if let name {
        draw(name, font: small, at: Point(0, bottom), width: size.width - taken)
      }
    }
    draw(time.bytes, font: small, at: Point(size.width - timeWidth, bottom))
  }

  /// Whether a line at the bottom leaves room for title and text.
  package var hasBottomLine: Bool { size.height >= (isUpright ? 100 : 60) }
}
