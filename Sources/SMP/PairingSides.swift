import Bytes

/// Which side of a pairing this device is.
///
/// Core Specification, Vol 3, Part H, 1.1: a link's central is the initiator, its peripheral the responder.
package enum PairingRole: Sendable {
  case initiator, responder

  /// What the formulas call A's and B's: the initiator's first, whichever is ours.
  func order<Value>(_ ours: Value, _ theirs: Value) -> (a: Value, b: Value) {
    self == .initiator ? (ours, theirs) : (theirs, ours)
  }
}

/// Phase 1 of a pairing: the two sides, and what they have told of themselves.
///
/// Core Specification, Vol 3, Part H, 2.3.1.
struct PairingSides {
  let role: PairingRole
  /// The addresses by which the link was made.
  let local: DeviceAddress
  let peer: DeviceAddress
  private(set) var request = PairingFeatures.own
  private(set) var response = PairingFeatures.own

  init(_ role: PairingRole, local: DeviceAddress, peer: DeviceAddress) {
    (self.role, self.local, self.peer) = (role, local, peer)
  }

  /// The phone answers our request.
  mutating func hear(response: PairingFeatures) { self.response = response }

  /// Answers the phone's request: no key is handed out that it does not ask for (3.6.1).
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
  /// What we tell of ourselves: DisplayYesNo, LE Secure Connections, and an identity each way.
  static var own: Self {
    PairingFeatures(
      ioCapability: .displayYesNo, hasOOBData: false, authentication: .secureBonding,
      maxKeySize: 16, initiatorKeys: .identity, responderKeys: .identity)
  }

  /// Why what the phone says of itself is not enough; `nil` if it is.
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
