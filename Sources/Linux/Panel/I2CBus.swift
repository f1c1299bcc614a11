package import Bytes
import CLinux

/// A device on an I²C bus that is only written to, such as a panel, and registers of others that are only read.
///
/// Linux, Documentation/i2c/dev-interface.rst and fault-codes.rst.
///
/// A message is what goes between start and stop: for a panel, control bytes with commands and
/// data. Adapters that know only SMBus get the same as block writes, see `SMBusBlocks`.
///
/// A call returns when the bus has carried its bytes, or has failed to within `timeout(of:)`.
public struct I2CBus: ~Copyable {
  private let file: FileDescriptor
  private let address: UInt8
  private let takesMessages: Bool
  private var timeout: UInt32 = 0

  /// The longest message the kernel takes.
  ///
  /// Linux, drivers/i2c/i2c-dev.c.
  package static var maxMessage: Int { 8192 }

  /// After how many milliseconds a call of `count` bytes has failed.
  ///
  /// A bus of 36 kHz, a third of the usual speed, needs this time; 100 ms are for everything else. The
  /// adapter's own second would be too long for all that waits meanwhile.
  static func timeout(of count: Int) -> UInt32 {
    100 + UInt32(truncatingIfNeeded: (count + 39) / 40 * 10)
  }

  /// Opens the bus `path`, such as `/dev/i2c-1`, for the device with the 7-bit `address`.
  ///
  /// Says nothing about whether the device is there. Throws `noSuchFile` without the bus,
  /// `busy` if a driver of the kernel has the address, `notSupported` for an adapter that can
  /// write neither way.
  package init(path: Span<UInt8>, address: UInt8) throws(Errno) {
    let file = try FileDescriptor(opening: linux_open_i2c(path, address))
    let kind = linux_i2c_takes_messages(file.rawValue)
    try check(kind)
    self.takesMessages = kind == 1
    self.address = address
    self.file = file
  }

  /// Whether another program has a panel on this bus, if it locks the bus as we do.
  package var isShared: Bool { linux_i2c_is_shared(file.rawValue) == 1 }

  /// Writes one message.
  ///
  /// Throws `invalid` for none or too many bytes. After any other error it is unknown which bytes arrived:
  /// - `remoteIO`, `noSuchAddress` or `inputOutput`: the device did not acknowledge.
  /// - `wouldBlock`: the arbitration was lost.
  /// - `timedOut`: the bus is stuck. `noSuchDevice`: it is gone.
  package mutating func send(_ message: Span<UInt8>) throws(Errno) {
    let lengths: InlineArray<1, UInt16> = [UInt16(truncatingIfNeeded: message.count)]
    guard message.count <= Self.maxMessage else { throw .invalid }
    try send(message, lengths: lengths.span)
  }

  /// Writes messages that lie one after the other in `bytes`, joined by repeated starts.
  ///
  /// At most 42, as Linux has it in include/uapi/linux/i2c-dev.h. Throws as `send(_:)`, and `invalid` if the
  /// lengths do not fit the bytes. Some adapters want each message in a call of its own, and fail otherwise.
  package mutating func send(_ bytes: Span<UInt8>, lengths: Span<UInt16>) throws(Errno) {
    try checkLengths(bytes, lengths)
    do throws(Errno) {
      try sendChecked(bytes, lengths)
    } catch {
      // The adapter waited in vain for a free bus: opening would have refused an address that a driver has.
      throw error == .busy ? .timedOut : error
    }
  }

  /// Reads `count` bytes of another device's register: writes its number, then reads after a repeated start.
  ///
  /// Throws as `send(_:)`, `busy` if a driver of the kernel has the device, and `notSupported` for an adapter
  /// that cannot read so.
  package mutating func read(
    _ register: UInt8, of device: UInt8, count: Int, into bytes: inout FixedBuffer<2>
  ) throws(Errno) {
    // Two addresses and the number are on the wire, too.
    try setTimeout(of: count + 3)
    try bytes.fill { (space) throws(Errno) in
      try check(readRegister(register, of: device, count: count, into: &space))
      return count
    }
  }

