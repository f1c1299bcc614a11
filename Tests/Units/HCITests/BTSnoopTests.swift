import Bytes
import HCI
import TestSupport
import Testing

@Suite struct BTSnoopTests {
  @Test func theFileBeginsWithItsNameVersionAndDatalink() {
    var header = FixedBuffer<32>()
    BTSnoop.writeHeader(into: &header)
    let written = array(header.bytes)
    #expect(written == Array("btsnoop\u{0}".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA])
  }

  /// Bit 0 of the flags: received; bit 1: command or event.
  @Test(
    arguments: [
      ([0x01, 0x03, 0x0C, 0x00], false, 2), ([0x04, 0x10, 0x01, 0x42], true, 3),
      ([0x02, 0x40, 0x00, 0x00, 0x00], false, 0), ([0x02, 0x40, 0x20, 0x00, 0x00], true, 1),
    ] as [([UInt8], Bool, UInt8)])
  func aRecordSaysWhatThePacketIsAndWhichWayItWent(
    _ packet: [UInt8], _ isReceived: Bool, _ flags: UInt8
  ) {
    var record = FixedBuffer<64>()
    // 2000-01-01, whose count from the year 0 is published: 00E03AB44A676000.
    BTSnoop.write(packet.span, isReceived: isReceived, at: 946_684_800_000_000, into: &record)
    let written = array(record.bytes)
    let count = UInt8(packet.count)
    let header: [UInt8] =
      [0, 0, 0, count, 0, 0, 0, count, 0, 0, 0, flags, 0, 0, 0, 0]
      + [0x00, 0xE0, 0x3A, 0xB4, 0x4A, 0x67, 0x60, 0x00]
    #expect(written == header + packet)
    #expect(header.count == 24)
  }
}
