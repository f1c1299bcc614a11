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
  private let hidesOthers: Bool
  /// The handles of what is shown, 0 for none: the way, the time, Notification Source.
  private let way: UInt16, clock: UInt16, source: UInt16
  /// That of Entity Update, whose texts are hidden.
  private let music: UInt16
  /// That of Data Source.
  private let answer: UInt16

  /// Everything, where nobody asks a phone for what is private.
  package static var all: Visibility { Visibility(hidesOthers: false) }

  /// What is known of where on the phone what is; 0 is nowhere yet.
  package init(
    hidesOthers: Bool = true, way: UInt16 = 0, clock: UInt16 = 0, source: UInt16 = 0,
    music: UInt16 = 0, answer: UInt16 = 0
  ) {
    self.hidesOthers = hidesOthers
    (self.way, self.clock, self.source) = (way, clock, source)
    (self.music, self.answer) = (music, answer)
  }

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
