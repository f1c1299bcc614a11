package import Bytes
import Central
import Graphics
import Link
package import Messages
package import Navigation
package import Panel
import PhoneServices
package import Screens
import SensorLinks
package import Sensors

/// The one screen that is to be shown, with the figures on it.
///
/// `Device.showing` computes it from the state. What is drawn, when it is drawn again, and what a press means
/// follow from it.
package enum Showing: Equatable {
  case question(Scene.Question)
  /// How far the button is on its way to forget, of 1000.
  case forgettingSensors(permille: Int)
  case unpairing(permille: Int)
  /// The phone's owner is to agree, too.
  case phoneAsked(secondsLeft: Int)
  /// A call, by the phone's number for it.
  case call(UInt32)
  /// Any notice but the one that says which phone it is.
  case notice(Scene.Notice)
  /// How well the phone is known that the rider has asked for.
  case whichPhone(Acquaintance)
  /// The rider has asked for the phone, and there is none.
  case whichPhoneIsNone(isCodeMissing: Bool)
  /// What the phone notified of.
  case banner
  case arrival(TripFigures, isFinish: Bool)
  case ride(RideFigures)
  case music
  case data(DataFigures, ShownRadar?)
  case sensors(PerKind<SensorState>)
  case sensorSearch(secondsLeft: Int)
  case sensorTried(SensorKind)
  case sensorOffered(OfferedSensor)
  /// One that denies the key which is kept of it may be paired with again.
  case sensorPairing(SensorKind)
  /// With the number of the street.
  case turn(TurnFigures, RoundedDistance, street: UInt32)
  /// The remembered phone has no key of ours any more.
  case forgotten
  /// Phones come of which one may be the rider's, but none can be recognised.
  case unrecognised
  case wrongSettings
  /// The program is of another version than the one before.
  case updated
  case starting
  case noStore(StoreTrouble?)
  case noRadio(RadioTrouble?, RecoveryStep?, isMoreToCome: Bool)
  case noPhone(isCodeMissing: Bool)
  case searching(secondsLeft: Int?)
  /// A phone that is remembered is searched for.
  case waiting(isKomoots: Bool)
  case found(rssi: Int8?)
  case connecting
  case pairingDelayed(secondsLeft: Int)
  /// Nothing to say yet; Gadgetbridge's turns may come of any app.
  case ready(isKomoots: Bool)
  /// The phone gives instructions to paired devices only.
  case refused
}

/// A sensor that a press may keep.
package struct OfferedSensor: Equatable {
  /// Where the host has it.
  package let place: SensorKind
  /// What it is shown as.
  package let kind: SensorKind
  package let address: DeviceAddress
  package let reading: SensorCandidate.Reading

  package init(
    place: SensorKind, kind: SensorKind, address: DeviceAddress, reading: SensorCandidate.Reading
  ) {
    (self.place, self.kind, self.address, self.reading) = (place, kind, address, reading)
  }
}

/// All that a picture is drawn from: it is drawn again when that differs.
package struct Look: Equatable {
  package let showing: Showing
  /// The names and other texts in it, but for the street.
  package let texts: TextMark
  /// The minutes since midnight, where they are shown.
  package let clock: Int?
  /// Whether the rider waits for the end of something, such as a search.
  package let isCounting: Bool
  package let light: PanelPower.Level
  /// How far the street has run through the panel, in columns.
  package let streetOffset: Int

  package init(
    showing: Showing, texts: TextMark, clock: Int?, isCounting: Bool, light: PanelPower.Level,
    streetOffset: Int
  ) {
    self.showing = showing
    self.texts = texts
    self.clock = clock
    self.isCounting = isCounting
    self.light = light
    self.streetOffset = streetOffset
  }

  /// The same in another light.
  package func with(light: PanelPower.Level) -> Look {
    Look(
      showing: showing, texts: texts, clock: clock, isCounting: isCounting, light: light,
      streetOffset: streetOffset)
  }

  /// Whether the panel is to get bright for it.
  ///
  /// Another minute, and what becomes of a phone that is not trusted yet, are not worth that.
  package func isNews(after last: Look?) -> Bool {
    guard let last, isCounting == last.isCounting else { return true }
    if showing.isOfStranger(after: last.showing) { return false }
    return showing != last.showing || texts != last.texts || light != last.light
      || streetOffset != last.streetOffset
  }
}

extension Showing {
  /// Whether only what a phone does that is not trusted leads from `last` to this.
  fileprivate func isOfStranger(after last: Showing) -> Bool {
    switch (last, self) {
    case (.found, .found), (.connecting, .connecting), (.found, .connecting), (.connecting, .found):
      true
    case (.found, _), (.connecting, _): isWithoutPhone
    case (_, .found), (_, .connecting): last.isWithoutPhone
    default: false
    }
  }

  private var isWithoutPhone: Bool {
    switch self {
    case .noPhone, .searching, .waiting, .wrongSettings: true
    default: false
    }
  }

  /// Whether it only says how far the connection is, and may wait for what is told once.
  package var mayWait: Bool {
    switch self {
    case .starting, .noPhone(isCodeMissing: false), .searching, .waiting, .found, .connecting,
      .ready:
      true
    default: false
    }
  }

  /// What a press agrees to.
  package var offer: Offer {
    switch self {
    case .question(let question): .question(question.number)
    case .call(let uid): .call(uid)
    case .sensorOffered(let sensor): .sensor(sensor.place, sensor.address)
    case .sensorPairing(let kind): .sensorPairing(kind)
    case .notice(.pairingFailed), .notice(.unpaired), .whichPhoneIsNone, .forgotten,
      .unrecognised, .noPhone:
      .pairing
    default: .nothing
    }
  }
}

/// What a press agrees to, if it is of something that the rider could read.
package enum Offer: Equatable {
  case nothing
  /// A question of pairing, by its number.
  case question(UInt32)
  /// A call, by the phone's number for it.
  case call(UInt32)
  /// A sensor that the search has found.
  case sensor(SensorKind, DeviceAddress)
  /// A sensor that wants to be paired with again.
  case sensorPairing(SensorKind)
  /// A search in which a phone may be paired with.
  case pairing
}

/// How far the connection to the phone has come, as the rider sees it.
package enum Connection: Equatable {
  case starting, noStore, noRadio, noPhone, searching, found, connecting, ready
}
