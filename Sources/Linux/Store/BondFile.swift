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
  private let layout: BondLayout
  private var file: FileDescriptor

  /// Whether it is a block device, which cannot be set aside.
  package let isDevice: Bool

  /// Who else could or can read it.
  package let protection: Protection

  /// Opens the file; makes it of `size` zeros if it is missing, and the folder that it is in.
  ///
  /// `size` is at most 1024. It makes nothing in `/dev`. Throws what the calls say, and
  /// - `wouldBlock`: another program has the file; `busy`: the device is mounted.
  /// - `symbolicLink`; `fileExists` for a fifo and the like.
  /// - `noSpace`: the device has no room for both halves.
  package init(path: Span<UInt8>, size: Int) throws(Errno) {
    let name = try fileName(of: path)
    let folder = try openFolder(of: path)
    let opened = try OpenedBond(name.bytes, in: folder, mayCreate: !isDevicePath(path), size: size)
    isDevice = opened.isDevice
    protection = opened.protection
    layout = opened.layout
    file = opened.file
    self.folder = folder
    self.name = name
    self.size = size
  }

  /// Replaces `buffer` by the content's first bytes, as many as there are and fit.
  package func read<let n: Int>(into buffer: inout FixedBuffer<n>) throws(Errno) {
    var part = FixedBuffer<512>()
    buffer.wipe()
    while buffer.count < size, buffer.free > 0 {
      let position = layout.position(of: buffer.count)
      try read(into: &part, at: position)
      if part.isEmpty { break }
      let rest = min(buffer.free, layout.rest(from: buffer.count))
      buffer.append(part.bytes.extracting(first: min(part.count, rest)))
    }
    part.wipe()
  }

  private func read(into part: inout FixedBuffer<512>, at position: Int) throws(Errno) {
    try part.fill { (space) throws(Errno) in
      Int(try check { linux_read_at(file.rawValue, position, &space) })
    }
  }

  /// Whether there is nothing behind the halves: no superblock of a file system, no data behind the second.
  package func isFree() throws(Errno) -> Bool {
    let superblocks = min(layout.spacing, BondLayout.superblocks)
    guard try isUnwritten(from: layout.half, to: superblocks) else { return false }
    return try isUnwritten(
      from: layout.spacing + layout.half, to: layout.spacing + BondLayout.block)
  }

  /// Whether nothing was written there; beyond the end nothing was.
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
    try writeAll(bytes, at: layout.position(of: offset), to: file)
    try check(linux_sync_data(file.rawValue))
    // A deleted file takes all bytes, and nobody finds it.
    guard linux_status(file.rawValue).is_deleted == 0 else { throw .noSuchFile }
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
    let opened = try OpenedBond(name.bytes, in: folder, mayCreate: true, size: size)
    file = opened.file
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
  /// Before it file systems have their superblocks: md at 4 KiB, ISO 9660 at 32, Btrfs at 64.
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
