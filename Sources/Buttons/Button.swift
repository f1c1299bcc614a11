public import Bytes

/// One of the two buttons.
public enum Button: Equatable, Sendable {
  /// Turns the page.
  case page
  /// Forgets the phone.
  case unpair

  /// For how many milliseconds it is held for a long press.
  public var longTime: Int64 {
    switch self {
    case .page: 1_000
    case .unpair: 3_000
    }
  }

  /// What the events call it.
  public var name: String {
    switch self {
    case .page: "page"
    case .unpair: "unpair"
    }
  }

  var short: Gesture { self == .page ? .pageShort : .unpairShort }
  var long: Gesture { self == .page ? .pageLong : .unpairLong }
}

/// A contact that closed or opened, bounces included, when the kernel saw it.
public struct Edge: Equatable, Sendable {
  /// Whose contact it is.
  public var button: Button
  /// Whether the contact closed.
  public var isPressed: Bool
  /// The kernel's timestamp.
  public var time: Instant

  /// An edge at `time`.
  public init(_ button: Button, isPressed: Bool, at time: Instant) {
    self.button = button
    self.isPressed = isPressed
    self.time = time
  }
}

/// What the buttons tell.
public enum ButtonEvent: Equatable, Sendable {
  /// The rider did this.
  case gesture(Gesture)
  /// The button is held for longer than anybody would hold it.
  case stuck(Button)
}
