import Bytes

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
  case readByGroupTypeRequest = 0x10  // 3.4.4.9
  case readByGroupTypeResponse = 0x11  // 3.4.4.10
  case writeRequest = 0x12  // 3.4.5.1
  case writeResponse = 0x13  // 3.4.5.2
  case prepareWriteRequest = 0x16  // 3.4.6.1
  case executeWriteRequest = 0x18  // 3.4.6.3
  case notification = 0x1B  // 3.4.7.1
  case indication = 0x1D  // 3.4.7.2
  case confirmation = 0x1E  // 3.4.7.3
}

extension ByteWriter where Self: ~Copyable {
  mutating func append(_ opcode: AttributeOpcode) { append(opcode.rawValue) }
}
