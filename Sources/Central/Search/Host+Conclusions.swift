package import Bytes
import Controller
import Search

/// What many advertisements say together, or their absence.
package enum Conclusion: Equatable, Sendable {
  /// Nothing at all is heard: the place may be quiet, or the controller has reset itself, or is dead.
  case deaf
  /// Nothing has been heard for minutes: it is time for a Reset.
  case deafened
}

/// Conclusions from many advertisements, of which hardly one changes anything by itself.
///
/// They are drawn in one place, so that a record need not have every advertisement.
extension Host {
  /// What is to be concluded now, if anything; `conclude` follows.
  package mutating func takeConclusion(at now: Instant) -> Conclusion? {
    guard drawsConclusions else { return nil }
    guard case .scanning = phase, search.isDeaf(at: now) else { return nil }
    return isResetDueToDeafness(at: now) ? .deafened : .deaf
  }

  /// Acts on a conclusion.
  mutating func conclude(_ conclusion: Conclusion, at now: Instant) {
    switch conclusion {
    case .deaf: if case .scanning = phase { askWhetherItHears(at: now) }
    case .deafened:
      updateSearch(.heard(at: now))
      fail(.deaf, at: now)
    }
  }

  /// Sends its event masks and scan commands again to a controller that hears nothing.
  ///
  /// A controller that has reset itself works again; if it does not answer, it is reset. So in a quiet place no
  /// sensor loses its link, and where no sensor has one there is a Reset now and then.
  private mutating func askWhetherItHears(at now: Instant) {
    updateSearch(.heard(at: now))
    control { $0.renewEvents() }
    stopPhoneScan()
    listenForPhone()
  }
}
