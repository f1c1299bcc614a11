import Bytes
import CLinux

/// Standard output, which nobody may wait for.
public struct StandardOutput: ~Copyable {
  /// Whether whoever read it is gone, or the disk is full: nothing will get out any more.
  package private(set) var hasEnded = false

  /// What this process writes to; it stays as blocking as it was, as other programs share it.
  package init() {}

  /// Writable when something can go.
  package var descriptor: Descriptor { hasEnded ? .none : Descriptor(rawValue: 1) }

  /// Returns how many of `bytes` it took, from the first one on, at once.
  ///
  /// No more than 4096 at a time: a pipe that poll calls writable takes so many without waiting.
  /// pipe(7), PIPE_BUF.
  package mutating func write(_ bytes: Span<UInt8>) -> Int {
    guard !hasEnded, !bytes.isEmpty, isWritable else { return 0 }
    do throws(Errno) {
      return try check { linux_write(1, bytes.extracting(first: min(bytes.count, 4096))) }
    } catch {
      hasEnded = error != .wouldBlock
      return 0
    }
  }

  /// Whoever read it is gone, as a wait has told.
  package mutating func end() { hasEnded = true }

  private var isWritable: Bool {
    var entries = InlineArray<1, linux_poll_entry>(
      repeating: linux_poll_entry(descriptor: 1, interest: Int16(LINUX_POLL_WRITE), ready: 0))
    var span = entries.mutableSpan
    return linux_poll(&span, 0) > 0
  }
}
