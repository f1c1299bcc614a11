import Bytes
import Graphics

/// The screens of pairing, from the first sight of a phone to its being forgotten.
extension Bitmap {
  /// What is the case, and which button ends it.
  mutating func drawIdle(_ title: Span<UInt8>, _ symbol: Symbol) {
    var message = Message(symbol, title: title, text: "Press page to search".utf8.span)
    message.shorter = "Page: search".utf8.span
    draw(message)
  }

  /// The phone's name, and how well it is heard.
  mutating func drawFound(_ phone: Span<UInt8>, rssi: Int8) {
    var message = Message(.phone, title: "Found".utf8.span, text: phone)
    message.free.width = signalWidth + 4
    draw(message)
    drawSignal(rssi, bottom: 12)
  }

  /// The rider has done half of it: the other half is on the phone.
  mutating func drawPhoneAsked(_ phone: Span<UInt8>, secondsLeft: Int) {
    var text = FixedBuffer<96>()
    var time = FixedBuffer<24>()
    text.append("Tap Pair on ")
    text.append(phone: phone)
    time.append(decimal: Int64(widening: max(0, secondsLeft)))
    time.append(" s")
    var message = Message(.phone, title: "Your turn".utf8.span, text: text.bytes)
    message.shorter = "Tap Pair".utf8.span
    let isFree = size.height >= 60
    if isFree { message.free.height = lineHeight + 2 }
    draw(message)
    guard isFree else { return }
    let x = size.width - Font.bold12.width(of: time.bytes)
    draw(time.bytes, font: .bold12, at: Point(x, size.height - 3))
  }

  mutating func drawPaired(_ phone: Span<UInt8>) {
    var text = FixedBuffer<96>()
    text.append("with ")
    text.append(phone: phone)
    text.append(" and no other")
    var message = Message(.check, title: "Paired".utf8.span, text: text.bytes)
    let nameless = "this phone only".utf8
    message.shorter = phone.isEmpty ? nameless.span : phone
    draw(message)
  }

  mutating func draw(_ setback: PairingSetback) {
    var text = FixedBuffer<64>()
    text.append(setback.sentence)
    let reason = text.count
    text.append(" Page: try again.")
    var message = Message(.warning, title: "Not paired".utf8.span, text: text.bytes)
    message.shorter = text.bytes.extracting(first: reason)
    message.isTitleSpare = true
    draw(message)
  }

  mutating func drawWaiting(for phone: Span<UInt8>) {
    var text = FixedBuffer<96>()
    text.append("Open komoot on ")
    text.append(phone: phone)
    var message = Message(.waves, title: "Waiting".utf8.span, text: text.bytes)
    message.shorter = "Open komoot".utf8.span
    draw(message)
  }

  mutating func draw(_ phone: Span<UInt8>, _ acquaintance: Acquaintance) {
    let stranger = "A phone".utf8
    var text = FixedBuffer<96>()
    text.append(acquaintance.sentence)
    text.append(" Hold unpair to forget.")
    var message = Message(
      .phone, title: phone.isEmpty ? stranger.span : phone, text: text.bytes)
    message.shorter = "To forget: hold unpair".utf8.span
    draw(message)
  }

  mutating func drawForgotten(by phone: Span<UInt8>) {
    var text = FixedBuffer<128>()
    text.append(phone: phone)
    text.append(" forgot this display. Press page.")
    var message = Message(.warning, title: "Pair again".utf8.span, text: text.bytes)
    message.shorter = "Press page".utf8.span
    draw(message)
  }

  /// The bar lies in the last page alone, so that a step of it is a few bytes on the wire.
  mutating func drawUnpairing(_ phone: Span<UInt8>, permille: Int) {
    let height = size.height < 40 ? 6 : 8
    let bar = Rectangle(x: 0, y: size.height - height, width: size.width, height: height)
    var text = FixedBuffer<96>()
    text.append("Keep holding to forget ")
    let sentence = text.count
    text.append(phone: phone)
    var message = Message(.noPhone, title: "Forget?".utf8.span, text: text.bytes)
    message.shorter = text.bytes.extracting(droppingFirst: sentence)
    message.free.height = height
    draw(message)
    fill(bar.origin, bar.size)
    let inside = bar.size.width - 2
    let filled = max(0, min(1_000, permille)) * inside / 1_000
    fill(
      Point(1 + filled, bar.origin.y + 1), Size(inside - filled, height - 2), lit: false)
  }

