extension NotificationSession {
  /// Which notifications the rider wants to see.
  package enum Wish: Sendable {
    case calls
    case all
  }

  /// What there is to show, or no longer.
  package enum News: Equatable, Sendable {
    /// Somebody calls: `title` has the name.
    case call
    /// The call that was told has ended, or was taken.
    case callEnded
    /// `title` and `message` have another notification.
    case other
    /// The phone does not let its notifications be read.
    case forbidden(UInt8)
  }

  /// An action that the phone offers; the raw value is its identifier.
  package enum Action: UInt8, Sendable {
    case accept = 0
    case refuse = 1
  }
}
