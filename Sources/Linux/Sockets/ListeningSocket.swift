package import Bytes
import CLinux

/// A unix stream socket that other programs connect to; its file goes with it.
///
/// None of its calls waits.
public struct ListeningSocket: ~Copyable {
  private let listener: linux_listener
  private var path = FixedBuffer<107>()

  /// Makes the socket, for its owner and group as far as the umask lets them.
  ///
  /// A socket that a killed program has left at that path is replaced. Throws `nameTooLong` for more than
  /// 107 bytes, `addressInUse` where a program listens, `fileExists` for another kind of file, and what
  /// bind says.
  package init(path: Span<UInt8>) throws(Errno) {
    listener = linux_listen_unix(path)
    guard listener.descriptor >= 0 else { throw .last }
    self.path.assign(path)
  }

  deinit { end() }

  private func end() { linux_end_listening(listener, path.bytes) }

  /// Readable when a program has connected.
  package var descriptor: Descriptor { Descriptor(rawValue: listener.descriptor) }

  /// The connection of the next program, or `nil` if there is none now; it never waits.
  package func accept() throws(Errno) -> FileDescriptor? {
    do throws(Errno) {
      return try FileDescriptor(opening: linux_accept(listener.descriptor))
    } catch {
      switch error {
      // No connection, or one that has ended meanwhile.
      case .wouldBlock, .interrupted, .connectionAborted: return nil
      default: throw error
      }
    }
  }
}
