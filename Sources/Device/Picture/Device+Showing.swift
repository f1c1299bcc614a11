import ATT
import Battery
import BoardFile
import Bond
import Buttons
import Bytes
import Central
package import DeviceState
import Link
import Messages
import Navigation
import Panel
import PhoneServices
import Screens
import SensorLinks
import Sensors
import Turns

/// From the state of the device to what is on the panel.
extension Device {
  /// What to show: a question to the rider first, then the ride, then the search.
  var showing: Showing {
    if let question = scene.question { return .question(question) }
    if let permille = presses.holdProgress, (presses.beganHold == .sensors) == isHoldForSensors {
      return isHoldForSensors
        ? .forgettingSensors(permille: permille) : .unpairing(permille: permille)
    }
    if isPhoneAsked, let secondsLeft = scene.secondsLeft {
      return .phoneAsked(secondsLeft: secondsLeft)
    }
    if isCallShown, let call = phone.call { return .call(call) }
    if let notice = scene.notice { return notice == .phone ? whichPhone : .notice(notice) }
    if scene.isBannerShown { return .banner }
    if scene.isArrivalShown {
      return .arrival(tripFigures, isFinish: guidance.turn.maneuver == .finish)
    }
    switch scene.page {
    case .turn: break
    case .pairing: return pairingShowing
    case .ride: return .ride(rideFigures)
    case .music: return .music
    case .data: return .data(dataFigures, shownRadar)
    case .sensors: return sensorsShowing
    }
    if guidance.hasTurn {
      return .turn(
        turnFigures, guidance.distance, street: guidance.streetNumber)
    }
    if host.security.isBondRejected, connection != .ready { return .keyLost }
    let showing = isMistakeDue ? .wrongSettings : connectionShowing
    return scene.isUpdateShown && showing.mayWait ? .updated : showing
  }

  /// Everything that the picture of `showing` is drawn from.
  func look(of showing: Showing) -> Look {
    Look(
      showing: showing, texts: texts(of: showing),
      clock: showsClock(showing) ? phone.clock.minutes(at: upkeep.now) : nil,
      isCounting: scene.secondsLeft != nil, light: display.power.level,
      streetOffset: display.streetScroll.offset)
  }

  /// Whether the picture has the time of day.
  func showsClock(_ showing: Showing) -> Bool {
    switch showing {
    case .turn: board.extra == .clock
    case .ride: true
    default: false
    }
  }

  /// What the screen offers, if the panel is on.
  var offer: Offer { display.isOn ? showing.offer : .nothing }

  /// Whether B, held long, forgets the sensors and not the phone.
  private var isHoldForSensors: Bool { scene.page == .sensors && scene.question == nil }

  /// What B is held for.
  var hold: PressRecognizer.Hold {
    if display.isOn, showing == .music { return .player }
    return isHoldForSensors ? .sensors : .phone
  }

  // MARK: - The ride

  private var turnFigures: TurnFigures {
    var figures = TurnFigures(guidance.turn.maneuver, age: guidance.age)
    (figures.isPhoneInDoubt, figures.isLinkLost) = (isPhoneInDoubt, isTurnLinkLost)
    (figures.isEstimated, figures.nearness) = (guidance.isEstimated, guidance.nearness)
    (figures.isMarked, figures.isInverted) = (guidance.isMarked, guidance.isInverted)
    (figures.extra, figures.radar) = (extraFigure, shownRadar)
    return figures
  }

  /// Whether the source of the turn has no link now; Gadgetbridge does not need komoot's service.
  var isTurnLinkLost: Bool {
    switch guidance.source {
    case .komoot: connection != .ready
    case .gadgetbridge: connection != .ready && !phone.gadgetbridge.hasWritten
    }
  }

  /// Whether the rider has to ask for a phone: a turn then shows "!", and the next page offers the search.
  var isPhoneInDoubt: Bool {
    connection == .noPhone
      || connection != .ready && (host.security.isBondRejected || host.isPhoneUnrecognised)
  }

  /// Why the rider has to ask for a phone, in words.
  private var pairingShowing: Showing {
    if host.security.isBondRejected { return .keyLost }
    return connection == .noPhone ? connectionShowing : .unrecognised
  }

  /// The figures of the ride so far, in the rider's language, without the clock.
  var tripFigures: TripFigures {
    var figures = guidance.tripFigures
    figures.language = board.language
    return figures
  }

