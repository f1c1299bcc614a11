import ATT
import BoardFile
import Bytes
import Graphics
import Host
import Komoot
import Navigation
import Screens

/// From the state of things to a screen.
extension Navigator {
  /// Draws the screen that is due: what is asked of the rider first, then the ride, then the search.
  mutating func draw(at now: Instant) {
    var isStreetShown = false
    if let number = scene.comparison {
      picture.draw(
        .comparison(number: number, name: board.name.bytes, phone: scene.phoneName.bytes))
    } else if let permille = scene.unpairing {
      picture.draw(.unpairing(phone: scene.phoneName.bytes, permille: permille))
    } else if let notice = scene.notice {
      draw(notice)
    } else if scene.page == .facts {
      drawFacts()
    } else if scene.isForgotten, scene.connection != .ready {
      picture.draw(.forgotten(phone: scene.phoneName.bytes))
    } else if guidance.hasInstruction {
      isStreetShown = panel.isOn && !guidance.isStale
      drawTurn(isStreetRunning: isStreetShown, at: now)
    } else if scene.isMistakeDue {
      picture.draw(.wrongSettings(mistake: scene.mistake.bytes))
    } else {
      drawConnection()
    }
    if !isStreetShown { streetScroll.hide() }
  }

  private mutating func drawTurn(isStreetRunning: Bool, at now: Instant) {
    var distance = guidance.distance.text
    let age = guidance.age.map { Int(truncatingIfNeeded: $0.seconds) }
    var turn = Turn(
      direction: guidance.instruction.direction.rawValue, distance: distance.bytes,
      street: guidance.instruction.street, age: age)
    if isStreetRunning {
      if !streetScroll.isShowing(turn.street) {
        streetScroll.show(turn.street, overflow: picture.streetOverflow(of: turn), at: now)
      }
      turn.streetOffset = streetScroll.offset
    }
    turn.isInverted = guidance.isInverted
    picture.draw(.navigation(turn))
    distance.removeAll()
  }

  private mutating func drawConnection() {
    switch scene.connection {
    case .starting:
      let version = Lenker.version.utf8
      picture.draw(.starting(version: version.span))
    case .noRadio: picture.draw(.noRadio(advice: scene.advice.bytes))
    case .unpaired: picture.draw(.unpaired)
    case .searching: drawSearch()
    case .found: picture.draw(.found(phone: scene.phoneName.bytes, rssi: scene.rssi))
    case .connecting: picture.draw(.connecting(name: scene.phoneName.bytes))
    case .ready where refusal?.asksForSecurity == true: picture.draw(.refused)
    case .ready: picture.draw(.ready(name: scene.phoneName.bytes))
    }
  }

  /// A phone that is known is waited for, any other searched for.
  private mutating func drawSearch() {
    if host.memory == .nothing {
      picture.draw(.searching(name: board.name.bytes, secondsLeft: scene.secondsLeft))
    } else {
      picture.draw(.waiting(phone: host.bondName))
    }
  }

  /// How the remembered phone is known, if there is one.
  private var bondAcquaintance: Acquaintance? {
    switch host.memory {
    case .keys, .name: .paired
    case .address: .address
    case .nothing: nil
    }
  }

  private mutating func draw(_ notice: Scene.Notice) {
    switch notice {
    case .phone: drawPhone()
    case .freed: picture.draw(.freed)
    case .notFreed: picture.draw(.notFreed)
    case .pairingFailed(let failure): picture.draw(.pairingFailed(failure))
    }
  }

  /// Which phone it is, and how to let it go.
  private mutating func drawPhone() {
    if let acquaintance = bondAcquaintance {
      picture.draw(.phone(host.bondName, acquaintance))
    } else if scene.connection == .ready {
      picture.draw(.phone(scene.phoneName.bytes, .ride))
    } else {
      picture.draw(.unpaired)
    }
  }

  private mutating func drawFacts() {
    let version = Lenker.version.utf8
    let age = scene.newsAge.map { Int(truncatingIfNeeded: $0.seconds) }
    if scene.connection == .ready {
      picture.draw(
        .facts(
          Facts(
            phone: scene.phoneName.bytes, isConnected: true, rssi: scene.rssi,
            battery: host.peerBattery, age: age, version: version.span)))
    } else {
      picture.draw(
        .facts(
          Facts(
            phone: host.bondName, isConnected: false, rssi: scene.rssi, age: age,
            version: version.span)))
    }
  }
}
