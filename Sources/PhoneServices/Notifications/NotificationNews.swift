extension NotificationSession {
  /// Which notifications the rider wants to see.
  package enum Wish: Sendable {
    case calls
    case all
    /// Calls, and those of some apps: it is known whose each one is.
    case apps
  }

  /// What the panel must show, or show no longer.
  package enum News: Equatable, Sendable {
    /// A call came in: `title` has the name.
    case call
    /// The call has ended, or was accepted.
    case callEnded
    /// `title` and `message` have another notification.
    case other
    /// The phone does not allow access to its notifications; with its error.
    case forbidden(UInt8)
  }

  /// An action that the phone offers, with its identifier.
  package enum Action: UInt8, Sendable {
    case accept = 0
    case refuse = 1
  }
}
