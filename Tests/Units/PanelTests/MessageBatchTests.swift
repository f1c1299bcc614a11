import Expecting
import Panel
import TestSupport

/// Messages that go over the bus in one call.
@Suite struct MessageBatchTests {
  @Test func theyLieOneBehindTheOtherEachWithItsLength() {
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
}
