import Buttons
import Bytes

/// Someone who presses buttons in virtual time, and writes down what the recognizer makes of it.
struct Rider: ~Copyable {
  typealias Contact = (button: Button, isPressed: Bool, time: Int64)

  /// An outcome, whenever its press began.
  enum Heard: Equatable { case gesture(Gesture), stuck(Button) }

  private var recognizer: PressRecognizer
  private(set) var heard: [Heard] = []

  init(isAPressed: Bool = false, isBPressed: Bool = false) {
    recognizer = PressRecognizer(
      isAPressed: isAPressed, isBPressed: isBPressed, at: Instant(milliseconds: 0))
  }

  var deadline: Int64? { recognizer.deadline?.milliseconds }

  var progress: Int? { recognizer.holdProgress }

  mutating func press(_ button: Button, at time: Int64) { take([(button, true, time)]) }

  mutating func release(_ button: Button, at time: Int64) { take([(button, false, time)]) }

  /// Gives edges without that the clock moves in between, as when they are read late.
  mutating func take(_ edges: [Contact]) {
    for edge in edges {
      recognizer.receive(
        Edge(edge.button, isPressed: edge.isPressed, at: Instant(milliseconds: edge.time)))
      listen()
    }
  }

  mutating func seeReleased(_ button: Button, at now: Int64) {
    recognizer.receiveRelease(of: button, at: Instant(milliseconds: now))
  }

  /// Lets the clock run as the loop does: from deadline to deadline.
  mutating func wait(until end: Int64) {
    while let due = recognizer.deadline, due.milliseconds < end {
      recognizer.advance(to: due)
      listen()
    }
    recognizer.advance(to: Instant(milliseconds: end))
    listen()
  }

  /// Lets the clock run without that the loop wakes in between.
  mutating func skip(to now: Int64) {
    recognizer.advance(to: Instant(milliseconds: now))
    listen()
  }

  private mutating func listen() {
    while let outcome = recognizer.takeOutcome() {
      switch outcome {
      case .gesture(let gesture, _): heard.append(.gesture(gesture))
      case .stuck(let button): heard.append(.stuck(button))
      }
    }
  }
}
