/// What of the phone's notifications a capture may show: none that nobody knows, once they may be private.
///
/// A phone may remember that it was subscribed to, and notify before its handles are found.
package struct Visibility: Equatable, Sendable {
  /// What of a value is shown.
  package enum Extent: Equatable, Sendable {
    case all
    /// So many bytes.
    case first(Int)
    /// What is no text in an answer of Data Source.
    case structure
  }

  /// Whether any are hidden.
  var hidesOthers: Bool
  /// The handles of what is shown, 0 for none: the way, the time, Notification Source.
  package var way: UInt16 = 0, clock: UInt16 = 0, source: UInt16 = 0
  /// That of Entity Update, whose texts are hidden.
  package var music: UInt16 = 0
  /// That of Data Source.
  package var answer: UInt16 = 0

  /// Everything, where nobody asks a phone for what is private.
  package static var all: Visibility { Visibility(hidesOthers: false) }

  /// No handle is known yet.
  package init(hidesOthers: Bool) { self.hidesOthers = hidesOthers }

  /// What is shown of a value that is notified from this handle.
  package func extent(of handle: UInt16) -> Extent {
    switch handle {
    case _ where !hidesOthers: .all
    case 0: .first(0)
    case way, clock, source: .all
    case music: .first(3)
    case answer: .structure
    default: .first(0)
    }
  }
}
