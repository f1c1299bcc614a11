import Bytes

/// How fast the rider closes in on the turn, by the distances of the last half minute.
///
/// A reading counts when its distance differs from the one before. Phones repeat and round readings, so only
/// then is it known when the rider was there. The speed is that of the last ten seconds, or of at least four
/// after a start. If the distance fell by less than 60 m in this time, it is the speed of up to half a
/// minute: two readings may be wrong by a third of 60 m. If the change is below the position error, the
/// speed is unknown.
///
/// The readings live here; `receive`, `startOver` and `forget` change them.
struct ClosingSpeed: Sendable {
  private struct Reading {
    var time: Instant
    var distance: Int64
  }

  /// Positions are wrong by about ten metres: two of them by no more than this.
  static var noise: Int64 { 20 }
  /// This many metres make the speed precise enough.
  private static var enough: Int64 { 60 }
  /// The speed of the fastest bicycle in metres a second.
  private static var fastest: Int64 { 25 }
  /// The further error of one reading in metres.
  private static var jump: Int64 { 30 }
  /// The longest time of one rounded distance, in milliseconds.
  static var longestStep: Int64 { 15_000 }
  /// The most metres that a standing rider comes closer in `usual`; walking is twice as fast.
  private static var standing: Int64 { 5 }
  /// Readings that arrive closer together than this may be late.
  private static var burst: Int64 { 500 }
  private static var spacing: Int64 { 1_500 }
  private static var shortest: Int64 { 4_000 }
  private static var usual: Int64 { 10_000 }
  private static var longest: Int64 { 30_000 }

  /// The last readings, the newest first, at least `spacing` apart.
  private var readings = FixedList<24, Reading>(
    filler: Reading(time: Instant(milliseconds: 0), distance: 0))
  /// The last reading that changed the distance.
  private var last: Reading?
  /// Metres in milliseconds; `nil` if the speed is unknown.
  private var measure: (metres: Int64, milliseconds: Int64)?
  /// When a measure from before the last `startOver` ceases to count.
  private var loanEnd: Instant?

  /// Whether the rider needs less than `milliseconds` for the distance; never without a speed.
  func isLess(_ distance: Int64, than milliseconds: Int64) -> Bool {
    guard let measure else { return false }
    return distance * measure.milliseconds < milliseconds * measure.metres
  }

  /// The speed in millimetres a second; `nil` if unknown or too fast for a bicycle.
  var millimetresPerSecond: Int64? {
    guard let measure else { return nil }
    let speed = measure.metres * 1_000_000 / measure.milliseconds
    return speed <= Self.fastest * 1_000 ? speed : nil
  }

  /// Whether the rider has been at `distance` for ten seconds, or for another time in milliseconds.
  func isStanding(_ distance: Int64, for time: Int64 = usual, at now: Instant) -> Bool {
    for index in 0..<readings.count {
      let metres = abs(readings[index].distance - distance)
      if metres * Self.usual > Self.standing * time { return false }
      if now - readings[index].time >= time { return true }
    }
    return false
  }

  /// Whether a bicycle can come this many metres closer in this time.
  static func isPossible(_ metres: Int64, in milliseconds: Int64) -> Bool {
    metres <= jump + fastest * max(0, milliseconds) / 1_000
  }

  /// Receives a reading of the distance in metres; also repetitions.
  mutating func receive(_ distance: Int64, at now: Instant) {
    if isJump(to: distance, at: now) { startOver(at: now) }
    if last?.distance != distance {
      last = Reading(time: now, distance: distance)
      keep(distance, at: now)
    }
    if let own = measured(to: distance, at: now) {
      (measure, loanEnd) = (own, nil)
    } else if loanEnd.map({ now >= $0 }) ?? true {
      (measure, loanEnd) = (nil, nil)
    }
  }

  /// The next distances are to another turn: the speed stays in force until theirs is known.
  mutating func startOver(at now: Instant) {
    if loanEnd == nil { loanEnd = now + Self.usual }
    readings.removeAll()
    last = nil
  }

  mutating func forget() { self = ClosingSpeed() }

  /// Whether no bicycle can have come that much closer.
  private func isJump(to distance: Int64, at now: Instant) -> Bool {
    guard let last else { return false }
    let time = min(now - last.time, Self.longestStep)
    return !Self.isPossible(last.distance - distance, in: time)
  }

  /// Keeps the reading if it is useful: of several that arrive together, the last one.
  private mutating func keep(_ distance: Int64, at now: Instant) {
    let age = readings.isEmpty ? Self.spacing : now - readings[0].time
    if age >= Self.spacing {
      readings.insert(Reading(time: now, distance: distance), at: 0)
    } else if age < Self.burst {
      readings[0].distance = distance
    }
  }

  private func measured(
    to distance: Int64, at now: Instant
  ) -> (metres: Int64, milliseconds: Int64)? {
    var measure: (metres: Int64, milliseconds: Int64)?
    for index in 0..<readings.count {
      let time = now - readings[index].time
      if time > Self.usual, let measure, measure.metres >= Self.enough { break }
      if time > Self.longest { break }
      let metres = readings[index].distance - distance
      if time >= Self.shortest, metres > Self.noise { measure = (metres, time) }
    }
    return measure
  }
}
