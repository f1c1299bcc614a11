import Bytes
import Graphics
import Words

extension Bitmap {
  /// The question on top, below it the number in full, in one line or two, and what the buttons mean.
  mutating func drawUprightComparison(
    of number: UInt32, phone: Span<UInt8>, in language: Language
  ) {
    var digits = FixedBuffer<6>()
    digits.append(sixDigits: number)
    let width = size.width
    let largest: Font = size.isSquare ? .bold48 : .bold34
    let least = size.height - answerRows(Answers(in: language)) - 3
    // The question is worth digits of the second size, but no smaller ones.
    var rows = least - questionRows(phone: phone, in: language)
    var look = NumberLook(font: largest, isInTwoLines: true, gap: gap(in: .bold34))
    while !look.fits(digits.bytes, in: Size(width, rows)), let smaller = look.smaller {
      look = smaller
      guard rows < least, look.font.rawValue < Font.bold24.rawValue else { continue }
      rows = least
      look = NumberLook(font: largest, isInTwoLines: true, gap: gap(in: .bold34))
    }
    // Without room for the question, the answer says what to do with the digits.
    let same = language[.same]
    let isParted = !mayShow(same.bytes.form(1))
    let isTight = least - look.rows < self.rows(of: same.bytes.form(1))
    let isMute = isParted || isTight
    let answers = Answers(yes: isMute ? .aSame : .aYes, in: language)
    draw(answers)
    let bottom = size.height - answerRows(answers)
    let question =
      isMute ? 0 : drawQuestion(of: phone, rows: bottom - look.rows, in: language)
    let top = question + max(0, bottom - question - look.rows) / 2
    let first = digits.bytes.extracting(first: 3)
    let second = digits.bytes.extracting(droppingFirst: 3)
    let height = look.font.digitHeight
    guard look.isInTwoLines else {
      let x = draw(first, font: look.font, at: Point(0, top + height))
      draw(second, font: look.font, at: Point(x + look.gap, top + height))
      return
    }
    let x = (width - look.font.inkWidth(of: first)) / 2
    draw(first, font: look.font, at: Point(x, top + height))
    draw(second, font: look.font, at: Point(x, top + look.rows))
  }

  /// Rows of the shorter one of the two long questions.
  private func questionRows(phone: Span<UInt8>, in language: Language) -> Int {
    let same = language[.same]
    let question = question(naming: phone, in: language)
    return min(rows(of: same.bytes.form(0)), rows(of: question.bytes)) + 2
  }

  private func question(naming phone: Span<UInt8>, in language: Language) -> FixedBuffer<160> {
    let sentence = language[phone.isEmpty ? .same : .sameOn]
    var question = FixedBuffer<160>()
    question.append(sentence.bytes.form(0), naming: phone)
    return question
  }

  /// Draws the longest question that fits in `rows`; returns how many rows it takes.
  private mutating func drawQuestion(
    of phone: Span<UInt8>, rows: Int, in language: Language
  ) -> Int {
    let same = language[.same]
    let question = question(naming: phone, in: language)
    var height = draw(question: question.bytes, rows)
    if height == 0 { height = draw(question: same.bytes.form(0), rows) }
    if height == 0 { height = draw(question: same.bytes.form(1), rows) }
    return height
  }

  private mutating func draw(question: Span<UInt8>, _ rows: Int) -> Int {
    let height = self.rows(of: question)
    guard height <= rows else { return 0 }
    drawLines(of: question, from: 0, rows: height)
    return height
  }
}

/// How a number of six digits looks on a panel that stands upright.
private struct NumberLook {
  var font: Font
  var isInTwoLines: Bool
  /// Columns or rows between its two groups.
  var gap: Int

  var rows: Int { isInTwoLines ? 2 * font.digitHeight + gap : font.digitHeight }

  /// The next smaller look: in one line, then in two of the next smaller font.
  var smaller: NumberLook? {
    if isInTwoLines { return NumberLook(font: font, isInTwoLines: false, gap: gap) }
    guard let font = font.smaller else { return nil }
    return NumberLook(font: font, isInTwoLines: true, gap: max(2, font.capHeight / 3))
  }

  func fits(_ digits: Span<UInt8>, in room: Size) -> Bool {
    let (first, second) = (digits.extracting(first: 3), digits.extracting(droppingFirst: 3))
    let width =
      isInTwoLines
      ? font.inkWidth(of: first) : font.width(of: first) + gap + font.inkWidth(of: second)
    return width <= room.width && rows <= room.height
  }
}
