import Bytes
import CLinux

/// A device on an I²C bus that is only written to, such as a panel.
///
/// Linux, Documentation/i2c/dev-interface.rst.
///
/// A message is what goes between start and stop: for a panel, control bytes with commands and
/// data. Adapters that know only SMBus get the same as block writes, see `SMBusBlocks`.
public struct I2CBus: ~Copyable {
  private let file: FileDescriptor
  private let address: UInt8
  private let takesMessages: Bool
  private var messagesPerCall = Int(LINUX_I2C_MESSAGES)

  /// The longest message the kernel takes.
  ///
  /// Linux, drivers/i2c/i2c-dev.c.
  public static var maxMessage: Int { 8192 }

  /// Opens the bus `path`, such as `/dev/i2c-1`, for the device with the 7-bit `address`.
  ///
  /// Says nothing about whether the device is there. Throws `noSuchFile` without the bus,
  /// `busy` if a driver of the kernel has the address, `notSupported` for an adapter that can
  /// write neither way.
  public init(path: Span<UInt8>, address: UInt8) throws(Errno) {
    let file = try FileDescriptor(opening: linux_open_i2c(path, address))
    let kind = linux_i2c_takes_messages(file.rawValue)
    try check(kind)
    self.takesMessages = kind == 1
    self.address = address
    self.file = file
  }

  /// Writes one message.
  ///
  /// Throws `invalid` for none or too many bytes. `remoteIO`, `noSuchAddress`, `inputOutput` or
  /// `timedOut`: the device did not acknowledge, and an unknown part of the message has arrived.
  public mutating func send(_ message: Span<UInt8>) throws(Errno) {
    let lengths: InlineArray<1, UInt16> = [UInt16(truncatingIfNeeded: message.count)]
    guard message.count <= Self.maxMessage else { throw .invalid }
    try send(message, lengths: lengths.span)
  }

  /// Writes messages that lie one after the other in `bytes`, as few calls as the adapter allows.
  ///
  /// Messages of one call are joined by repeated starts. Throws as `send(_:)`; `invalid` also if
  /// the lengths and the bytes do not go together.
  public mutating func send(_ bytes: Span<UInt8>, lengths: Span<UInt16>) throws(Errno) {
    try checkLengths(bytes, lengths)
    var start = 0
    var index = 0
    while index < lengths.count {
      let last = takesMessages ? min(lengths.count, index + messagesPerCall) : index + 1
      var size = 0
      for next in index..<last { size += Int(lengths[next]) }
      let part = bytes.extracting(start..<start + size)
      if takesMessages {
        guard try transfer(part, lengths.extracting(index..<last)) else { continue }
      } else {
        try sendBlocks(part)
      }
      start += size
      index = last
    }
  }

  private func checkLengths(_ bytes: Span<UInt8>, _ lengths: Span<UInt16>) throws(Errno) {
    var sum = 0
    for index in lengths.indices {
      let length = Int(lengths[index])
      guard length > 0, length <= Self.maxMessage else { throw .invalid }
      sum += length
    }
    guard sum == bytes.count else { throw .invalid }
  }

  /// Writes one call's worth; `false` if the adapter wants them one by one.
  private mutating func transfer(
    _ bytes: Span<UInt8>, _ lengths: Span<UInt16>
  ) throws(Errno) -> Bool {
    do throws(Errno) {
      try check(linux_i2c_write(file.rawValue, address, bytes, lengths))
    } catch .notSupported where lengths.count > 1 {
      messagesPerCall = 1
      return false
    }
    return true
  }

  private func sendBlocks(_ message: Span<UInt8>) throws(Errno) {
    var blocks = SMBusBlocks()
    while blocks.next(of: message) {
      let block = blocks.block
      try check(
        linux_smbus_write_block(file.rawValue, block[0], block.extracting(droppingFirst: 1)))
    }
  }
}
