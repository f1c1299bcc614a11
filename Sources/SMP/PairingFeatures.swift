package import Bytes

/// What a device can show and be told.
///
/// Core Specification, Vol 3, Part H, 3.5.1, table 3.4.
package enum IOCapability: UInt8, Equatable, Sendable {
  /// Shows a number, and that is all.
  case displayOnly = 0
  /// Shows a number and takes a yes or a no.
  case displayYesNo = 1
  /// Takes a number, and that is all.
  case keyboardOnly = 2
  /// Neither.
  case noInputNoOutput = 3
  /// Both.
  case keyboardDisplay = 4
}

/// AuthReq: what a device wants of the pairing.
///
/// Core Specification, Vol 3, Part H, 3.5.1, figure 3.3.
package struct AuthenticationRequirements: RawRepresentable, Equatable, Sendable {
  /// The octet as it is sent, with the bits that nobody knows yet: f6 covers them too.
  package var rawValue: UInt8

  /// The requirements with these bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Bonding, protection against a man in the middle, LE Secure Connections.
  package static var secureBonding: Self { Self(rawValue: 0x0D) }

  /// Whether the device will remember the keys.
  package var isBonding: Bool { rawValue & 0x03 == 0x01 }
  /// Whether it knows LE Secure Connections.
  package var secureConnections: Bool { rawValue & 0x08 != 0 }
}

/// Which keys a side hands out once the link is encrypted.
///
/// Core Specification, Vol 3, Part H, 3.6.1, figure 3.11.
package struct KeyDistribution: RawRepresentable, Equatable, Sendable {
  /// The octet as it is sent.
  package var rawValue: UInt8

  /// The keys with these bits.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No keys.
  package static var none: Self { Self(rawValue: 0) }
  /// IdKey: the identity resolving key and the identity address.
  package static var identity: Self { Self(rawValue: 0x02) }

  /// Whether IdKey is among them.
  package var includesIdentity: Bool { rawValue & 0x02 != 0 }
}

/// The parameters of a Pairing Request or Response.
///
/// Core Specification, Vol 3, Part H, 3.5.1.
package struct PairingFeatures: Equatable, Sendable {
  /// What the device can show and be told.
  package var ioCapability: IOCapability
  /// Whether it has data of the other side that came by another way than the radio.
  package var hasOOBData: Bool
  /// What it wants of the pairing.
  package var authentication: AuthenticationRequirements
  /// The longest key it can use, 7 to 16 octets.
  package var maxKeySize: UInt8
  /// What the initiator hands out.
  package var initiatorKeys: KeyDistribution
  /// What the responder hands out.
  package var responderKeys: KeyDistribution

  /// These parameters.
  package init(
    ioCapability: IOCapability, hasOOBData: Bool, authentication: AuthenticationRequirements,
    maxKeySize: UInt8, initiatorKeys: KeyDistribution, responderKeys: KeyDistribution
  ) {
    self.ioCapability = ioCapability
    self.hasOOBData = hasOOBData
    self.authentication = authentication
    self.maxKeySize = maxKeySize
    self.initiatorKeys = initiatorKeys
    self.responderKeys = responderKeys
  }

  init(parsing reader: inout ByteReader) throws(ParseError) {
    guard let capability = IOCapability(rawValue: try reader.u8()) else { throw .invalid }
    let oob = try reader.u8()
    guard oob <= 1 else { throw .invalid }
    ioCapability = capability
    hasOOBData = oob == 1
    authentication = AuthenticationRequirements(rawValue: try reader.u8())
    maxKeySize = try reader.u8()
    guard maxKeySize >= 7, maxKeySize <= 16 else { throw .invalid }
    initiatorKeys = KeyDistribution(rawValue: try reader.u8())
    responderKeys = KeyDistribution(rawValue: try reader.u8())
  }

  func write<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append(capabilityOctets)
    writer.append(maxKeySize)
    writer.append(initiatorKeys.rawValue)
    writer.append(responderKeys.rawValue)
  }

  /// IOcap of f6, 2.2.8: the first three octets as they are sent.
  package var capabilityOctets: Octets<3> {
    var octets = Octets<3>()
    octets[0] = ioCapability.rawValue
    octets[1] = hasOOBData ? 1 : 0
    octets[2] = authentication.rawValue
    return octets
  }
}

/// Why a side gave the pairing up.
///
/// Core Specification, Vol 3, Part H, 3.5.5, table 3.7.
package struct PairingFailedReason: RawRepresentable, Equatable, Sendable {
  /// The octet as it is sent.
  package var rawValue: UInt8

  /// The reason with this number.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// One side would need data that came by another way than the radio.
  package static var oobNotAvailable: Self { Self(rawValue: 0x02) }
  /// What one side demands cannot be had with what the other can show and be told.
  package static var authenticationRequirements: Self { Self(rawValue: 0x03) }
  /// The confirm value is another than the calculated one.
  package static var confirmValueFailed: Self { Self(rawValue: 0x04) }
  /// One side does not pair.
  package static var pairingNotSupported: Self { Self(rawValue: 0x05) }
  /// The key would be too short.
  package static var encryptionKeySize: Self { Self(rawValue: 0x06) }
  /// This device does not take that command.
  package static var commandNotSupported: Self { Self(rawValue: 0x07) }
  /// None of the others.
  package static var unspecified: Self { Self(rawValue: 0x08) }
  /// The last attempt was too short ago.
  package static var repeatedAttempts: Self { Self(rawValue: 0x09) }
  /// A length or a parameter that the specification does not allow.
  package static var invalidParameters: Self { Self(rawValue: 0x0A) }
  /// The check value is another than the calculated one, or the public key is none.
  package static var dhKeyCheckFailed: Self { Self(rawValue: 0x0B) }
  /// The rider says that the numbers differ.
  package static var numericComparisonFailed: Self { Self(rawValue: 0x0C) }
}
