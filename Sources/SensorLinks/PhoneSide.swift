/// What the phone's side is doing, as far as it concerns sensors: the phone comes first.
package struct PhoneSide {
  /// What the phone leaves of the radio.
  package enum Radio {
    /// The controller is not up.
    case down
    /// No phone is searched for.
    case idle
    case searching(PhoneScan)
    /// Nothing: a link is being made, its attempt cancelled, or advertising has its turn.
    case taken
    /// There is a link; `isSettled` once its discovery is over, until the link ends.
    case linked(isSettled: Bool)
  }

  let radio: Radio
  /// Whether a pairing with a phone runs, or the rider is asked about one.
  let isInQuestion: Bool
  /// Whether the host is about to end.
  let isEnding: Bool

  package init(_ radio: Radio, isInQuestion: Bool, isEnding: Bool) {
    self.radio = radio
    self.isInQuestion = isInQuestion
    self.isEnding = isEnding
  }

  /// How the phone is searched for, if it is.
  var scan: PhoneScan? { if case .searching(let scan) = radio { scan } else { nil } }
}

/// How the phone is searched for.
package struct PhoneScan {
  /// Whether the radio listens all the time; else a tenth of the time.
  let isFast: Bool
  /// Whether advertisers are asked for scan responses.
  let isActive: Bool
  /// Whether a phone is about to be connected to.
  let isBusy: Bool
  /// Whether a slow search is to listen all the time for a moment.
  let isWide: Bool

  package init(isFast: Bool, isActive: Bool, isBusy: Bool, isWide: Bool) {
    self.isFast = isFast
    self.isActive = isActive
    self.isBusy = isBusy
    self.isWide = isWide
  }
}
