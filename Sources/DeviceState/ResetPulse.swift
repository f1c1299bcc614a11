package import Bytes

/// The pulse on a panel's reset line, which is low from its opening on.
///
/// The SSD1309 wants 3 µs of it, and 3 µs of rest (data sheet, power on sequence); 10 ms are long
/// enough for the capacitor that some modules have on this line.
package struct ResetPulse {
  /// How long the line is low, and how long the panel then rests, in milliseconds.
  package static var time: Int64 { 10 }

  /// When the line is to go high; `nil` while it is.
  package private(set) var end: Instant?

  /// The line was opened, low.
  package mutating func begin(at now: Instant) { end = now + Self.time }

  /// The line went high.
  mutating func wasEnded() { end = nil }
}
