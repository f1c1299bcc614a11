package import Bytes
import CLinux

/// A folder of pictures: `frame-000001.pbm`, … and `latest.pbm`, the newest of them.
///
/// Each file appears under its name only when it is whole, so that a reader never sees a part.
public struct PBMWriter: ~Copyable {
  private let folder: FileDescriptor

  /// How many frames this run has written; the number of the newest one.
  package private(set) var frameCount: Int64

  /// Opens the folder, makes it if it is missing, and removes the pictures of an earlier run.
  ///
  /// With a `frameCount` the pictures are this run's: they stay, and the next one follows them.
  package init(folder path: Span<UInt8>, after frameCount: Int64 = 0) throws(Errno) {
    try makeFolders(path)
    let folder = try FileDescriptor(opening: linux_open_folder(path))
    if frameCount == 0 { try removePictures(in: folder) }
    self.frameCount = frameCount
    self.folder = folder
  }

  /// The highest number of a frame in the folder; 0 without any, or without the folder.
  package static func lastNumber(in path: Span<UInt8>) -> Int64 {
    var last: Int64 = 0
    do throws(Errno) {
      let folder = try FileDescriptor(opening: linux_open_folder(path))
      try forEachName(in: folder) { name in last = max(last, frameNumber(name) ?? 0) }
    } catch {
      // Opening the writer throws the reason.
    }
    return last
  }

  /// Writes the next frame, a whole PBM file; none has been written if this throws.
  package mutating func write(_ picture: Span<UInt8>) throws(Errno) {
    var name = FixedBuffer<32>()
    name.append("frame-")
    let number = frameCount + 1
    name.append(decimal: UInt(truncatingIfNeeded: number), atLeast: 6)
    name.append(".pbm")
    try replace(name.bytes, by: picture)
    frameCount = number
    name.removeAll()
    name.append("latest.pbm")
    try replace(name.bytes, by: picture)
  }

  private func replace(_ name: Span<UInt8>, by picture: Span<UInt8>) throws(Errno) {
    var temporary = FixedBuffer<16>()
    temporary.append(temporaryName)
    do {
      let file = try FileDescriptor(opening: linux_create_in(folder.rawValue, temporary.bytes))
      try file.write(all: picture)
    }
    try check(linux_rename_in(folder.rawValue, temporary.bytes, name))
  }
}

/// What a picture is called until it is whole; one that a crash left behind is removed, too.
private var temporaryName: String { "next.pbm" }

/// Makes the folder and those that it is in, as far as they are missing.
private func makeFolders(_ path: Span<UInt8>) throws(Errno) {
  for end in 1...max(1, path.count) where end <= path.count {
    guard end == path.count || path[end] == 0x2F else { continue }
    if linux_make_folder(path.extracting(first: end), 0o755) < 0 {
      let reason = Errno.last
      // A parent may be there and not be ours to write to; what matters is the last one.
      guard end == path.count, reason != .fileExists else { continue }
      throw reason
    }
  }
}

/// Removes the files that a `PBMWriter` makes, and nothing else.
private func removePictures(in folder: borrowing FileDescriptor) throws(Errno) {
  // A folder that changes while it is read may skip entries: read it until nothing is left.
  while try removePicturesOnce(in: folder) { try check(linux_rewind_folder(folder.rawValue)) }
}

private func removePicturesOnce(in folder: borrowing FileDescriptor) throws(Errno) -> Bool {
  var hasRemoved = false
  let number = folder.rawValue
  try forEachName(in: folder) { (name) throws(Errno) in
    guard isPicture(name) else { return }
    try check(linux_remove_in(number, name))
    hasRemoved = true
  }
  return hasRemoved
}

/// Reads the folder to its end, and hands each name to `body`.
private func forEachName(
  in folder: borrowing FileDescriptor, _ body: (Span<UInt8>) throws(Errno) -> Void
) throws(Errno) {
  let number = folder.rawValue
  var records = FixedBuffer<2048>()
  repeat {
    try records.fill { (space) throws(Errno) in
      try check { linux_read_folder(number, &space) }
    }
    var reader = ByteReader(records.bytes)
    while let name = nextName(&reader) { try body(name) }
  } while !records.isEmpty
}

/// The name in the next `struct linux_dirent64`, or `nil` at the end.
///
/// getdents(2).
@_lifetime(copy reader)
private func nextName(_ reader: inout ByteReader) -> Span<UInt8>? {
  do throws(ParseError) {
    try reader.skip(16)  // inode and offset
    let length = Int(try reader.u16())
    try reader.skip(1)  // kind
    let name = try reader.take(length - 19)
    for index in name.indices where name[index] == 0 { return name.extracting(first: index) }
    return name
  } catch {
    return nil
  }
}

/// Whether a file has a name that `PBMWriter` gives.
func isPicture(_ name: Span<UInt8>) -> Bool {
  isText(name, "latest.pbm") || isText(name, temporaryName) || frameNumber(name) != nil
}

/// The number in `frame-000001.pbm`, at most 999,999,999,999.
private func frameNumber(_ name: Span<UInt8>) -> Int64? {
  guard name.count >= 16, isText(name.extracting(first: 6), "frame-"),
    isText(name.extracting(last: 4), ".pbm")
  else { return nil }
  var number: Int64 = 0
  for index in 6..<name.count - 4 {
    guard (0x30...0x39).contains(name[index]) else { return nil }
    number = min(999_999_999_999, number * 10 + Int64(widening: Int(name[index] - 0x30)))
  }
  return number
}
