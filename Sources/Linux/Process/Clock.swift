package import Bytes
import CLinux

/// The one clock.
package enum Clock {
  /// Milliseconds since the system started.
  ///
  /// CLOCK_MONOTONIC: poll(2) waits by this clock and the kernel stamps GPIO edges with it, so deadlines and
  /// presses compare. It never jumps when the date is set. It stops while the system sleeps, which the
  /// boards never do.
  package static var now: Instant { Instant(milliseconds: linux_milliseconds()) }

  /// Microseconds since 1970, for files that people read; never for a deadline.
  package static var wallMicroseconds: Int64 { linux_wall_microseconds() }
}
