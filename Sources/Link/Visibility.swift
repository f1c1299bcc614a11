/// How much of the phone's notifications a capture may show: nothing from unknown handles, once they may be private.
///
/// A phone may remember a subscription, and notify before its handles are found.
package struct Visibility: Equatable, Sendable {
  /// How much of a value is shown.
  package enum Extent: Equatable, Sendable {
    case all
    /// This many bytes from its beginning.
    case first(Int)
    /// All but the texts in an answer of Data Source.
    case structure
  }

  /// Whether anything is hidden.
  private let hidesPrivate: Bool
  /// The handles of what is shown, 0 for none: the way, the time, Notification Source.
  private let way: UInt16, clock: UInt16, source: UInt16
  /// The handle of Entity Update, whose texts are hidden.
  private let music: UInt16
  /// The handle of Data Source.
  private let answer: UInt16

  /// Everything, where nobody asks a phone for what is private.
  package static var all: Visibility { Visibility(hidesPrivate: false) }

  /// The handles that are known so far; 0 is unknown.
  package init(
    hidesPrivate: Bool = true, way: UInt16 = 0, clock: UInt16 = 0, source: UInt16 = 0,
    music: UInt16 = 0, answer: UInt16 = 0
  ) {
    self.hidesPrivate = hidesPrivate
    (self.way, self.clock, self.source) = (way, clock, source)
    (self.music, self.answer) = (music, answer)
  }

  /// How much is shown of a value that is notified from this handle.
  package func extent(of handle: UInt16) -> Extent {
    switch handle {
    case _ where !hidesPrivate: .all
    case 0: .first(0)
    case way, clock, source: .all
    case music: .first(3)
    case answer: .structure
    default: .first(0)
    }
  }
}
