package import Bytes
import Turns
package import Words

/// A ride so far: how far, for how long and how fast, by the distances to its turns or by a wheel.
///
/// The figures of one ride live here, and only `Guidance` changes them. These are all the rules:
///
/// 1. The way ridden is by how much the distance to a turn fell. Positions are wrong, so the distance must
///    fall below its smallest value so far. If it grows by more than 20 m, it counts from 20 m less on. A
///    fall that no bicycle can ride, a first reading and off the route add nothing.
/// 2. Between two turns there is no reading for some seconds: they count at the speed before them, up to
///    15 s, but not behind a pause.
/// 3. The time ridden is the time of the way ridden: standing does not count. A distance that takes more
///    than 15 s to fall, or falls behind a pause, adds no more than a second for each metre.
/// 4. A ride begins with a start instruction, with the first turn after the finish, or with the first one
///    after three hours of silence. A lost link or a pause does not end a ride.
/// 5. It is over when the rider reaches the finish. The same finish again, or off the route, is no new ride.
/// 6. A wheel replaces the turns for way and speed, also off the route and without a turn. A rider without a
///    revolution for more than 4 s stood for some of that time. A wheel that comes back reports its way
///    during the gap: the greater of that and the way of the turns in the gap counts.
/// 7. It pauses once the wheel, or else the distance to the turn, has stood still for 5 s. At the start and off
///    the route there is no such distance.
///
/// Reads no clock.
package struct Trip: Sendable {
  /// Longer than a rest on the way, shorter than a night, in milliseconds.
  private static var longestRest: Int64 { 3 * 3_600_000 }
  /// Walking, in millimetres a second: a slower rider stood for some of the time.
  private static var slowest: Int64 { 1_000 }
  /// The longest revolution of a turning wheel, in milliseconds.
  private static var longestRevolution: Int64 { 4_000 }
  /// The shortest standstill that is a pause, in milliseconds.
  private static var shortestPause: Int64 { 5_000 }
  /// The longest ride that is counted, round the Earth, in millimetres.
  private static var farthest: Int64 { 40_000_000_000 }

  /// The way ridden, in millimetres.
  package private(set) var millimetres: Int64 = 0
  /// The time ridden, in milliseconds.
  package private(set) var milliseconds: Int64 = 0
  /// The last speed in millimetres a second; `nil` if unknown.
  package private(set) var speed: Int64?
  /// Whether the rider has stood still for a while.
  package private(set) var isPaused = false

  /// The finish, once it is reached.
  private var finish: TurnMark?
  /// A distance below this one, in metres, adds to the way; `nil` off the route.
  private var distance: Int64?
  /// When `distance` was set.
  private var time = Instant(milliseconds: 0)
  /// The last speed at which the distance fell; `nil` at the beginning of a turn.
  private var pace: Int64?
  private var lastNews: Instant?
  /// Whether a wheel is there.
  private(set) var isByWheel = false
  /// When the wheel rolled last.
  private var wheelTime: Instant?
  /// The ride when the wheel was lost.
  private var atLoss: (millimetres: Int64, milliseconds: Int64)?

  package init() {}

  /// Whether the rider has arrived.
  package var hasArrived: Bool { finish != nil }

  /// The average speed of the time ridden in millimetres a second; `nil` in the first minute.
  package var average: Int64? {
    guard milliseconds >= 60_000 else { return nil }
    return millimetres * 1_000 / milliseconds
  }

  /// Receives a turn, and the finish if the rider has reached it; returns whether a ride begins.
  mutating func receive(
    _ news: borrowing Turn, _ sighting: Sighting, _ closing: ClosingSpeed,
    reached finish: TurnMark?, at now: Instant
  ) -> Bool {
    let begins = begins(with: news, sighting, at: now)
    if begins { forget() }
    lastNews = now
    reach(finish)
    guard sighting != .doubtful else { return begins }
    let reading = Int64(widening: news.distance)
    if !isByWheel {
      speed = closing.isStanding(reading, at: now) ? 0 : closing.millimetresPerSecond
    }
    switch (sighting, news.maneuver) {
    case (_, .offRoute):
      (distance, pace) = (nil, nil)
      if !isByWheel { speed = nil }
    case (.same, _): approach(reading, at: now)
    default: turn(to: reading, at: now)
    }
    // After the way, which depends on the old `isPaused`.
    if !isByWheel {
      isPaused =
        news.maneuver.hasWay && closing.isStanding(reading, for: Self.shortestPause, at: now)
    }
    return begins
  }

  /// Receives the finish if the rider has reached it.
  mutating func reach(_ finish: TurnMark?) {
    if let finish { self.finish = finish }
  }

  /// The wheel rolled on by this many millimetres, at a speed in mm/s if known.
  ///
  /// Returns whether a ride begins.
  mutating func receiveWheel(_ way: Int64, speed: Int64?, at now: Instant) -> Bool {
    let begins = way > 0 && lastNews.map { now - $0 >= Self.longestRest } ?? true
    if begins { forget() }
    (isByWheel, self.speed) = (true, speed)
    let before = wheelTime
    if way > 0 || before == nil { wheelTime = now }
    isPaused = wheelTime.map { now - $0 >= Self.shortestPause } ?? false
    if way > 0 { lastNews = now }
    if way > 0, !hasArrived, let before { roll(way, since: before, at: now) }
    return begins
  }

  /// When `advance` has something to do: a sensor may send nothing while the wheel stands.
  var deadline: Instant? {
    guard isByWheel, !isPaused else { return nil }
    return wheelTime.map { $0 + Self.shortestPause }
  }

  /// Advances to `now`; returns whether a pause begins.
  mutating func advance(to now: Instant) -> Bool {
    guard let deadline, now >= deadline else { return false }
    (isPaused, speed) = (true, 0)
    return true
  }

  private mutating func roll(_ way: Int64, since before: Instant, at now: Instant) {
    let gap = max(0, now - before)
    let time = gap > Self.longestRevolution ? min(gap, walk(way)) : gap
    if let atLoss {
      millimetres = max(millimetres, atLoss.millimetres + way)
      milliseconds = max(milliseconds, atLoss.milliseconds + time)
    } else {
      add(way, in: time)
    }
    atLoss = nil
  }

  /// The wheel's sensor is gone: the way is by the turns alone.
  mutating func wheelWasLost() {
    guard isByWheel else { return }
    (isByWheel, isPaused, speed, distance) = (false, false, nil, nil)
    atLoss = (millimetres, milliseconds)
  }

  /// Forgets the ride, but not that there is a wheel.
  mutating func forget() {
    let (isByWheel, wheelTime, speed) = (isByWheel, wheelTime, speed)
    self = Trip()
    guard isByWheel else { return }
    (self.isByWheel, self.wheelTime, self.speed) = (isByWheel, wheelTime, speed)
  }

  private func begins(
    with news: borrowing Turn, _ sighting: Sighting, at now: Instant
  ) -> Bool {
    guard let lastNews, now - lastNews < Self.longestRest else { return true }
    guard sighting == .another else { return false }
    if news.maneuver == .start { return true }
    return hasArrived && news.maneuver != .offRoute && TurnMark(news) != finish
  }

  /// Another turn, or the same one after off the route.
  private mutating func turn(to reading: Int64, at now: Instant) {
    let gap = now - time
    if distance != nil, let pace, !isPaused, gap > 0, gap <= ClosingSpeed.longestStep {
      follow(pace * gap / 1_000, in: gap)
    }
    (distance, time, pace) = (reading, now, nil)
  }

  private mutating func approach(_ reading: Int64, at now: Instant) {
    guard let distance else { return turn(to: reading, at: now) }
    if reading > distance {
      guard reading - distance > ClosingSpeed.noise else { return }
      (self.distance, time) = (reading - ClosingSpeed.noise, now)
    } else if reading < distance {
      let (way, gap) = (distance - reading, max(0, now - time))
      if ClosingSpeed.isPossible(way, in: gap) {
        let hasStood = isPaused || gap > ClosingSpeed.longestStep
        follow(way * 1_000, in: hasStood ? min(gap, walk(way * 1_000)) : gap)
      }
      (self.distance, time, pace) = (reading, now, speed)
    }
  }

  /// The time to walk this many millimetres.
  private func walk(_ way: Int64) -> Int64 { way * 1_000 / Self.slowest }

  /// Adds a way by the distances to the turns, which counts only without a wheel.
  private mutating func follow(_ way: Int64, in time: Int64) {
    if !isByWheel { add(way, in: time) }
  }

  private mutating func add(_ way: Int64, in time: Int64) {
    millimetres = min(millimetres + way, Self.farthest)
    milliseconds += time
  }
}

