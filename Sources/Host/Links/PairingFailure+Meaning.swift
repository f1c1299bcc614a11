public import SMP

extension PairingFailure {
  /// Whether somebody looked at the two numbers and said no.
  var isNo: Bool {
    self == .refused(.numericComparisonFailed) || self == .peer(.numericComparisonFailed)
  }

  /// Whether the phone could not be paired with, though nobody is against it.
  public var meansInability: Bool {
    switch self {
    case .refused(.authenticationRequirements), .refused(.encryptionKeySize),
      .peer(.pairingNotSupported), .peer(.authenticationRequirements),
      .peer(.commandNotSupported), .unanswered:
      true
    default: false
    }
  }
}
