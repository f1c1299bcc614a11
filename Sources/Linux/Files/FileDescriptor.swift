package import Bytes
import CLinux

/// The number of an open file, for `Poller`; it does not own the file.
package struct Descriptor: Equatable, Sendable {
  /// What the kernel calls it; negative for none.
  package let rawValue: Int32

  package static var none: Descriptor { Descriptor(rawValue: -1) }

  /// Waits until it takes bytes; `false` if it does not within this time.
  func isWritable(within milliseconds: Int32) -> Bool {
    var entries = InlineArray<1, linux_poll_entry>(
      repeating: linux_poll_entry(
        descriptor: rawValue, interest: Int16(LINUX_POLL_WRITE), ready: 0))
    var span = entries.mutableSpan
    return linux_poll(&span, milliseconds) > 0
  }
}

/// An open file, closed when its owner goes.
public struct FileDescriptor: ~Copyable {
  let rawValue: Int32

  /// Takes what a call returned: an open file, or -1 with the reason in errno.
  init(opening rawValue: Int32) throws(Errno) {
    guard rawValue >= 0 else { throw .last }
    self.rawValue = rawValue
  }

  /// Opens a file to be read from its beginning to its end.
  package init(reading path: Span<UInt8>) throws(Errno) {
    try self.init(opening: linux_open_for_reading(path))
  }

  deinit { linux_close(rawValue) }

  /// Readable when bytes have come, writable when some can go.
  package var descriptor: Descriptor { Descriptor(rawValue: rawValue) }

  /// Replaces `buffer` by the next bytes; returns `false` at the end.
  package func read<let n: Int>(into buffer: inout FixedBuffer<n>) throws(Errno) -> Bool {
    try buffer.fill { (space) throws(Errno) in
      Int(try check { linux_read(rawValue, &space) })
    }
    return !buffer.isEmpty
  }

  /// Returns how many bytes the kernel took.
  func write(_ bytes: Span<UInt8>) throws(Errno) -> Int {
    try check { linux_write(rawValue, bytes) }
  }

  /// Writes all bytes, in several writes if one takes only a part.
  func write(all bytes: Span<UInt8>) throws(Errno) {
    var rest = bytes
    while !rest.isEmpty { rest = rest.extracting(droppingFirst: try write(rest)) }
  }

  /// Replaces `buffer` by the next bytes of a stream; `false` if there are none now.
  ///
  /// Throws `peerClosed` at the end of the stream; the other side may still read.
  package func receive<let n: Int>(into buffer: inout FixedBuffer<n>) throws(Errno) -> Bool {
    do throws(Errno) {
      guard try read(into: &buffer) else { throw .peerClosed }
    } catch .wouldBlock {
      return false
    }
    return true
  }

  /// Returns how many of `bytes` the socket took, from the first one on; the caller keeps the rest.
  package func send(_ bytes: Span<UInt8>) throws(Errno) -> Int {
    do throws(Errno) {
      return try check { linux_send(rawValue, bytes) }
    } catch .wouldBlock {
      return 0
    }
  }
}

/// Repeats a call that a signal interrupted, and throws the reason of one that failed.
func check(_ call: () -> Int) throws(Errno) -> Int {
  while true {
    let result = call()
    if result >= 0 { return result }
    let reason = Errno.last
    guard reason == .interrupted else { throw reason }
  }
}

/// Throws the reason of a call that returned -1.
func check(_ result: Int32) throws(Errno) {
  guard result >= 0 else { throw .last }
}

/// Throws what keeps a file from being written to; changes nothing in it, and leaves none behind.
package func checkWritable(_ path: Span<UInt8>) throws(Errno) {
  let before = PathBefore(path)
  _ = try FileDescriptor(opening: linux_open_for_appending(path))
  before.restore(path)
}

/// Whether anything is at a path, even a link that leads nowhere or a file that we may not look at.
package func isThere(_ path: Span<UInt8>) -> Bool { linux_is_there(path) == 1 }

/// What was at a path before it was opened, so that what opening it makes can be removed again.
package struct PathBefore {
  package let wasThere: Bool
  package let wasFolderThere: Bool

  package init(_ path: Span<UInt8>) {
    wasThere = isThere(path)
    let folder = folder(of: path)
    wasFolderThere = folder.isEmpty || isThere(folder)
  }

  /// Removes what is there now and was not before: a file or an empty folder, and the folder that it is in.
  package func restore(_ path: Span<UInt8>) {
    if !wasThere { _ = linux_remove(path) }
    if !wasFolderThere { _ = linux_remove(folder(of: path)) }
  }
}

/// The folder that a path's last part is in; empty for the working directory.
@_lifetime(copy path)
func folder(of path: Span<UInt8>) -> Span<UInt8> {
  guard var end = lastIndex(of: 0x2F, in: path) else { return path.extracting(first: 0) }
  while end > 1, path[end - 1] == 0x2F { end -= 1 }
  return path.extracting(first: max(1, end))
}

/// Reads a whole small file.
///
/// Throws `Errno.fileTooLarge` if it does not fit into `buffer`, and what open or read say.
package func readFile<let n: Int>(
  _ path: Span<UInt8>, into buffer: inout FixedBuffer<n>
) throws(Errno) {
  let file = try FileDescriptor(reading: path)
  var part = FixedBuffer<512>()
  buffer.removeAll()
  while try file.read(into: &part) {
    guard part.count <= buffer.free else { throw .fileTooLarge }
    buffer.append(part.bytes)
  }
}

extension Errno {
  static var last: Errno { Errno(rawValue: linux_errno()) }
}

/// A value that cannot be copied, if there is one.
extension Optional where Wrapped: ~Copyable {
  /// What `body` returns for the value; `nil` without one.
  package borrowing func withValue<Result, Failure: Error>(
    _ body: (borrowing Wrapped) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    switch self {
    case .some(let value): try body(value)
    case .none: nil
    }
  }
}
