import Bytes
import CLinux

extension Errno {
  /// Why the last call failed.
  static var last: Errno { Errno(rawValue: linux_errno()) }
}
