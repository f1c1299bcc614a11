package import Bytes
import CLinux

/// Where lines go: a file, standard error or nowhere.
///
/// Writing waits a moment at most and never fails the program: a line that does not get out is counted.
public struct LineFile: ~Copyable {
  /// Its own file, unless the lines go to standard error or nowhere.
  private let file: FileDescriptor?
  private let rawValue: Int32
  /// Whether the file ends in a part of a line.
  private var isMidLine = false
  private var isStuck = false

  /// Lines that did not get out, or not whole.
  package private(set) var lostLines: UInt32 = 0

  private init(_ rawValue: Int32) {
    file = nil
    self.rawValue = rawValue
  }

  /// Whether all lines are dropped, so that none need be made.
  package var isNone: Bool { rawValue < 0 }

  package static var none: LineFile { LineFile(-1) }

  package static var standardError: LineFile { LineFile(2) }

  /// Lines to a file that is made, or emptied if it is there.
  package init(path: Span<UInt8>) throws(Errno) {
    let file = try FileDescriptor(opening: linux_create(path))
    rawValue = file.rawValue
    self.file = consume file
  }

  /// Writes one line, without its newline, which this adds.
  ///
  /// The program waits a tenth of a second for a slow reader of a pipe, once: after that lines are
  /// lost until the pipe takes some again.
  package mutating func write(line: Span<UInt8>) {
    if isNone { return }
    // One write, so that a pipe takes a line whole or not at all.
    var whole = FixedBuffer<4096>()
    if isMidLine { whole.append(0x0A) }
    whole.append(line)
    whole.append(0x0A)
    let isWritten =
      whole.isOverflown
      ? (!isMidLine || put(newline.span)) && put(line) && put(newline.span) : put(whole.bytes)
    if !isWritten { lostLines &+= 1 }
  }

  /// Writes lines that each end in a newline.
  package mutating func write(lines: Span<UInt8>) {
    var start = 0
    for index in lines.indices where lines[index] == 0x0A {
      write(line: lines.extracting(start..<index))
      start = index + 1
    }
  }

  private var newline: InlineArray<1, UInt8> { [0x0A] }

  private mutating func put(_ bytes: Span<UInt8>) -> Bool {
    var written = 0
    while written < bytes.count {
      isStuck = !Descriptor(rawValue: rawValue).isWritable(within: isStuck ? 0 : 100)
      if isStuck { return false }
      // A pipe that poll calls writable takes this much without waiting. pipe(7), PIPE_BUF.
      let part = bytes.extracting(written..<min(bytes.count, written + 4096))
      do throws(Errno) {
        written += try check { linux_write(rawValue, part) }
      } catch {
        return false
      }
      isMidLine = bytes[written - 1] != 0x0A
    }
    return true
  }
}
