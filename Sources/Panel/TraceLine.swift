public import Bytes

/// A line of the I2C trace: seconds, address and bytes of one message.
///
/// `12.345 3c 80 21 80 00`: a long message makes some 3,000 characters, so the
/// line is taken piece by piece.
public struct TraceLine: ~Escapable {
  private var message: Span<UInt8>
  private let milliseconds: Int64
  private let address: UInt8
  private var isStarted = false

  /// The line for `message`, sent to the 7-bit `address`, `milliseconds` after the start.
  @_lifetime(copy message)
  public init(milliseconds: Int64, address: UInt8, _ message: Span<UInt8>) {
    self.message = message
    self.milliseconds = max(0, milliseconds)
    self.address = address
  }

  /// Fills `piece` with the next part of the line; returns whether more follows.
  ///
  /// The line feed belongs to the last part. `piece` holds at least 32 bytes.
  @_lifetime(self: copy self)
  public mutating func next<let capacity: Int>(into piece: inout FixedBuffer<capacity>) -> Bool {
    piece.removeAll()
    if !isStarted { appendHead(to: &piece) }
    isStarted = true
    var taken = 0
    while taken < message.count, piece.free > 3 {
      piece.append(0x20)
      piece.append(hex: UInt64(widening: UInt32(message[taken])), atLeast: 2)
      taken += 1
    }
    message = message.extracting(droppingFirst: taken)
    if message.isEmpty { piece.append(0x0A) }
    return !message.isEmpty
  }

  private func appendHead<let capacity: Int>(to piece: inout FixedBuffer<capacity>) {
    piece.append(decimal: milliseconds / 1_000)
    let thousandths = milliseconds % 1_000
    piece.append(0x2E)
    if thousandths < 100 { piece.append(0x30) }
    if thousandths < 10 { piece.append(0x30) }
    piece.append(decimal: thousandths)
    piece.append(0x20)
    piece.append(hex: UInt64(widening: UInt32(address)), atLeast: 2)
  }
}
