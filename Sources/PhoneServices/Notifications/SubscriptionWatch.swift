import Bytes

/// Whether the phone still tells what was subscribed to: it may forget that in silence.
///
/// | what happens | what is to be done |
/// |---|---|
/// | on the first link of a new bond nothing was heard for 30 s | a renewal, once |
/// | else nothing was heard for 15 minutes | a probe |
/// | a probe had no answer in 10 s | a renewal |
/// | the phone takes a question after it has refused one | a renewal |
///
/// A renewal is to subscribe once more. A probe is a question about a notification that no phone has: to say
/// so is an answer. Reads no clock.
struct SubscriptionWatch {
  /// What is to be done.
  enum Need {
    case renewal
    case probe
  }

  /// A phone tells at once what it has, if its rider allows it.
  private static var firstTime: Int64 { 30_000 }
  private static var longestSilence: Int64 { 900_000 }

  /// Whether this is the first link of a new bond, on which nothing was heard or renewed.
  private var isNew = false
  private var wasRefused = false
  private var need: Need?
  /// When nothing was heard for too long; `nil` too while a probe is under way.
  private(set) var end: Instant?

  /// The phone has just been paired with.
  mutating func paired(at now: Instant) {
    self = SubscriptionWatch()
    isNew = true
    end = now + Self.firstTime
  }

  /// Everything was subscribed to.
  mutating func found(at now: Instant) {
    need = nil
    end = now + (isNew ? Self.firstTime : Self.longestSilence)
  }

  /// The phone has told something.
  mutating func heard(at now: Instant) {
    isNew = false
    if need == .probe { need = nil }
    end = now + Self.longestSilence
  }

  /// The phone does not answer a question before its rider allows it; another one follows at `time`.
  mutating func refused(until time: Instant) {
    wasRefused = true
    if need == .probe { need = nil }
    end = time
  }

  /// The phone answers questions: what was subscribed to before its rider allowed that is dead.
  mutating func allowed() {
    if wasRefused { renew() }
    wasRefused = false
  }

  /// A probe has had its time.
  mutating func probeEnded() { if end == nil { renew() } }

  private mutating func renew() { (need, isNew) = (.renewal, false) }

  /// Lets the time pass.
  mutating func advance(to now: Instant) {
    guard let due = end, now >= due else { return }
    end = nil
    if isNew { renew() } else { need = .probe }
  }

  /// Whether it is time for that; once.
  mutating func take(_ wanted: Need) -> Bool {
    guard need == wanted else { return false }
    need = nil
    return true
  }
}
