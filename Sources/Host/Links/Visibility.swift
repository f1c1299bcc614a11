/// What of the phone's notifications a capture may show: none that nobody knows, once they may be private.
///
/// A phone may remember that it was subscribed to, and notify before its handles are found.
public struct Visibility: Equatable, Sendable {
  /// Whether any are hidden.
  var hidesOthers: Bool
  /// Handles of values that are shown whole, 0 for none.
  var shown, alsoShown: UInt16
  /// That of Entity Update, whose texts are hidden.
  var music: UInt16

  /// Everything, where nobody asks a phone for what is private.
  public static var all: Visibility { Visibility(hidesOthers: false) }

  /// The handles of what is shown, and that of music.
  public init(
    hidesOthers: Bool, shown: UInt16 = 0, alsoShown: UInt16 = 0, music: UInt16 = 0
  ) {
    self.hidesOthers = hidesOthers
    (self.shown, self.alsoShown, self.music) = (shown, alsoShown, music)
  }

  /// How many bytes of a value that is notified from this handle are shown; `nil` for all of them.
  public func shownCount(of handle: UInt16) -> Int? {
    switch handle {
    case _ where !hidesOthers: nil
    case 0: 0
    case shown, alsoShown: nil
    case music: 3
    default: 0
    }
  }
}