  private func readRegister(
    _ register: UInt8, of device: UInt8, count: Int, into space: inout MutableSpan<UInt8>
  ) -> Int32 {
    guard takesMessages else {
      return linux_smbus_read_block(file.rawValue, address, device, register, count, &space)
    }
    return linux_i2c_read(file.rawValue, device, register, count, &space)
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

  private mutating func sendChecked(_ bytes: Span<UInt8>, _ lengths: Span<UInt16>) throws(Errno) {
    guard !takesMessages else {
      try setTimeout(of: bytes.count)
      return try check(linux_i2c_write(file.rawValue, address, bytes, lengths))
    }
    var start = 0
    for index in lengths.indices {
      let end = start + Int(lengths[index])
      try sendBlocks(bytes.extracting(start..<end))
      start = end
    }
  }

  private mutating func sendBlocks(_ message: Span<UInt8>) throws(Errno) {
    var blocks = SMBusBlocks()
    while blocks.next(of: message) {
      let block = blocks.block.bytes
      try setTimeout(of: block.count)
      try check(
        linux_smbus_write_block(file.rawValue, block[0], block.extracting(droppingFirst: 1)))
    }
  }

  private mutating func setTimeout(of count: Int) throws(Errno) {
    let wanted = Self.timeout(of: count)
    guard wanted != timeout else { return }
    try check(linux_i2c_set_timeout(file.rawValue, wanted))
    timeout = wanted
  }
}

/// An I²C bus as such: what its adapter can do, and which devices are on it.
///
/// Linux, Documentation/i2c/dev-interface.rst.
public struct I2CAdapter: ~Copyable {
  /// The reply to a probe of an address.
  package enum Reply: Equatable, Sendable {
    /// No device acknowledged.
    case silence
    case answer
    /// A driver of the kernel has the address, so no program may ask.
    case driven
  }

  private let file: FileDescriptor

  /// Opens the bus `path`, such as `/dev/i2c-1`.
  package init(path: Span<UInt8>) throws(Errno) {
    file = try FileDescriptor(reading: path)
  }

  /// Whether it takes plain I²C messages, or SMBus blocks only.
  ///
  /// Throws `notSupported` if neither.
  package func takesMessages() throws(Errno) -> Bool {
    let kind = linux_i2c_takes_messages(file.rawValue)
    try check(kind)
    return kind == 1
  }

  /// Asks whether a device has the 7-bit `address`, as harmlessly as i2cdetect(8) does.
  ///
  /// Throws `notSupported` if the adapter cannot ask, and `timedOut` and the like if the bus itself
  /// fails, as with a wire at ground.
  package func probe(_ address: UInt8) throws(Errno) -> Reply {
    let result = linux_i2c_probe(file.rawValue, address)
    try check(result)
    switch Int(result) {
    case LINUX_I2C_DRIVEN: return .driven
    case LINUX_I2C_ANSWERS: return .answer
    default: return .silence
    }
  }
}

/// One message to a panel, cut into SMBus block writes: a first byte and at most 32 more.
///
/// A message is control bytes with what follows each: SSD1306 data sheet, 8.1.5.2. With the continuation
/// bit 7 one byte follows, without it everything to the end. Each block begins with a control byte, so
/// that the panel understands it alone.
struct SMBusBlocks: ~Copyable {
  private var index = 0
  /// The control byte that holds to the end of the message, once it has come.
  private var control: UInt8?

  /// The block to write, after `next` said that there is one.
  private(set) var block = FixedBuffer<33>()

  /// Goes on to the next block of `message`, which is the same at each call; `false` at the end.
  mutating func next(of message: Span<UInt8>) -> Bool {
    block.removeAll()
    if control == nil { appendPairs(of: message) }
    if let control, index < message.count { appendRun(control, of: message) }
    // A block of the control byte alone carries nothing, and SMBus has no such block.
    return block.count >= 2
  }

  /// Takes control bytes for one byte, each with its byte, up to the one that holds to the end.
  private mutating func appendPairs(of message: Span<UInt8>) {
    while index + 1 < message.count, block.free >= 2 {
      guard message[index] & 0x80 != 0 else {
        control = message[index]
        index += 1
        return
      }
      block.append(message[index])
      block.append(message[index + 1])
      index += 2
    }
  }

  /// Takes the control byte again and as many bytes as fit behind it.
  private mutating func appendRun(_ control: UInt8, of message: Span<UInt8>) {
    block.append(control)
    while index < message.count, block.free > 0 {
      block.append(message[index])
      index += 1
    }
  }
}
