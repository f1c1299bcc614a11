/// A text of the panel; `Language` has it in each language.
///
/// `%` stands for a phone's name, which `ByteWriter.append(_:naming:)` puts in. `|` separates the
/// forms of a text, the longest first: a panel shows the first that fits. Names of devices, commands
/// and files are English, as in the log, and no phrases.
package enum Phrase: UInt8, Sendable {
  /// On the way to a phone.
  case noPhone, aSearch, searching, openKomoot, openKomootOrBluetooth, found, waiting, openKomootOn
  case openAppOn
  /// On the way to a turn.
  case connecting, ready, startATour, startARoute
  /// The comparison of a code, and a phone without one.
  case yourTurn, tapPair, tapPairOn, isPaired, withPhone, withThisPhone
  case same, sameOn, colon, aSame, aYes, bNo, noCode, pair, pairWith, noCodePair
  /// How a pairing failed.
  case notPaired, toPair, refusedByPhone, refusedHere, timeout, noAnswer, wrongAnswer, insecure
  case tooManyAttempts, linkLost, notSaved, tryAgain, forgetThere
  /// Which phone it is.
  case aPhone, paired, knownByAddress, forThisRide
  /// Forgetting, by the phone or by the rider.
  case toForget, forget, keepHolding, keepHoldingToForget, unpaired, stillPaired
  case memoryCannotBeWritten, pairAgain, forgotten, forgottenBy, unrecognised
  case pairedWithoutCode
  /// The advice if the phone ends each link at once.
  case switchBluetooth
  /// Faults, and what is done about them.
  case report, saved, noReport, settings, line, seeErrorFile, memory, noRadio
  case updated, boardRestarts, bluetoothRestarts, bluetoothReconnects
  /// Faults and advice on a board without a command line.
  case switchOffAndOn, oneMoment, fileIsMissing
  /// The whole ride.
  case arrived, noRide, pause, average, atHome, ownBattery
  /// Music, and a call.
  case music, nothingPlays, nextOrPause, call
  /// The turn.
  case now, hours, start, finish, noLink, noNews, offRoute, goBack
}
