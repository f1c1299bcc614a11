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
  mutating func draw() {
    panel.setInverted(false)
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
      drawTurn()
    } else {
      drawConnection()
    }
  }

  private mutating func drawTurn() {
    var distance = guidance.distance.text
    let age = guidance.age.map { Int(truncatingIfNeeded: $0.seconds) }
    picture.draw(
      .navigation(
        Turn(
          direction: guidance.instruction.direction.rawValue, distance: distance.bytes,
          street: guidance.instruction.street, age: age)))
    // The panel does that itself, so that it costs three bytes and not the whole picture twice.
    panel.setInverted(guidance.isInverted)
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
    case .ready: picture.draw(.ready(name: scene.phoneName.bytes))
    }
  }

  /// A phone that is known is waited for, any other searched for.
  private mutating func drawSearch() {
    if let acquaintance = bondAcquaintance {
      picture.draw(.waiting(phone: host.bondName, acquaintance))
    } else {
      picture.draw(
        .searching(name: board.name.bytes, secondsLeft: scene.secondsLeft, phase: 0))
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
    case .notFreed:
      let (title, text) = (
        "Not forgotten".utf8, "The store cannot be written: see the events.".utf8
      )
      picture.draw(.message(title: title.span, text: text.span))
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
    var title = FixedBuffer<48>()
    appendPhone(to: &title)
    var text = FixedBuffer<64>()
    text.append("Lenker ")
    text.append(Lenker.version)
    if let age = guidance.age {
      text.append(", last turn ")
      age.append(to: &text)
      text.append(" ago")
    }
    picture.draw(.message(title: title.bytes, text: text.bytes))
  }

  private func appendPhone(to text: inout FixedBuffer<48>) {
    switch scene.connection {
    case .ready where scene.phoneName.isEmpty: text.append("A phone")
    case .ready: text.append(scene.phoneName.bytes)
    default: text.append("No phone")
    }
  }
}
