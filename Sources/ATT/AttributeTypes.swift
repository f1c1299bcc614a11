package import Bytes

/// Names of attribute types and codes.
///
/// Core Specification, Vol 3, Parts F and G; Assigned Numbers.
extension UUID {
  package static var primaryService: UUID { UUID(short: 0x2800) }
  package static var secondaryService: UUID { UUID(short: 0x2801) }
  package static var characteristic: UUID { UUID(short: 0x2803) }
  /// The CCCD.
  package static var clientCharacteristicConfiguration: UUID { UUID(short: 0x2902) }
  package static var genericAccess: UUID { UUID(short: 0x1800) }
  package static var genericAttribute: UUID { UUID(short: 0x1801) }
  package static var deviceName: UUID { UUID(short: 0x2A00) }
  package static var appearance: UUID { UUID(short: 0x2A01) }
  /// One byte in percent.
  package static var batteryLevel: UUID { UUID(short: 0x2A19) }
  package static var serviceChanged: UUID { UUID(short: 0x2A05) }
}

/// Why a server refuses a request.
///
/// Core Specification, Vol 3, Part F, 3.4.1.1.
package struct AttributeError: RawRepresentable, Equatable, Sendable {
  /// The number in the Error Response.
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static var invalidHandle: Self { Self(rawValue: 0x01) }
  package static var readNotPermitted: Self { Self(rawValue: 0x02) }
  package static var writeNotPermitted: Self { Self(rawValue: 0x03) }
  package static var invalidPDU: Self { Self(rawValue: 0x04) }
  package static var insufficientAuthentication: Self { Self(rawValue: 0x05) }
  package static var requestNotSupported: Self { Self(rawValue: 0x06) }
  package static var invalidOffset: Self { Self(rawValue: 0x07) }
  /// Nothing is in the range; komoot's answer before the first instruction.
  package static var attributeNotFound: Self { Self(rawValue: 0x0A) }
  package static var encryptionKeySizeTooShort: Self { Self(rawValue: 0x0C) }
  package static var invalidAttributeValueLength: Self { Self(rawValue: 0x0D) }
  package static var insufficientEncryption: Self { Self(rawValue: 0x0F) }
  /// Attributes are not grouped by this type.
  package static var unsupportedGroupType: Self { Self(rawValue: 0x10) }
  package static var valueNotAllowed: Self { Self(rawValue: 0x13) }

  /// Whether the server may grant the same request on a link with encryption, or with better encryption.
  package var asksForSecurity: Bool {
    self == .insufficientAuthentication || self == .insufficientEncryption
      || self == .encryptionKeySizeTooShort
  }
}

/// A run of attribute handles, both ends included.
package struct HandleRange: Equatable, Sendable {
  package var start: UInt16
  package var end: UInt16

  package init(_ start: UInt16, _ end: UInt16) { (self.start, self.end) = (start, end) }

  /// The handles in a value of Service Changed; all handles if the value is invalid.
  ///
  /// Core Specification, Vol 3, Part G, 7.1.
  package init(serviceChanged value: Span<UInt8>) {
    self = .all
    var reader = ByteReader(value)
    if let named = try? reader.handleRange(), named.isValid { self = named }
  }

  /// Every handle there is.
  package static var all: HandleRange { HandleRange(0x0001, 0xFFFF) }

  /// Whether a request may contain it: it begins above 0 and does not end before it begins.
  package var isValid: Bool { start > 0 && start <= end }

  /// Whether some handle is in both.
  package func overlaps(_ other: HandleRange) -> Bool {
    start <= other.end && other.start <= end
  }

  /// The part of the range after `handle`; `nil` if there is none.
  package func after(_ handle: UInt16) -> HandleRange? {
    guard handle < end, handle >= start else { return nil }
    return HandleRange(handle + 1, end)
  }
}

extension ByteReader {
  mutating func handleRange() throws(ParseError) -> HandleRange {
    HandleRange(try u16(), try u16())
  }

  /// The type that ends a PDU or a value: 2 or 16 octets, as the form of 4 is for advertisements alone.
  ///
  /// Core Specification, Vol 3, Part F, 3.2.1.
  mutating func attributeType() throws(ParseError) -> UUID {
    guard count != 4 else { throw .invalid }
    return try UUID(parsing: takeRest())
  }
}

extension ByteWriter where Self: ~Copyable {
  mutating func append(_ range: HandleRange) {
    append(u16: range.start)
    append(u16: range.end)
  }
}

/// What kind of PDU it is: its first byte, with the section of the specification about it.
///
/// Core Specification, Vol 3, Part F, 3.4.8.
package enum AttributeOpcode: UInt8, Sendable {
  case errorResponse = 0x01  // 3.4.1.1
  case exchangeMTURequest = 0x02  // 3.4.2.1
  case exchangeMTUResponse = 0x03  // 3.4.2.2
  case findInformationRequest = 0x04  // 3.4.3.1
  case findInformationResponse = 0x05  // 3.4.3.2
  case findByTypeValueRequest = 0x06  // 3.4.3.3
  case findByTypeValueResponse = 0x07  // 3.4.3.4
  case readByTypeRequest = 0x08  // 3.4.4.1
  case readByTypeResponse = 0x09  // 3.4.4.2
  case readRequest = 0x0A  // 3.4.4.3
  case readResponse = 0x0B  // 3.4.4.4
  case readBlobRequest = 0x0C  // 3.4.4.5
  case readBlobResponse = 0x0D  // 3.4.4.6
  case readMultipleResponse = 0x0F  // 3.4.4.8
  case readByGroupTypeRequest = 0x10  // 3.4.4.9
  case readByGroupTypeResponse = 0x11  // 3.4.4.10
  case writeRequest = 0x12  // 3.4.5.1
  case writeResponse = 0x13  // 3.4.5.2
  case prepareWriteRequest = 0x16  // 3.4.6.1
  case prepareWriteResponse = 0x17  // 3.4.6.2
  case executeWriteRequest = 0x18  // 3.4.6.3
  case executeWriteResponse = 0x19  // 3.4.6.4
  case notification = 0x1B  // 3.4.7.1
  case indication = 0x1D  // 3.4.7.2
  case confirmation = 0x1E  // 3.4.7.3
  case readMultipleVariableResponse = 0x21  // 3.4.4.12
  case multipleNotification = 0x23  // 3.4.7.4
}

extension ByteWriter where Self: ~Copyable {
  mutating func append(_ opcode: AttributeOpcode) { append(opcode.rawValue) }
}
