package import Bytes

/// One of the two buttons.
package enum Button: Equatable, Sendable {
  /// Turns the page.
  case page
  /// Forgets the phone.
  case unpair

  /// For how many milliseconds it is held for a long press.
  package var longTime: Int64 {
    switch self {
    case .page: 1_000
    case .unpair: 3_000
    }
  }

  /// What the events call it.
  package var name: String {
    switch self {
    case .page: "page"
    case .unpair: "unpair"
    }
  }

  var short: Gesture { self == .page ? .pageShort : .unpairShort }
  var long: Gesture { self == .page ? .pageLong : .unpairLong }
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
