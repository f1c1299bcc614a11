/// A text that the panel shows; `Language` has it in each language.
///
/// `%` is the place of a phone's name, for which `ByteWriter.append(_:naming:)` puts it in. `|`
/// separates the forms of a text, the longest first, which `Span.form` tells apart: a panel shows
/// the first for which it has room. What names devices, commands and files is English, as in the
/// log, and no phrase.
package enum Phrase: UInt8, Sendable {
  /// On the way to a phone.
  case noPhone, pressPageToSearch, searching, openKomoot, found, waiting, openKomootOn
  /// On the way to a turn.
  case connecting, ready, startATour
  /// The comparison of a code, and a phone without one.
  case yourTurn, tapPair, tapPairOn, isPaired, withPhone, withThisPhone
  /// Likewise.
  case same, sameOn, colon, pageSame, pageYes, unpairNo, noCode, pair, pairWith, noCodePair
  /// What became of a pairing.
  case notPaired, toPair, refusedByPhone, refusedHere, timeout, wrongAnswer, insecure
  /// Likewise.
  case tooManyAttempts, linkLost, notSaved, tryAgain
  /// Which phone it is.
  case aPhone, paired, knownByAddress, forThisRide
  /// Who forgets whom.
  case toForget, forget, keepHolding, keepHoldingToForget, unpaired, stillPaired
  /// Likewise.
  case memoryCannotBeWritten, pairAgain, forgotten, forgottenBy, pairedWithoutCode
  /// What helps a phone that ends each link at once.
  case switchBluetooth
  /// What went wrong, and what is done about it.
  case report, saved, noReport, settings, memory, noRadio, runCheck
  /// Likewise.
  case isSwitchedOffAndOn, boardRestarts, isBeingReset, isBeingOpened
  /// Likewise, where nobody has a command line.
  case switchOffAndOn, oneMoment, fileIsMissing
  /// The whole ride.
  case arrived, noRide, soFar, average, atHome
  /// What the phone plays, and that somebody calls.
  case music, nothingPlays, call
  /// The turn.
  case now, hours, start, finish, noLink, noNews, offRoute, back, goBack

  /// How many phrases there are; their raw values are 0..<count.
  package static var count: UInt8 { goBack.rawValue + 1 }
}
