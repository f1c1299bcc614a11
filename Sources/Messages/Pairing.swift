package import Words

/// How a phone is known.
package enum Acquaintance: Equatable, Sendable {
  /// It is paired, and its bond is kept.
  case paired
  /// It does not pair; its address identifies it.
  case address
  /// It does not pair, and its address will change: it is a stranger after this ride.
  case ride

  /// In a sentence.
  package var sentence: Phrase {
    switch self {
    case .paired: .paired
    case .address: .knownByAddress
    case .ride: .forThisRide
    }
  }
}

/// Why a pairing failed, as the panel tells the rider.
package enum PairingSetback: Equatable, Sendable {
  /// The rider said no on the phone, or the phone refused by itself.
  case refusedByPhone
  /// The rider said no here.
  case refusedHere
  /// Nobody answered in time.
  case timeout
  /// A value that the phone sent does not match: a mistake, or somebody between the two.
  case wrongAnswer
  /// The phone has no LE Secure Connections, or not with a comparison or a whole key.
  case insecure
  /// There were too many attempts: the phone refuses more for a while.
  case tooManyAttempts
  /// The link was lost meanwhile.
  case linkLost
  /// The bond could not be written to disk.
  case notSaved

  /// In plain words.
  package var sentence: Phrase {
    switch self {
    case .refusedByPhone: .refusedByPhone
    case .refusedHere: .refusedHere
    case .timeout: .timeout
    case .wrongAnswer: .wrongAnswer
    case .insecure: .insecure
    case .tooManyAttempts: .tooManyAttempts
    case .linkLost: .linkLost
    case .notSaved: .notSaved
    }
  }
}
