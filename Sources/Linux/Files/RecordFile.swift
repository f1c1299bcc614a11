package import Bytes
import CLinux

/// A file of binary records, such as a capture, for which the program never waits.
///
/// It never fails the program. The first record that does not get out whole, as on a full disk, ends the
/// file: no reader could understand what came behind it.
public struct RecordFile: ~Copyable {
  private var file: FileDescriptor?

  package static var none: RecordFile { RecordFile() }

  private init() { file = nil }

  /// Records to a file that is made, or emptied if it is there.
  package init(path: Span<UInt8>) throws(Errno) {
    file = try FileDescriptor(opening: linux_create(path))
  }

  /// Whether all records are dropped, so that none need be made.
  package var isNone: Bool { file == nil }

  package mutating func write(_ record: Span<UInt8>) {
    do throws(Errno) {
      try file?.write(all: record)
    } catch {
      file = nil
    }
  }
}
