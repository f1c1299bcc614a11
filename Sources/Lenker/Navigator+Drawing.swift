import Bytes
import Graphics
import Komoot
import Navigation
import Screens

/// From the state of things to a screen.
extension Navigator {
  /// Draws the screen that is due: an answer to the rider first, then the ride, then the search.
  mutating func draw() {
    if scene.isShowingNotice {
      drawNotice()
    } else if scene.page == .facts {
      drawFacts()
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
    distance.removeAll()
  }

  private mutating func drawConnection() {
    switch scene.connection {
    case .starting:
      let version = Lenker.version.utf8
      picture.draw(.starting(version: version.span))
    case .noRadio: picture.draw(.noRadio(advice: scene.advice.bytes))
    case .searching: picture.draw(.searching(secondsLeft: nil, phase: 0))
    case .connecting: picture.draw(.connecting(name: scene.phoneName.bytes))
    case .ready: picture.draw(.ready(name: scene.phoneName.bytes))
    }
  }

  /// Which phone it is, and how to let it go.
  private mutating func drawNotice() {
    var title = FixedBuffer<48>()
    appendPhone(to: &title)
    let advice = scene.connection == .ready ? "Hold for 3 s to leave it" : "Searching for one"
    let utf8 = advice.utf8
    picture.draw(.message(title: title.bytes, text: utf8.span))
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
