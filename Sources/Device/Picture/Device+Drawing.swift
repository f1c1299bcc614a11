import BoardFile
import Bond
import Buttons
import Bytes
import Central
import DeviceState
import Graphics
import Link
import Messages
import Navigation
import Panel
import PhoneServices
import Recording
import Screens
import Turns

/// From `Showing` to its picture.
extension Device {
  /// The picture of `showing`; `streetOffset` is how far a long street has run through the panel, in columns.
  func picture(of showing: Showing, streetOffset: Int) -> Bitmap {
    var picture = Bitmap(board.panel.pictureSize(board.rotation))
    switch showing {
    case .question(let question): draw(question.subject, into: &picture)
    case .call: picture.draw(.call(name: phone.noticeTitle), in: board.language)
    case .notice(let notice): draw(notice, into: &picture)
    case .banner:
      picture.draw(
        .notification(title: phone.noticeTitle, message: phone.noticeMessage),
        in: board.language)
    case .arrival(let figures, let isFinish):
      drawArrival(figures, isFinish: isFinish, into: &picture)
    case .ride(let ride): draw(ride, into: &picture)
    case .music:
      picture.draw(
        .music(title: phone.musicTitle, artist: phone.musicArtist), in: board.language)
    case .data(let figures, let radar):
      picture.draw(.data(figures, radar: radar), in: board.language)
    case .turn(let figures, let distance, street: _):
      draw(figures, distance, streetOffset: streetOffset, into: &picture)
    case .forgettingSensors(let permille):
      picture.draw(.forgettingSensors(permille: permille), in: board.language)
    case .sensors(let states): drawSensors(states, into: &picture)
    case .sensorSearch(let secondsLeft):
      picture.draw(.sensorSearch(secondsLeft: secondsLeft), in: board.language)
    case .sensorTried(let kind): drawCandidate(kind, .connecting, into: &picture)
    case .sensorOffered(let sensor): draw(sensor, into: &picture)
    case .sensorPairing(let kind):
      let name = SensorLabel { copyLabel(of: kind, into: &$0) }
      picture.draw(.sensorPairing(kind, name: name.bytes), in: board.language)
    case .unpairing, .phoneAsked, .whichPhone, .whichPhoneIsNone, .keyLost, .unrecognised,
      .noPhone, .searching, .waiting, .found, .connecting, .pairingDelayed, .ready, .refused:
      drawPhone(showing, into: &picture)
    case .wrongSettings, .noStore, .noRadio: drawTrouble(showing, into: &picture)
    case .starting: picture.draw(.starting(version: upkeep.number), in: board.language)
    case .updated: picture.draw(.updated(version: upkeep.number), in: board.language)
    }
    return picture
  }

  private func draw(_ question: Scene.Question.Subject, into picture: inout Bitmap) {
    let phone = host.phoneName
    switch question {
    case .comparison(let number):
      picture.draw(
        .comparison(number: number, name: board.name.bytes, phone: phone), in: board.language)
    case .noCode: picture.draw(.noCode(phone: phone), in: board.language)
    }
  }

  // MARK: - The ride

  /// A street too long for the panel, by its number, and the columns that do not fit; `nil` where it stands
  /// still or none shows.
  func runningStreet(of showing: Showing) -> RunningStreet? {
    guard case .turn(let figures, let metres, let street) = showing, display.isOn,
      !guidance.isStale
    else { return nil }
    let distance = metres.text(in: board.language)
    let turn = shownTurn(figures, distance: distance.bytes)
    let size = board.panel.pictureSize(board.rotation)
    // Measured beside all figures that take room from the street.
    let overflow = Bitmap(size).streetOverflow(of: turn)
    return RunningStreet(number: street, overflow: overflow)
  }

  @_lifetime(borrow self, copy distance)
  @_addressableSelf
  private borrowing func shownTurn(_ figures: TurnFigures, distance: Span<UInt8>) -> ShownTurn {
    var figures = figures
    if board.extra == .clock {
      figures.extra = .clock(minutes: phone.clock.minutes(at: upkeep.now))
    }
    return ShownTurn(figures, distance: distance, street: guidance.turn.street)
  }

  private func draw(
    _ figures: TurnFigures, _ metres: RoundedDistance, streetOffset: Int,
    into picture: inout Bitmap
  ) {
    let distance = metres.text(in: board.language)
    var turn = shownTurn(figures, distance: distance.bytes)
    turn.streetOffset = streetOffset
    picture.draw(.navigation(turn), in: board.language)
  }

  private func draw(_ ride: RideFigures, into picture: inout Bitmap) {
    var figures = ride
    figures.trip.clock = phone.clock.minutes(at: upkeep.now)
    let phone = ride.isConnected ? host.phoneName : host.bondName
    picture.draw(.ride(RidePage(figures, phone: phone)), in: board.language)
  }

  private func drawArrival(
    _ figures: TripFigures, isFinish: Bool, into picture: inout Bitmap
  ) {
    var figures = figures
    figures.clock = phone.clock.minutes(at: upkeep.now)
    if isFinish {
      picture.draw(
        .arrived(Arrival(figures, street: guidance.turn.street)), in: board.language)
    } else {
      picture.draw(.arrived(Arrival(figures, street: "".utf8.span)), in: board.language)
    }
  }

