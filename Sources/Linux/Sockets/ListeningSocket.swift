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
  /// A socket at that path that nobody listens at, as one that was killed leaves it, is replaced. Throws
  /// `nameTooLong` for more than 107 bytes, `addressInUse` where somebody listens, `fileExists` for
  /// another kind of file, and what bind says.
  package init(path: Span<UInt8>) throws(Errno) {
    listener = linux_listen_unix(path)
    guard listener.descriptor >= 0 else { throw .last }
    self.path.assign(path)
  }

  deinit { end() }

  private func end() { linux_end_listening(listener, path.bytes) }

  /// Readable when somebody has connected.
  package var descriptor: Descriptor { Descriptor(rawValue: listener.descriptor) }

  /// The next who has connected, or `nil` if there is nobody now.
  package func accept() throws(Errno) -> AcceptedSocket? {
    do throws(Errno) {
      return AcceptedSocket(try FileDescriptor(opening: linux_accept(listener.descriptor)))
    } catch {
      switch error {
      // Nobody, or one who has gone meanwhile.
      case .wouldBlock, .interrupted, .connectionAborted: return nil
      default: throw error
      }
    }
  }
}
