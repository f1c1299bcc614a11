import Bytes
import Central
import Graphics
import Link
import Navigation
import Panel
import PhoneServices
import Screens
import SensorLinks
import Sensors
import Turns

/// The one screen that is to be shown, with the figures on it.
///
/// `Device.showing` computes it from the state. What is drawn, when it is drawn again, and what a press means
/// follow from it.
enum Showing: Equatable {
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
  case ride(ShownRide)
  case music
  case data(DataFigures, ShownRadar?)
  case sensors(PerKind<SensorState>)
  case sensorSearch(secondsLeft: Int)
  case sensorTried(SensorKind)
  case sensorOffered(OfferedSensor)
  case turn(TurnFigures)
  /// The remembered phone has no key of ours any more.
  case forgotten
  case wrongSettings
  case starting
  case noStore(StoreTrouble?)
  case noRadio(RadioTrouble?, RecoveryStep?, isMoreToCome: Bool)
  case noPhone(isCodeMissing: Bool)
  case searching(secondsLeft: Int?)
  /// A phone that is remembered is searched for.
  case waiting
  case found(rssi: Int8?)
  case connecting
  case pairingDelayed(secondsLeft: Int)
  case ready
  /// The phone gives instructions to paired devices only.
  case refused
}

/// The figures of the page of the ride, but for the clock.
struct ShownRide: Equatable {
  let figures: TripFigures
  let isConnected: Bool
  let rssi: Int8?
  let battery: UInt8?
  let isAtHome: Bool
  let radar: ShownRadar?
}

/// A sensor that a press may keep.
struct OfferedSensor: Equatable {
  /// Where the host has it.
  let place: SensorKind
  /// What it is shown as.
  let kind: SensorKind
  let address: DeviceAddress
  let reading: SensorCandidate.Reading
}

/// The figures of a turn, but for the clock.
struct TurnFigures: Equatable {
  let maneuver: Maneuver
  let distance: RoundedDistance
  /// The number of the street.
  let street: UInt32
  let age: Age?
  /// Whether nothing goes on before the rider presses page.
  let isPhoneInDoubt: Bool
  let isLinkLost: Bool
  let isEstimated: Bool
  let nearness: Int?
  let isMarked: Bool
  let isInverted: Bool
  let extra: ShownFigure?
  let radar: ShownRadar?
}

/// All that a picture is drawn from: it is drawn again when that differs.
struct Look: Equatable {
  let showing: Showing
  /// The names and other texts in it, but for the street.
  let texts: TextMark
  /// The minutes since midnight, where they are shown.
  let clock: Int?
  /// Whether the rider waits for the end of something, such as a search.
  let isCounting: Bool
  let light: PanelPower.Level
  /// How far the street has run through the panel, in columns.
  let streetOffset: Int

  /// The same in another light.
  func with(light: PanelPower.Level) -> Look {
    Look(
      showing: showing, texts: texts, clock: clock, isCounting: isCounting, light: light,
      streetOffset: streetOffset)
  }

  /// Whether the panel is to get bright for it.
  ///
  /// Another minute, and what becomes of a phone that is not trusted yet, are not worth that.
  func isNews(after last: Look?) -> Bool {
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

  /// What a press agrees to.
  var offer: Offer {
    switch self {
    case .question(let question): .question(question.number)
    case .call(let uid): .call(uid)
    case .sensorOffered(let sensor): .sensor(sensor.place, sensor.address)
    case .turn(let figures) where figures.isPhoneInDoubt: .pairing
    case .notice(.pairingFailed), .whichPhoneIsNone, .forgotten, .noPhone: .pairing
    default: .nothing
    }
  }
}

/// What a press agrees to, if it is of something that the rider could read.
enum Offer: Equatable {
  case nothing
  /// A question of pairing, by its number.
  case question(UInt32)
  /// A call, by the phone's number for it.
  case call(UInt32)
  /// A sensor that the search has found.
  case sensor(SensorKind, DeviceAddress)
  /// A search in which a phone may be paired with.
  case pairing
}
