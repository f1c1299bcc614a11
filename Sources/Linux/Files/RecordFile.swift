package import Bytes
import CLinux

/// A file of binary records that nobody may wait for, such as a capture.
///
/// Never fails the program: the first record that does not get out whole, as on
/// a full disk, ends the file, since what came behind it could not be read.
public struct RecordFile: ~Copyable {
  private var file: FileDescriptor?

  /// Drops all records.
  package static var none: RecordFile { RecordFile() }

  private init() { file = nil }

  /// Records to a file that is made, or emptied if it is there.
  package init(path: Span<UInt8>) throws(Errno) {
    file = try FileDescriptor(opening: linux_create(path))
  }

  /// Whether all records are dropped, so that none need be made.
  package var isNone: Bool {
    switch file {
    case .some: false
    case .none: true
    }
  }

  /// Writes one record.
  package mutating func write(_ record: Span<UInt8>) {
    var written = 0
    while written < record.count, !isNone {
      do throws(Errno) {
        written += try file?.write(record.extracting(droppingFirst: written)) ?? 0
      } catch {
        file = nil
      }
    }
  }
}
