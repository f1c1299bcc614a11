import Bytes

/// Which side of a pairing this device is.
///
/// Core Specification, Vol 3, Part H, 1.1: a link's central is the initiator, its peripheral the responder.
package enum PairingRole: Sendable {
  case initiator, responder

  /// The two values as A's and B's in the formulas: the initiator's first, whichever is ours.
  func order<Value>(_ ours: Value, _ theirs: Value) -> (a: Value, b: Value) {
    self == .initiator ? (ours, theirs) : (theirs, ours)
  }
}

/// Phase 1 of a pairing: the two sides, and the features that they have exchanged.
///
/// Core Specification, Vol 3, Part H, 2.3.1.
struct PairingSides {
  let role: PairingRole
  let local: DeviceAddress
  let peer: DeviceAddress
  private(set) var request = PairingFeatures.own
  private(set) var response = PairingFeatures.own

  mutating func receive(response: PairingFeatures) { self.response = response }

  /// Answers the phone's request: the response offers no key that the request does not (3.6.1).
  mutating func answer(_ request: PairingFeatures) {
    self.request = request
    response = .own
    if !request.initiatorKeys.includesIdentity { response.initiatorKeys = .none }
    if !request.responderKeys.includesIdentity { response.responderKeys = .none }
  }

  var ours: PairingFeatures { role == .initiator ? request : response }
  var theirs: PairingFeatures { role == .initiator ? response : request }

  /// Whether the rider compares the numbers; else it is Just Works.
  var areCompared: Bool { theirs.ioCapability != .noInputNoOutput }

  /// Whether our identity goes to the phone once the link is encrypted.
  var weGiveIdentity: Bool { keys.ours.includesIdentity }
  /// Whether the phone's identity comes once the link is encrypted.
  var theyGiveIdentity: Bool { keys.theirs.includesIdentity }

  /// The response has the last word on what either side hands out.
  private var keys: (ours: KeyDistribution, theirs: KeyDistribution) {
    role == .initiator
      ? (response.initiatorKeys, response.responderKeys)
      : (response.responderKeys, response.initiatorKeys)
  }
}

extension PairingFeatures {
  /// Our own features: DisplayYesNo, LE Secure Connections, and an identity each way.
  static var own: Self {
    PairingFeatures(
      ioCapability: .displayYesNo, hasOOBData: false, authentication: .secureBonding,
      maxKeySize: 16, initiatorKeys: .identity, responderKeys: .identity)
  }

  /// Why the phone's features are refused; `nil` if they are good enough.
  ///
  /// With `comparison` a phone without a display is refused.
  func refusal(demanding comparison: Bool) -> PairingFailedReason? {
    guard authentication.secureConnections else { return .authenticationRequirements }
    guard maxKeySize == 16 else { return .encryptionKeySize }
    guard !hasOOBData else { return .oobNotAvailable }
    // Table 2.8, for a DisplayYesNo on the other side.
    switch ioCapability {
    case .displayYesNo, .keyboardDisplay: return nil
    case .noInputNoOutput: return comparison ? .authenticationRequirements : nil
    case .displayOnly, .keyboardOnly: return .authenticationRequirements
    }
  }
}

/// What a pairing waits for.
///
/// A phase holds the values that exist only in it. `←` is a command of the phone, `→` one of ours, by their codes in
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
/// A side that sends no identity leaves out its 08 and 09. Any other command ends the pairing: `idle`.
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
  /// The event that the link is encrypted, with the key that both sides have proved to have.
  case encryption(BondKeys, early: EarlyIdentity)
  case identityInformation(BondKeys)
  case identityAddress(BondKeys)
  case paired(BondKeys)
  /// Timed out: this link allows no further pairing.
  case closed

  var isRunning: Bool {
    switch self {
    case .idle, .securityRequested, .paired, .closed: false
    default: true
    }
  }

  /// The keys, once each side has shown that it has the long-term key.
  var keys: BondKeys? {
    switch self {
    case .encryption(let keys, _), .identityInformation(let keys), .identityAddress(let keys),
      .paired(let keys):
      keys
    default: nil
    }
  }
}

/// The part of the phone's identity that came before the event that the link is encrypted.
///
/// USB has separate pipes for data and events. So data from the encrypted link may arrive before the event
/// that it is encrypted.
enum EarlyIdentity: Equatable {
  case none
  case key(Octets<16>)
  case whole(Octets<16>, DeviceAddress)
}
