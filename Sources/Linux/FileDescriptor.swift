public import Bytes
import CLinux

/// The number of an open file, for `Poller`; it does not own the file.
public struct Descriptor: Equatable, Sendable {
  /// What the kernel calls it; negative for none.
  public let rawValue: Int32

  /// Nothing to wait for.
  public static var none: Descriptor { Descriptor(rawValue: -1) }
}

/// An open file, closed when its owner goes.
public struct FileDescriptor: ~Copyable {
  let rawValue: Int32

  /// Takes what a call returned: an open file, or -1 with the reason in errno.
  init(opening rawValue: Int32) throws(Errno) {
    guard rawValue >= 0 else { throw .last }
    self.rawValue = rawValue
  }

  deinit { linux_close(rawValue) }

  var descriptor: Descriptor { Descriptor(rawValue: rawValue) }

  /// Replaces `buffer` by what can be read; leaves it empty at the end of the file.
  func read<let n: Int>(into buffer: inout FixedBuffer<n>) throws(Errno) {
    try buffer.fill { (space) throws(Errno) in
      Int(try check { linux_read(rawValue, &space) })
    }
  }

  /// Returns how many bytes the kernel took.
  func write(_ bytes: Span<UInt8>) throws(Errno) -> Int {
    try check { linux_write(rawValue, bytes) }
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

/// Does nothing with a call that returned 0, and throws the reason of one that returned -1.
func check(_ result: Int32) throws(Errno) {
  guard result >= 0 else { throw .last }
}

/// Throws what would keep a file from being written to, and leaves what it holds, or none if there was none.
public func checkWritable(_ path: Span<UInt8>) throws(Errno) {
  let isNew = !isThere(path)
  _ = try FileDescriptor(opening: linux_open_for_appending(path))
  if isNew { removeFile(path) }
}

/// Whether there is anything at a path, be it a link that leads nowhere, or nobody may look.
public func isThere(_ path: Span<UInt8>) -> Bool { linux_is_there(path) == 1 }

/// Removes a file if it is there and may be removed.
public func removeFile(_ path: Span<UInt8>) { _ = linux_remove(path) }

/// Reads a whole small file.
///
/// Throws `Errno.fileTooLarge` if it does not fit into `buffer`, and what open or read say.
public func readFile<let n: Int>(
  _ path: Span<UInt8>, into buffer: inout FixedBuffer<n>
) throws(Errno) {
  let file = try FileDescriptor(opening: linux_open_for_reading(path))
  var part = FixedBuffer<512>()
  buffer.removeAll()
  while true {
    try file.read(into: &part)
    if part.isEmpty { return }
    guard part.count <= buffer.free else { throw .fileTooLarge }
    buffer.append(part.bytes)
  }
}
