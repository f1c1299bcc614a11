import Bytes
import Expecting
import HCI
import TestSupport

struct BTSnoopTests {
  @Test func theFileBeginsWithItsNameVersionAndDatalink() {
    for (link, code) in [(.h4, [0x03, 0xEA]), (.monitor, [0x07, 0xD1])]
      as [(BTSnoop.Datalink, [UInt8])]
    {
      var header = FixedBuffer<32>()
      BTSnoop.writeHeader(link, into: &header)
      expect(array(header.bytes), Array("btsnoop\u{0}".utf8) + [0, 0, 0, 1, 0, 0] + code)
    }
  }

  /// BlueZ, doc/btsnoop.txt: the opcode is the lower half of the flags, the controller's index the upper.
  @Test(
    arguments: [(.command, 2), (.event, 3), (.aclSent, 4), (.aclReceived, 5), (.userLogging, 13)]
      as [(BTSnoop.MonitorOpcode, UInt8)])
  func aRecordOfAMonitorSaysWhatItIsByAnOpcode(_ opcode: BTSnoop.MonitorOpcode, _ code: UInt8) {
    var record = FixedBuffer<64>()
    let content: [UInt8] = [0x03, 0x0C, 0x00]
    BTSnoop.write(opcode, content.span, dropped: 0x0102_0304, at: 0, into: &record)
    let header: [UInt8] =
      [0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, code, 1, 2, 3, 4]
      + [0x00, 0xDC, 0xDD, 0xB3, 0x0F, 0x2F, 0x80, 0x00]
    expect(array(record.bytes), header + content)
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
    expect(written, header + packet)
    expect(header.count, 24)
  }
}
