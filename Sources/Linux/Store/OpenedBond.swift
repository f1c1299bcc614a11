import Bytes
import CLinux

/// The file of `BondFile`, locked, for its owner alone, and on the disk as far as it is there.
struct OpenedBond: ~Copyable {
  let file: FileDescriptor
  let isDevice: Bool
  let protection: BondFile.Protection
  let layout: BondLayout

  init(
    _ name: Span<UInt8>, in folder: borrowing FileDescriptor, mayCreate: Bool, size: Int
  ) throws(Errno) {
    var file = try FileDescriptor(
      opening: linux_open_bond_in(folder.rawValue, name, mayCreate ? 1 : 0))
    let status = linux_status(file.rawValue)
    try check(status.result)
    try check(linux_lock(file.rawValue))
    let isDevice = status.is_device != 0
    let layout = BondLayout(half: size / 2, of: isDevice ? status.size : nil)
    if isDevice {
      guard layout.end <= status.size else { throw .noSpace }
      file = try FileDescriptor(opening: linux_claim_device_in(folder.rawValue, name))
      try check(linux_lock(file.rawValue))
    }
    let isOpen = !isDevice && status.is_open_to_others != 0
    let protection = isOpen ? protect(file) : .ownersAlone
    if !isDevice, status.size == 0 {
      do throws(Errno) {
        try makeRoom(layout, in: file)
      } catch {
        // Half a file is of no use, and was not there before.
        _ = linux_remove_in(folder.rawValue, name)
        throw error
      }
    }
    // A program that was killed may have left in memory what is not on the disk: put it there, and
    // read what is there indeed.
    try check(linux_sync(file.rawValue))
    _ = linux_drop_cached(file.rawValue)
    if !isDevice { try check(linux_sync(folder.rawValue)) }
    self.layout = layout
    self.file = file
    self.isDevice = isDevice
    self.protection = protection
  }
}

private func protect(_ file: borrowing FileDescriptor) -> BondFile.Protection {
  linux_make_private(file.rawValue) < 0 ? .open : .corrected
}

/// Takes the room on the disk at once: later writes need no more, so a full disk cannot refuse them.
private func makeRoom(_ layout: BondLayout, in file: borrowing FileDescriptor) throws(Errno) {
  let zeros = InlineArray<512, UInt8>(repeating: 0)
  let half = zeros.span.extracting(first: layout.half)
  try writeAll(half, at: 0, to: file)
  try writeAll(half, at: layout.spacing, to: file)
}

/// Goes on after a write that took a part.
func writeAll(
  _ bytes: Span<UInt8>, at offset: Int, to file: borrowing FileDescriptor
) throws(Errno) {
  var written = 0
  while written < bytes.count {
    let rest = bytes.extracting(droppingFirst: written)
    let taken = Int(try check { linux_write_at(file.rawValue, offset + written, rest) })
    guard taken > 0 else { throw .inputOutput }
    written += taken
  }
}

func fileName(of path: Span<UInt8>) throws(Errno) -> FixedBuffer<255> {
  let name = path.extracting(droppingFirst: lastIndex(of: 0x2F, in: path).map { $0 + 1 } ?? 0)
  guard !name.isEmpty else { throw path.isEmpty ? .noSuchFile : .isAFolder }
  guard name.count <= 255 else { throw .nameTooLong }
  var buffer = FixedBuffer<255>()
  buffer.append(name)
  return buffer
}

/// Opens the folder that the path's last part is in, and makes it if only it is missing.
func openFolder(of path: Span<UInt8>) throws(Errno) -> FileDescriptor {
  do throws(Errno) {
    return try openParent(of: path)
  } catch {
    let folder = folder(of: path)
    guard error == .noSuchFile, !isDevicePath(path), !folder.isEmpty else { throw error }
    try check(linux_make_folder(folder, 0o700))
    let parent = try openParent(of: folder)
    try check(linux_sync(parent.rawValue))
    return try openParent(of: path)
  }
}

/// Opens the folder that the path's last part is in.
func openParent(of path: Span<UInt8>) throws(Errno) -> FileDescriptor {
  guard let slash = lastIndex(of: 0x2F, in: path) else {
    let here = ".".utf8
    return try FileDescriptor(opening: linux_open_folder(here.span))
  }
  return try FileDescriptor(opening: linux_open_folder(path.extracting(first: max(1, slash))))
}

/// Whether the path is one of a device, so that a file in its place would be a mistake.
func isDevicePath(_ path: Span<UInt8>) -> Bool {
  hasPrefix(path, "/dev/") && !hasPrefix(path, "/dev/shm/")
}
