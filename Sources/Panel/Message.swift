import Bytes

/// One I2C message to the controller, without the address byte.
///
/// A control byte says what follows: SSD1306 data sheet, section 8.1.5.2.
/// `80`: one command byte, then a control byte; `00`: command bytes to the end;
/// `40`: data bytes to the end.
struct Message: ~Copyable, ByteWriter {
  /// Two commands with a control byte each, the control byte of the data and a whole RAM are
  /// 4 + 1 + 1024 bytes.
  private var storage = InlineArray<1032, UInt8>(repeating: 0)
  private(set) var count = 0

  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { storage.span.extracting(first: count) }
  }

  mutating func removeAll() { count = 0 }

  /// Nothing but commands follows.
  mutating func beginCommands() { append(0x00) }

  /// Nothing but data follows.
  mutating func beginData() { append(0x40) }

  /// Adds a command after `beginCommands`.
  mutating func add(_ command: Command) { command.append(to: &self) }

  /// Adds a command of one byte that other commands or data may follow.
  mutating func addControlled(_ command: Command) {
    append(0x80)
    command.append(to: &self)
  }

  mutating func append(_ byte: UInt8) {
    guard count < 1032 else { return }
    storage[count] = byte
    count &+= 1
  }

  mutating func append(_ bytes: Span<UInt8>) {
    guard bytes.count <= 1032 - count else { return }
    let start = count
    for index in 0..<bytes.count { storage[start &+ index] = bytes[index] }
    count = start &+ bytes.count
  }

  /// Adds the bytes of an area after `beginData`, page by page.
  mutating func add(_ area: Area, of bytes: Span<UInt8>) {
    for page in area.firstPage...area.lastPage {
      let start = page &* ChangeMap.columns &+ area.firstColumn
      append(bytes.extracting(start..<start &+ area.width))
    }
  }
}
