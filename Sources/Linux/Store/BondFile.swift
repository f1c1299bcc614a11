package import Bytes
import CLinux

/// A small file, or a block device, that only this program has and that survives power cuts.
///
/// Its content is in two halves, far enough apart that a fault in one does not reach the other. Offsets
/// count in the content.
///
/// The disk has what was written when `write` returns. `read` finds what the disk has, not what a killed
/// program had left in memory.
public struct BondFile: ~Copyable {
  /// Who else may read the file.
  package enum Protection: Sendable {
    /// Nobody but the owner; the system decides that for a device.
    case ownersAlone
    /// Others could, and cannot any more.
    case corrected
    /// Others can: the file system has no owners, such as FAT.
    case open
  }

  private let folder: FileDescriptor
  private let name: FixedBuffer<255>
  private let size: Int
  private var opened: OpenedBond

  /// Whether it is a block device, which cannot be set aside.
  package var isDevice: Bool { opened.isDevice }

  /// Who else could or can read it.
  package var protection: Protection { opened.protection }

  /// Opens the file; makes it of `size` zeros if it is missing, and the folder that it is in.
  ///
  /// `size` is at most 1024. It makes nothing in `/dev`. Throws what the calls say, and
  /// - `wouldBlock`: another program has the file; `busy`: the device is mounted.
  /// - `symbolicLink`; `fileExists` for a fifo and the like.
  /// - `noSpace`: the device has no room for both halves.
  package init(path: Span<UInt8>, size: Int) throws(Errno) {
    let name = try fileName(of: path)
    let folder = try openFolder(of: path)
    opened = try OpenedBond(name.bytes, in: folder, mayCreate: !isDevicePath(path), size: size)
    self.folder = folder
    self.name = name
    self.size = size
  }

  /// Replaces `buffer` by the content's first bytes, as many as there are and fit.
  package func read<let n: Int>(into buffer: inout FixedBuffer<n>) throws(Errno) {
    var part = FixedBuffer<512>()
    buffer.wipe()
    while buffer.count < size, buffer.free > 0 {
      let position = opened.layout.position(of: buffer.count)
      try read(into: &part, at: position)
      if part.isEmpty { break }
      let rest = min(buffer.free, opened.layout.rest(from: buffer.count))
      buffer.append(part.bytes.extracting(first: min(part.count, rest)))
    }
    part.wipe()
  }

  private func read(into part: inout FixedBuffer<512>, at position: Int) throws(Errno) {
    try part.fill { (space) throws(Errno) in
      Int(try check { linux_read_at(opened.file.rawValue, position, &space) })
    }
  }

  /// Whether there is nothing behind the halves: no superblock of a file system, no data behind the second.
  package func isFree() throws(Errno) -> Bool {
    let superblocks = min(opened.layout.spacing, BondLayout.superblocks)
    guard try isUnwritten(from: opened.layout.half, to: superblocks) else { return false }
    return try isUnwritten(
      from: opened.layout.spacing + opened.layout.half, to: opened.layout.spacing + BondLayout.block
    )
  }

  /// Whether nothing was written in a range; beyond the end nothing was written.
  private func isUnwritten(from start: Int, to end: Int) throws(Errno) -> Bool {
    var part = FixedBuffer<512>()
    var offset = start
    while offset < end {
      try read(into: &part, at: offset)
      if part.isEmpty { break }
      guard Bytes.isUnwritten(part.bytes) else { return false }
      offset += part.count
    }
    return true
  }

  /// Writes a part of one half and waits until the disk has it.
  ///
  /// If this throws, the content there is unknown until the same is written again.
  package func write(_ bytes: Span<UInt8>, at offset: Int) throws(Errno) {
    try writeAll(bytes, at: opened.layout.position(of: offset), to: opened.file)
    try check(linux_sync_data(opened.file.rawValue))
    // A deleted file takes all bytes, and nobody finds it.
    guard linux_status(opened.file.rawValue).is_deleted == 0 else { throw .noSuchFile }
  }

  /// Renames the file to `<path>.other`, which replaces an earlier one, and makes a new one.
  ///
  /// Throws `Errno.notSupported` for a device. If this throws, open the path again.
  package mutating func setAside() throws(Errno) {
    guard !isDevice else { throw .notSupported }
    var other = FixedBuffer<255>()
    other.append(name.bytes)
    other.append(".other")
    guard !other.isOverflown else { throw .nameTooLong }
    try check(linux_rename_in(folder.rawValue, name.bytes, other.bytes))
    opened = try OpenedBond(name.bytes, in: folder, mayCreate: true, size: size)
  }
}

/// Where the two halves of a bond file lie: far enough apart that nothing is written to both at once.
///
/// The kernel writes blocks of 4096 bytes or so, of a device too: two records side by side would be
/// written together. A card erases its flash in blocks of up to some MiB, and a cheap card may lose such a
/// block with its power. So on a device the second half begins in the middle.
struct BondLayout {
  /// What the kernel writes at once.
  static var block: Int { 4096 }
  /// File systems have their superblocks below this offset: md at 4 KiB, ISO 9660 at 32, Btrfs at 64.
  static var superblocks: Int { 131_072 }

  let half: Int
  /// From the first half to the second.
  let spacing: Int

  /// For a file, or for a device of this size in bytes.
  init(half: Int, of device: Int64?) {
    self.half = half
    // In a larger device 1 GiB is far enough, too.
    let middle = Int(truncatingIfNeeded: min(device ?? 0, 0x7FFF_FFFF)) / 2
    spacing = max(Self.block, middle - middle % Self.block)
  }

  var end: Int64 { Int64(widening: spacing + half) }

  /// Where in the file a byte of the content is.
  func position(of offset: Int) -> Int { offset < half ? offset : spacing + offset - half }

  /// How many bytes follow in the same half.
  func rest(from offset: Int) -> Int { half - offset % half }
}

/// The file of `BondFile`: locked, for its owner alone, and with all of its content on the disk.
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
    var protection = BondFile.Protection.ownersAlone
    if !isDevice, status.is_open_to_others != 0 {
      protection = linux_make_private(file.rawValue) < 0 ? .open : .corrected
    }
    if !isDevice, status.size == 0 {
      do throws(Errno) {
        try makeRoom(layout, in: file)
      } catch {
        // Half a file is of no use, and was not there before.
        _ = linux_remove_in(folder.rawValue, name)
        throw error
      }
    }
    // A killed program may have left bytes in memory that are not on the disk: write them there, and
    // read what the disk really has.
    try check(linux_sync(file.rawValue))
    _ = linux_drop_cached(file.rawValue)
    if !isDevice { try check(linux_sync(folder.rawValue)) }
    self.layout = layout
    self.file = file
    self.isDevice = isDevice
    self.protection = protection
  }
}

/// Takes the room on the disk at once: later writes need no more, so a full disk cannot refuse them.
private func makeRoom(_ layout: BondLayout, in file: borrowing FileDescriptor) throws(Errno) {
  let zeros = InlineArray<512, UInt8>(repeating: 0)
  let half = zeros.span.extracting(first: layout.half)
  try writeAll(half, at: 0, to: file)
  try writeAll(half, at: layout.spacing, to: file)
}

/// Writes all bytes, in several writes if one takes only a part.
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