  // MARK: - The phone

  private func drawPhone(_ showing: Showing, into picture: inout Bitmap) {
    let (language, phone) = (board.language, host.phoneName)
    switch showing {
    case .unpairing(let permille):
      picture.draw(.unpairing(phone: phone, permille: permille), in: language)
    case .phoneAsked(let secondsLeft):
      picture.draw(.phoneAsked(phone: phone, secondsLeft: secondsLeft), in: language)
    case .whichPhone(.ride): picture.draw(.phone(host.peerName, .ride), in: language)
    case .whichPhone(let known): picture.draw(.phone(host.bondName, known), in: language)
    case .whichPhoneIsNone(isCodeMissing: true), .noPhone(isCodeMissing: true):
      picture.draw(.codeMissing, in: language)
    case .whichPhoneIsNone, .noPhone: picture.draw(.noPhone, in: language)
    case .keyLost: picture.draw(.forgotten(phone: phone), in: language)
    case .unrecognised: picture.draw(.unrecognised, in: language)
    case .searching(let secondsLeft):
      picture.draw(
        .searching(
          name: board.name.bytes, secondsLeft: secondsLeft, isListed: board.advertises),
        in: language)
    case .waiting(let isKomoots):
      picture.draw(.waiting(phone: host.bondName, isKomoots: isKomoots), in: language)
    case .found(let rssi): picture.draw(.found(phone: host.foundName, rssi: rssi), in: language)
    case .connecting: picture.draw(.connecting(name: phone), in: language)
    case .pairingDelayed(let secondsLeft):
      picture.draw(.pairingDelayed(secondsLeft: secondsLeft), in: language)
    case .ready(let isKomoots):
      picture.draw(.ready(name: phone, isKomoots: isKomoots), in: language)
    case .refused: picture.draw(.refused, in: language)
    default: break
    }
  }

  // MARK: - What is wrong

  private func drawTrouble(_ showing: Showing, into picture: inout Bitmap) {
    var advice = Explanation()
    switch showing {
    case .wrongSettings:
      picture.draw(.wrongSettings(mistake: scene.mistake.bytes), in: board.language)
    case .noStore where upkeep.isMachineOurs: picture.draw(.trouble(.memory), in: board.language)
    case .noStore(let trouble):
      trouble?.explain(board.store.bytes, into: &advice)
      picture.draw(.noStore(advice: advice.bytes), in: board.language)
    case .noRadio(_, let step, let isMoreToCome) where upkeep.isMachineOurs:
      let trouble = MachineTrouble(step, isMoreToCome: isMoreToCome)
      picture.draw(.trouble(trouble), in: board.language)
    case .noRadio(let trouble, let step, _):
      trouble?.explain(board.hci, step, remedyFirst: true, in: board.language, into: &advice)
      picture.draw(.noRadio(advice: advice.bytes), in: board.language)
    default: break
    }
  }

  // MARK: - Notices

  private func draw(_ notice: Scene.Notice, into picture: inout Bitmap) {
    switch notice {
    case .phone: break  // shown as `Showing.whichPhone`
    case .paired: picture.draw(.paired(phone: host.bondName), in: board.language)
    case .unpaired: picture.draw(.unpaired, in: board.language)
    case .unpairFailed where upkeep.isMachineOurs:
      picture.draw(.trouble(.unpairing), in: board.language)
    case .unpairFailed: picture.draw(.unpairFailed, in: board.language)
    case .switchBluetooth: picture.draw(.switchBluetooth, in: board.language)
    case .reportSaved: picture.draw(.reportSaved, in: board.language)
    case .reportFailed where upkeep.isMachineOurs:
      picture.draw(.trouble(.report), in: board.language)
    case .reportFailed(let reason): drawReportFailed(reason, into: &picture)
    case .pairingFailed(let setback): picture.draw(.pairingFailed(setback), in: board.language)
    case .sensorSaved(let kind):
      let name = SensorLabel { copyLabel(of: kind, into: &$0) }
      picture.draw(.sensorSaved(kind, name: name.bytes), in: board.language)
    case .sensorNotSaved(let kind): picture.draw(.sensorNotSaved(kind), in: board.language)
    case .sensorsForgotten: picture.draw(.sensorsForgotten, in: board.language)
    case .noSensorFound: picture.draw(.noSensorFound, in: board.language)
    case .sensorBattery(let kind, let percent):
      picture.draw(.sensorBattery(kind, percent: percent), in: board.language)
    case .ownBattery(let percent): picture.draw(.ownBattery(percent: percent), in: board.language)
    }
  }

  private func drawReportFailed(_ reason: Errno?, into picture: inout Bitmap) {
    var advice = Explanation()
    if let reason {
      advice.append(reason.explanation(for: .file))
    } else {
      advice.append("set report = file:PATH")
    }
    picture.draw(.reportFailed(advice: advice.bytes), in: board.language)
  }
}

extension MachineTrouble {
  /// A radio that does not work, and what is being done about it.
  fileprivate init(_ step: RecoveryStep?, isMoreToCome: Bool) {
    self =
      switch step {
      case .reset, .reopen, .rebind: .radioRestarts
      case .reboot: .restart
      case nil: isMoreToCome ? .radioRestarts : .radio
      }
  }
}
