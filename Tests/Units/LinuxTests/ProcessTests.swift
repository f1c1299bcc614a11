import Bytes
import Expecting
import Foundation
import Glibc
import Linux
import TestSupport

struct ProcessTests {
  @Test func itsNumberAndArgumentsAreThoseOfTheProgram() {
    expect(Linux.Process.id, UInt64(getpid()))
    expect(Linux.Process.argumentCount, CommandLine.arguments.count)
    for (index, argument) in CommandLine.arguments.enumerated() {
      var buffer = FixedBuffer<4096>()
      let isThere = Linux.Process.argument(index, into: &buffer)
      expect(isThere && array(buffer.bytes) == Array(argument.utf8))
    }
  }

  @Test func anArgumentThatIsMissingOrTooLongIsTold() {
    var buffer = FixedBuffer<4096>()
    var small = FixedBuffer<1>()
    let results = (
      Linux.Process.argument(-1, into: &buffer), Linux.Process.argument(100_000, into: &buffer),
      Linux.Process.argument(0, into: &small)
    )
    expect(results == (false, false, false))
  }

  @Test func anEnvironmentVariableIsReadWholeOrNotAtAll() throws {
    let path = try #require(ProcessInfo.processInfo.environment["PATH"])
    var whole = FixedBuffer<4096>()
    Linux.Process.environment("PATH", into: &whole)
    expect(array(whole.bytes), Array(path.utf8))
    Linux.Process.environment("LENKER_HAS_NO_SUCH_VARIABLE", into: &whole)
    expect(array(whole.bytes), [])
    var small = FixedBuffer<1>()
    small.append(0x61)
    Linux.Process.environment("PATH", into: &small)
    expect(array(small.bytes), [])
  }

  @Test(arguments: [0, 1, 511, 512, 513, 1024])
  func aFileIsReadWhole(_ count: Int) throws {
    let scratch = try Scratch()
    let text = String(repeating: "0123456789abcdef", count: 64).prefix(count)
    try scratch.write("file", String(text))
    let path = Array(scratch("file").utf8)
    var buffer = FixedBuffer<1024>()
    try readFile(path.span, into: &buffer)
    expect(array(buffer.bytes), Array(text.utf8))
  }

  @Test func aFileThatDoesNotFitOrIsNoneIsTold() throws {
    let scratch = try Scratch()
    try scratch.write("file", "12345")
    var buffer = FixedBuffer<4>()
    for (path, reason) in [
      (scratch("file"), Errno.fileTooLarge), (scratch("none"), .noSuchFile),
      (scratch.path, .isAFolder), (scratch("file/x"), .notAFolder), ("/dev/zero", .fileTooLarge),
      ("a\0b", .noSuchFile),
    ] {
      do throws(Errno) {
        let bytes = Array(path.utf8)
        try readFile(bytes.span, into: &buffer)
        Issue.record("read \(path)")
      } catch {
        expect(error, reason)
      }
    }
  }

  /// The numbers that `Errno` has written out, against those of this machine's C library.
  @Test(
    arguments: [
      (.notPermitted, EPERM), (.noSuchFile, ENOENT), (.interrupted, EINTR), (.inputOutput, EIO),
      (.noSuchAddress, ENXIO), (.wouldBlock, EAGAIN), (.accessDenied, EACCES), (.busy, EBUSY),
      (.fileExists, EEXIST), (.noSuchDevice, ENODEV), (.notAFolder, ENOTDIR), (.isAFolder, EISDIR),
      (.invalid, EINVAL), (.wrongKind, ENOTTY), (.fileTooLarge, EFBIG), (.noSpace, ENOSPC),
      (.readOnly, EROFS), (.peerClosed, EPIPE), (.nameTooLong, ENAMETOOLONG),
      (.tooManyUsers, EUSERS), (.notSupported, EOPNOTSUPP), (.noSuchFamily, EAFNOSUPPORT),
      (.networkDown, ENETDOWN), (.networkUnreachable, ENETUNREACH), (.connectionReset, ECONNRESET),
      (.timedOut, ETIMEDOUT), (.connectionRefused, ECONNREFUSED), (.hostUnreachable, EHOSTUNREACH),
      (.remoteIO, EREMOTEIO), (.radioBlocked, ERFKILL), (.symbolicLink, ELOOP),
    ] as [(Errno, Int32)])
  func aNameHasTheNumberOfTheCMacro(_ error: Errno, _ number: Int32) {
    expect(error.rawValue, number)
  }
}
