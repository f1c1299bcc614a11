package import Bytes

/// Names of attribute types and codes.
///
/// Core Specification, Vol 3, Parts F and G; Assigned Numbers.
extension UUID {
  /// «Primary Service».
  package static var primaryService: UUID { UUID(short: 0x2800) }
  /// «Characteristic».
  package static var characteristic: UUID { UUID(short: 0x2803) }
  /// «Client Characteristic Configuration», the CCCD.
  package static var clientCharacteristicConfiguration: UUID { UUID(short: 0x2902) }
  /// «Generic Access».
  package static var genericAccess: UUID { UUID(short: 0x1800) }
  /// «Generic Attribute».
  package static var genericAttribute: UUID { UUID(short: 0x1801) }
  /// «Device Name».
  package static var deviceName: UUID { UUID(short: 0x2A00) }
  /// «Appearance».
  package static var appearance: UUID { UUID(short: 0x2A01) }
  /// «Battery Level», one byte in percent.
  package static var batteryLevel: UUID { UUID(short: 0x2A19) }
  /// «Service Changed».
  package static var serviceChanged: UUID { UUID(short: 0x2A05) }
}

/// Why a server refuses a request.
///
/// Core Specification, Vol 3, Part F, 3.4.1.1.
package struct AttributeError: RawRepresentable, Equatable, Sendable {
  /// The number in the Error Response.
  package var rawValue: UInt8

  /// The error with this number.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No attribute has this handle.
  package static var invalidHandle: Self { Self(rawValue: 0x01) }
  /// The attribute cannot be written.
  package static var writeNotPermitted: Self { Self(rawValue: 0x03) }
  /// The request is malformed.
  package static var invalidPDU: Self { Self(rawValue: 0x04) }
  /// The link must be authenticated first.
  package static var insufficientAuthentication: Self { Self(rawValue: 0x05) }
  /// The server does not know the request.
  package static var requestNotSupported: Self { Self(rawValue: 0x06) }
  /// The offset lies beyond the value.
  package static var invalidOffset: Self { Self(rawValue: 0x07) }
  /// Nothing is found in the range; komoot's before the first instruction.
  package static var attributeNotFound: Self { Self(rawValue: 0x0A) }
  /// The link's key is too short.
  package static var encryptionKeySizeTooShort: Self { Self(rawValue: 0x0C) }
  /// The link must be encrypted first.
  package static var insufficientEncryption: Self { Self(rawValue: 0x0F) }
  /// Services are no groups of this type.
  package static var unsupportedGroupType: Self { Self(rawValue: 0x10) }

  /// Whether the same request may be granted on a link that is encrypted, or better so.
  package var asksForSecurity: Bool {
    self == .insufficientAuthentication || self == .insufficientEncryption
      || self == .encryptionKeySizeTooShort
  }
}

/// A run of attribute handles, both ends included.
package struct HandleRange: Equatable, Sendable {
  /// The first handle.
  package var start: UInt16
  /// The last handle.
  package var end: UInt16

  /// The run from `start` to `end`.
  package init(_ start: UInt16, _ end: UInt16) { (self.start, self.end) = (start, end) }

  /// What a value of Service Changed names; everything if that makes no sense.
  ///
  /// Core Specification, Vol 3, Part G, 7.1.
  package init(serviceChanged value: Span<UInt8>) {
    self = .all
    var reader = ByteReader(value)
    guard let first = try? reader.u16(), let last = try? reader.u16() else { return }
    let named = HandleRange(first, last)
    if named.isValid { self = named }
  }

  /// Every handle there is.
  package static var all: HandleRange { HandleRange(0x0001, 0xFFFF) }

  /// Whether a request may name it: it begins above 0 and does not end before it begins.
  package var isValid: Bool { start > 0 && start <= end }

  /// Whether some handle is in both.
  package func overlaps(_ other: HandleRange) -> Bool {
    start <= other.end && other.start <= end
  }

  /// What is left behind `handle`, or `nil`.
  package func after(_ handle: UInt16) -> HandleRange? {
    guard handle < end, handle >= start else { return nil }
    return HandleRange(handle + 1, end)
  }
}
