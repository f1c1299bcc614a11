package import Bytes

/// How far a street that is too long for the panel has scrolled.
///
/// The street rests for 1.5 s, moves by two columns each 50 ms until its end shows, and rests again.
/// That is about five letters a second. After two passes it rests with its beginning shown, and
/// sends nothing more. Late steps are not caught up, as nobody could read so fast.
package struct StreetScroll: Sendable {
  /// How long the street stands still at either end, in milliseconds.
  private static var pause: Int64 { 1_500 }
  /// How long each step shows, in milliseconds.
  private static var stepTime: Int64 { 50 }
  private static var stepColumns: Int { 2 }
  private static var passes: Int { 2 }

  /// How many columns have left the panel: `ShownTurn.streetOffset`.
  package private(set) var offset = 0
  /// When `advance` has something to do; `nil` for never.
  package private(set) var deadline: Instant?
  /// The number of the street that is shown.
  private var street: UInt32?
  private var overflow = 0
  private var passesLeft = 0

  /// Shows no street.
  package init() {}

  /// Shows the street of this number, of which `overflow` columns do not fit; with 0 it stands still.
  ///
  /// A street that is shown already goes on, unless `overflow` has changed.
  package mutating func show(_ street: UInt32, overflow: Int, at now: Instant) {
    guard self.street != street || self.overflow != overflow else { return }
    self.street = street
    self.overflow = overflow
    offset = 0
    passesLeft = Self.passes
    deadline = overflow > 0 ? now + Self.pause : nil
  }

  /// Shows no street: the next one starts at its beginning, even if it is the same.
  package mutating func hide() {
    street = nil
    offset = 0
    deadline = nil
  }

  /// Advances to `now`; returns whether `offset` changed.
  package mutating func advance(to now: Instant) -> Bool {
    guard let due = deadline, now >= due else { return false }
    if offset < overflow {
      offset = min(offset + Self.stepColumns, overflow)
      deadline = now + (offset < overflow ? Self.stepTime : Self.pause)
    } else {
      offset = 0
      passesLeft -= 1
      deadline = passesLeft > 0 ? now + Self.pause : nil
    }
    return true
  }
}
