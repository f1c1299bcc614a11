package import Bytes

/// Which commands a controller knows: a bit each in 64 octets.
///
/// Core Specification, Vol 4, Part E, 6.27.
package struct SupportedCommands: Sendable {
  private let octets: Octets<64>

  package init() { octets = Octets() }

  /// Takes the return parameter of Read Local Supported Commands.
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    octets = try reader.octets()
  }

  func contains(octet: Int, bit: UInt8) -> Bool { octets[octet] & (1 << bit) != 0 }

  /// Both halves of the peripheral role: advertising, and the answers to a central that encrypts.
  package var peripheralRole: Bool {
    contains(octet: 25, bit: 5) && contains(octet: 25, bit: 7)  // parameters, data
      && contains(octet: 26, bit: 0) && contains(octet: 26, bit: 1)  // scan response, enable
      && contains(octet: 28, bit: 1) && contains(octet: 28, bit: 2)  // both replies
  }
  package var writeLEHostSupport: Bool { contains(octet: 24, bit: 6) }
  /// LE Remote Connection Parameter Request Reply and Negative Reply.
  package var leRemoteConnectionParameterRequestReplies: Bool {
    contains(octet: 33, bit: 4) && contains(octet: 33, bit: 5)
  }
  package var leSetDataLength: Bool { contains(octet: 33, bit: 6) }
  package var leSetPHY: Bool { contains(octet: 35, bit: 6) }
}

/// Which roles a controller can have at the same time.
///
/// Core Specification, Vol 4, Part E, 7.8.27.
package struct LEStates: Equatable, Sendable {
  /// The 64 bits as the controller sends them.
  package var rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Scanning, passive and active, and connecting during a link of which it is the central.
  package var allowsSensors: Bool { allows(24) && allows(25) && allows(28) }
  /// Connectable advertising during scanning, passive and active.
  package var advertisingWhileScanning: Bool { allows(10) && allows(14) }
  /// Connectable advertising during a link of which it is the central.
  package var advertisingAsCentral: Bool { allows(35) }

  private func allows(_ bit: UInt64) -> Bool { rawValue & 1 &<< bit != 0 }
}

/// What the LE side of a controller can do.
///
/// Core Specification, Vol 6, Part B, 4.6.
package struct LEFeatures: Equatable, Sendable {
  /// The first 64 bits as the controller sends them.
  package var rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package var encryption: Bool { rawValue & 1 != 0 }
  package var connectionParametersRequest: Bool { rawValue & 1 &<< 1 != 0 }
  package var dataPacketLengthExtension: Bool { rawValue & 1 &<< 5 != 0 }
  package var le2MPHY: Bool { rawValue & 1 &<< 8 != 0 }
}
