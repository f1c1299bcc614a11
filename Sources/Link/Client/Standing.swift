import ATT

/// Whether the table may be asked for, and over what link.
///
/// | standing | what happens | next |
/// |---|---|---|
/// | `silent` | `begin` | `open` |
/// | `open` | a line asks for a secure link | `held` |
/// | | the link is being secured for another reason | `silent` |
/// | any | `secured` | `secure` |
/// | any but `silent` | `insecure` | `insecure` |
///
/// Only `open` leads to `held`. A refusal that comes in `silent`, of a request from before, counts for nothing.
enum Standing: Equatable {
  /// Nothing is asked: a phone that has a key is asked nothing over an open link.
  case silent
  case open
  /// All requests wait until the link is secured, or cannot be, for the sake of this line and for this reason.
  case held(Int, AttributeError)
  case secure
  /// The link could not be secured.
  case insecure

  var mayAsk: Bool {
    switch self {
    case .silent, .held: false
    case .open, .secure, .insecure: true
    }
  }

  /// What the refusal of a line means, which may be for want of security.
  enum Verdict {
    case counts
    /// The link is to be secured first.
    case holds
    /// The link is being secured, or has been since the request was sent: it is sent once more.
    case isOutdated
  }

  /// `wasOpen` says that the request was sent over a link that was not secure.
  func verdict(on refusal: AttributeError, of line: WantedState, wasOpen: Bool) -> Verdict {
    guard refusal.asksForSecurity, line.isSecuring else { return .counts }
    switch self {
    case .open: return .holds
    case .silent,
      .secure where wasOpen:
      return .isOutdated
    case .secure, .insecure, .held: return .counts
    }
  }

  /// Changes the standing; returns the line that was held, and why.
  mutating func become(_ next: Standing) -> (line: Int, refusal: AttributeError)? {
    defer { self = next }
    guard case .held(let line, let refusal) = self else { return nil }
    return (line, refusal)
  }
}