  /// The number as large as fits above what the buttons mean, and above it the question.
  mutating func drawComparison(of number: UInt32, name: Span<UInt8>, phone: Span<UInt8>) {
    let hints = answerRows
    var digits = FixedBuffer<6>()
    digits.append(sixDigits: number)
    var font = Font.bold34
    while font.width(of: digits.bytes) + gap(in: font) > size.width + 1
      || font.digitHeight > size.height - hints, let smaller = font.smaller
    {
      font = smaller
    }
    let rest = size.height - hints - font.digitHeight
    // Without room for the question, the answer says what to do with the digits.
    let isMute = rest <= Font.bold12.capHeight && !areAnswersInLine
    drawAnswers(yes: isMute ? "Page: same" : "Page: yes")
    var question = FixedBuffer<160>()
    question.append(phone: name)
    let prefix = question.count + 2
    question.append(": Same code on ")
    question.append(phone: phone)
    question.append("?")
    let isLong = lines(of: question.bytes, .bold12, width: size.width) * lineHeight > rest
    drawLines(
      of: question.bytes.extracting(droppingFirst: isLong || name.isEmpty ? prefix : 0), .bold12,
      in: Rectangle(x: 0, y: 0, width: size.width, height: rest))
    // Without letters that reach below the line, a few rows are enough.
    let isTight = rest > Font.bold12.capHeight && rest < lineHeight
    if isTight { draw("Same?".utf8.span, font: .bold12, at: Point(0, Font.bold12.capHeight)) }
    let baseline = size.height - hints - (isTight ? 0 : (rest % lineHeight + 1) / 2)
    let x = draw(digits.bytes.extracting(first: 3), font: font, at: Point(0, baseline))
    draw(
      digits.bytes.extracting(droppingFirst: 3), font: font,
      at: Point(x + gap(in: font), baseline))
  }

  mutating func drawNoCode(of phone: Span<UInt8>) {
    var text = FixedBuffer<96>()
    text.append("Pair with ")
    text.append(phone: phone)
    text.append(" anyway?")
    var message = Message(.warning, title: "No code".utf8.span, text: text.bytes)
    message.shorter = "Pair anyway?".utf8.span
    message.free.height = answerRows
    drawAnswers()
    guard size.height - message.free.height < 2 * lineHeight else { return draw(message) }
    // A single line is left.
    let (long, short) = ("No code. Pair?".utf8, "Pair?".utf8)
    let isLong = Font.bold12.fits(long.span, in: size.width)
    draw(
      isLong ? long.span : short.span, font: .bold12, at: Point(0, Font.bold12.capHeight + 1),
      width: size.width)
  }

  /// Columns between the two groups of a number.
  private func gap(in font: Font) -> Int { font.capHeight / 3 }

  /// Rows of the two answers.
  private var answerRows: Int { areAnswersInLine ? lineHeight : 2 * lineHeight - 1 }

  private var areAnswersInLine: Bool {
    let both = "Page: yes Unpair: no".utf8
    return Font.bold12.fits(both.span, in: size.width)
  }

  /// Draws which button says yes and which no, in one line if there is room.
  private mutating func drawAnswers(yes: String = "Page: yes") {
    let (yes, no) = (yes.utf8, "Unpair: no".utf8)
    let bottom = size.height - 3
    draw(yes.span, font: .bold12, at: Point(0, bottom + lineHeight - answerRows))
    let x = areAnswersInLine ? size.width - Font.bold12.width(of: no.span) : 0
    draw(no.span, font: .bold12, at: Point(x, bottom))
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The first 60 bytes of a phone's name, whole characters of them, or a word for it.
  fileprivate mutating func append(phone name: Span<UInt8>) {
    guard !name.isEmpty else {
      append("the phone")
      return
    }
    var end = min(name.count, 60)
    while end > 0, end < name.count, name[end] & 0xC0 == 0x80 { end -= 1 }
    append(name.extracting(first: end))
  }
}
