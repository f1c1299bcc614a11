package import Bytes
import CLinux

/// A chip on the bus of the mock display: the file `gauge-36` in its folder, with the byte of each register.
///
/// 36 is the chip's address in hexadecimal. Without the file no chip answers at this address.
package enum RegisterFile {
  /// Reads `count` bytes of the register.
  ///
  /// Throws `remoteIO` without the file, and `inputOutput` where it ends before that.
  package static func read(
    _ register: UInt8, of device: UInt8, in folder: Span<UInt8>, count: Int,
    into bytes: inout FixedBuffer<2>
  ) throws(Errno) {
    var path = FixedBuffer<512>()
    path.append(folder)
    path.append("/gauge-")
    path.append(hex: UInt64(widening: UInt32(device)), atLeast: 2)
    guard linux_is_there(path.bytes) == 1 else { throw .remoteIO }
    let file = try FileDescriptor(reading: path.bytes)
    try bytes.fill { (space) throws(Errno) in
      Int(try check { linux_read_at(file.rawValue, Int(register), &space) })
    }
    guard bytes.count >= count else { throw .inputOutput }
    bytes.truncate(to: count)
  }
}
