public import Bytes

/// Captures of HCI packets as Wireshark and btmon read them.
///
/// The btsnoop file format, version 1, a descendant of RFC 1761: all numbers in
/// big-endian, records of H4 packets.
public enum BTSnoop {
  /// HCI UART (H4): packets begin with their indicator.
  private static var datalink: UInt32 { 1002 }

  /// Microseconds from the beginning of the year 0 to that of 1970.
  private static var epoch: Int64 { 0x00DC_DDB3_0F2F_8000 }

  /// Writes what the file begins with.
  public static func writeHeader<Writer: ByteWriter & ~Copyable>(into writer: inout Writer) {
    writer.append("btsnoop")
    writer.append(0)
    writer.append(bigEndian: UInt32(1))
    writer.append(bigEndian: datalink)
  }

  /// Writes one record; `microseconds` count from 1970.
  public static func write<Writer: ByteWriter & ~Copyable>(
    _ packet: Span<UInt8>, isReceived: Bool, at microseconds: Int64, into writer: inout Writer
  ) {
    guard !packet.isEmpty else { return }
    let count = UInt32(truncatingIfNeeded: packet.count)
    let isData =
      packet[0] != PacketIndicator.command && packet[0] != PacketIndicator.event
    writer.append(bigEndian: count)  // original
    writer.append(bigEndian: count)  // and included length
    writer.append(bigEndian: (isReceived ? 1 : 0) | (isData ? 0 : 2))
    writer.append(bigEndian: UInt32(0))  // nothing was dropped
    let time = UInt64(bitPattern: microseconds + epoch)
    writer.append(bigEndian: UInt32(truncatingIfNeeded: time &>> 32))
    writer.append(bigEndian: UInt32(truncatingIfNeeded: time))
    writer.append(packet)
  }
}

extension ByteWriter where Self: ~Copyable {
  fileprivate mutating func append(bigEndian value: UInt32) {
    append(UInt8(truncatingIfNeeded: value >> 24))
    append(UInt8(truncatingIfNeeded: value >> 16))
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value))
  }
}
