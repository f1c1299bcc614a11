import Bytes

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
