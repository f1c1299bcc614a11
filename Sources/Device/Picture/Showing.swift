import Buttons
import Bytes
import Central
import Graphics
import Link
import Navigation
import PhoneServices
import SensorLinks
import Sensors

/// What is on the panel, of all that there is to see.
enum Showing: Equatable {
  case question(Scene.Question)
  /// How far the button is on its way to forget, of 1000.
  case forgettingSensors(permille: Int)
  case unpairing(permille: Int)
  /// The phone's owner is to agree, too.
  case phoneAsked(secondsLeft: Int)
  case call
  case notice(Scene.Notice)
  /// What the phone notified of.
  case banner
  case arrival
  /// Any page but that of the turn.
  case page(Scene.Page)
  case turn
  /// The remembered phone has no key of ours any more.
  case forgotten
  case wrongSettings
  case connection(Connection)
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

extension Device {
  /// What is due: what is asked of the rider first, then the ride, then the search.
  var showing: Showing {
    if let question = scene.question { return .question(question) }
    if let permille = presses.unpairProgress {
      return scene.page == .sensors
        ? .forgettingSensors(permille: permille) : .unpairing(permille: permille)
    }
    if isPhoneAsked, let secondsLeft = scene.secondsLeft {
      return .phoneAsked(secondsLeft: secondsLeft)
    }
    if isCallShown { return .call }
    if let notice = scene.notice { return .notice(notice) }
    if scene.isBannerShown { return .banner }
    if scene.isArrivalShown { return .arrival }
    if scene.page != .turn { return .page(scene.page) }
    if guidance.hasTurn { return .turn }
    if host.isBondRejected, connection != .ready { return .forgotten }
    return isMistakeDue ? .wrongSettings : .connection(connection)
  }

  /// What that offers.
  var offer: Offer {
    guard panel.isOn else { return .nothing }
    switch showing {
    case .question(let question): return .question(question.number)
    case .call: return session.call.map { .call($0.uid) } ?? .nothing
    case .page(.sensors): return offeredSensor
    case .notice(.phone): return isNoPhoneShown ? .pairing : .nothing
    case .turn: return isPhoneInDoubt ? .pairing : .nothing
    case .notice(.pairingFailed), .forgotten, .connection(.noPhone): return .pairing
    default: return .nothing
    }
  }

  private var offeredSensor: Offer {
    guard case .offering(let kind) = host.sensorSearch, let address = host.sensorAddress(kind)
    else { return .nothing }
    return .sensor(kind, address)
  }

  /// Whether nothing goes on before the rider presses page, which a turn says by its "!".
  var isPhoneInDoubt: Bool {
    connection == .noPhone || host.isBondRejected && connection != .ready
  }

  /// Whether the answer to "which phone" is that there is none.
  var isNoPhoneShown: Bool { host.memory == .nothing && connection != .ready }
}
