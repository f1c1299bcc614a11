import Bytes
import Graphics
import Messages
import Sensors
import Words

/// The screens of adding and forgetting sensors, in the order of a search.
extension Bitmap {
  /// Says how to wake a sensor, and how long the search goes on.
  mutating func drawSensorSearch(secondsLeft: Int, in language: Language) {
    let title = language[.searching]
    let text = language[.wearAndSpin]
    let short = language[.wakeSensor]
    var message = Message(.search, title: fitting(title.bytes), forms: text.bytes)
    message.shortest = fitting(short.bytes)
    draw(message, secondsLeft: secondsLeft)
  }

  /// Asks whether a sensor with this value is the rider's, or says how to make it send one.
  mutating func draw(_ candidate: borrowing SensorCandidate, in language: Language) {
    switch candidate.reading {
    case .connecting:
      draw(candidate.kind.look.symbol, language[.connecting], text: candidate.name)
    case .still, .gone: drawStill(candidate, in: language)
    case .figure, .vehicles: drawQuestion(about: candidate, in: language)
    }
  }

  private mutating func drawStill(_ candidate: borrowing SensorCandidate, in language: Language) {
    let title = language[candidate.kind.look.word]
    let text = candidate.kind.look.waking.map { language[$0] } ?? language[.oneMoment]
    let next = language[.bNext]
    var message = Message(
      candidate.kind.look.symbol, title: fitting(title.bytes), forms: text.bytes)
    if hasBottomLine {
      let words = fitting(next.bytes)
      let wordRows = rows(of: words)
      message.free.height = wordRows
      drawLines(of: words, from: size.height - wordRows, rows: wordRows)
    }
    draw(message)
  }

  private mutating func drawQuestion(
    about candidate: borrowing SensorCandidate, in language: Language
  ) {
    let sentence = language[.isYours]
    let answers = Answers(in: language)
    var value = FixedBuffer<24>()
    var text = FixedBuffer<128>()
    candidate.reading.append(to: &value, form: 0, in: language)
    if isUpright, isParted(value.bytes) {
      value.removeAll()
      candidate.reading.append(to: &value, form: 1, in: language)
    }
    text.append(sentence.bytes.form(candidate.name.isEmpty ? 1 : 0), naming: candidate.name)
    var message = Message(candidate.kind.look.symbol, title: value.bytes, text: text.bytes)
    // By the value the rider knows their sensor from others.
    message.titleFont = .bold24
    message.textFont = .bold12
    message.shorter = sentence.bytes.form(1)
    message.free.height = answerRows(answers) + (isUpright ? 2 : 0)
    draw(answers)
    let rows = size.height - message.free.height
    if isUpright {
      guard !draw(whole: message) else { return }
    } else if rows >= 2 * lineHeight {
      return draw(message)
    }
    // So little room is left that the value is the question.
    var short = FixedBuffer<24>()
    short.append(value.bytes)
    short.append("?")
    if !small.inkFits(short.bytes, in: size.width) {
      short.removeAll()
      candidate.reading.append(to: &short, form: 1, in: language)
      short.append("?")
    }
    drawLine(of: short.bytes, rows: rows)
  }

  /// Asks whether a sensor that has lost its key may be paired with again.
  mutating func drawSensorPairing(
    _ kind: SensorKind, _ name: Span<UInt8>, in language: Language
  ) {
    let title = language[kind.look.word]
    let sentence = language[.wantsToPairAgain]
    let answers = Answers(in: language)
    var text = FixedBuffer<128>()
    text.append(sentence.bytes.form(name.isEmpty ? 1 : 0), naming: name)
    var message = Message(
      kind.look.symbol, title: fitting(title.bytes), text: text.bytes)
    message.shorter = sentence.bytes.form(1)
    message.shortest = sentence.bytes.form(2)
    message.isTitleSpare = true
    message.free.height = answerRows(answers) + (isUpright ? 2 : 0)
    draw(answers)
    draw(message)
  }

  /// Whether a line of a value would end within its unit, as in `km/h`.
  private func isParted(_ value: Span<UInt8>) -> Bool {
    let end = small.line(of: value, fitting: size.width + 1)
    return end > 0 && end < value.count && value[end] != 0x20
  }

  /// Draws a line at the top, as large as fits, or its words below each other if it is too wide.
  private mutating func drawLine(of text: Span<UInt8>, rows: Int) {
    guard small.inkFits(text, in: size.width) else {
      return drawLines(of: text, from: 0, rows: rows)
    }
    let font = Font.largest(from: .bold18) {
      $0.inkFits(text, in: size.width) && $0.capHeight + $0.descent <= rows
    }
    let baseline = (rows + font.capHeight - font.descent + 1) / 2
    draw(text, font: font, at: Point(0, baseline), width: size.width + 1)
  }

  mutating func drawSensorSaved(
    _ kind: SensorKind, _ name: Span<UInt8>, in language: Language
  ) {
    let title = language[kind.look.word]
    let text = language[.saved]
    var message = Message(.check, title: fitting(title.bytes), text: fitting(text.bytes))
    message.footer = name
    draw(message)
  }

  mutating func drawSensorNotSaved(_ kind: SensorKind?, in language: Language) {
    let short = language[.notSaved]
    var text = FixedBuffer<128>()
    text.append(short.bytes)
    text.append(" ")
    text.append(.memoryCannotBeWritten, in: language)
    draw(
      .warning, language[kind?.look.word ?? .sensors], text: text.bytes, shorter: short.bytes,
      isTitleSpare: true)
  }

  mutating func drawSensorBattery(
    _ kind: SensorKind, percent: UInt8, in language: Language
  ) {
    var text = FixedBuffer<128>()
    text.append(.battery, in: language)
    text.append(" ")
    let word = text.count
    text.append(decimal: Int64(widening: UInt32(min(percent, 100))))
    text.append("%")
    draw(
      .battery, language[kind.look.word], text: text.bytes,
      shorter: text.bytes.extracting(droppingFirst: word))
  }

  mutating func drawForgettingSensors(permille: Int, in language: Language) {
    let sentence = language[.keepHoldingToForgetAll]
    drawForgetting(
      .heart, sentence.bytes, naming: sentence.bytes.extracting(first: 0), permille: permille,
      in: language)
  }
}
