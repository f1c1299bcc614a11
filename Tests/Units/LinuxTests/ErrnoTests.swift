import Bytes
import Glibc
import Testing

/// The numbers that `Errno` has written out, against those of this machine's C library.
@Suite struct ErrnoTests {
  @Test(
    arguments: [
      (.notPermitted, EPERM), (.noSuchFile, ENOENT), (.interrupted, EINTR), (.inputOutput, EIO),
      (.noSuchAddress, ENXIO), (.wouldBlock, EAGAIN), (.accessDenied, EACCES), (.busy, EBUSY),
      (.fileExists, EEXIST), (.noSuchDevice, ENODEV), (.notAFolder, ENOTDIR),
      (.isAFolder, EISDIR), (.invalid, EINVAL), (.wrongKind, ENOTTY), (.fileTooLarge, EFBIG),
      (.noSpace, ENOSPC), (.readOnly, EROFS), (.peerClosed, EPIPE),
      (.nameTooLong, ENAMETOOLONG), (.symbolicLink, ELOOP), (.tooManyUsers, EUSERS),
      (.notSupported, EOPNOTSUPP), (.noSuchFamily, EAFNOSUPPORT), (.networkDown, ENETDOWN),
      (.networkUnreachable, ENETUNREACH), (.connectionReset, ECONNRESET), (.timedOut, ETIMEDOUT),
      (.connectionRefused, ECONNREFUSED), (.hostUnreachable, EHOSTUNREACH),
      (.remoteIO, EREMOTEIO), (.radioBlocked, ERFKILL),
    ] as [(Errno, Int32)])
  func aNameHasTheNumberOfTheCMacro(_ error: Errno, _ number: Int32) {
    #expect(error.rawValue == number)
  }
}
