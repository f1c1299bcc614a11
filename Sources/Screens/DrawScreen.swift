import Bytes
package import Graphics
import Messages
package import Words

extension Bitmap {
  /// Clears this bitmap and draws a screen on it, laid out for its size, in words of a language.
  package mutating func draw(_ screen: Screen, in language: Language = .english) {
    clear()
    switch screen {
    case .starting(let version): drawStart(version)
    case .updated(let version): draw(.check, language[.updated], text: version)
    case .noPhone:
      draw(.noPhone, language[.noPhone], sentence: language[.aSearch])
    case .searching(let name, let secondsLeft, let isListed):
      drawSearching(name, secondsLeft: secondsLeft, isListed: isListed, in: language)
    case .found(let phone, let rssi): drawFound(phone, rssi: rssi, in: language)
    case .comparison(let number, let name, let phone):
      drawComparison(of: number, name: name, phone: phone, in: language)
    case .noCode(let phone): drawNoCode(of: phone, in: language)
    case .phoneAsked(let phone, let secondsLeft):
      drawPhoneAsked(phone, secondsLeft: secondsLeft, in: language)
    case .paired(let phone): drawPaired(phone, in: language)
    case .pairingDelayed(let secondsLeft):
      drawPairingDelayed(secondsLeft: secondsLeft, in: language)
    case .pairingFailed(let setback): draw(setback, in: language)
    case .waiting(let phone, let isKomoots):
      let advice: Phrase = isKomoots ? .openKomootOn : .openAppOn
      draw(
        .waves, language[.waiting], naming: phone,
        in: language[phone.isEmpty ? .openKomoot : advice])
    case .connecting(let name): draw(.waves, language[.connecting], text: name)
    case .ready(let name, let isKomoots):
      drawReady(name, isKomoots ? .startATour : .startARoute, in: language)
    case .refused: draw(.warning, language[.notPaired], sentence: language[.toPair])
    case .navigation(let turn):
      leaveStrip(for: turn.figures.radar)
      draw(turn, in: language)
      drawStrip(of: turn.figures.radar)
    case .ride(let page):
      leaveStrip(for: page.figures.radar)
      draw(page)
      drawStrip(of: page.figures.radar)
    case .call(let name): drawCall(of: name, in: language)
    case .notification(let title, let message): draw(Message(title: title, text: message))
    case .music(let title, let artist): drawMusic(title, artist, in: language)
    case .data(let figures, let radar):
      leaveStrip(for: radar)
      draw(figures, in: language)
      drawStrip(of: radar)
    case .sensors(let page): draw(page, in: language)
    case .sensorSearch(let secondsLeft): drawSensorSearch(secondsLeft: secondsLeft, in: language)
    case .sensorCandidate(let candidate): draw(candidate, in: language)
    case .sensorChoice(let choice): draw(choice, in: language)
    case .sensorPairing(let kind, let name): drawSensorPairing(kind, name, in: language)
    case .noSensorFound:
      draw(.search, language[.nothingFound], language[.howToWake], or: language[.wakeSensor])
    case .sensorSaved(let kind, let name): drawSensorSaved(kind, name, in: language)
    case .sensorNotSaved(let kind): drawSensorNotSaved(kind, in: language)
    case .sensorBattery(let kind, let percent):
      drawSensorBattery(kind, percent: percent, in: language)
    case .ownBattery(let percent): drawOwnBattery(percent: percent, in: language)
    case .forgettingSensors(let permille):
      drawForgettingSensors(permille: permille, in: language)
    case .sensorsForgotten: draw(.check, language[.sensors], words: language[.areForgotten])
    case .arrived(let arrival): draw(arrival)
    case .phone(let phone, let acquaintance): draw(phone, acquaintance, in: language)
    case .unpairing(let phone, let permille):
      drawUnpairing(phone, permille: permille, in: language)
    case .unpaired:
      draw(.check, language[.unpaired], sentence: language[.aSearch])
    case .unpairFailed: drawUnpairFailed(in: language)
    case .reportSaved: draw(.check, language[.report], words: language[.saved])
    case .reportFailed(let advice): drawTrouble(.noReport, advice, in: language)
    case .forgotten(let phone):
      draw(
        .warning, language[.pairAgain], naming: phone,
        in: language[phone.isEmpty ? .forgotten : .forgottenBy])
    case .unrecognised:
      draw(.warning, language[.pairAgain], sentence: language[.unrecognised])
    case .codeMissing:
      // The title says why, as a small panel has room for nothing else.
      draw(.warning, language[.noCode], sentence: language[.pairedWithoutCode])
    case .switchBluetooth:
      draw(.warning, language[.noLink], sentence: language[.switchBluetooth])
    case .wrongSettings(let mistake): drawWrongSettings(mistake, in: language)
    case .noStore(let advice): drawTrouble(.memory, advice, in: language)
    case .noRadio(let advice): drawTrouble(.noRadio, advice, in: language)
    case .trouble(let trouble): draw(trouble, in: language)
    }
  }

