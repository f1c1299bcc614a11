import ATT
import BoardFile
import Bond
import Buttons
package import Bytes
import Central
import Graphics
import Link
import Navigation
import Panel
import PhoneServices
import Screens
import Turns

/// From the state of the device to a screen, and from that to messages for the bus.
extension Device {
  // MARK: - The bus

  /// I²C messages, one behind the other, to be written in one call; empty when there are none.
  ///
  /// Each is what goes over the bus between the address byte and the stop.
  package var messages: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { panel.messages }
  }

  /// How long each of the messages is, in bytes.
  package var messageLengths: Span<UInt16> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { panel.lengths }
  }

  /// Whether the picture is whole once `messages` have arrived.
  package var endsPicture: Bool { panel.endsPicture }

  /// Notes that `messages` have arrived; the next ones take their place.
  ///
  /// `frame` is the number of the picture if the other side counts them, as the mock display does.
  package mutating func messagesWereSent(frame: Int64?, at now: Instant) {
    clock = now
    let isFirst = !panel.hasWorked
    guard let flush = panel.messagesWereSent(frame: frame) else { return }
    ports.panel.succeeded()
    if !isOnlyTold { pictureWasSeen(at: now) }
    log.frame(flush, at: now)
    if isFirst, isPanelElsewhere { tellOtherAddress(at: now) }
  }

  /// Notes that the last picture is on the glass; `messagesWereSent` does so, unless it `onlyIsTold`.
  package mutating func pictureWasSeen(at now: Instant) {
    if glass.pictureArrived(at: now) { record.note(.seen, at: now) }
  }

  /// Whether the panel's reset line is to go high now.
  ///
  /// It is opened with the panel, before the bus, and low from then on.
  package var isPanelResetOver: Bool { ports.panel.isOpen && panel.isResetOver(at: clock) }

  /// Notes that the panel's reset line was set high.
  package mutating func panelResetWasEnded(at now: Instant) {
    clock = now
    panel.resetWasEnded(at: now)
  }

  /// Prepares the messages of a new picture if one is due and the bus is free.
  mutating func redraw(at now: Instant) {
    guard ports.panel.isOpen, panel.messages.isEmpty, !panel.isPoweringUp(at: now) else { return }
    guard scene.isChanged || scene.hasTicked || panel.isDue(at: now) else { return }
    let isNews = scene.isChanged || !scene.hasTicked
    (scene.isChanged, scene.hasTicked) = (false, false)
    draw(at: now)
    glass.pictureLeaves(offering: offer)
    panel.show(picture, isNews: isNews, at: now)
    // What the glass has already needs no message.
    if panel.messages.isEmpty, !isOnlyTold { pictureWasSeen(at: now) }
  }

  /// Notes what the panel is used for, and has it drawn if its brightness changes.
  mutating func usePanel(_ use: PanelPower.Use, at now: Instant) {
    if use.isByRider { host.noteUse(at: now) }
    if use == .press { host.riderIsThere() }
    if panel.use(use, at: now) { scene.isChanged = true }
  }

  /// Whether the panel shines.
  package var isPanelOn: Bool { panel.isOn }

  // MARK: - Screens

  /// Draws what is due.
  private mutating func draw(at now: Instant) {
    let showing = showing
    let isStreetShown = showing == .turn && panel.isOn && !guidance.isStale
    lastRadar = shownRadar(at: now)
    switch showing {
    case .question(let question): draw(question.subject)
    case .forgettingSensors(let permille):
      picture.draw(.forgettingSensors(permille: permille), in: board.language)
    case .unpairing(let permille):
      picture.draw(.unpairing(phone: host.phoneName, permille: permille), in: board.language)
    case .phoneAsked(let secondsLeft):
      let phone = host.phoneName
      picture.draw(.phoneAsked(phone: phone, secondsLeft: secondsLeft), in: board.language)
    case .call: picture.draw(.call(name: session.title), in: board.language)
    case .notice(let notice): draw(notice)
    case .banner:
      picture.draw(
        .notification(title: session.title, message: session.message), in: board.language)
    case .arrival: drawArrival()
    case .page(let page): draw(page, at: now)
    case .turn: drawTurn(isStreetRunning: isStreetShown, at: now)
    case .forgotten: picture.draw(.forgotten(phone: host.phoneName), in: board.language)
    case .wrongSettings:
      picture.draw(.wrongSettings(mistake: scene.mistake.bytes), in: board.language)
    case .connection(let connection): draw(connection)
    }
    if !isStreetShown { streetScroll.hide() }
  }

  private mutating func draw(_ page: Scene.Page, at now: Instant) {
    switch page {
    case .turn, .ride: drawRidePage()
    case .music:
      picture.draw(.music(title: player.title, artist: player.artist), in: board.language)
    case .data: drawData(at: now)
    case .sensors: drawSensors(at: now)
    }
  }

  private mutating func draw(_ question: Scene.Question.Subject) {
    switch question {
    case .comparison(let number):
      picture.draw(
        .comparison(number: number, name: board.name.bytes, phone: host.phoneName),
        in: board.language)
    case .noCode: picture.draw(.noCode(phone: host.phoneName), in: board.language)
    }
  }

  private mutating func drawTurn(isStreetRunning: Bool, at now: Instant) {
    var distance = guidance.distance.text(in: board.language)
    var turn = ShownTurn(
      guidance.turn.maneuver, distance: distance.bytes, street: guidance.turn.street,
      age: guidance.age)
    turn.isPhoneInDoubt = isPhoneInDoubt
    turn.isLinkLost = connection != .ready
    turn.isEstimated = guidance.isEstimated
    turn.extra = extraFigure
    turn.radar = lastRadar
    turn.nearness = guidance.nearness
    turn.isMarked = guidance.isMarked
    turn.isInverted = guidance.isInverted
    if isStreetRunning {
      // With all that takes room from it.
      let overflow = picture.streetOverflow(of: turn)
      streetScroll.show(guidance.streetNumber, overflow: overflow, at: now)
      turn.streetOffset = streetScroll.offset
    }
    picture.draw(.navigation(turn), in: board.language)
    distance.removeAll()
  }

  private mutating func draw(_ connection: Connection) {
    switch connection {
    case .starting: picture.draw(.starting(version: version.bytes), in: board.language)
    case .noStore: drawNoStore()
    case .noRadio: drawNoRadio()
    case .noPhone: drawNoPhone()
    case .searching: drawSearch()
    case .found:
      picture.draw(.found(phone: host.foundName, rssi: host.foundRSSI), in: board.language)
    case .connecting where host.pairingDelayEnd != nil:
      picture.draw(.pairingDelayed(secondsLeft: scene.secondsLeft ?? 0), in: board.language)
    case .connecting: picture.draw(.connecting(name: host.phoneName), in: board.language)
    case .ready where refusal?.asksForSecurity == true: picture.draw(.refused, in: board.language)
    case .ready: picture.draw(.ready(name: host.phoneName), in: board.language)
    }
  }

  private mutating func drawNoPhone() {
    if host.isCodeMissing {
      picture.draw(.codeMissing, in: board.language)
    } else {
      picture.draw(.noPhone, in: board.language)
    }
  }

  private mutating func drawNoStore() {
    guard !isMachineOurs else { return picture.draw(.trouble(.memory), in: board.language) }
    var advice = Explanation()
    bondKeeper.lastTrouble?.explain(board.store.bytes, into: &advice)
    picture.draw(.noStore(advice: advice.bytes), in: board.language)
  }

  private mutating func drawNoRadio() {
    guard !isMachineOurs else {
      let trouble = MachineTrouble(recovery.lastStep, isMoreToCome: recovery.deadline != nil)
      return picture.draw(.trouble(trouble), in: board.language)
    }
    var advice = Explanation()
    radioTrouble?.explain(
      board.hci, recovery.lastStep, remedyFirst: true, in: board.language, into: &advice)
    picture.draw(.noRadio(advice: advice.bytes), in: board.language)
  }

  /// A phone that is remembered is waited for; any other is searched for.
  private mutating func drawSearch() {
    if host.memory == .nothing {
      picture.draw(
        .searching(name: board.name.bytes, secondsLeft: scene.secondsLeft), in: board.language)
    } else {
      picture.draw(.waiting(phone: host.bondName), in: board.language)
    }
  }

  private mutating func draw(_ notice: Scene.Notice) {
    switch notice {
    case .phone: drawPhone()
    case .paired: picture.draw(.paired(phone: host.bondName), in: board.language)
    case .unpaired: picture.draw(.unpaired, in: board.language)
    case .unpairFailed where isMachineOurs: picture.draw(.trouble(.unpairing), in: board.language)
    case .unpairFailed: picture.draw(.unpairFailed, in: board.language)
    case .switchBluetooth: picture.draw(.switchBluetooth, in: board.language)
    case .reportSaved: picture.draw(.reportSaved, in: board.language)
    case .reportFailed where isMachineOurs: picture.draw(.trouble(.report), in: board.language)
    case .reportFailed(let reason): drawReportFailed(reason)
    case .pairingFailed(let setback): picture.draw(.pairingFailed(setback), in: board.language)
    case .sensorSaved(let kind):
      var name = SensorLabel()
      copyLabel(of: kind, into: &name)
      picture.draw(.sensorSaved(kind, name: name.bytes), in: board.language)
    case .sensorNotSaved(let kind): picture.draw(.sensorNotSaved(kind), in: board.language)
    case .sensorsForgotten: picture.draw(.sensorsForgotten, in: board.language)
    case .noSensorFound: picture.draw(.noSensorFound, in: board.language)
    case .sensorBattery(let kind, let percent):
      picture.draw(.sensorBattery(kind, percent: percent), in: board.language)
    }
  }

  private mutating func drawReportFailed(_ reason: Errno?) {
    var advice = Explanation()
    if let reason {
      advice.append(reason.explanation(for: .file))
    } else {
      advice.append("set report = file:PATH")
    }
    picture.draw(.reportFailed(advice: advice.bytes), in: board.language)
  }

  /// Which phone it is, and how to forget it.
  private mutating func drawPhone() {
    switch host.memory {
    case .keys: picture.draw(.phone(host.bondName, .paired), in: board.language)
    case .address: picture.draw(.phone(host.bondName, .address), in: board.language)
    case .nothing where isNoPhoneShown: drawNoPhone()
    case .nothing: picture.draw(.phone(host.peerName, .ride), in: board.language)
    }
  }

  /// What is known of the ride, in the rider's language.
  var tripFigures: TripFigures {
    var figures = guidance.tripFigures
    figures.language = board.language
    figures.clock = dayClock.minutes(at: clock)
    return figures
  }

  private mutating func drawRidePage() {
    shownTrip = tripFigures
    if connection == .ready {
      var page = RidePage(
        shownTrip, phone: host.phoneName, isConnected: true, rssi: host.peerRSSI,
        battery: host.peerBattery)
      page.radar = lastRadar
      picture.draw(.ride(page), in: board.language)
    } else {
      var page = RidePage(shownTrip, phone: host.bondName, isConnected: false)
      page.isAtHome = host.isAtHome
      page.radar = lastRadar
      picture.draw(.ride(page), in: board.language)
    }
  }

  private mutating func drawArrival() {
    let trip = tripFigures
    if guidance.turn.maneuver == .finish {
      picture.draw(.arrived(Arrival(trip, street: guidance.turn.street)), in: board.language)
    } else {
      picture.draw(.arrived(Arrival(trip, street: "".utf8.span)), in: board.language)
    }
  }
}

extension MachineTrouble {
  /// A radio that does not work, and what is being done about it.
  fileprivate init(_ step: RecoveryStep?, isMoreToCome: Bool) {
    self =
      switch step {
      case .reset, .reopen: .radioIsReset
      case .rebind: .radioIsSwitched
      case .reboot: .restart
      case nil: isMoreToCome ? .radioIsReset : .radio
      }
  }
}
