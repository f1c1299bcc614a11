import Bytes

/// Whether the phone still serves the subscriptions, which it may forget without notice.
///
/// | what happens | what follows |
/// |---|---|
/// | on the first link of a new bond nothing comes for 30 s | a renewal, once |
/// | later nothing comes for 15 minutes | a probe |
/// | a probe has no answer in 10 s | a renewal |
/// | the phone accepts a request after it has refused one | a renewal |
///
/// A renewal subscribes again. A probe is a request about a notification that no phone has: the error is an
/// answer. The need and its time live here; `NotificationSession` changes them by these calls. Reads no clock.
struct SubscriptionWatch {
  enum Need {
    case renewal
    case probe
  }

  /// A phone sends what it has at once, if its rider allows it.
  private static var firstTime: Int64 { 30_000 }
  private static var longestSilence: Int64 { 900_000 }

  /// Whether this is the first link of a new bond, without news or renewal so far.
  private var isNew = false
  private var wasRefused = false
  private var need: Need?
  /// When the silence becomes too long; `nil` while nothing is timed, as during a probe.
  private(set) var end: Instant?

  /// The device has just paired with the phone.
  mutating func paired(at now: Instant) {
    self = SubscriptionWatch()
    isNew = true
    end = now + Self.firstTime
  }

  /// All subscriptions are made.
  mutating func found(at now: Instant) {
    need = nil
    end = now + (isNew ? Self.firstTime : Self.longestSilence)
  }

  /// The phone has sent something.
  mutating func received(at now: Instant) {
    isNew = false
    if need == .probe { need = nil }
    end = now + Self.longestSilence
  }

  /// The phone refused a request, as its rider has not allowed it yet; the next one follows at `time`.
  mutating func refused(until time: Instant) {
    wasRefused = true
    if need == .probe { need = nil }
    end = time
  }

  /// The phone answers requests: subscriptions from before its rider allowed access are dead.
  mutating func allowed() {
    if wasRefused { renew() }
    wasRefused = false
  }

  /// The time for the answer to a probe is over.
  mutating func probeEnded() { if end == nil { renew() } }

  private mutating func renew() { (need, isNew) = (.renewal, false) }

  mutating func advance(to now: Instant) {
    guard let due = end, now >= due else { return }
    end = nil
    if isNew { renew() } else { need = .probe }
  }

  /// Whether `wanted` is needed now; once.
  mutating func take(_ wanted: Need) -> Bool {
    guard need == wanted else { return false }
    need = nil
    return true
  }
}
