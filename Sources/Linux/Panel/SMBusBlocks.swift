import Bytes

/// One message to a panel, cut into SMBus block writes: a first byte and at most 32 more.
///
/// A message is control bytes with what follows each: SSD1306 data sheet, 8.1.5.2. With the continuation
/// bit 7 one byte follows, without it everything to the end. Each block begins with a control byte, so
/// that the panel understands it alone.
struct SMBusBlocks: ~Copyable {
  private var index = 0
  /// The control byte that holds to the end of the message, once it has come.
  private var control: UInt8?
  private var buffer = FixedBuffer<33>()

  /// The block to write, after `next` said that there is one.
  var block: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { buffer.bytes }
  }

  /// Goes on to the next block of `message`, the same at each call; `false` at the end.
  mutating func next(of message: Span<UInt8>) -> Bool {
    buffer.removeAll()
    if control == nil { appendPairs(of: message) }
    if let control, index < message.count { appendRun(control, of: message) }
    // A block of the control byte alone carries nothing, and SMBus has no such block.
    return buffer.count >= 2
  }

  /// Takes control bytes for one byte, each with its byte, up to the one that holds to the end.
  private mutating func appendPairs(of message: Span<UInt8>) {
    while index + 1 < message.count, buffer.free >= 2 {
      guard message[index] & 0x80 != 0 else {
        control = message[index]
        index += 1
        return
      }
      buffer.append(message[index])
      buffer.append(message[index + 1])
      index += 2
    }
  }

  /// Takes the control byte again and as many bytes as fit behind it.
  private mutating func appendRun(_ control: UInt8, of message: Span<UInt8>) {
    buffer.append(control)
    while index < message.count, buffer.free > 0 {
      buffer.append(message[index])
      index += 1
    }
  }
}
