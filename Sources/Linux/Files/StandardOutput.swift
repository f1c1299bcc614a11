import Bytes
import CLinux

/// Standard output, for which the program never waits.
public struct StandardOutput: ~Copyable {
  /// Whether the reader is gone or the disk is full: nothing more gets out.
  package private(set) var hasEnded = false

  /// What this process writes to; it stays as blocking as it was, as other programs share it.
  package init() {}

  /// Writable when something can go.
  package var descriptor: Descriptor { hasEnded ? .none : Descriptor(rawValue: 1) }

  /// Returns how many of `bytes` it took, from the first one on, at once.
  ///
  /// At most 4096 at a time: a pipe that poll calls writable takes those without waiting.
  /// pipe(7), PIPE_BUF.
  package mutating func write(_ bytes: Span<UInt8>) -> Int {
    guard !hasEnded, !bytes.isEmpty, descriptor.isWritable(within: 0) else { return 0 }
    do throws(Errno) {
      return try check { linux_write(1, bytes.extracting(first: min(bytes.count, 4096))) }
    } catch {
      hasEnded = error != .wouldBlock
      return 0
    }
  }

  /// Notes that the reader is gone, as a wait has shown.
  package mutating func end() { hasEnded = true }
}
