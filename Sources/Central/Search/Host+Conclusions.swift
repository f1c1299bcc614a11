package import Bytes
import Controller
import Search

/// What many advertisements say together, or their absence.
package enum Conclusion: Equatable, Sendable {
  /// Nobody at all is heard: the place may be quiet, or the controller was reset by itself, or is dead.
  case deaf
  /// That lasts for minutes, and it is time for a Reset.
  case deafened
}

/// The radio hears a street full of advertisements, and hardly one changes anything by itself.
///
/// What follows from many of them is concluded in one place, so that a record can do without each.
extension Host {
  /// What is to be concluded now, if anything; `conclude` follows.
  package mutating func takeConclusion(at now: Instant) -> Conclusion? {
    guard concludes else { return nil }
    guard case .scanning = phase, search.isDeaf(at: now) else { return nil }
    return wasDeafForLong(at: now) ? .deafened : .deaf
  }

  /// Acts on a conclusion.
  mutating func conclude(_ conclusion: Conclusion, at now: Instant) {
    switch conclusion {
    case .deaf: if case .scanning = phase { askWhetherItHears(at: now) }
    case .deafened:
      noteForSearch(.heard(at: now))
      fail(.deaf, at: now)
    }
  }

  /// Tells a controller that hears nobody again what it is to do: one that was reset by itself does it from
  /// then on, and one that does not answer to it is reset.
  ///
  /// A quiet place costs no sensor its link, and where there is none a Reset now and then.
  private mutating func askWhetherItHears(at now: Instant) {
    noteForSearch(.heard(at: now))
    control { $0.renewEvents() }
    stopPhoneScan()
    listenForPhone()
  }
}