  private var rideFigures: RideFigures {
    let isConnected = connection == .ready
    var figures = RideFigures(
      tripFigures, isConnected: isConnected, rssi: isConnected ? host.peerRSSI : nil,
      battery: isConnected ? host.peerBattery : nil)
    figures.isAtHome = !isConnected && home.isHere
    (figures.ownBattery, figures.radar) = (battery.charge?.percent, shownRadar)
    return figures
  }

  /// What the strip at the edge shows; `nil` without a remembered radar.
  var shownRadar: ShownRadar? {
    guard desk.remembered[.radar] != nil else { return nil }
    let radar = host.sensors.hasLinkToRemembered(.radar) ? desk.measurements.radar : Radar()
    var shown = ShownRadar(isSilent: radar.isSilent(at: upkeep.now))
    for index in 0..<radar.count { shown.add(metres: radar[index].distance) }
    return shown
  }

  // MARK: - The phone

  private var whichPhone: Showing {
    switch host.security.memory {
    case .keys: .whichPhone(.paired)
    case .address: .whichPhone(.address)
    case .nothing where connection == .ready: .whichPhone(.ride)
    case .nothing: .whichPhoneIsNone(isCodeMissing: host.security.isCodeMissing)
    }
  }

  private var connectionShowing: Showing {
    switch connection {
    case .starting: .starting
    case .noStore: .noStore(store.lastTrouble)
    case .noRadio:
      .noRadio(
        upkeep.radioTrouble, upkeep.recovery.lastStep, isMoreToCome: upkeep.recovery.deadline != nil
      )
    case .noPhone: .noPhone(isCodeMissing: host.security.isCodeMissing)
    case .searching where host.security.memory == .nothing:
      .searching(secondsLeft: scene.secondsLeft)
    case .searching: .waiting(isKomoots: !board.advertises)
    case .found: .found(rssi: host.foundRSSI)
    case .connecting where host.pairingDelayEnd != nil:
      .pairingDelayed(secondsLeft: scene.secondsLeft ?? 0)
    case .connecting: .connecting
    case .ready:
      phone.refusal?.asksForSecurity == true
        ? .refused
        : .ready(isKomoots: !phone.gadgetbridge.hasWritten)
    }
  }

  // MARK: - Texts

  private func texts(of showing: Showing) -> TextMark {
    var mark = TextMark()
    switch showing {
    case .question, .unpairing, .phoneAsked, .keyLost, .connecting, .ready:
      mark.add(host.phoneName)
    case .ride where connection == .ready: mark.add(host.phoneName)
    case .ride, .waiting, .notice(.paired): mark.add(host.bondName)
    case .whichPhone(let acquaintance):
      mark.add(acquaintance == .ride ? host.peerName : host.bondName)
    case .found: mark.add(host.foundName)
    case .call: mark.add(phone.noticeTitle)
    case .banner:
      mark.add(phone.noticeTitle)
      mark.add(phone.noticeMessage)
    case .arrival(_, isFinish: true): mark.add(guidance.turn.street)
    case .music:
      mark.add(phone.musicTitle)
      mark.add(phone.musicArtist)
    case .sensors: for kind in SensorKind.all { addLabel(of: kind, to: &mark) }
    case .notice(.sensorSaved(let kind)), .sensorPairing(let kind): addLabel(of: kind, to: &mark)
    case .sensorTried, .sensorOffered:
      let label = SensorLabel { copyCandidateLabel(into: &$0) }
      mark.add(label.bytes)
    default: break
    }
    return mark
  }

  private func addLabel(of kind: SensorKind, to mark: inout TextMark) {
    let label = SensorLabel { copyLabel(of: kind, into: &$0) }
    mark.add(label.bytes)
  }
}

extension Device {
  /// How far the connection to the phone has come.
  package var connection: Connection {
    switch host.stage {
    case .off where store.isPhoneAwaited && store.lastTrouble != nil: .noStore
    // For the rider a search goes on while the controller is brought up again.
    case .off where upkeep.radioTrouble == nil && upkeep.hasRadioWorked: .searching
    case .off: upkeep.isRadioAwaited ? .starting : .noRadio
    case .idle: .noPhone
    case .searching: .searching
    case .found: .found
    case .connecting: .connecting
    case .ready: .ready
    }
  }

  /// Whether to show the mistake in the board file: only while no phone has anything to say.
  var isMistakeDue: Bool {
    switch connection {
    case .starting, .noStore, .noRadio, .noPhone, .searching: !scene.mistake.isEmpty
    case .found, .connecting, .ready: false
    }
  }
}
