package import Bytes

/// One of the two buttons.
package enum Button: Equatable, Sendable {
  /// Goes on and says yes.
  case a
  /// The other one: no, next, more; held long, it forgets.
  case b

  /// For how many milliseconds it is held for a long press.
  package var longTime: Int64 {
    switch self {
    case .a: 1_000
    case .b: 3_000
    }
  }

  /// What the events call it.
  package var name: String {
    switch self {
    case .a: "a"
    case .b: "b"
    }
  }

  var short: Gesture { self == .a ? .aShort : .bShort }
  var long: Gesture { self == .a ? .aLong : .bLong }
}

/// A contact that closed or opened, bounces included, when the kernel saw it.
package struct Edge: Equatable, Sendable {
  /// Whose contact it is.
  package var button: Button
  package var isPressed: Bool
  /// The kernel's timestamp.
  package var time: Instant

  package init(_ button: Button, isPressed: Bool, at time: Instant) {
    self.button = button
    self.isPressed = isPressed
    self.time = time
  }
}

/// What the buttons tell.
package enum ButtonEvent: Equatable, Sendable {
  /// The rider did this.
  case gesture(Gesture)
  /// The button is held for longer than any rider holds it.
  case stuck(Button)
}
