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
