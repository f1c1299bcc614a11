package import Bytes
import CLinux

/// The connection of somebody who has come to a `ListeningSocket`; nothing waits for them.
public struct AcceptedSocket: ~Copyable {
  private let file: FileDescriptor

  init(_ file: consuming FileDescriptor) { self.file = file }

  /// Readable when bytes have come, writable when some can go.
  package var descriptor: Descriptor { file.descriptor }

  /// Replaces `buffer` by the next bytes; `false` if there are none now.
  ///
  /// Throws `peerClosed` where none will come any more, though it may still read.
  package func receive<let n: Int>(into buffer: inout FixedBuffer<n>) throws(Errno) -> Bool {
    do throws(Errno) {
      try file.read(into: &buffer)
    } catch .wouldBlock {
      return false
    }
    guard !buffer.isEmpty else { throw .peerClosed }
    return true
  }

  /// Returns how many of `bytes` the kernel took, from the first one on; the caller keeps the rest.
  package func send(_ bytes: Span<UInt8>) throws(Errno) -> Int {
    do throws(Errno) {
      return try check { linux_send(file.rawValue, bytes) }
    } catch .wouldBlock {
      return 0
    }
  }
}
