import Bytes

/// What kind of PDU it is: its first byte.
///
/// Core Specification, Vol 3, Part F, 3.4.8.
package enum AttributeOpcode: UInt8, Sendable {
  case errorResponse = 0x01
  case exchangeMTURequest = 0x02
  case exchangeMTUResponse = 0x03
  case findInformationRequest = 0x04
  case findInformationResponse = 0x05
  case findByTypeValueRequest = 0x06
  case findByTypeValueResponse = 0x07
  case readByTypeRequest = 0x08
  case readByTypeResponse = 0x09
  case readRequest = 0x0A
  case readResponse = 0x0B
  case readBlobRequest = 0x0C
  case readBlobResponse = 0x0D
  case readByGroupTypeRequest = 0x10
  case readByGroupTypeResponse = 0x11
  case writeRequest = 0x12
  case writeResponse = 0x13
  case prepareWriteRequest = 0x16
  case notification = 0x1B
  case indication = 0x1D
  case confirmation = 0x1E
}

extension ByteWriter where Self: ~Copyable {
  mutating func append(_ opcode: AttributeOpcode) { append(opcode.rawValue) }
}