/// The figures of a ride on the panel: whole numbers, so that equal pictures have equal values.
///
/// An unknown figure is `nil`, and not shown. A ride that has just begun has figures of 0.
package struct TripFigures: Equatable, Sendable {
  /// Kilometres and km/h, or miles and mph.
  package var units: Units
  package var language = Language.english
  /// Whether the ride goes on, so that a speed is possible.
  package var isUnderWay: Bool
  /// Whether the rider has stood still for some seconds.
  package var isPaused = false
  /// The speed in km/h or mph, 0…999.
  package var speed: Int?
  /// The average of the time ridden in km/h or mph, 0…999.
  package var average: Int?
  /// The time ridden in minutes, 0…5999.
  package var minutes: Int?
  /// The way ridden in tenths of a kilometre or a mile, 0…99999.
  package var tenths: Int?
  /// The time of the day in minutes since midnight.
  package var clock: Int?

  package init(units: Units, isUnderWay: Bool) {
    self.units = units
    self.isUnderWay = isUnderWay
  }

  /// The figures of a trip; it has a speed only if it is under way and fresh.
  init(_ trip: Trip, isUnderWay: Bool, isFresh: Bool, units: Units) {
    self.init(units: units, isUnderWay: isUnderWay)
    if isUnderWay, isFresh { (speed, isPaused) = (perHour(trip.speed), trip.isPaused) }
    guard isUnderWay || trip.millimetres > 0 else { return }
    average = perHour(trip.average)
    minutes = shown(trip.milliseconds / 60_000, limit: 5_999)
    tenths = shown((trip.millimetres * 10 + units.unit / 2) / units.unit, limit: 99_999)
  }

  /// Whole kilometres or miles an hour of millimetres a second.
  private func perHour(_ speed: Int64?) -> Int? {
    guard let speed else { return nil }
    return shown(units.perHour(speed), limit: 999)
  }

  private func shown(_ value: Int64, limit: Int64) -> Int {
    Int(truncatingIfNeeded: max(0, min(value, limit)))
  }

  package enum Figure: Sendable {
    case speed, time, distance, average, clock
  }

  /// Number, blank and unit of a figure, such as `12.4 km`; empty if unknown.
  package func text(of figure: Figure) -> FixedBuffer<16> {
    var text = FixedBuffer<16>()
    switch figure {
    case .speed: append(speed, units.speedUnit, to: &text)
    case .time: appendTime(to: &text)
    case .distance: appendDistance(to: &text)
    case .average: append(average, language.text(of: .average), to: &text)
    case .clock: if let clock { text.append(hoursAndMinutes: clock) }
    }
    return text
  }

  private func append(_ value: Int?, _ unit: String, to text: inout FixedBuffer<16>) {
    guard let value else { return }
    text.append(decimal: Int64(widening: value))
    text.append(" ")
    text.append(unit)
  }

  /// Hours and minutes, such as `0:42 h`, from a minute on; English has no unit there.
  private func appendTime(to text: inout FixedBuffer<16>) {
    guard let minutes, minutes > 0 else { return }
    text.append(hoursAndMinutes: minutes)
    guard language != .english else { return }
    text.append(" ")
    text.append(.hours, in: language)
  }

  /// The distance, with a tenth below 100.
  private func appendDistance(to text: inout FixedBuffer<16>) {
    guard let tenths else { return }
    text.append(decimal: Int64(widening: tenths / 10))
    if tenths < 1_000 {
      text.append(language.decimalSign)
      text.append(decimal: Int64(widening: tenths % 10))
    }
    text.append(units == .metric ? " km" : " mi")
  }
}

extension ByteWriter where Self: ~Copyable {
  /// Minutes as hours and minutes, such as `9:05`.
  package mutating func append(hoursAndMinutes minutes: Int) {
    append(decimal: Int64(widening: minutes / 60))
    append(minutes % 60 < 10 ? ":0" : ":")
    append(decimal: Int64(widening: minutes % 60))
  }
}
