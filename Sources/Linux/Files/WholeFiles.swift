package import Bytes
import CLinux

/// A file that is written beside an old one and takes its place when it is whole and on the disk.
///
/// Killed or without power at any moment there is the old file or the new one. What an attempt that was
/// cut off has left behind, `NAME.new`, the next one overwrites.
public struct ReplacedFile: ~Copyable {
  private let folder: FileDescriptor
  private let file: FileDescriptor
  private let name: FixedBuffer<255>
  private let newName: FixedBuffer<255>

  /// Begins to write what `path` is to hold.
  ///
  /// Throws `nameTooLong` for a name of more than 251 bytes, and what open says.
  package init(path: Span<UInt8>) throws(Errno) {
    let name = try fileName(of: path)
    guard name.count <= 251 else { throw .nameTooLong }
    var newName = FixedBuffer<255>()
    newName.append(name.bytes)
    newName.append(".new")
    let folder = try openParent(of: path)
    let file = try FileDescriptor(opening: linux_create_in(folder.rawValue, newName.bytes))
    self.folder = folder
    self.file = file
    self.name = name
    self.newName = newName
  }

  package func write(_ bytes: Span<UInt8>) throws(Errno) { try file.write(all: bytes) }

  /// Puts what was written into the place of the old file, once the disk has it.
  package consuming func finish() throws(Errno) {
    try check(linux_sync(file.rawValue))
    try check(linux_rename_in(folder.rawValue, newName.bytes, name.bytes))
    try check(linux_sync(folder.rawValue))
  }

  /// Removes what was written so far.
  package consuming func abandon() { _ = linux_remove_in(folder.rawValue, newName.bytes) }
}

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
