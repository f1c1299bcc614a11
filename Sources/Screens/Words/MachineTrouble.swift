import Words

/// What does not work on a machine that does nothing but this, such as a card that starts straight into
/// Lenker: nobody has a command line there, but everybody a switch.
package enum MachineTrouble: Equatable, Sendable {
  /// The radio is being reset or opened anew, or will be in a moment.
  case radioIsReset
  /// The radio is being switched off and on.
  case radioIsSwitched
  /// All is about to start anew.
  case restart
  /// The radio does not work, and nothing is being done about it.
  case radio
  /// Who is remembered cannot be read.
  case memory
  /// The phone cannot be forgotten.
  case unpairing
  /// There is no place for a report.
  case report

  /// In a word or two.
  var title: Phrase {
    switch self {
    case .radioIsReset, .radioIsSwitched, .restart, .radio: .noRadio
    case .memory: .memory
    case .unpairing: .stillPaired
    case .report: .noReport
    }
  }

  /// What is done about it, or what the rider can do.
  var sentence: Phrase {
    switch self {
    case .radioIsReset: .isBeingReset
    case .radioIsSwitched: .isSwitchedOffAndOn
    case .restart: .boardRestarts
    case .radio, .memory, .unpairing: .switchOffAndOn
    case .report: .fileIsMissing
    }
  }

  /// Whether the rider has nothing to do but wait.
  var isTemporary: Bool {
    switch self {
    case .radioIsReset, .radioIsSwitched, .restart: true
    case .radio, .memory, .unpairing, .report: false
    }
  }
}
