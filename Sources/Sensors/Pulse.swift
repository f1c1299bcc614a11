/// The pulse by the values of one sensor, whose flag of contact with the skin may lie.
///
/// | the value | the pulse |
/// |---|---|
/// | says contact, or nothing of it | its beats |
/// | denies contact | unknown, but its beats from the fifth value in a row on, if they are steady |
///
/// A strap that is taken off repeats its last beats for a while. From a sensor that has said contact
/// before, steady beats must be alive, too: they change, or the intervals between them are told.
struct Pulse: Sendable {
  /// How many steady values in a row are believed against the flag.
  private static var convincing: Int { 5 }
  /// How many values a pulse stays alive that neither changes nor has intervals.
  private static var longestFreeze: Int { 10 }
  /// Beats a minute by which a steady pulse changes at most from value to value.
  private static var steadiness: UInt16 { 15 }

  /// Whether the flag was ever seen to say contact.
  private var hasSaidContact = false
  /// The beats of the last value that denied contact, and how many of them were steady.
  private var deniedBeats: UInt16 = 0
  private var steadyCount = 0
  /// How many values the pulse has shown no sign of life.
  private var frozenCount = 0

  /// A sensor of which nothing is known.
  init() {}

  /// Hears a value; returns its beats a minute if they can be believed.
  mutating func hear(_ value: HeartRateMeasurement) -> UInt16? {
    guard value.contact == .none else {
      if value.contact == .detected { hasSaidContact = true }
      steadyCount = 0
      return value.rate
    }
    note(value.beatsPerMinute, hasIntervals: value.intervalCount > 0)
    let isAlive = frozenCount < Self.longestFreeze || !hasSaidContact
    return steadyCount >= Self.convincing && isAlive ? value.beatsPerMinute : nil
  }

  /// The link is lost: what follows is judged by itself.
  mutating func linkWasLost() { steadyCount = 0 }

  private mutating func note(_ beats: UInt16, hasIntervals: Bool) {
    let change = max(beats, deniedBeats) - min(beats, deniedBeats)
    let isSteady = steadyCount > 0 && change <= Self.steadiness
    let isAlive = hasIntervals || isSteady && change > 0
    frozenCount =
      isAlive ? 0 : isSteady ? min(frozenCount + 1, Self.longestFreeze) : Self.longestFreeze
    steadyCount = beats == 0 ? 0 : isSteady ? min(steadyCount + 1, Self.convincing) : 1
    deniedBeats = beats
  }
}
