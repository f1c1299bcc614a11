import Bytes
import Sensors

/// Whose turn it is among the remembered sensors that have no link.
///
/// A kind whose attempt failed rests, longer each time. While the phone is searched for, only a sensor that is heard
/// has a turn. The one that has failed least often goes first, and between two turns the phone has the radio.
struct SensorTurns: ~Copyable {
  /// How long a kind is left alone after an attempt that failed.
  private struct Rest {
    var end: Instant?
    /// How long the next rest is.
    var time = SensorTurns.firstRest
  }

  private static var firstRest: Int64 { 1_000 }
  private static var lastRest: Int64 { 60_000 }
  /// Long enough to hear an iPhone in the background.
  private static var pauseTime: Int64 { 1_300 }

  private var rests = PerKind<Rest>(repeating: Rest())
  /// The kinds that were heard while the phone is searched for.
  private(set) var heard = SensorKinds()
  /// Whether a sensor has the radio in place of the phone.
  private var hasRadio = false
  /// Until when the phone has the radio; only the sensor that a search tries takes it even then.
  private var pauseEnd: Instant?

  // MARK: - Rests

  func isResting(_ kind: SensorKind) -> Bool { rests[kind].end != nil }

  /// Leaves a kind alone after an attempt that failed, longer each time.
  mutating func rest(_ kind: SensorKind, at now: Instant) {
    let time = rests[kind].time
    rests[kind].time = min(time * 2, Self.lastRest)
    hold(kind, until: now + time)
  }

  /// Leaves kinds alone that were waited for without result: if one was heard and `lost` at once, only that one.
  mutating func rest(_ kinds: SensorKinds, lost: SensorKind?, at now: Instant) {
    if let lost, kinds.contains(lost) { return rest(lost, at: now) }
    for kind in SensorKind.all where kinds.contains(kind) { rest(kind, at: now) }
  }

  mutating func endRest(of kind: SensorKind) { rests[kind] = Rest() }

  /// Leaves a kind alone until `end`, without a longer rest the next time.
  mutating func hold(_ kind: SensorKind, until end: Instant) {
    rests[kind].end = max(rests[kind].end ?? end, end)
  }

  /// The kind among these whose attempts have failed least often.
  func fairest(of kinds: SensorKinds) -> SensorKind? {
    var fairest: SensorKind?
    for kind in SensorKind.all where kinds.contains(kind) {
      if let best = fairest, rests[best].time <= rests[kind].time { continue }
      fairest = kind
    }
    return fairest
  }

  // MARK: - While the phone is searched for

  /// A remembered sensor is heard; returns whether it was not heard before.
  mutating func sensorWasHeard(_ kind: SensorKind) -> Bool {
    guard !heard.contains(kind) else { return false }
    heard.insert(kind)
    return true
  }

  /// Forgets the kinds that were heard: their sensors may be gone.
  mutating func forgetHeard() { heard = SensorKinds() }

  /// A sensor takes the radio from the phone.
  mutating func beginTurn() { hasRadio = true }

  /// The radio is free again: the phone has it for a while if a sensor had taken it.
  mutating func endTurn(at now: Instant) {
    forgetHeard()
    if hasRadio { pauseEnd = now + Self.pauseTime }
    hasRadio = false
  }

  var isPausing: Bool { pauseEnd != nil }

  // MARK: - Time

  /// When a rest or the pause is over.
  var deadline: Instant? {
    var deadline = pauseEnd
    for kind in SensorKind.all { deadline = earlier(deadline, rests[kind].end) }
    return deadline
  }

  /// Ends rests that are over, and the pause.
  mutating func advance(to now: Instant) {
    if let end = pauseEnd, now >= end { pauseEnd = nil }
    for kind in SensorKind.all {
      if let end = rests[kind].end, now >= end { rests[kind].end = nil }
    }
  }
}
