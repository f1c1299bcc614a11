import Bytes

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

  /// Bytes of a half.
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

  /// The bytes that are needed.
  var end: Int64 { Int64(widening: spacing + half) }

  /// Where in the file a byte of the content is.
  func position(of offset: Int) -> Int { offset < half ? offset : spacing + offset - half }

  /// How many bytes follow in the same half.
  func rest(from offset: Int) -> Int { half - offset % half }
}
