import Bytes
import Graphics

/// Messages that go over the bus in one call, one after the other.
package struct MessageBatch: ~Copyable {
  /// Enough for the initialisation and a whole picture of any panel.
  private var buffer = FixedBuffer<1200>()
  /// As many as the kernel takes: `I2C_RDWR_IOCTL_MAX_MSGS`.
  private var sizes = InlineArray<42, UInt16>(repeating: 0)

  /// How many messages it holds.
  package private(set) var count = 0

  /// A batch without messages.
  package init() {}

  /// Whether it holds no messages.
  package var isEmpty: Bool { count == 0 }

  /// The bytes of all messages, those of the first at the front.
  package var bytes: Span<UInt8> { buffer.bytes }

  /// How many bytes each message has.
  package var lengths: Span<UInt16> { sizes.span.extracting(first: count) }

  /// Whether `message` would be taken by `append`.
  package func hasRoom(for message: Span<UInt8>) -> Bool {
    message.count <= buffer.free && count < sizes.count
  }

  /// Adds a message without its address byte, or nothing if there is no room for it.
  package mutating func append(_ message: Span<UInt8>) {
    guard hasRoom(for: message) else { return }
    buffer.append(message)
    sizes[count] = UInt16(truncatingIfNeeded: message.count)
    count += 1
  }

  /// Drops all messages.
  package mutating func removeAll() {
    buffer.removeAll()
    count = 0
  }
}

/// One I²C message to the controller, without the address byte.
///
/// A control byte says what follows: SSD1306 data sheet, section 8.1.5.2.
/// `00`: command bytes to the end; `40`: data bytes to the end.
/// There is room for a control byte and a whole RAM.
typealias Message = FixedBuffer<1025>

extension Message {
  /// Only commands follow.
  mutating func beginCommands() { append(0x00) }

  /// Only data follows.
  mutating func beginData() { append(0x40) }

  mutating func add(_ command: Command) { command.append(to: &self) }

  /// Adds the bytes of an area after `beginData`, page by page.
  mutating func add(_ area: Area, of bytes: Span<UInt8>) {
    for page in area.firstPage...area.lastPage {
      let start = page &* Bitmap.maxWidth &+ area.firstColumn
      append(bytes.extracting(start..<start &+ area.width))
    }
  }
}
