package import Bytes
import CLinux

/// Where lines go that nobody may wait for: a file, standard error or nowhere.
///
/// Never fails the program: a line that does not get out is counted, and later ones go on.
public struct LineFile: ~Copyable {
  private enum Target: ~Copyable {
    case none
    case standardError
    case file(FileDescriptor)
  }

  private let target: Target
  /// Whether the file ends in a part of a line.
  private var isMidLine = false
  private var isStuck = false

  /// Lines that did not get out, or not whole.
  package private(set) var lostLines: UInt32 = 0

  private init(_ target: consuming Target) { self.target = target }

  /// Whether all lines are dropped, so that none need be made.
  package var isNone: Bool { rawValue < 0 }

  /// Drops all lines.
  package static var none: LineFile { LineFile(.none) }

  /// Lines to standard error.
  package static var standardError: LineFile { LineFile(.standardError) }

  /// Lines to a file that is made, or emptied if it is there.
  package init(path: Span<UInt8>) throws(Errno) {
    target = .file(try FileDescriptor(opening: linux_create(path)))
  }

  private var rawValue: Int32 {
    switch target {
    case .none: -1
    case .standardError: 2
    case .file(let file): file.rawValue
    }
  }

  /// Writes one line, without its newline, which this adds.
  ///
  /// A pipe whose reader is slow is waited for a tenth of a second, once: after that lines are
  /// lost until it takes some again.
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
      guard waitForRoom() else { return false }
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

  private mutating func waitForRoom() -> Bool {
    var entries = InlineArray<1, linux_poll_entry>(
      repeating: linux_poll_entry(
        descriptor: rawValue, interest: Int16(LINUX_POLL_WRITE), ready: 0))
    var span = entries.mutableSpan
    isStuck = linux_poll(&span, isStuck ? 0 : 100) <= 0
    return !isStuck
  }
}
