package import Bytes
import CLinux

/// A file that is written in place, piece by piece, and never gets shorter.
public struct ReportFile: ~Copyable {
  private let file: FileDescriptor

  /// Opens the file, or makes one.
  ///
  /// Throws `Errno.fileExists` for a device and the like, and what open says.
  package init(path: Span<UInt8>) throws(Errno) {
    let opened = try FileDescriptor(opening: linux_open_in_place(path))
    let status = linux_status(opened.rawValue)
    try check(status.result)
    guard status.is_device == 0 else { throw .fileExists }
    file = opened
  }

  /// Writes a piece.
  ///
  /// The first piece waits for the disk before and after: it is there after all earlier pieces and before all
  /// later ones.
  package func write(_ piece: Span<UInt8>, at offset: Int) throws(Errno) {
    if offset == 0 { try check(linux_sync_data(file.rawValue)) }
    try writeAll(piece, at: offset, to: file)
    if offset == 0 { try check(linux_sync_data(file.rawValue)) }
    // A deleted file takes all pieces, and nobody finds it.
    guard linux_status(file.rawValue).is_deleted == 0 else { throw .noSuchFile }
  }

  /// Throws what keeps a report from being written there; changes nothing in it, and leaves none behind.
  package static func checkWritable(_ path: Span<UInt8>) throws(Errno) {
    let before = PathBefore(path)
    _ = try ReportFile(path: path)
    before.restore(path)
  }
}
