package import Bytes
package import Words

/// The age of stale data, in the steps of the panel.
///
/// The steps are seconds below 10 s, ten seconds below a minute, minutes below an hour, then hours up to 99.
/// The age is rounded down. Steps are coarse, so that a forgotten device does not wake up each second.
package struct Age: Equatable, Sendable {
  /// The age on the panel in seconds.
  package let seconds: Int64

  /// The age `milliseconds` after the last news; a negative number counts as 0.
  package init(milliseconds: Int64) {
    let exact = max(0, min(milliseconds / 1_000, Self.limit))
    seconds = exact - exact % Self.step(exact)
  }

  /// When the next age begins, in milliseconds; `nil` if this is the last one.
  package var end: Int64? {
    seconds < Self.limit ? (seconds + Self.step(seconds)) * 1_000 : nil
  }

  /// Adds number and unit, such as `8 s`, `20 s`, `3 min` or `2 h`.
  package func append<Writer: ByteWriter & ~Copyable>(
    to writer: inout Writer, in language: Language = .english
  ) {
    if seconds < 60 {
      writer.append(decimal: seconds)
      writer.append(" s")
    } else if seconds < 3_600 {
      writer.append(decimal: seconds / 60)
      writer.append(" min")
    } else {
      writer.append(decimal: seconds / 3_600)
      writer.append(" ")
      writer.append(.hours, in: language)
    }
  }

  private static var limit: Int64 { 99 * 3_600 }

  private static func step(_ seconds: Int64) -> Int64 {
    if seconds < 10 { return 1 }
    if seconds < 60 { return 10 }
    return seconds < 3_600 ? 60 : 3_600
  }
}
