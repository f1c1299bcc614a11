import Bytes

/// What a pairing waits for.
///
/// A phase has what exists in it alone. `←` is a command of the phone, `→` one of ours, by their codes in
/// hexadecimal (`SecurityCode`).
///
/// | phase | we are the initiator | we are the responder |
/// |---|---|---|
/// | `idle`, `paired` | `begin` → 01: `features` | ← 01 is the owner's to decide: `accept` → 02: `publicKey` |
/// | `securityRequested` | – | `requestSecurity` → 0B led here; otherwise as `idle` |
/// | `features` | ← 02, → 0C: `publicKey` | – |
/// | `publicKey` | ← 0C: `confirm` | ← 0C, → 0C, → 03: `random` |
/// | `confirm` | ← 03, → 04: `promisedRandom` | – |
/// | `promisedRandom` | ← 04 that fits the 03: `user` | – |
/// | `random` | – | ← 04, → 04: `user` |
/// | `user` | yes, → 0D: `dhKeyCheck` | ← 0D is kept; yes: `dhKeyCheck`, which takes the kept one |
/// | `dhKeyCheck` | ← 0D: `encryption` | ← 0D, → 0D: `encryption` |
/// | `encryption` | it is on: `identityInformation` | it is on, → 08, → 09: `identityInformation` |
/// | `identityInformation` | ← 08: `identityAddress` | ← 08: `identityAddress` |
/// | `identityAddress` | ← 09, → 08, → 09: `paired` | ← 09: `paired` |
/// | `closed` | 30 s were over: nothing more on this link | the same |
///
/// A side that hands out no identity leaves out its 08 and 09. Any other command ends the pairing: `idle`.
enum PairingPhase: Equatable {
  case idle
  case securityRequested
  case features
  case publicKey
  case confirm
  /// The phone's nonce, which its confirm value has promised.
  case promisedRandom(confirm: Octets<16>)
  case random
  /// The rider's answer; the check value came before it if the phone's owner was quicker.
  case user(check: Octets<16>?)
  case dhKeyCheck
  /// The word that the link is encrypted with the key that both sides have shown to have.
  case encryption(BondKeys, early: EarlyIdentity)
  case identityInformation(BondKeys)
  case identityAddress(BondKeys)
  case paired(BondKeys)
  /// Timed out: this link allows no further pairing.
  case closed

  /// Whether a pairing is under way.
  var isRunning: Bool {
    switch self {
    case .idle, .securityRequested, .paired, .closed: false
    default: true
    }
  }

  /// What both sides have, once each has shown that it has the key.
  var keys: BondKeys? {
    switch self {
    case .encryption(let keys, _), .identityInformation(let keys), .identityAddress(let keys),
      .paired(let keys):
      keys
    default: nil
    }
  }
}

/// The phone's identity, as far as it came before the word that the link is encrypted.
///
/// By USB, data and events come by two pipes. So what was sent over the encrypted link may arrive before
/// the event that it is encrypted.
enum EarlyIdentity: Equatable {
  case none
  case key(Octets<16>)
  case whole(Octets<16>, DeviceAddress)
}
