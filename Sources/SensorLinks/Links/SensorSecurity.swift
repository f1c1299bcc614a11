import Bond
import Bytes

/// How the link to a sensor is secured: by its stored key, or by Just Works if the sensor asks for security.
///
/// A sensor asks by a Security Request, or by refusing a request on an open link. No requests are sent while a link is
/// being secured. Each way is tried once per link. A device that denies the stored key may be another one with the
/// sensor's address: its link ends, unless the rider has agreed to a new key.
///
/// | state | what happens | next |
/// |---|---|---|
/// | `open` | the link begins, and a key is kept | `encrypting` |
/// | | the sensor asks | `pairing`, or `waiting` while another sensor pairs |
/// | `encrypting` | the link is encrypted | `secured` |
/// | | the sensor lacks the key | the link ends; with the rider's permission `open`, then `pairing` if it has asked |
/// | | it ends the link, or nothing comes | the key has failed |
/// | `waiting` | the other pairing is over | `pairing` |
/// | `pairing` | it has led to an encrypted link | `secured` |
/// | | it fails, or takes too long | `refused` |
/// | `refused` | the sensor has refused a request on the open link | the link ends |
struct SensorSecurity {
  /// How far it has come.
  enum State: Equatable {
    case open, waiting
    case encrypting(until: Instant)
    case pairing(until: Instant)
    case secured, refused
  }

  /// What to do with the link next.
  enum Step: Equatable {
    case nothing
    /// Pair, or wait until another pairing is over.
    case pair
    /// Pass the change on to the pairing that is under way.
    case pairing
    /// The pairing has taken too long.
    case pairingTimedOut
    case secured
    /// Send the requests that were put off or refused.
    case goOn
    /// The stored key has failed; `isDenied` if the sensor says that it does not have that key.
    case keyFailed(isDenied: Bool)
    case decline
    case giveUp
    /// A peer that takes the encryption away is not to be trusted.
    case end
  }

  private(set) var state = State.open
  /// Whether the sensor has asked for security while the stored key was tried.
  private var hasAsked = false
  /// Whether a new key may replace the stored one.
  private var mayReplace = false
  /// The key that was made on this link, if both sides keep it.
  private(set) var key: Bond.Key?

  /// When the state has lasted too long.
  var deadline: Instant? {
    switch state {
    case .encrypting(let until), .pairing(let until): until
    case .open, .waiting, .secured, .refused: nil
    }
  }

  /// Whether the stored key is being tried.
  var isEncrypting: Bool { if case .encrypting = state { true } else { false } }

  mutating func enter(_ state: State) { self.state = state }

  /// The stored key is tried from now on.
  mutating func encrypt(until end: Instant, mayReplace: Bool) {
    (state, self.mayReplace) = (.encrypting(until: end), mayReplace)
  }

  /// The pairing has made this key, if both sides keep it.
  mutating func paired(_ key: Bond.Key?) {
    self.key = key
    state = .secured
  }

  /// The sensor has refused a request on an open link.
  func refusedRequest() -> Step {
    switch state {
    case .open: .pair
    case .waiting, .encrypting, .pairing: .nothing
    // The sensor refused before the link was encrypted.
    case .secured: .goOn
    case .refused: .giveUp
    }
  }

  /// The sensor has refused an optional request.
  func refusedWish() -> Step {
    switch state {
    case .open: .pair
    case .waiting, .encrypting, .pairing: .nothing
    case .secured, .refused: .goOn
    }
  }

  /// The sensor has sent a Security Request.
  mutating func asked() -> Step {
    switch state {
    case .open: return .pair
    case .encrypting:
      hasAsked = true
      return .nothing
    case .waiting, .pairing, .secured: return .nothing
    case .refused: return .decline
    }
  }

  /// The link is encrypted now, or could not be encrypted.
  mutating func encryptionChanged(isOn: Bool, isDenied: Bool) -> Step {
    switch state {
    case .encrypting where isOn:
      state = .secured
      return .secured
    case .encrypting where !mayReplace:
      state = .refused
      return .keyFailed(isDenied: isDenied)
    case .encrypting:
      state = .open
      return hasAsked ? .pair : .goOn
    case .pairing: return .pairing
    case .open, .waiting, .secured, .refused: return isOn ? .nothing : .end
    }
  }

  /// The step that is due.
  mutating func due(isPairingFree: Bool, at now: Instant) -> Step {
    switch state {
    case .waiting where isPairingFree: return .pair
    case .encrypting(let until) where now >= until:
      state = .refused
      return .keyFailed(isDenied: false)
    case .pairing(let until) where now >= until: return .pairingTimedOut
    case .open, .waiting, .encrypting, .pairing, .secured, .refused: return .nothing
    }
  }
}
