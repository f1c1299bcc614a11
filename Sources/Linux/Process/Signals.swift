package import Bytes
import CLinux

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
