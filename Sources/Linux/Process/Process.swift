package import Bytes
import CLinux

/// This process: its arguments, its two outputs and its end.
package enum Process {
  /// How many arguments there are, the program's name, number 0, included.
  package static var argumentCount: Int { Int(linux_argument_count()) }

  /// Replaces `buffer` by the argument; `false` if there is none, or it is longer than fits.
  package static func argument<let n: Int>(
    _ index: Int, into buffer: inout FixedBuffer<n>
  ) -> Bool {
    var length = -1
    buffer.fill { space in
      length = linux_argument(Int32(truncatingIfNeeded: index), &space)
      return length
    }
    return length >= 0 && length <= n
  }

  /// Whether standard output is a terminal, and so read by a person.
  package static var printsToTerminal: Bool { linux_prints_to_terminal() != 0 }

  /// How many lines the terminal at standard output shows; 24 if it does not say.
  package static var terminalRows: Int { known(linux_terminal_rows(), or: 24) }

  /// How many columns this terminal has; 80 if it does not say.
  package static var terminalColumns: Int { known(linux_terminal_columns(), or: 80) }

  private static func known(_ size: Int32, or usual: Int) -> Int { size > 0 ? Int(size) : usual }

  /// Whether a terminal may be coloured: its user has not set NO_COLOR, and it is not `dumb`.
  ///
  /// https://no-color.org
  package static var wantsColor: Bool {
    var refusal = FixedBuffer<255>()
    var terminal = FixedBuffer<255>()
    environment("NO_COLOR", into: &refusal)
    environment("TERM", into: &terminal)
    return refusal.isEmpty && !terminal.isEmpty && !isText(terminal.bytes, "dumb")
  }

  /// The kernel's number of this process.
  package static var id: UInt64 { UInt64(widening: UInt32(bitPattern: linux_process_id())) }

  /// Replaces `buffer` by the value of an environment variable; by nothing if it is not set, or longer than fits.
  package static func environment<let n: Int>(_ name: String, into buffer: inout FixedBuffer<n>) {
    let utf8 = name.utf8
    var length = -1
    buffer.fill { space in
      length = linux_environment(utf8.span, &space)
      return length
    }
    if length > n { buffer.removeAll() }
  }

  /// Writes to standard output, as far as it takes it.
  package static func print(_ bytes: Span<UInt8>) { write(bytes, to: 1) }

  /// Writes a text of our own to standard output, likewise.
  package static func print(_ text: String) {
    let utf8 = text.utf8
    print(utf8.span)
  }

  /// Writes to standard error, as far as it takes it.
  package static func complain(_ bytes: Span<UInt8>) { write(bytes, to: 2) }

  private static func write(_ bytes: Span<UInt8>, to descriptor: Int32) {
    var written = 0
    while written < bytes.count {
      let rest = bytes.extracting(droppingFirst: written)
      do throws(Errno) {
        written += try check { linux_write(descriptor, rest) }
      } catch {
        return
      }
    }
  }

  /// Ends the process with a status of sysexits.h: 0, 64 (usage), 69 (unavailable), 78 (configuration).
  package static func exit(_ status: Int32) -> Never { linux_exit(status) }
}

/// The signals to stop, SIGTERM and SIGINT, as something to read.
///
/// signalfd(2). SIGPIPE is ignored: a peer that goes is the error of one write and does not end the program.
public struct Signals: ~Copyable {
  private let file: FileDescriptor

  /// From now on the two signals no longer end the process.
  package init() throws(Errno) { file = try FileDescriptor(opening: linux_open_stop_signals()) }

  /// Readable when a signal has come.
  package var descriptor: Descriptor { file.descriptor }

  /// Whether a signal asked the program to stop since the last call.
  package func takeStop() -> Bool { linux_take_signal(file.rawValue) > 0 }
}

/// The exit statuses of a program, from sysexits.h.
package enum ExitStatus {
  /// EX_USAGE: the arguments are wrong.
  package static var usage: Int32 { 64 }
  /// EX_DATAERR: what was read or heard is not as it must be.
  package static var data: Int32 { 65 }
  /// EX_NOINPUT: a file cannot be read.
  package static var noInput: Int32 { 66 }
  /// EX_UNAVAILABLE: something that the program needs is missing.
  package static var unavailable: Int32 { 69 }
  /// EX_CANTCREAT: a file cannot be written.
  package static var cannotCreate: Int32 { 73 }
  /// EX_CONFIG: the board file is wrong.
  package static var configuration: Int32 { 78 }
}
