import Bytes

/// One I2C message to the controller, without the address byte.
///
/// A control byte says what follows: SSD1306 data sheet, section 8.1.5.2.
/// `80`: one command byte, then a control byte; `00`: command bytes to the end;
/// `40`: data bytes to the end.
struct Message: ~Copyable {
  /// A window, the control byte and a whole picture are 12 + 1 + 1024 bytes.
  private var buffer = FixedBuffer<1040>()

  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { buffer.bytes }
  }

  mutating func removeAll() { buffer.removeAll() }

  /// Nothing but commands follows.
  mutating func beginCommands() { buffer.append(0x00) }

  /// Nothing but data follows.
  mutating func beginData() { buffer.append(0x40) }

  /// Adds a command after `beginCommands`.
  mutating func add(_ command: Command) { command.append(to: &buffer) }

  /// Adds a command that other commands or data may follow.
  mutating func addControlled(_ command: Command) {
    var bytes = FixedBuffer<7>()
    command.append(to: &bytes)
    for index in 0..<bytes.count {
      buffer.append(0x80)
      buffer.append(bytes[index])
    }
  }

  /// Adds a data byte after `beginData`.
  mutating func add(_ byte: UInt8) { buffer.append(byte) }
}
