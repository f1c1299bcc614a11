import Bytes
package import Graphics
package import Words

extension Bitmap {
  /// Clears this bitmap and draws a screen on it, laid out for its size, in words of a language.
  package mutating func draw(_ screen: Screen, in language: Language = .english) {
    clear()
    switch screen {
    case .starting(let version): drawStart(version)
    case .noPhone: drawIdle(.noPhone, .noPhone, in: language)
    case .searching(let name, let secondsLeft):
      drawSearching(name, secondsLeft: secondsLeft, in: language)
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
    case .waiting(let phone): drawWaiting(for: phone, in: language)
    case .connecting(let name): drawConnecting(name, in: language)
    case .ready(let name): drawReady(name, in: language)
    case .refused: drawRefused(in: language)
    case .navigation(let turn):
      leaveStrip(for: turn.radar)
      draw(turn, in: language)
      drawStrip(of: turn.radar)
    case .ride(let page):
      leaveStrip(for: page.radar)
      draw(page)
      drawStrip(of: page.radar)
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
    case .noSensorFound: drawNoSensorFound(in: language)
    case .sensorSaved(let kind, let name): drawSensorSaved(kind, name, in: language)
    case .sensorNotSaved(let kind): drawSensorNotSaved(kind, in: language)
    case .sensorBattery(let kind, let percent):
      drawSensorBattery(kind, percent: percent, in: language)
    case .forgettingSensors(let permille):
      drawForgettingSensors(permille: permille, in: language)
    case .sensorsForgotten: drawSensorsForgotten(in: language)
    case .arrived(let arrival): draw(arrival)
    case .phone(let phone, let acquaintance): draw(phone, acquaintance, in: language)
    case .unpairing(let phone, let permille):
      drawUnpairing(phone, permille: permille, in: language)
    case .unpaired: drawIdle(.unpaired, .check, in: language)
    case .unpairFailed: drawUnpairFailed(in: language)
    case .reportSaved: drawReportSaved(in: language)
    case .reportFailed(let advice): drawTrouble(.noReport, advice, in: language)
    case .forgotten(let phone): drawForgotten(by: phone, in: language)
    case .codeMissing: drawCodeMissing(in: language)
    case .switchBluetooth: drawBluetoothAdvice(in: language)
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

  /// What to do on the phone, and below it what the phone will see and how long this goes on.
  private mutating func drawSearching(
    _ name: Span<UInt8>, secondsLeft: Int?, in language: Language
  ) {
    var time = FixedBuffer<24>()
    if let secondsLeft {
      time.append(decimal: Int64(widening: max(0, secondsLeft)))
      time.append(" s")
    }
    let title = language[.searching]
    let text = language[.openKomoot]
    var message = Message(.search, title: fitting(title.bytes), text: text.bytes.form(0))
    message.shorter = text.bytes.form(1)
    let timeWidth = Font.bold12.width(of: time.bytes)
    guard hasBottomLine else {
      // Right of the title, where that is no longer than it must be.
      let isFree = size.width >= 100
      if isFree { message.free.width = max(timeWidth, timeRoom) + 4 }
      draw(message)
      if isFree { draw(time.bytes, font: .bold12, at: Point(size.width - timeWidth, 10)) }
      return
    }
    let nameLines = isUpright ? min(2, lines(of: name, .bold12, width: size.width)) : 0
    message.free.height = (nameLines + 1) * lineHeight + 2
    draw(message)
    if isUpright {
      let top = size.height - (nameLines + 1) * lineHeight
      drawLines(
        of: name, .bold12,
        in: Rectangle(x: 0, y: top, width: size.width, height: nameLines * lineHeight))
    } else {
      let room = size.width - max(timeWidth, timeRoom) - 4
      draw(name, font: .bold12, at: Point(0, size.height - 3), width: room)
    }
    draw(time.bytes, font: .bold12, at: Point(size.width - timeWidth, size.height - 3))
  }

  /// Whether a line at the bottom leaves room for title and text.
  var hasBottomLine: Bool { size.height >= (isUpright ? 100 : 60) }

  /// Columns of two digits and the unit: what stands beside them stays while they get fewer.
  var timeRoom: Int { Font.bold12.width(of: "88 s".utf8.span) }

  private mutating func drawConnecting(_ name: Span<UInt8>, in language: Language) {
    let title = language[.connecting]
    draw(Message(.waves, title: fitting(title.bytes), text: name))
  }

  private mutating func drawReady(_ name: Span<UInt8>, in language: Language) {
    let title = language[.ready]
    let text = language[.startATour]
    var message = Message(.route, title: fitting(title.bytes), text: text.bytes.form(0))
    message.shorter = text.bytes.form(1)
    message.footer = name
    draw(message)
  }

  private mutating func drawRefused(in language: Language) {
    let title = language[.notPaired]
    let text = language[.toPair]
    var message = Message(.warning, title: fitting(title.bytes), text: text.bytes.form(0))
    message.shorter = text.bytes.form(1)
    draw(message)
  }

  private mutating func drawUnpairFailed(in language: Language) {
    let check = language[.runCheck]
    var text = FixedBuffer<96>()
    text.append(.memoryCannotBeWritten, in: language)
    text.append(" ")
    text.append(check.bytes.form(0))
    drawTrouble(.stillPaired, text.bytes, in: language)
  }

  private mutating func drawReportSaved(in language: Language) {
    let title = language[.report]
    let text = language[.saved]
    draw(Message(.check, title: fitting(title.bytes), text: fitting(text.bytes)))
  }

  private mutating func draw(_ trouble: MachineTrouble, in language: Language) {
    let title = language[trouble.title]
    let sentence = language[trouble.sentence]
    let short = language[trouble.isTemporary ? .oneMoment : trouble.sentence]
    var message = Message(.warning, title: fitting(title.bytes), text: sentence.bytes.form(0))
    message.shorter = short.bytes.form(trouble.isTemporary ? 0 : 1)
    draw(message)
  }

  /// What is cut off of a mistake stands in the file.
  private mutating func drawWrongSettings(_ mistake: Span<UInt8>, in language: Language) {
    let title = language[.settings]
    var message = Message(.warning, title: fitting(title.bytes), text: mistake)
    message.isTitleSpare = true
    draw(message)
  }

  /// The advice names devices and commands: half of one would be of no use.
  private mutating func drawTrouble(
    _ trouble: Phrase, _ advice: Span<UInt8>, in language: Language
  ) {
    let title = language[trouble]
    let check = language[.runCheck]
    var message = Message(.warning, title: fitting(title.bytes), text: advice)
    message.shorter = check.bytes.form(0)
    message.shortest = check.bytes.form(1)
    draw(message)
  }
}
