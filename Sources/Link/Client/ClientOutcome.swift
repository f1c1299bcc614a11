package import ATT
package import Bytes

/// What a PDU of the server means to the owner of a `GATTClient`.
package enum ClientOutcome: Equatable {
  case nothing
  /// All that is needed is found, and subscribed to as far as that is possible.
  case ready
  /// What is needed cannot be subscribed to: it is there with its first notification.
  case unsubscribed
  /// This characteristic was notified or indicated.
  case notification(UUID)
  /// This characteristic was read to its end, or its battery was notified: `reading`, `peerName` or `battery`.
  case value(UUID)
  case readRefused(UUID, AttributeError)
  /// This characteristic, which is not needed, is found and subscribed to.
  case found(UUID)
  /// This characteristic was found before, and is lost, or its subscription is.
  case lost(UUID)
  /// The peer has taken the value for this characteristic.
  case written(UUID)
  /// The peer refuses the value for this characteristic, or its subscription.
  case refused(UUID, AttributeError)
  /// The PDU is the answer to the owner's own request.
  case answered
  case serviceMissing
  /// The service is missing and looked for again and again.
  case waiting
  /// All requests wait until the link is secured, or cannot be: `secured` or `insecure` follows.
  case securityNeeded
  /// What is known of these handles does not hold any more: the phone says so, or one of them shows it.
  case handlesChanged(HandleRange)
}

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

/// When a peer is asked again that does not show what is needed, or is silent.
enum Patience: Equatable {
  case none
  /// If the service vanishes it is looked for after this time, as this peer had it.
  case waits(Int64)
  /// The service has vanished, and is looked for at this time, and again after `next`: at last every 30 s.
  case searches(at: Instant, next: Int64)
  /// A peer that is silent until then is asked again; `nil`: it has shown nothing so far.
  case listens(until: Instant?)

  static var first: Int64 { 2_000 }
  private static var last: Int64 { 30_000 }
  private static var longestSilence: Int64 { 60_000 }

  var nextSearch: Instant? {
    switch self {
    case .none, .waits: nil
    case .searches(let time, _): time
    case .listens(let end): end
    }
  }

  var isListening: Bool { if case .listens = self { true } else { false } }

  /// Whether a service that is not there is worth waiting for.
  var isWorthWaiting: Bool { self != .none && !isListening }

  mutating func serviceFound() { if self == .none { self = .waits(Self.first) } }

  /// Its values come: the times begin with the shortest again.
  mutating func begin() {
    switch self {
    case .none, .listens: break
    case .waits: self = .waits(Self.first)
    case .searches(let time, _): self = .searches(at: time, next: Self.first)
    }
  }

  /// The peer has said something, or is asked again.
  mutating func peerWasHeard(at now: Instant) {
    if isListening { self = .listens(until: now + Self.longestSilence) }
  }

  mutating func searchBegan() {
    if case .searches(_, let next) = self { self = .waits(next) }
  }

  mutating func searchLater(at now: Instant) {
    let time =
      switch self {
      case .none, .listens: Self.first
      case .waits(let time), .searches(_, let time): time
      }
    self = .searches(at: now + time, next: min(time * 2, Self.last))
  }
}

extension GATTClient {
  package func copyName<let capacity: Int>(into name: inout FixedBuffer<capacity>) {
    name.assign(peerName.bytes)
  }

  /// Whether all requests wait until the link is secured, or cannot be.
  package var isHeld: Bool { if case .held = standing { true } else { false } }

  /// Whether the peer has refused a needed line over an open link.
  package var isKeyDemanded: Bool {
    guard !demandsSecurity, case .held(let index, _) = standing else { return false }
    return lines[index].wanted.isNeeded
  }
}

/// What we offer: more than the longest value and its opcode, so one read is enough.
enum LongestMTU {
  static var count: UInt16 { 517 }
}

extension ServerPDU {
  /// Why the request is refused, if it is.
  var refusal: AttributeError? { if case .error(_, _, let code) = self { code } else { nil } }

  /// Where the first value of a Read By Type Response is.
  var firstHandle: UInt16? {
    if case .readByType(let values) = self { try? values.handle(at: 0) } else { nil }
  }
}
