import Bytes
public import Graphics

extension Bitmap {
  /// Clears this bitmap and draws a screen on it, laid out for its size.
  public mutating func draw(_ screen: Screen) {
    clear()
    switch screen {
    case .starting(let version): drawStart(version)
    case .noPhone: drawIdle("No phone".utf8.span, .noPhone)
    case .searching(let name, let secondsLeft): drawSearching(name, secondsLeft: secondsLeft)
    case .found(let phone, let rssi): drawFound(phone, rssi: rssi)
    case .comparison(let number, let name, let phone):
      drawComparison(of: number, name: name, phone: phone)
    case .noCode(let phone): drawNoCode(of: phone)
    case .phoneAsked(let phone, let secondsLeft):
      drawPhoneAsked(phone, secondsLeft: secondsLeft)
    case .paired(let phone): drawPaired(phone)
    case .pairingFailed(let setback): draw(setback)
    case .waiting(let phone): drawWaiting(for: phone)
    case .connecting(let name):
      draw(Message(.waves, title: "Connecting".utf8.span, text: name))
    case .ready(let name): drawReady(name)
    case .refused: drawRefused()
    case .navigation(let turn): draw(turn)
    case .ride(let page): draw(page)
    case .arrived(let arrival): draw(arrival)
    case .phone(let phone, let acquaintance): draw(phone, acquaintance)
    case .unpairing(let phone, let permille): drawUnpairing(phone, permille: permille)
    case .unpaired: drawIdle("Unpaired".utf8.span, .check)
    case .unpairFailed: drawUnpairFailed()
    case .reportSaved:
      draw(Message(.check, title: "Report".utf8.span, text: "saved".utf8.span))
    case .reportFailed(let advice): drawTrouble("No report".utf8.span, advice)
    case .forgotten(let phone): drawForgotten(by: phone)
    case .wrongSettings(let mistake): drawWrongSettings(mistake)
    case .noStore(let advice): drawTrouble("Memory".utf8.span, advice)
    case .noRadio(let advice): drawTrouble("No radio".utf8.span, advice)
    case .trouble(let trouble): draw(trouble)
    }
  }

  private mutating func drawStart(_ version: Span<UInt8>) {
    var message = Message(.bicycle, title: "Lenker".utf8.span, text: version)
    message.titleFont = .bold24
    draw(message)
  }

  /// What to do on the phone, and below it what the phone will see and how long this goes on.
  private mutating func drawSearching(_ name: Span<UInt8>, secondsLeft: Int?) {
    var time = FixedBuffer<24>()
    if let secondsLeft {
      time.append(decimal: Int64(widening: max(0, secondsLeft)))
      time.append(" s")
    }
    var message = Message(
      .search, title: "Searching".utf8.span, text: "Open komoot on the phone".utf8.span)
    message.shorter = "Open komoot".utf8.span
    let timeWidth = Font.bold12.width(of: time.bytes)
    guard size.height >= 60 else {
      // Right of the title, where that is no longer than it must be.
      let isFree = size.width >= 100
      if isFree { message.free.width = max(timeWidth, timeRoom) + 4 }
      draw(message)
      if isFree { draw(time.bytes, font: .bold12, at: Point(size.width - timeWidth, 10)) }
      return
    }
    message.free.height = lineHeight + 2
    draw(message)
    let room = size.width - max(timeWidth, timeRoom) - 4
    draw(name, font: .bold12, at: Point(0, size.height - 3), width: room)
    draw(time.bytes, font: .bold12, at: Point(size.width - timeWidth, size.height - 3))
  }

  /// Columns of two digits and the unit: what stands beside them stays while they get fewer.
  private var timeRoom: Int { Font.bold12.width(of: "88 s".utf8.span) }

  private mutating func drawReady(_ name: Span<UInt8>) {
    var message = Message(
      .route, title: "Ready".utf8.span, text: "Start a tour in komoot".utf8.span)
    message.shorter = "Start a tour".utf8.span
    message.footer = name
    draw(message)
  }

  private mutating func drawRefused() {
    var message = Message(
      .warning, title: "Not paired".utf8.span,
      text: "To pair, hold unpair, then press page.".utf8.span)
    message.shorter = "Hold unpair".utf8.span
    draw(message)
  }

  private mutating func drawUnpairFailed() {
    var message = Message(
      .warning, title: "Still paired".utf8.span,
      text: "The memory cannot be written. Run lenker \u{2011}\u{2011}check".utf8.span)
    message.shorter = "Run lenker \u{2011}\u{2011}check".utf8.span
    draw(message)
  }

  private mutating func draw(_ trouble: MachineTrouble) {
    let (title, sentence, shorter) = (
      trouble.title.utf8, trouble.sentence.utf8, trouble.shorter.utf8
    )
    var message = Message(.warning, title: title.span, text: sentence.span)
    message.shorter = shorter.span
    draw(message)
  }

  /// What is cut off of a mistake stands in the file.
  private mutating func drawWrongSettings(_ mistake: Span<UInt8>) {
    var message = Message(.warning, title: "Settings".utf8.span, text: mistake)
    message.isTitleSpare = true
    draw(message)
  }

  /// The advice names devices and commands: half of one would be of no use.
  private mutating func drawTrouble(_ title: Span<UInt8>, _ advice: Span<UInt8>) {
    var message = Message(.warning, title: title, text: advice)
    message.shorter = "Run lenker \u{2011}\u{2011}check".utf8.span
    draw(message)
  }
}
