package import Words

/// A fault of a board without a command line, such as a card that starts only Lenker.
package enum MachineTrouble: Equatable, Sendable {
  /// The radio is being reset, opened again or switched off and on, or will be in a moment.
  case radioRestarts
  /// The board is about to restart.
  case restart
  /// The radio does not work, and nothing is being done about it.
  case radio
  /// The memory cannot be read.
  case memory
  /// The phone cannot be forgotten.
  case unpairing
  /// There is no place for a report.
  case report

  /// The title, what is done or must be done about it, and whether the rider only has to wait.
  package var words: (title: Phrase, sentence: Phrase, isTemporary: Bool) {
    switch self {
    case .radioRestarts: (.noRadio, .bluetoothRestarts, true)
    case .restart: (.noRadio, .boardRestarts, true)
    case .radio: (.noRadio, .switchOffAndOn, false)
    case .memory: (.memory, .switchOffAndOn, false)
    case .unpairing: (.stillPaired, .switchOffAndOn, false)
    case .report: (.noReport, .fileIsMissing, false)
    }
  }
}