  private mutating func drawStart(_ version: Span<UInt8>) {
    var message = Message(.bicycle, title: "Lenker".utf8.span, text: version)
    message.titleFont = .bold24
    draw(message)
  }

  /// Draws the advice, and below it the name that the phone will see and the time left.
  private mutating func drawSearching(
    _ name: Span<UInt8>, secondsLeft: Int?, isListed: Bool, in language: Language
  ) {
    let title = language[.searching]
    let text = language[isListed ? .openKomootOrBluetooth : .openKomoot]
    draw(
      Message(.search, title: fitting(title.bytes), forms: text.bytes), secondsLeft: secondsLeft,
      below: name)
  }

  private mutating func drawReady(
    _ name: Span<UInt8>, _ advice: Phrase, in language: Language
  ) {
    let title = language[.ready]
    let text = language[advice]
    var message = Message(.route, title: fitting(title.bytes), forms: text.bytes)
    message.footer = name
    draw(message)
  }

  private mutating func drawUnpairFailed(in language: Language) {
    let restart = language[.switchOffAndOn]
    var text = FixedBuffer<128>()
    text.append(.memoryCannotBeWritten, in: language)
    text.append(" ")
    text.append(restart.bytes.form(0))
    drawTrouble(.stillPaired, text.bytes, in: language)
  }

  private mutating func draw(_ trouble: MachineTrouble, in language: Language) {
    let words = trouble.words
    let title = language[words.title]
    let sentence = language[words.sentence]
    guard words.isTemporary else { return draw(.warning, title, sentence: sentence) }
    draw(.warning, title, sentence, or: language[.oneMoment])
  }

  /// Which line it is and what is wrong there; the error file on the card has the whole message.
  private mutating func drawWrongSettings(_ mistake: Span<UInt8>, in language: Language) {
    let line = language[.line]
    let mistake = SettingsMistake(mistake)
    var text = FixedBuffer<128>()
    if mistake.line.isEmpty {
      text.append(mistake.file)
    } else {
      text.append(line.bytes, naming: mistake.line)
      text.append(.colon, in: language)
      text.append("%".utf8.span, naming: mistake.word)
    }
    text.append("?")
    let short = text.count
    text.append(" ")
    text.append(.seeErrorFile, in: language)
    draw(
      .warning, language[.settings], text: text.bytes,
      shorter: text.bytes.extracting(first: short), isTitleSpare: true)
  }

  /// The advice names devices and commands, and half a command is of no use.
  private mutating func drawTrouble(
    _ trouble: Phrase, _ advice: Span<UInt8>, in language: Language
  ) {
    let restart = language[.switchOffAndOn]
    draw(
      .warning, language[trouble], text: advice, shorter: restart.bytes.form(0),
      shortest: restart.bytes.form(1))
  }
}
