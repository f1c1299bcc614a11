import Bytes
import Graphics
package import Words

/// Which button says yes and which no to a question.
package struct Answers: ~Copyable {
  let yes: Wording
  package let no: Wording

  package init(yes: Phrase = .aYes, in language: Language) {
    self.yes = language[yes]
    no = language[.bNo]
  }

  package init(yes: SensorPhrase, no: SensorPhrase, in language: Language) {
    self.yes = language[yes]
    self.no = language[no]
  }
}

extension Bitmap {
  package func answerRows(_ answers: borrowing Answers) -> Int {
    isUpright
      ? rows(ofAnswer: answers.yes.bytes) + rows(ofAnswer: answers.no.bytes) - 1 : lineHeight
  }

  /// Rows of one answer on an upright panel: one line, if a form of it fits in one.
  private func rows(ofAnswer phrase: Span<UInt8>) -> Int {
    rows(of: fitting(phrase, rows: lineHeight))
  }

  /// Whether both answers stand in one line with their words; else a sign behind each button stands for them.
  private func areInWords(_ answers: borrowing Answers) -> Bool {
    let (yes, no) = (answers.yes.bytes.form(0), answers.no.bytes.form(0))
    let width = small.width(of: yes) + small.width(of: " ".utf8.span)
    return width + small.inkWidth(of: no) <= size.width
  }

  /// Draws which button says yes and which no.
  package mutating func draw(_ answers: borrowing Answers) {
    if isUpright {
      let (yes, no) = (answers.yes.bytes, answers.no.bytes)
      let (yesRows, noRows) = (rows(ofAnswer: yes), rows(ofAnswer: no))
      let one = lineHeight
      drawLines(
        of: fitting(yes, rows: one), from: size.height - yesRows - noRows, rows: yesRows)
      return drawLines(of: fitting(no, rows: one), from: size.height - noRows, rows: noRows)
    }
    let form = areInWords(answers) ? 0 : 1
    let (yes, no) = (answers.yes.bytes.form(form), answers.no.bytes.form(form))
    let bottom = size.height - 3
    draw(yes, font: small, at: Point(0, bottom))
    draw(no, font: small, at: Point(size.width - small.width(of: no), bottom))
  }
}
