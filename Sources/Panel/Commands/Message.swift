import Bytes
import Graphics

/// One I²C message to the controller, without the address byte.
///
/// A control byte says what follows: SSD1306 data sheet, section 8.1.5.2.
/// `00`: command bytes to the end; `40`: data bytes to the end.
struct Message: ~Copyable, ByteWriter {
  /// A control byte and a whole RAM.
  private var buffer = FixedBuffer<1025>()

  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { buffer.bytes }
  }

  mutating func removeAll() { buffer.removeAll() }

  /// Nothing but commands follows.
  mutating func beginCommands() { append(0x00) }

  /// Nothing but data follows.
  mutating func beginData() { append(0x40) }

  /// Adds a command after `beginCommands`.
  mutating func add(_ command: Command) { command.append(to: &self) }

  mutating func append(_ byte: UInt8) { buffer.append(byte) }
  mutating func append(_ bytes: Span<UInt8>) { buffer.append(bytes) }

  /// Adds the bytes of an area after `beginData`, page by page.
  mutating func add(_ area: Area, of bytes: Span<UInt8>) {
    for page in area.firstPage...area.lastPage {
      let start = page &* Bitmap.maxWidth &+ area.firstColumn
      append(bytes.extracting(start..<start &+ area.width))
    }
  }
}
