package import Bytes
import CLinux

/// The number of an open file, for `Poller`; it does not own the file.
package struct Descriptor: Equatable, Sendable {
  /// What the kernel calls it; negative for none.
  package let rawValue: Int32

  /// Nothing to wait for.
  package static var none: Descriptor { Descriptor(rawValue: -1) }
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

/// Whether there is anything at a path, even a link that leads nowhere or what we may not look at.
package func isThere(_ path: Span<UInt8>) -> Bool { linux_is_there(path) == 1 }

/// What was at a path before it was opened, so that what opening it makes can be removed again.
package struct PathBefore {
  /// Whether there was a file, folder or anything else.
  package let wasThere: Bool
  /// Whether the folder was there that it is in.
  package let wasFolderThere: Bool

  /// Looks at the path.
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

/// The folder that a path's last part is in; empty for the one of the program.
@_lifetime(copy path)
func folder(of path: Span<UInt8>) -> Span<UInt8> {
  guard var end = lastSlash(in: path) else { return path.extracting(first: 0) }
  while end > 1, path[end - 1] == 0x2F { end -= 1 }
  return path.extracting(first: max(1, end))
}

/// Reads a whole small file.
///
/// Throws `Errno.fileTooLarge` if it does not fit into `buffer`, and what open or read say.
package func readFile<let n: Int>(
  _ path: Span<UInt8>, into buffer: inout FixedBuffer<n>
) throws(Errno) {
  let file = try FileInput(path: path)
  var part = FixedBuffer<512>()
  buffer.removeAll()
  while try file.read(into: &part) {
    guard part.count <= buffer.free else { throw .fileTooLarge }
    buffer.append(part.bytes)
  }
}
