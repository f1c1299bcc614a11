package import BoardFile
package import Bytes

/// A short load every few seconds, so that a power bank does not take the board for a fully charged phone.
///
/// The processor does not sleep during a load, and everything else goes on. A load that begins late has its full
/// length.
package struct KeepAwake {
  /// In milliseconds.
  private static var length: Int64 { 300 }

  /// From the beginning of one load to that of the next, in milliseconds; `nil` for none at all.
  private let interval: Int64?
  /// When the next load begins, or the present one began.
  private var begin: Instant
  /// Whether the processor is not to sleep.
  package private(set) var isLoading = false

  package init(_ board: borrowing Board, at now: Instant) {
    interval = board.keepAwake.map { Int64(widening: Int($0)) * 1_000 }
    begin = now + (interval ?? 0)
  }

  /// When `advance` must be called at the latest.
  package var deadline: Instant? {
    guard interval != nil else { return nil }
    return isLoading ? begin + Self.length : begin
  }

  package mutating func advance(to now: Instant) {
    guard let interval, let deadline, now >= deadline else { return }
    begin = isLoading ? begin + interval : now
    isLoading.toggle()
  }
}
