import Bond
import Bytes

/// How the link to a sensor is secured: by the key that is kept of it, or by Just Works if it asks for that.
///
/// It asks by a Security Request, or by refusing a request of ours on an open link. While a link is being
/// secured nothing is asked of the sensor. Each way is tried once in a link. Who denies the key that is kept of it may
/// be somebody else with its address: it is left, unless the rider has agreed to another key.
///
/// | state | what happens | next |
/// |---|---|---|
/// | `open` | the link begins, and a key is kept | `encrypting` |
/// | | the sensor asks | `pairing`, or `waiting` while another one pairs |
/// | `encrypting` | the link is encrypted | `secured` |
/// | | the sensor does not have the key | the link ends; with the rider's permission `open`, and on from there if it has asked |
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

  /// What is to be done with the link then.
  enum Step: Equatable {
    case nothing
    /// To pair, or to wait until another pairing is over.
    case pair
    /// The pairing that is under way hears of it.
    case pairing
    /// The pairing has taken too long.
    case pairingTimedOut
    case secured
    /// To ask what was put off or refused.
    case goOn
    /// The key that is kept leads to nothing; whether the sensor says that it does not have it.
    case keyFailed(isDenied: Bool)
    case decline
    case giveUp
    /// A peer that takes the encryption away is not to be trusted.
    case end
  }

  private(set) var state = State.open
  /// Whether the sensor has asked while the key that is kept was tried.
  private var hasAsked = false
  /// Whether another key may take the place of the one that is kept.
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

  /// Whether the key that is kept is being tried.
  var isEncrypting: Bool { if case .encrypting = state { true } else { false } }

  mutating func enter(_ state: State) { self.state = state }

  /// The key that is kept is tried.
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
    // It was refused before the link was encrypted.
    case .secured: .goOn
    case .refused: .giveUp
    }
  }

  /// It has refused a request that it may refuse.
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

  /// The link is encrypted now, or is not.
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

  /// What is due.
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
