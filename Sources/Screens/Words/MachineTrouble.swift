/// What does not work on a machine that does nothing but this, such as a card that starts straight into
/// Lenker: nobody has a command line there, but everybody a switch.
public enum MachineTrouble: Equatable, Sendable, CaseIterable {
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
  var title: String {
    switch self {
    case .radioIsReset, .radioIsSwitched, .restart, .radio: "No radio"
    case .memory: "Memory"
    case .unpairing: "Still paired"
    case .report: "No report"
    }
  }

  /// What is done about it, or what the rider can do.
  var sentence: String {
    switch self {
    case .radioIsReset: "It is being reset"
    case .radioIsSwitched: "It is switched off and on"
    case .restart: "Lenker starts anew"
    case .radio, .memory, .unpairing: "Switch Lenker off and on"
    case .report: "The card has no room"
    }
  }

  /// The same where there is little room.
  var shorter: String {
    switch self {
    case .radioIsReset, .radioIsSwitched, .restart: "One moment"
    case .radio, .memory, .unpairing: "Switch off and on"
    case .report: "Card is full"
    }
  }
}
