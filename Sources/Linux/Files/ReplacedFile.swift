package import Bytes
import CLinux

/// A file that is written beside an old one and takes its place when it is whole and on the disk.
///
/// If the program is killed or loses power, there is either the old file or the new one. The next attempt
/// overwrites `NAME.new`, which an interrupted attempt left behind.
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
