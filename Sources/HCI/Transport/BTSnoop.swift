package import Bytes

/// Captures of HCI packets as Wireshark and btmon read them.
///
/// The btsnoop file format, version 1, a descendant of RFC 1761: all numbers in
/// big-endian, records of H4 packets or of Linux Monitor, as btmon(1) writes them.
package enum BTSnoop {
  /// What the records of a file are.
  package enum Datalink: UInt32, Sendable {
    /// HCI UART (H4): packets begin with their indicator.
    case h4 = 1002
    /// Linux Monitor: an opcode says what each record is, and packets have no indicator.
    case monitor = 2001
  }

  /// What a record of a monitor file is.
  ///
  /// BlueZ, doc/btsnoop.txt.
  package enum MonitorOpcode: UInt32, Sendable {
    /// An HCI command, sent.
    case command = 2
    /// An HCI event, received.
    case event = 3
    /// ACL data, sent.
    case aclSent = 4
    /// ACL data, received.
    case aclReceived = 5
    /// A line of text of a program.
    case userLogging = 13
  }

  /// Microseconds from the beginning of the year 0 to that of 1970.
  package static var epoch: Int64 { 0x00DC_DDB3_0F2F_8000 }

  package static var headerSize: Int { 16 }
  package static var recordHeaderSize: Int { 24 }

  /// Writes the header of the file.
  package static func writeHeader<Writer: ByteWriter & ~Copyable>(
    _ datalink: Datalink, into writer: inout Writer
  ) {
    writer.append("btsnoop")
    writer.append(0)
    writer.append(bigEndian: UInt32(1))
    writer.append(bigEndian: datalink.rawValue)
  }

  /// Writes one record; `microseconds` count from 1970.
  package static func write<Writer: ByteWriter & ~Copyable>(
    _ packet: Span<UInt8>, isReceived: Bool, at microseconds: Int64, into writer: inout Writer
  ) {
    guard !packet.isEmpty else { return }
    let isData =
      packet[0] != PacketIndicator.command && packet[0] != PacketIndicator.event
    writeRecordHeader(
      flags: (isReceived ? 1 : 0) | (isData ? 0 : 2), count: packet.count, dropped: 0,
      at: microseconds, into: &writer)
    writer.append(packet)
  }

  /// Writes one record of a monitor file, of the first controller; a packet comes without its indicator.
  ///
  /// `dropped` counts all records that are missing so far.
  package static func write<Writer: ByteWriter & ~Copyable>(
    _ opcode: MonitorOpcode, _ content: Span<UInt8>, dropped: UInt32, at microseconds: Int64,
    into writer: inout Writer
  ) {
    writeRecordHeader(
      flags: opcode.rawValue, count: content.count, dropped: dropped, at: microseconds,
      into: &writer)
    writer.append(content)
  }

  private static func writeRecordHeader<Writer: ByteWriter & ~Copyable>(
    flags: UInt32, count: Int, dropped: UInt32, at microseconds: Int64, into writer: inout Writer
  ) {
    let count = UInt32(truncatingIfNeeded: count)
    writer.append(bigEndian: count)  // original
    writer.append(bigEndian: count)  // and included length
    writer.append(bigEndian: flags)
    writer.append(bigEndian: dropped)
    let time = UInt64(bitPattern: microseconds + epoch)
    writer.append(bigEndian: UInt32(truncatingIfNeeded: time &>> 32))
    writer.append(bigEndian: UInt32(truncatingIfNeeded: time))
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
