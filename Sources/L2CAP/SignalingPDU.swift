package import Bytes

/// A command on the LE signaling channel.
///
/// Core Specification, Vol 3, Part A, 4.
///
/// The parameters of a link are in the units of its link layer: 1.25 ms for intervals, 10 ms for the
/// supervision timeout.
package enum SignalingPDU: Equatable, Sendable {
  /// The peer rejects a command of ours (4.1).
  case commandReject(identifier: UInt8, reason: UInt16)
  /// A peripheral asks for other connection parameters (4.20).
  case connectionParameterUpdateRequest(
    identifier: UInt8, intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16)
  /// The central has accepted or rejected the parameters that we asked for (4.21).
  case connectionParameterUpdateResponse(identifier: UInt8, isAccepted: Bool)
  /// An answer to a command that this device never sends.
  case response(code: UInt8, identifier: UInt8)
  /// A command that this device does not know, or whose length field is wrong.
  case unknown(code: UInt8, identifier: UInt8)

  private static var commandRejectCode: UInt8 { 0x01 }

  /// Reads the payload of a frame, which on LE has one command.
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let code = try reader.u8()
    let identifier = try reader.u8()
    let length = Int(try reader.u16())
    guard identifier != 0 else { throw .invalid }
    do throws(ParseError) {
      guard reader.count == length else { throw .invalid }
      self = try Self(code, identifier, data: &reader)
    } catch {
      // A response is never rejected, even if it answers no command of ours (4.1).
      guard !Self.isResponse(code) else { throw error }
      self = .unknown(code: code, identifier: identifier)
    }
  }

  private init(
    _ code: UInt8, _ identifier: UInt8, data reader: inout ByteReader
  ) throws(ParseError) {
    switch code {
    case Self.commandRejectCode:
      self = .commandReject(identifier: identifier, reason: try reader.u16())
    case 0x12:
      self = .connectionParameterUpdateRequest(
        identifier: identifier, intervalMin: try reader.u16(), intervalMax: try reader.u16(),
        latency: try reader.u16(), timeout: try reader.u16())
      guard reader.isEmpty else { throw .invalid }
    case 0x13:
      self = .connectionParameterUpdateResponse(
        identifier: identifier, isAccepted: try reader.u16() == 0)
    case _ where Self.isResponse(code): self = .response(code: code, identifier: identifier)
    default: self = .unknown(code: code, identifier: identifier)
    }
  }

  /// Whether a code belongs to a response, on BR/EDR too: table 4.2.
  ///
  /// A Command Reject answers commands only (4.1).
  private static func isResponse(_ code: UInt8) -> Bool {
    switch code {
    case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x15, 0x18, 0x1A: true
    default: false
    }
  }

  /// Writes a Command Reject, "command not understood" (4.1).
  package static func writeCommandReject<Writer: ByteWriter & ~Copyable>(
    identifier: UInt8, into writer: inout Writer
  ) {
    write(commandRejectCode, identifier: identifier, 0x0000, into: &writer)
  }

  /// Writes the request of a peripheral for other parameters (4.20).
  package static func writeConnectionParameterUpdateRequest<Writer: ByteWriter & ~Copyable>(
    identifier: UInt8, intervalMin: UInt16, intervalMax: UInt16, latency: UInt16, timeout: UInt16,
    into writer: inout Writer
  ) {
    writer.append(0x12)
    writer.append(identifier)
    writer.append(u16: 8)
    writer.append(u16: intervalMin)
    writer.append(u16: intervalMax)
    writer.append(u16: latency)
    writer.append(u16: timeout)
  }

  /// Writes the answer to a request for other parameters (4.21).
  package static func writeConnectionParameterUpdateResponse<Writer: ByteWriter & ~Copyable>(
    identifier: UInt8, isAccepted: Bool, into writer: inout Writer
  ) {
    write(0x13, identifier: identifier, isAccepted ? 0x0000 : 0x0001, into: &writer)
  }

  private static func write<Writer: ByteWriter & ~Copyable>(
    _ code: UInt8, identifier: UInt8, _ parameter: UInt16, into writer: inout Writer
  ) {
    writer.append(code)
    writer.append(identifier)
    writer.append(u16: 2)
    writer.append(u16: parameter)
  }
}
