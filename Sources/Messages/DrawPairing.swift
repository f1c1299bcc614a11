import Bytes
package import Graphics
package import Words

/// The screens of pairing, from the first sight of a phone to its being forgotten.
extension Bitmap {
  /// The phone's name, and the strength of its signal.
  package mutating func drawFound(_ phone: Span<UInt8>, rssi: Int8?, in language: Language) {
    let title = language[.found]
    // Where there is no room for both, the word is worth more than the signal.
    let room = size.width - (isUpright ? 0 : signalWidth + 4)
    let hasSignal = isUpright ? true : small.inkFits(title.bytes.form(0), in: room)
    // On a square panel the signal is beside the symbol.
    let taken =
      isUpright ? Size(0, 16) : Size(hasSignal && !size.isSquare ? signalWidth + 4 : 0, 0)
    var message = Message(.phone, title: fitting(title.bytes, beside: taken.width), text: phone)
    message.free = taken
    draw(message)
    if hasSignal { drawSignal(rssi, bottom: isUpright ? size.height - 1 : 12) }
  }

  /// The rider said yes here and must now say yes on the phone.
  package mutating func drawPhoneAsked(
    _ phone: Span<UInt8>, secondsLeft: Int, in language: Language
  ) {
    let title = language[.yourTurn]
    let sentence = language[phone.isEmpty ? .tapPair : .tapPairOn]
    var text = FixedBuffer<128>()
    text.append(sentence.bytes.form(0), naming: phone)
    var message = Message(.phone, title: fitting(title.bytes), text: text.bytes)
    message.shorter = sentence.bytes.form(1)
    message.shortest = sentence.bytes.form(2)
    draw(message, secondsLeft: secondsLeft, hasTimeAlways: false)
  }

  /// The rider only has to wait; then Lenker asks the phone again.
  package mutating func drawPairingDelayed(secondsLeft: Int, in language: Language) {
    let title = language[.oneMoment]
    let text = language[.tooManyAttempts]
    var message = Message(.phone, title: fitting(title.bytes), text: text.bytes)
    message.isTitleSpare = true
    draw(message, secondsLeft: secondsLeft, hasTimeAlways: false)
  }

  package mutating func drawPaired(_ phone: Span<UInt8>, in language: Language) {
    guard !phone.isEmpty else {
      return draw(.check, language[.isPaired], naming: phone, in: language[.withThisPhone])
    }
    let sentence = language[.withPhone]
    var text = FixedBuffer<128>()
    text.append(sentence.bytes.form(0), naming: phone)
    draw(.check, language[.isPaired], text: text.bytes, shorter: phone)
  }

  package mutating func draw(_ setback: PairingSetback, in language: Language) {
    var text = FixedBuffer<64>()
    text.append(setback.sentence, in: language)
    let reason = text.count
    text.append(" ")
    text.append(setback.advice, in: language)
    draw(
      .warning, language[.notPaired], text: text.bytes,
      shorter: text.bytes.extracting(first: reason), isTitleSpare: true)
  }

  package mutating func draw(
    _ phone: Span<UInt8>, _ acquaintance: Acquaintance, in language: Language
  ) {
    if phone.isEmpty {
      let stranger = language[.aPhone]
      return draw(fitting(stranger.bytes), acquaintance, in: language)
    }
    let advice = language[.toForget]
    var text = FixedBuffer<96>()
    text.append(acquaintance.sentence, in: language)
    text.append(" ")
    text.append(advice.bytes.form(0))
    var message = Message(.phone, title: phone, text: text.bytes)
    message.shorter = advice.bytes.form(1)
    message.shortest = advice.bytes.form(2)
    draw(message)
  }

  package mutating func drawUnpairing(
    _ phone: Span<UInt8>, permille: Int, in language: Language
  ) {
    let sentence = language[phone.isEmpty ? .keepHolding : .keepHoldingToForget]
    drawForgetting(.noPhone, sentence.bytes, naming: phone, permille: permille, in: language)
  }

  /// Asks to keep holding the button, and draws a bar that grows until the phone is forgotten.
  ///
  /// The bar lies in the last page alone, so that a step of it is a few bytes on the wire.
  package mutating func drawForgetting(
    _ symbol: Symbol, _ sentence: Span<UInt8>, naming phone: Span<UInt8>, permille: Int,
    in language: Language
  ) {
    let height = size.height < 40 ? 6 : isUpright && size.height < 100 ? 4 : 8
    let top = size.height - height
    let title = language[.forget]
    var text = FixedBuffer<128>()
    var name = FixedBuffer<64>()
    text.append(sentence.form(0), naming: phone)
    name.append(sentence.form(1), naming: phone)
    var message = Message(symbol, title: fitting(title.bytes), text: text.bytes)
    message.shorter = name.bytes
    message.shortest = sentence.form(2)
    message.free.height = height
    draw(message)
    fill(Point(0, top), Size(size.width, height))
    let inside = size.width - 2
    let filled = max(0, min(1_000, permille)) * inside / 1_000
    fill(Point(1 + filled, top + 1), Size(inside - filled, height - 2), lit: false)
  }

