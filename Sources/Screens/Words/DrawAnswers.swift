import Bytes
import Graphics
import Words

/// Which button says yes and which no to a question.
struct Answers: ~Copyable {
  let yes: Wording
  let no: Wording

  /// Both in a language.
  init(yes: Phrase = .pageYes, in language: Language) {
    self.yes = language[yes]
    no = language[.unpairNo]
  }
}

extension Bitmap {
  /// Rows of the two answers.
  func answerRows(_ answers: borrowing Answers) -> Int {
    guard !isUpright else { return rows(of: answers.yes.bytes) + noRows(answers) - 1 }
    return areInLine(answers) ? lineHeight : 2 * lineHeight - 1
  }

  /// Rows of a phrase in lines.
  private func rows(of phrase: Span<UInt8>) -> Int {
    lines(of: fitting(phrase), .bold12, width: size.width) * lineHeight
  }

  /// Rows of the no on a panel that stands upright, none where that leaves no room for the question:
  /// there is only one other button.
  private func noRows(_ answers: borrowing Answers) -> Int {
    let no = rows(of: answers.no.bytes)
    return size.height - rows(of: answers.yes.bytes) - no < 36 ? 0 : no
  }

  /// Whether both stand in one line.
  func areInLine(_ answers: borrowing Answers) -> Bool {
    let (yes, no) = (fitting(answers.yes.bytes), fitting(answers.no.bytes))
    let width = Font.bold12.width(of: yes) + Font.bold12.width(of: " ".utf8.span)
    return width + Font.bold12.inkWidth(of: no) <= size.width
  }

  /// Draws which button says yes and which no, in one line if there is room.
  mutating func draw(_ answers: borrowing Answers) {
    let no = fitting(answers.no.bytes)
    if isUpright {
      let (rows, noRows) = (rows(of: answers.yes.bytes), noRows(answers))
      let top = size.height - rows - noRows
      drawLines(
        of: fitting(answers.yes.bytes), .bold12,
        in: Rectangle(x: 0, y: top, width: size.width, height: rows))
      return drawLines(
        of: no, .bold12,
        in: Rectangle(x: 0, y: top + rows, width: size.width, height: noRows))
    }
    let bottom = size.height - 3
    let top = bottom + lineHeight - answerRows(answers)
    draw(fitting(answers.yes.bytes), font: .bold12, at: Point(0, top))
    let x = areInLine(answers) ? size.width - Font.bold12.width(of: no) : 0
    draw(no, font: .bold12, at: Point(x, bottom))
  }
}
