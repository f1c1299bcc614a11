package import Bytes

/// What a device can show, and what its user can enter.
///
/// Core Specification, Vol 3, Part H, 3.5.1, table 3.4.
package enum IOCapability: UInt8, Equatable, Sendable {
  case displayOnly = 0
  case displayYesNo = 1
  case keyboardOnly = 2
  case noInputNoOutput = 3
  case keyboardDisplay = 4
}

/// AuthReq: what a device demands of the pairing.
///
/// Core Specification, Vol 3, Part H, 3.5.1, figure 3.3.
package struct AuthenticationRequirements: RawRepresentable, Equatable, Sendable {
  /// The octet as it is sent, with the reserved bits: f6 covers them too.
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Bonding, protection against a man in the middle, LE Secure Connections.
  package static var secureBonding: Self { Self(rawValue: 0x0D) }

  /// Whether the device will remember the keys.
  package var isBonding: Bool { rawValue & 0x03 == 0x01 }
  /// Whether it demands protection against a man in the middle (MITM).
  package var isComparisonWanted: Bool { rawValue & 0x04 != 0 }
  /// Whether it supports LE Secure Connections.
  package var secureConnections: Bool { rawValue & 0x08 != 0 }
}

/// Which keys a side sends once the link is encrypted.
///
/// Core Specification, Vol 3, Part H, 3.6.1, figure 3.11.
package struct KeyDistribution: RawRepresentable, Equatable, Sendable {
  /// The octet as it is sent.
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

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
  package var ioCapability: IOCapability
  /// Whether it has out-of-band data of the other side, which came another way than by Bluetooth.
  package var hasOOBData: Bool
  package var authentication: AuthenticationRequirements
  /// The longest key it can use, 7 to 16 octets.
  package var maxKeySize: UInt8
  package var initiatorKeys: KeyDistribution
  package var responderKeys: KeyDistribution

  package init(
    ioCapability: IOCapability, hasOOBData: Bool, authentication: AuthenticationRequirements,
    maxKeySize: UInt8, initiatorKeys: KeyDistribution, responderKeys: KeyDistribution
  ) {
    (self.ioCapability, self.hasOOBData) = (ioCapability, hasOOBData)
    (self.authentication, self.maxKeySize) = (authentication, maxKeySize)
    (self.initiatorKeys, self.responderKeys) = (initiatorKeys, responderKeys)
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

/// Why a side ended the pairing.
///
/// Core Specification, Vol 3, Part H, 3.5.5, table 3.7.
package struct PairingFailedReason: RawRepresentable, Equatable, Sendable {
  /// The octet as it is sent.
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static var oobNotAvailable: Self { Self(rawValue: 0x02) }
  /// The capabilities of the two sides do not allow what one side demands.
  package static var authenticationRequirements: Self { Self(rawValue: 0x03) }
  package static var confirmValueFailed: Self { Self(rawValue: 0x04) }
  package static var pairingNotSupported: Self { Self(rawValue: 0x05) }
  package static var encryptionKeySize: Self { Self(rawValue: 0x06) }
  package static var commandNotSupported: Self { Self(rawValue: 0x07) }
  package static var unspecified: Self { Self(rawValue: 0x08) }
  /// The last attempt was too recent.
  package static var repeatedAttempts: Self { Self(rawValue: 0x09) }
  package static var invalidParameters: Self { Self(rawValue: 0x0A) }
  /// The check value is wrong, or the public key is not on the curve.
  package static var dhKeyCheckFailed: Self { Self(rawValue: 0x0B) }
  /// The rider says that the numbers differ.
  package static var numericComparisonFailed: Self { Self(rawValue: 0x0C) }
}
