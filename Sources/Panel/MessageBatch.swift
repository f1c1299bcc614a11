import Bytes
import Linux

/// A bus that a panel can be on: the real one, or in tests one in virtual time.
protocol PanelBus: ~Copyable {
  /// Opens it, for the device with the 7-bit `address`.
  init(path: Span<UInt8>, address: UInt8) throws(Errno)

  /// Writes messages that lie one after the other in `bytes`.
  mutating func send(_ bytes: Span<UInt8>, lengths: Span<UInt16>) throws(Errno)
}

extension I2CBus: PanelBus {}

/// Messages that go over the bus in one call, one after the other.
struct MessageBatch: ~Copyable {
  private static var maxMessages: Int { 42 }  // as many as the kernel takes
  /// Enough for the initialisation and a whole picture of any panel.
  private var buffer = FixedBuffer<1200>()
  private var sizes = InlineArray<42, UInt16>(repeating: 0)

  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { buffer.bytes }
  }

  var lengths: Span<UInt16> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { sizes.span.extracting(first: count) }
  }

  func hasRoom(for message: Span<UInt8>) -> Bool {
    message.count <= buffer.free && count < Self.maxMessages
  }

  mutating func append(_ message: Span<UInt8>) {
    guard hasRoom(for: message) else { return }
    buffer.append(message)
    sizes[count] = UInt16(truncatingIfNeeded: message.count)
    count += 1
  }

  mutating func removeAll() {
    buffer.removeAll()
    count = 0
  }
}
