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
  /// How far the hold of the button is on its way to forget, in thousandths.
  case forgettingSensors(permille: Int)
  case unpairing(permille: Int)
  /// The phone's owner is to agree, too.
  case phoneAsked(secondsLeft: Int)
  /// A call, by the phone's number for it.
  case call(UInt32)
  /// Any notice but the one that says which phone it is.
  case notice(Scene.Notice)
  /// The rider has asked which phone it is: how well it is known.
  case whichPhone(Acquaintance)
  /// The rider has asked which phone it is, and there is none.
  case whichPhoneIsNone(isCodeMissing: Bool)
  /// A notification of the phone.
  case banner
  case arrival(TripFigures, isFinish: Bool)
  case ride(RideFigures)
  case music
  case data(DataFigures, ShownRadar?)
  case sensors(PerKind<SensorState>)
  case sensorSearch(secondsLeft: Int)
  case sensorTried(SensorKind)
  case sensorOffered(OfferedSensor)
  /// The rider is asked whether to pair again with a sensor whose stored key fails.
  case sensorPairing(SensorKind)
  /// With the number of the street.
  case turn(TurnFigures, RoundedDistance, street: UInt32)
  /// The remembered phone no longer has our key.
  case keyLost
  /// There are phones of which one may be the rider's, but none can be recognised.
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
  /// There is no turn yet; with Gadgetbridge, not `isKomoots`, turns may come from any app.
  case ready(isKomoots: Bool)
  /// The phone gives instructions to paired devices only.
  case refused
}

/// A sensor that a press may keep.
package struct OfferedSensor: Equatable {
  /// The kind as which the host has it.
  package let place: SensorKind
  /// The kind as which it is shown.
  package let kind: SensorKind
  package let address: DeviceAddress
  package let reading: SensorCandidate.Reading

  package init(
    place: SensorKind, kind: SensorKind, address: DeviceAddress, reading: SensorCandidate.Reading
  ) {
    (self.place, self.kind, self.address, self.reading) = (place, kind, address, reading)
  }
}

/// Everything that a picture is drawn from: a change draws it again.
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
  /// A new minute, or what a phone does that is not trusted yet, is not worth that.
  package func isWorthLight(after last: Look?) -> Bool {
    guard let last, isCounting == last.isCounting else { return true }
    if showing.isOfStranger(after: last.showing) { return false }
    return showing != last.showing || texts != last.texts || light != last.light
      || streetOffset != last.streetOffset
  }
}

extension Showing {
  /// Whether only a phone that is not trusted has caused the change from `last` to this.
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

  /// Whether it only shows the state of the connection, and may wait for something that is shown once.
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
    case .notice(.pairingFailed), .notice(.unpaired), .whichPhoneIsNone, .keyLost,
      .unrecognised, .noPhone:
      .pairing
    default: .nothing
    }
  }
}

/// What a press agrees to, if the rider could read it.
package enum Offer: Equatable {
  case nothing
  /// A question of pairing, by its number.
  case question(UInt32)
  /// A call, by the phone's number for it.
  case call(UInt32)
  /// A sensor that the search has found.
  case sensor(SensorKind, DeviceAddress)
  /// Another pairing with a sensor.
  case sensorPairing(SensorKind)
  /// A search for a phone to pair with.
  case pairing
}

/// How far the connection to the phone has come, as the rider sees it.
package enum Connection: Equatable {
  case starting, noStore, noRadio, noPhone, searching, found, connecting, ready
}
