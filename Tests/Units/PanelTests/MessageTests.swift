import Bytes
import Expecting
import Panel
import TestSupport

/// Messages on their way over the bus: several in one call, and each as a line of the trace.
struct MessageTests {
  @Test func messagesOfOneCallLieOneBehindTheOtherEachWithItsLength() {
    var batch = MessageBatch()
    for message in [bytes("00 AE"), bytes("40 01 02 03"), bytes("00 A4 AF")] {
      batch.append(message.span)
    }
    let lengths = (0..<batch.lengths.count).map { batch.lengths[$0] }
    expect(array(batch.bytes), bytes("00 AE 40 01 02 03 00 A4 AF"))
    expect(lengths, [2, 4, 3])
  }

  /// Linux, include/uapi/linux/i2c-dev.h: `I2C_RDWR_IOCTL_MAX_MSGS`.
  @Test func thereAreNoMoreThanTheKernelTakes() {
    var batch = MessageBatch()
    let message = bytes("00 E3")
    for _ in 0..<43 { batch.append(message.span) }
    let (count, size) = (batch.count, batch.bytes.count)
    expect(count, 42)
    expect(size, 84)
  }

  // MARK: - The trace

  private func line(_ milliseconds: Int64, _ message: [UInt8]) -> String {
    var line = FixedBuffer<3_328>()
    line.append(traceOf: message.span, to: 0x3C, atMilliseconds: milliseconds)
    return string(line.bytes)
  }

  @Test(
    arguments: [
      (12_345, "12.345"), (0, "0.000"), (9, "0.009"), (10, "0.010"), (99, "0.099"), (100, "0.100"),
      (3_600_000, "3600.000"),
    ] as [(Int64, String)])
  func aLineIsTimeAddressAndBytes(_ milliseconds: Int64, _ seconds: String) {
    expect(
      line(milliseconds, bytes("80 21 80 00 80 7f 40 ff")), seconds + " 3c 80 21 80 00 80 7f 40 ff")
  }

  @Test func noBytesAndAFullFrameAreOneLineEach() {
    expect(line(1, []), "0.001 3c")
    let text = line(99_999, [UInt8](repeating: 0xAB, count: 1_037))
    expect(text, "99.999 3c" + String(repeating: " ab", count: 1_037))
  }
}
