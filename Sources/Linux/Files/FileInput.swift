package import Bytes
import CLinux

/// A file that is read from its beginning to its end, piece by piece.
public struct FileInput: ~Copyable {
  private let file: FileDescriptor

  package init(path: Span<UInt8>) throws(Errno) {
    file = try FileDescriptor(opening: linux_open_for_reading(path))
  }

  /// Replaces `piece` by the next bytes; returns `false` at the end.
  package func read<let n: Int>(into piece: inout FixedBuffer<n>) throws(Errno) -> Bool {
    try file.read(into: &piece)
    return !piece.isEmpty
  }
}
