import BoardFile
import Controller

/// How long to wait before the transport is opened again after a failure, in milliseconds.
enum RadioPause {
  /// For a stream that is out of step, so that it is back in step within a second.
  private static var resync: Int64 { 250 }
  /// For a controller whose driver may still be loading.
  private static var look: Int64 { 100 }
  private static var usual: Int64 { 1_000 }

  package static func after(
    _ failure: RadioFailure, of port: ControllerPort, isStarting: Bool
  ) -> Int64 {
    switch failure {
    case .stream, .stalled: resync
    case .errno where isStarting && port.isDevice: look
    case .errno, .unanswered: usual
    }
  }

  package static func after(_ failure: HostFailure) -> Int64 {
    if case .commandTimeout = failure { resync } else { usual }
  }
}
