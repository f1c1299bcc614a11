import Bytes
import Turns

/// Where the rider is on the way to the turn, also between two readings of the phone.
///
/// The last reading, the wheel and the distance live here, and only `Guidance` changes them by these calls.
/// These are all the rules:
///
/// 1. The distance is the phone's last reading. With a wheel, its way since then is subtracted; without one,
///    the way at the closing speed, until 8 s after the reading was repeated last. Only readings make the
///    distance grow.
/// 2. The same reading again is no news about the rider's position. But without a wheel, a reading that is
///    the same after two seconds means that the rider stands.
/// 3. With a wheel the distance becomes an estimate after 8 s of silence, or after 3 s without news in which
///    the wheel rolled more than 20 m. The estimate lasts for 500 m or two minutes from the reading. Then it
///    is stale, even if the phone repeats itself. With Gadgetbridge, and on a link on which komoot has notified,
///    the silence is longer: see `TurnSource`. A turn that its app took back is stale after 3 s, and over after
///    15 s unless the app sends it again.
/// 4. The fraction is of the greatest distance to this turn. It falls only with a reading that is 30 m larger
///    than the smallest distance so far.
/// 5. At the start and off the route no way leads to a turn, and only readings count.
///
/// Only the phone's readings change the turn. Reads no clock.
struct Approach: Sendable {
  /// How fresh the distance is.
  enum Freshness: Sendable {
    case fresh, estimated, stale
  }

  /// The phone's last reading.
  private struct Reading {
    /// In millimetres; if the wheel came later, the distance at that time.
    var distance: Int64
    /// When it came first.
    var time: Instant
    /// When it came last, without a contradiction by the wheel.
    var confirmation: Instant
    /// How far the wheel had rolled; `nil` if unknown.
    var rolled: Int64?
    var source: TurnSource
    /// For how many milliseconds without a confirmation it is fresh.
    var lifetime: Int64
    var word = Word.given
    /// Whether the rider stands, by the phone's readings.
    var isStill = false
  }

  /// Whether the app still sends its turn.
  private enum Word {
    case given
    case takenBack(Instant)
    /// Taken back at the finish.
    case over
  }

  /// A turn that was taken back is stale after the first time, and over after the second, in milliseconds.
  private static var staleTime: Int64 { 3_000 }
  private static var overTime: Int64 { 15_000 }
  /// Without a wheel the rider stands if the reading is the same this many milliseconds later.
  private static var stillTime: Int64 { 2_000 }
  /// The same reading is doubted after this many milliseconds and millimetres.
  private static var doubtTime: Int64 { 3_000 }
  private static var doubtWay: Int64 { 20_000 }
  /// An estimate lasts for this many milliseconds and millimetres.
  private static var longestTime: Int64 { 120_000 }
  private static var longestWay: Int64 { 500_000 }
  /// The closing speed is believed for this many milliseconds: a rider at a red light stands.
  private static var longestCourse: Int64 { 8_000 }
  /// A reading that is this many millimetres larger means that the way has become longer.
  private static var setback: Int64 { 30_000 }

  private var wheel = WheelTrack()
  private var reading: Reading?
  /// Whether there is a way to a turn.
  private var hasWay = false
  /// The greatest and the smallest distance to this turn, in millimetres.
  private var (greatest, smallest): (Int64, Int64) = (0, 0)
  /// The part of the way that is done, in thousandths.
  private var fraction: Int64 = 0
  /// The distance in millimetres, and its source.
  private var (millimetres, source) = (Int64(0), Progress.Source.komoot)
  /// Whether the wheel has rolled far enough to doubt a repeated reading.
  private var hasRolledFar = false
  private(set) var freshness = Freshness.fresh
  /// Toward the turn in mm/s; `nil` if unknown.
  private(set) var speed: Int64?

  /// The distance in metres.
  var metres: Int64 { (millimetres + 500) / 1_000 }

  /// When the turn was confirmed last.
  var confirmation: Instant? { reading?.confirmation }

  var isByWheel: Bool { wheel.hasSensor && hasWay && reading?.rolled != nil }

  /// The progress to a turn that is not stale.
  var progress: Progress? {
    guard reading != nil, hasWay, freshness != .stale else { return nil }
    return Progress(
      distance: metres, fraction: fraction, seconds: seconds(metres), source: source)
  }

  /// The seconds at a distance in metres, if nothing else changes.
  func seconds(_ metres: Int64) -> Int64? {
    guard hasWay, freshness != .stale else { return nil }
    return Progress.seconds(metres, at: speed)
  }

  /// Whether the wheel contradicts a repeated reading.
  var isDisproved: Bool { isByWheel && hasRolledFar }

  // MARK: - In

