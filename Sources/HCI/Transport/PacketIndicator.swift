/// The first byte of each packet on a UART.
///
/// Core Specification, Vol 4, Part A, 2.
package enum PacketIndicator {
  /// Host to controller.
  package static var command: UInt8 { 0x01 }
  /// Both ways.
  package static var aclData: UInt8 { 0x02 }
  /// Both ways; this host uses none.
  package static var synchronousData: UInt8 { 0x03 }
  /// Controller to host.
  package static var event: UInt8 { 0x04 }
  /// Both ways; this host uses none.
  package static var isoData: UInt8 { 0x05 }
}
