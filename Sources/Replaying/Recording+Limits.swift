import Device
import Recording

extension Recording.Entry {
  /// Milliseconds of a report: five bytes of the old record have them (`Record.Header`).
  private static var longestReport: Int64 { 1 << 40 }
  /// Milliseconds of a capture, each deadline of which is met: a week.
  ///
  /// One that is longer was made while the clock was set, as a Pi does that has none of its own.
  private static var longestCapture: Int64 { 7 * 86_400_000 }
  /// Milliseconds between two turns of the loop: three bytes of the old record have them.
  private static var longestTurn: Int64 { 0xFF_FFFF }

  /// What no device of then can have noted, in words; `nil` if all is possible.
  ///
  /// A play of it would never end, or come to times beyond those that there are.
  func impossibility(inReport isReport: Bool, since start: Int64) -> String? {
    guard isReport else {
      return time - start <= Self.longestCapture
        ? nil : "is more than a week behind the first packet, as the clock was set: cut it off here"
    }
    guard time < Self.longestReport else {
      return "is 34 years behind the start of the program: make another report"
    }
    guard case .note(let words) = content else { return nil }
    let numbers = words.dropFirst()
    let limits: ClosedRange<Int64>
    switch Note.Name(of: words) {
    case .turns: limits = 0...Self.longestTurn
    case .recovery: limits = -Self.longestReport...Self.longestReport
    default: return nil
    }
    let arePossible = numbers.allSatisfy { Int64($0).map(limits.contains) ?? false }
    return arePossible
      ? nil
      : "\(told(words)): its numbers are milliseconds, \(limits.lowerBound) to \(limits.upperBound): make another report"
  }
}