  /// The number as large as fits above what the buttons mean, and above it the question.
  package mutating func drawComparison(
    of number: UInt32, name: Span<UInt8>, phone: Span<UInt8>, in language: Language
  ) {
    if isUpright || size.isSquare {
      return drawUprightComparison(of: number, phone: phone, in: language)
    }
    let answers = Answers(in: language)
    let hints = answerRows(answers)
    var digits = FixedBuffer<6>()
    digits.append(sixDigits: number)
    var font = Font.largest(from: .bold34) {
      $0.inkWidth(of: digits.bytes) + gap(in: $0) <= size.width
        && $0.digitHeight <= size.height - hints
    }
    let same = language[.same]
    // Without a row of its own, the question is beside the digits.
    let isBeside = size.height - hints - font.digitHeight <= small.capHeight
    let besides = isBeside ? small.width(of: same.bytes.form(1)) + 2 : 0
    font = Font.largest(from: font) {
      $0.inkWidth(of: digits.bytes) + gap(in: $0) + besides <= size.width
    }
    let rest = size.height - hints - font.digitHeight
    draw(answers)
    let sentence = language[phone.isEmpty ? .same : .sameOn]
    var question = FixedBuffer<160>()
    question.append("%".utf8.span, naming: name)
    question.append(.colon, in: language)
    let prefix = question.count
    question.append(sentence.bytes.form(0), naming: phone)
    let isLong = rows(of: question.bytes) > rest
    let whole = question.bytes.extracting(droppingFirst: isLong || name.isEmpty ? prefix : 0)
    if rows(of: whole) > rest {
      drawLines(of: same.bytes.form(1), from: 0, rows: rest)
    } else {
      drawLines(of: whole, from: 0, rows: rest)
    }
    // Without letters that reach below the line, a few rows are enough.
    let isTight = rest > small.capHeight && rest < lineHeight
    if isTight { draw(same.bytes.form(1), font: small, at: Point(0, small.capHeight)) }
    let baseline = size.height - hints - (isTight ? 0 : (rest % lineHeight + 1) / 2)
    let x = draw(digits.bytes.extracting(first: 3), font: font, at: Point(0, baseline))
    draw(
      digits.bytes.extracting(droppingFirst: 3), font: font,
      at: Point(x + gap(in: font), baseline))
    if isBeside {
      let middle = baseline - (font.digitHeight - small.capHeight) / 2
      draw(same.bytes.form(1), font: small, at: Point(size.width + 3 - besides, middle))
    }
  }

  package mutating func drawNoCode(of phone: Span<UInt8>, in language: Language) {
    let title = language[.noCode]
    let sentence = language[phone.isEmpty ? .pair : .pairWith]
    var text = FixedBuffer<128>()
    text.append(sentence.bytes.form(0), naming: phone)
    var message = Message(.warning, title: fitting(title.bytes), text: text.bytes)
    message.shorter = sentence.bytes.form(1)
    let answers = Answers(in: language)
    message.free.height = answerRows(answers) + (isUpright ? 2 : 0)
    draw(answers)
    let rows = size.height - message.free.height
    if isUpright ? draw(whole: message) : rows >= 3 * lineHeight {
      return isUpright ? () : draw(message)
    }
    let question = language[.noCodePair]
    let isShort = self.rows(of: question.bytes.form(0)) > rows
    drawLines(of: question.bytes.form(isShort ? 1 : 0), from: 0, rows: rows)
  }

  /// Columns between the two groups of a number.
  package func gap(in font: Font) -> Int { font.capHeight / 3 }
}

/// How a phone is known.
package enum Acquaintance: Equatable, Sendable {
  /// It is paired, and its bond is kept.
  case paired
  /// It does not pair; its address identifies it.
  case address
  /// It does not pair, and its address will change: it is a stranger after this ride.
  case ride

  package var sentence: Phrase {
    switch self {
    case .paired: .paired
    case .address: .knownByAddress
    case .ride: .forThisRide
    }
  }
}

/// Why a pairing failed, as the panel says it.
package enum PairingSetback: Equatable, Sendable {
  /// The rider said no on the phone, or the phone refused by itself.
  case refusedByPhone
  /// The rider said no here.
  case refusedHere
  /// Nobody answered in time.
  case timeout
  /// The phone did not even answer the request: it may have a key of ours, and wait until we use it.
  case noAnswer
  /// A value that the phone sent does not match: a mistake, or somebody in the middle.
  case wrongAnswer
  /// The phone has no LE Secure Connections, or not with a comparison or a whole key.
  case insecure
  /// There were too many attempts: the phone refuses more for a while.
  case tooManyAttempts
  /// The link was lost meanwhile.
  case linkLost
  /// The bond could not be written to disk.
  case notSaved

  package var sentence: Phrase { words.sentence }

  /// The name in an event, and the sentence on the panel.
  package var words: (name: String, sentence: Phrase) {
    switch self {
    case .refusedByPhone: ("refused by phone", .refusedByPhone)
    case .refusedHere: ("refused here", .refusedHere)
    case .timeout: ("timeout", .timeout)
    case .noAnswer: ("no answer", .noAnswer)
    case .wrongAnswer: ("wrong answer", .wrongAnswer)
    case .insecure: ("insecure", .insecure)
    case .tooManyAttempts: ("too many attempts", .tooManyAttempts)
    case .linkLost: ("link lost", .linkLost)
    case .notSaved: ("not saved", .notSaved)
    }
  }

  /// What to do about it; A starts another attempt in any case.
  package var advice: Phrase { self == .noAnswer ? .forgetThere : .tryAgain }
}
