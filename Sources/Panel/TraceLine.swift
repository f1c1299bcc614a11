package import Bytes

extension ByteWriter where Self: ~Copyable {
  /// Writes a line of the I²C trace, without its newline: seconds, address and bytes of one message.
  ///
  /// `12.345 3c 80 21 80 00`: three characters a byte, so that a full frame takes some 3,130.
  /// `milliseconds` count from the start, the address has 7 bits.
  package mutating func append(
    traceOf message: Span<UInt8>, to address: UInt8, atMilliseconds milliseconds: Int64
  ) {
    append(milliseconds: milliseconds)
    append(" ")
    append(hex: UInt64(widening: UInt32(address)), atLeast: 2)
    for index in message.indices {
      append(" ")
      append(hex: UInt64(widening: UInt32(message[index])), atLeast: 2)
    }
  }
}
