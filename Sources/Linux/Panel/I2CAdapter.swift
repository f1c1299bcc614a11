package import Bytes
import CLinux

/// An I²C bus as such: what its adapter can do, and which devices are on it.
///
/// Linux, Documentation/i2c/dev-interface.rst.
public struct I2CAdapter: ~Copyable {
  /// What came of asking for an address.
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
