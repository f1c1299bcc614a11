package import Bytes
import CLinux

/// The wish to stop, as something to read: SIGTERM and SIGINT.
///
/// signalfd(2). SIGPIPE is ignored, so that a peer that goes is the error of one write and not our end.
public struct Signals: ~Copyable {
  private let file: FileDescriptor

  /// From now on the two signals no longer end the process.
  package init() throws(Errno) { file = try FileDescriptor(opening: linux_open_stop_signals()) }

  /// Readable when a signal has come.
  package var descriptor: Descriptor { file.descriptor }

  /// Whether somebody asked us to stop since the last call.
  package func takeStop() -> Bool { linux_take_signal(file.rawValue) > 0 }
}
