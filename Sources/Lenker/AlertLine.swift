import BoardFile
import Bytes
import Linux
import Navigation

/// The line of a buzzer or LED, low but for the patterns of the alerts, reopened for as long as it
/// fails.
struct AlertLine: ~Copyable {
  private static var retryTime: Int64 { 1_000 }

  private var line: GPIOLine?
  private var pattern = AlertPattern()
  /// Whether the open line is high; the kernel opens it low.
  private var isHigh = false
  private var lastError: Errno?
  /// When to open it; `nil` while it is open, or if the board has none.
  private var openingTime: Instant?

  init(opening now: Instant?) { openingTime = now }

  /// When to open it, or when it changes.
  var deadline: Instant? { openingTime ?? (line == nil ? nil : pattern.deadline) }

  /// Opens it if it is time to; throws once for each new reason.
  ///
  /// A board that names the line but no chip is told of once.
  mutating func open(_ board: Board, at now: Instant) throws(Errno) {
    guard let due = openingTime, now >= due else { return }
    openingTime = nil
    do throws(Errno) {
      line = try board.openAlert()
    } catch {
      try close(error, retrying: board.chip != nil, at: now)
      return
    }
    (isHigh, lastError) = (false, nil)
  }

  /// The rider is told of this level now.
  mutating func announce(_ level: AlertLevel, at now: Instant) { pattern.begin(level, at: now) }

  /// Lets the time be `now` and drives the line; throws once for each new reason.
  mutating func advance(to now: Instant) throws(Errno) {
    pattern.advance(to: now)
    guard pattern.isHigh != isHigh else { return }
    do throws(Errno) {
      try line?.set(pattern.isHigh)
    } catch {
      return try close(error, retrying: true, at: now)
    }
    isHigh = pattern.isHigh
  }

  /// The buttons found that the chip is gone: the line is opened again as they are.
  ///
  /// Else the next alert would find it out and be lost, and a chip that is back could not have its
  /// name again, which the kernel keeps for as long as somebody has a line of the one that went.
  mutating func chipIsGone(at now: Instant) {
    guard line != nil else { return }
    line = nil
    isHigh = false
    openingTime = now + Self.retryTime
  }

  /// Leaves it low: not all chips let go of a line's level when its owner ends.
  mutating func shutDown() throws(Errno) {
    pattern = AlertPattern()
    openingTime = nil
    if isHigh { try line?.set(false) }
  }

  private mutating func close(
    _ reason: Errno, retrying: Bool, at now: Instant
  ) throws(Errno) {
    line = nil
    isHigh = false
    if retrying { openingTime = now + Self.retryTime }
    guard reason != lastError else { return }
    lastError = reason
    throw reason
  }
}
