/// What the phone's side is doing, as far as it concerns sensors: the phone comes first.
package struct PhoneSide {
  /// What the phone leaves of the radio.
  package enum Radio {
    /// The controller is not up.
    case down
    /// Nobody is searched for.
    case idle
    case searching(PhoneScan)
    /// A link is being made, or called back.
    case connecting
    /// There is a link, whose discovery is over or not; or it ends.
    case linked(isSettled: Bool)
  }

  let radio: Radio
  /// Whether the rider is asked about a phone.
  let isInQuestion: Bool
  /// Whether the host is about to end.
  let isOver: Bool

  package init(_ radio: Radio, isInQuestion: Bool, isOver: Bool) {
    self.radio = radio
    self.isInQuestion = isInQuestion
    self.isOver = isOver
  }

  /// How the phone is searched for, if it is.
  var scan: PhoneScan? { if case .searching(let scan) = radio { scan } else { nil } }
}

/// How the phone is searched for.
package struct PhoneScan {
  /// Whether the radio listens all the time; else a tenth of it.
  let isFast: Bool
  /// Whether advertisers are asked for more.
  let isActive: Bool
  /// Whether a phone is about to be connected to.
  let isBusy: Bool
  /// Whether the search is to listen all the time for a moment, though it is slow.
  let isWide: Bool

  package init(isFast: Bool, isActive: Bool, isBusy: Bool, isWide: Bool) {
    self.isFast = isFast
    self.isActive = isActive
    self.isBusy = isBusy
    self.isWide = isWide
  }
}
