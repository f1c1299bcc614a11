import Bond
import Bytes

/// How the link to a sensor is secured: by the key that is kept of it, or by Just Works if it asks for that.
///
/// It asks by a Security Request, or by refusing a request of ours on an open link. While a link is being
/// secured nothing is asked of the sensor. Each way is tried once in a link.
///
/// | state | what happens | next |
/// |---|---|---|
/// | `open` | the link begins, and a key is kept | `encrypting` |
/// | | the sensor asks | `pairing`, or `waiting` while another one pairs |
/// | `encrypting` | the link is encrypted | `secured` |
/// | | the sensor does not have the key | `open`, and on from there if it has asked |
/// | | it ends the link, or nothing comes | the key is not tried again |
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

  var state = State.open
  /// Whether the sensor has asked while the key that is kept was tried.
  var hasAsked = false
  /// The key that was made on this link, if both sides keep it.
  var key: Bond.Key?

  /// When the state has lasted too long.
  var deadline: Instant? {
    switch state {
    case .encrypting(let until), .pairing(let until): until
    case .open, .waiting, .secured, .refused: nil
    }
  }

  /// Whether the key that is kept is being tried.
  var isEncrypting: Bool { if case .encrypting = state { true } else { false } }
}