  /// Receives a reading in metres that differs from the one before.
  mutating func receive(
    _ metres: Int64, _ maneuver: Maneuver, _ sighting: Sighting, from source: TurnSource,
    at now: Instant
  ) {
    let distance = metres * 1_000
    reading = Reading(
      distance: distance, time: now, confirmation: now, rolled: rolled(at: now), source: source,
      lifetime: source.freshness)
    (millimetres, self.source) = (distance, Progress.Source(source))
    hasWay = maneuver.hasWay
    guard hasWay, sighting != .doubtful else { return }
    if sighting == .another { (greatest, smallest, fraction) = (0, distance, 0) }
    greatest = max(greatest, distance)
    if distance - smallest >= Self.setback { (smallest, fraction) = (distance, 0) }
  }

  /// Receives the same reading of the same turn again.
  mutating func receiveAgain(at now: Instant) {
    guard let reading else { return }
    self.reading?.confirmation = now
    self.reading?.lifetime = reading.source.freshness
    guard !isByWheel, now - reading.time >= Self.stillTime else { return }
    self.reading?.isStill = true
    (millimetres, source) = (reading.distance, Progress.Source(reading.source))
  }

  /// The app sends its turn again, perhaps without a distance: it is not taken back any more.
  mutating func restoreTurn() { reading?.word = .given }

  /// The app takes its turn back; at the finish this ends the navigation.
  mutating func takeBackTurn(isAtFinish: Bool, at now: Instant) {
    if isAtFinish {
      reading?.word = .over
    } else if case .given? = reading?.word {
      reading?.word = .takenBack(now)
    }
  }

  /// komoot would notify of news, so its silence means less.
  mutating func komootNotifies() {
    if reading?.source == .komoot { reading?.lifetime = TurnSource.notifiedFreshness }
  }

  /// Nobody can confirm the reading any more.
  mutating func linkWasLost() { reading?.lifetime = TurnSource.komoot.freshness }

  /// Whether the app took its turn back at the finish.
  var isNavigationOver: Bool { if case .over? = reading?.word { true } else { false } }

  /// When the turn is over, as the app took it back; `nil` if it did not.
  var farewell: Instant? { takenBack.map { $0 + Self.overTime } }

  private var takenBack: Instant? {
    if case .takenBack(let time)? = reading?.word { time } else { nil }
  }

  /// Receives the wheel's way and speed; returns how many millimetres it has rolled since the last value.
  mutating func receiveWheel(distance: Int64, speed: Int64?, at now: Instant) -> Int64 {
    let way = wheel.receive(distance: distance, speed: speed, at: now)
    if reading != nil, reading?.rolled == nil {
      reading?.distance = millimetres
      reading?.rolled = wheel.millimetres(at: now)
    }
    return way
  }

  mutating func wheelWasLost() { wheel.lose() }

  /// Forgets the turn, but not the wheel.
  mutating func removeTurn() {
    let wheel = wheel
    self = Approach()
    self.wheel = wheel
  }

  // MARK: - Time

  /// Advances to `now`; `closing` is the speed of the readings in mm/s, if known.
  mutating func advance(to now: Instant, closing: Int64?) {
    speed = (wheel.hasSensor ? wheel.meanSpeed(at: now) : nil) ?? closing
    let rolled = rolledSinceReading(at: now)
    hasRolledFar = rolled > Self.doubtWay
    freshness = freshness(rolled, at: now)
    guard freshness != .stale else { return }
    come(rolled, closing: closing, at: now)
    guard hasWay, greatest > 0 else { return }
    smallest = min(smallest, millimetres)
    fraction = max(fraction, 1_000 - min(millimetres, greatest) * 1_000 / greatest)
  }

  /// When freshness changes by time alone; `nil` for never.
  var freshnessEnd: Instant? {
    guard let reading else { return nil }
    let doubt = takenBack.map { $0 + Self.staleTime }
    switch freshness {
    case .fresh:
      return earlier(
        earlier(reading.confirmation + reading.lifetime, doubt), self.doubt(of: reading))
    case .estimated: return earlier(reading.confirmation + Self.longestTime, doubt)
    case .stale: return nil
    }
  }

  /// When the reading becomes doubtful by time alone.
  private func doubt(of reading: Reading) -> Instant? {
    guard isByWheel, let start = reading.rolled else { return nil }
    let end = reading.time + Self.doubtTime
    return hasRolledFar ? end : wheel.time(of: start + Self.doubtWay + 1).map { max($0, end) }
  }

  /// When the distance is `metres` or less, if nothing else changes; `nil` if unknown.
  func time(of metres: Int64, closing: Int64?) -> Instant? {
    guard let reading, hasWay, freshness != .stale else { return nil }
    let way = reading.distance - (metres * 1_000 + 499)
    if isByWheel, let start = reading.rolled { return wheel.time(of: start + way) }
    guard let closing, closing > 0, !reading.isStill else { return nil }
    let wait = (way * 1_000 + closing - 1) / closing
    return wait <= Self.longestCourse ? reading.time + wait : nil
  }

