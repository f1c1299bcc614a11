import Bytes
import Graphics
package import Words

/// Which button says yes and which no to a question.
package struct Answers: ~Copyable {
  let yes: Wording
  package let no: Wording

  /// Both in a language.
  package init(yes: Phrase = .pageYes, in language: Language) {
    self.yes = language[yes]
    no = language[.unpairNo]
  }
}

extension Bitmap {
  /// Rows of the two answers.
  package func answerRows(_ answers: borrowing Answers) -> Int {
    guard !isUpright else { return rows(ofAnswer: answers.yes.bytes) + noRows(answers) - 1 }
    return areInLine(answers) ? lineHeight : 2 * lineHeight - 1
  }

  private func rows(ofAnswer phrase: Span<UInt8>) -> Int { rows(of: fitting(phrase)) }

  /// Rows of the no on an upright panel; none if the question then has no room.
  ///
  /// There is only one other button, so the rider can guess the no.
  private func noRows(_ answers: borrowing Answers) -> Int {
    let no = rows(ofAnswer: answers.no.bytes)
    return size.height - rows(ofAnswer: answers.yes.bytes) - no < 36 ? 0 : no
  }

  /// Whether both stand in one line.
  func areInLine(_ answers: borrowing Answers) -> Bool {
    let (yes, no) = (fitting(answers.yes.bytes), fitting(answers.no.bytes))
    let width = Font.bold12.width(of: yes) + Font.bold12.width(of: " ".utf8.span)
    return width + Font.bold12.inkWidth(of: no) <= size.width
  }

  /// Draws which button says yes and which no, in one line if there is room.
  package mutating func draw(_ answers: borrowing Answers) {
    let (yes, no) = (fitting(answers.yes.bytes), fitting(answers.no.bytes))
    if isUpright {
      let (yesRows, noRows) = (rows(of: yes), noRows(answers))
      drawLines(of: yes, from: size.height - yesRows - noRows, rows: yesRows)
      return drawLines(of: no, from: size.height - noRows, rows: noRows)
    }
    let bottom = size.height - 3
    let top = bottom + lineHeight - answerRows(answers)
    draw(yes, font: .bold12, at: Point(0, top))
    let x = areInLine(answers) ? size.width - Font.bold12.width(of: no) : 0
    draw(no, font: .bold12, at: Point(x, bottom))
  }
}
