package import Bytes
import CLinux

/// The service manager that started the program, such as systemd, and the reports to it.
///
/// sd_notify(3): a datagram of `NAME=VALUE` lines to the unix socket that NOTIFY_SOCKET names. Without that variable,
/// nothing is ever sent.
public struct ServiceManager: ~Copyable {
  /// How long after its queue was full to try again, in milliseconds.
  private static var retryTime: Int64 { 1_000 }

  private let socket: FixedBuffer<107>
  private var watchdog: Watchdog
  private var knowsReady: Bool
  private var retry: Instant?
  /// Whether no sign of life is given though the loop runs, so that the watchdog runs out.
  package var isStarving = false

  /// A manager at the socket `name`, a path or with @ in front an abstract name; none if it is empty.
  package init(socket name: Span<UInt8>, watchdog: Watchdog) {
    var socket = FixedBuffer<107>()
    // The kernel knows no longer names.
    socket.append(name)
    knowsReady = socket.isEmpty
    self.watchdog = socket.isEmpty ? .none : watchdog
    self.socket = socket
  }

  /// The manager that the environment of this process names.
  package static var ours: ServiceManager {
    var socket = FixedBuffer<107>()
    var microseconds = FixedBuffer<20>()
    var process = FixedBuffer<20>()
    Process.environment("NOTIFY_SOCKET", into: &socket)
    Process.environment("WATCHDOG_USEC", into: &microseconds)
    Process.environment("WATCHDOG_PID", into: &process)
    let watchdog = Watchdog(
      microseconds: microseconds.bytes, process: process.bytes, ours: Process.id)
    return ServiceManager(socket: socket.bytes, watchdog: watchdog)
  }

  /// When to call `advance(to:)` next; `nil` if there is nothing to report.
  package var deadline: Instant? { earlier(retry, isStarving ? nil : watchdog.deadline) }

  /// Reports once that the program is ready, and again and again that the loop is running.
  ///
  /// Call it in each turn of the loop and nowhere else, so that a loop that hangs is noticed.
  package mutating func advance(to now: Instant) {
    if !knowsReady, now >= retry ?? now {
      knowsReady = tell("READY=1")
      retry = knowsReady ? nil : now + Self.retryTime
    }
    // A sign that finds the queue full is lost; the next one is in time.
    if !isStarving, watchdog.takeDue(at: now) { _ = tell("WATCHDOG=1") }
  }

  /// Reports that the program is about to end.
  package func stop() {
    if !socket.isEmpty { _ = tell("STOPPING=1") }
  }

  /// Sends a state; returns `false` if another try may help.
  private func tell(_ state: String) -> Bool {
    let utf8 = state.utf8
    do throws(Errno) {
      try check(linux_send_datagram(socket.bytes, utf8.span))
      return true
    } catch {
      return error != .wouldBlock
    }
  }
}