  /// How far the wheel has rolled in all, in millimetres; `nil` without a wheel.
  func rolled(at now: Instant) -> Int64? { wheel.hasSensor ? wheel.millimetres(at: now) : nil }

  private func rolledSinceReading(at now: Instant) -> Int64 {
    guard isByWheel, let start = reading?.rolled else { return 0 }
    return wheel.millimetres(at: now) - start
  }

  private func freshness(_ rolled: Int64, at now: Instant) -> Freshness {
    guard let reading else { return .fresh }
    let age = now - reading.confirmation
    if let takenBack, now - takenBack >= Self.staleTime { return .stale }
    let isSilent = age >= reading.lifetime
    guard isByWheel else { return isSilent ? .stale : .fresh }
    if age >= Self.longestTime || isSilent && rolled > Self.longestWay { return .stale }
    let isDoubted = rolled > Self.doubtWay && now - reading.time >= Self.doubtTime
    return isSilent || isDoubted ? .estimated : .fresh
  }

  /// Comes closer, by the wheel or the closing speed.
  private mutating func come(_ rolled: Int64, closing: Int64?, at now: Instant) {
    guard let reading, hasWay else { return }
    if isByWheel {
      // The estimate at the reading may have been ahead of the wheel's next value.
      millimetres = max(0, reading.distance - max(0, rolled))
      if rolled > 0 { source = .wheel }
    } else if let closing, !reading.isStill {
      let time = max(0, min(now, reading.confirmation + Self.longestCourse) - reading.time)
      let left = max(0, reading.distance - closing * time / 1_000)
      if left < millimetres { (millimetres, source) = (left, .speed) }
    }
  }
}

/// How far and how fast a wheel has rolled.
///
/// A value has the way of the wheel at its arrival. Between two values the wheel is assumed to keep its speed.
/// The total and the last speeds live here; `receive` and `lose` change them.
struct WheelTrack: Sendable {
  private struct Sample {
    var time: Instant
    var speed: Int64
  }

  /// For how long a value allows an estimate: most sensors send one each second.
  private static var reach: Int64 { 1_500 }
  /// The time of the mean speed.
  private static var meanTime: Int64 { 5_000 }
  /// Speeds that are closer together count as one, so that `samples` has room for `meanTime`.
  private static var spacing: Int64 { 500 }

  /// Whether the wheel's sensor is there.
  private(set) var hasSensor = false
  /// In millimetres, since the first value.
  private var total: Int64 = 0
  private var last: (distance: Int64, speed: Int64, time: Instant)?
  /// The last speeds, the newest first.
  private var samples = FixedList<10, Sample>(
    filler: Sample(time: Instant(milliseconds: 0), speed: 0))

  /// Receives the wheel's total way in millimetres, and its speed in mm/s if known.
  ///
  /// Returns by how many millimetres it rolled on. A total that falls, or grows faster than a bicycle,
  /// belongs to another wheel, and counts from here on.
  mutating func receive(distance: Int64, speed: Int64?, at now: Instant) -> Int64 {
    let way = way(to: distance, at: now)
    total += way
    hasSensor = true
    last = (distance, speed ?? 0, now)
    if let speed { keep(speed, at: now) }
    return way
  }

  /// The sensor is gone: the way of the wheel is unknown until it is back.
  mutating func lose() {
    hasSensor = false
    samples.removeAll()
  }

  /// How far it has rolled, in millimetres.
  func millimetres(at now: Instant) -> Int64 {
    guard hasSensor, let last else { return total }
    return total + last.speed * max(0, min(now - last.time, Self.reach)) / 1_000
  }

  /// When it will have rolled this far, if the last value allows an estimate.
  func time(of millimetres: Int64) -> Instant? {
    guard hasSensor, let last, last.speed > 0, millimetres > total else { return nil }
    let wait = ((millimetres - total) * 1_000 + last.speed - 1) / last.speed
    return wait <= Self.reach ? last.time + wait : nil
  }

  /// The mean speed of the last five seconds in mm/s; `nil` without a value in them.
  func meanSpeed(at now: Instant) -> Int64? {
    var (sum, number): (Int64, Int64) = (0, 0)
    for index in 0..<samples.count where now - samples[index].time < Self.meanTime {
      sum += samples[index].speed
      number += 1
    }
    return number == 0 ? nil : sum / number
  }

  private func way(to distance: Int64, at now: Instant) -> Int64 {
    guard let last, distance > last.distance else { return 0 }
    let way = distance - last.distance
    return ClosingSpeed.isPossible(way / 1_000, in: now - last.time) ? way : 0
  }

  private mutating func keep(_ speed: Int64, at now: Instant) {
    if !samples.isEmpty, now - samples[0].time < Self.spacing {
      samples[0].speed = speed
      return
    }
    samples.insert(Sample(time: now, speed: speed), at: 0)
  }
}
