package import ATT
package import Bond
package import Bytes

extension GATTClient {
  /// What a response, a notification or an indication means to the host.
  package enum Outcome: Equatable {
    case nothing
    /// All that is needed is found, and subscribed to as far as that is possible.
    case ready
    /// This characteristic was notified or indicated: `value`.
    case notification(UUID)
    /// This characteristic was read to its end: `value`, `peerName` or `battery`.
    case value(UUID)
    case readRefused(UUID, AttributeError)
    /// This characteristic, which is not needed, is found and subscribed to.
    case found(UUID)
    /// This characteristic was found before, and is lost, or its subscription is.
    case lost(UUID)
    /// The phone has taken the value for this characteristic.
    case written(UUID)
    /// The phone refuses the value for this characteristic, or its subscription.
    case refused(UUID, AttributeError)
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
  /// | `open` | a demanded line asks for a secure link | `held` |
  /// | any | `secured` | `secure` |
  /// | any but `silent` | `insecure` | `insecure` |
  ///
  /// Only `open` leads to `held`: the phone's wish for security is followed once.
  package enum Standing: Equatable {
    /// Nothing is asked yet: a phone that has a key is asked nothing over an open link.
    case silent
    case open
    /// All requests wait until the link is secured, or cannot be, for the sake of this line and for this reason.
    case held(Int, AttributeError)
    case secure
    /// The link could not be secured.
    case insecure

    package var mayAsk: Bool {
      switch self {
      case .silent, .held: false
      case .open, .secure, .insecure: true
      }
    }

    /// Changes the standing; returns the line that was held, and why.
    package mutating func become(_ next: Standing) -> (line: Int, refusal: AttributeError)? {
      defer { self = next }
      guard case .held(let line, let refusal) = self else { return nil }
      return (line, refusal)
    }
  }
}

extension GATTClient {
  /// Where the newest value comes from: a notification or indication, or a read.
  enum Newest { case told, read }

  /// Whether a service that is not there is worth waiting for: only on a phone that had it.
  ///
  /// It is looked for after 2 s, then less and less often, at last every 30 s.
  enum Patience: Equatable {
    case none
    /// If it vanishes it is looked for after this time.
    case waits(Int64)
    /// It has vanished, and is looked for at this time, and again after `next`.
    case searches(at: Instant, next: Int64)

    static var first: Int64 { 2_000 }
    private static var last: Int64 { 30_000 }

    var nextSearch: Instant? { if case .searches(let time, _) = self { time } else { nil } }

    mutating func serviceFound() { if self == .none { self = .waits(Self.first) } }

    /// Its values come: the times begin with the shortest again.
    mutating func begin() {
      switch self {
      case .none: break
      case .waits: self = .waits(Self.first)
      case .searches(let time, _): self = .searches(at: time, next: Self.first)
      }
    }

    mutating func searchBegan() {
      if case .searches(_, let next) = self { self = .waits(next) }
    }

    mutating func searchLater(at now: Instant) {
      let time =
        switch self {
        case .none: Self.first
        case .waits(let time), .searches(_, let time): time
        }
      self = .searches(at: now + time, next: min(time * 2, Self.last))
    }
  }
}

/// What has been found so far.
extension GATTClient {
  /// When a value was asked for whose answer is awaited; `nil` if none is.
  var valueAsked: Instant? { transaction.valueAsked }

  /// Whether the phone has refused a needed line over an open link.
  package var isKeyDemanded: Bool { if case .held = standing { !demandsSecurity } else { false } }

  /// The handles that were found on this phone, of the lines that the bond keeps.
  package var handles: Bond.Handles {
    var handles = Bond.Handles()
    for index in lines.indices {
      guard let role = lines[index].wanted.role else { continue }
      handles[role] = lines[index].discovery?.handles ?? .none
    }
    return handles
  }

  /// Where the value of a characteristic is, 0 while that is not known.
  package func valueHandle(of characteristic: UUID) -> UInt16 {
    line(of: characteristic).map { lines[$0].valueHandle } ?? 0
  }

  package func isSubscribed(to characteristic: UUID) -> Bool {
    guard let index = line(of: characteristic) else { return false }
    return lines[index].discovery?.isSubscribed ?? false
  }

  /// Whether a needed line is still missing.
  package var isAnyMissed: Bool {
    for index in lines.indices where lines[index].isMissed { return true }
    return false
  }
}
