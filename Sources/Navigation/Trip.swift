import Bytes
import Turns

/// A ride so far: how far, for how long and how fast, from the distances to its turns or a wheel.
///
/// These are all the rules:
///
/// 1. The way ridden is by how much the distance to a turn fell. Positions are wrong, so it must
///    fall below what it was before; if it grows by more than 20 m, it counts from 20 m less on.
///    A fall that no bicycle can ride, a first reading and being off the route add nothing.
/// 2. Between two turns nothing is said for some seconds: they count at the speed before them, up
///    to 15 s.
/// 3. The time ridden is that in which the way was ridden: standing does not count. A distance
///    that takes more than 15 s to fall adds no more than a second for each metre.
/// 4. A ride begins with a start instruction, with the first turn behind the finish, or with the
///    first one after three hours of silence. A lost link or a pause ends none.
/// 5. It is over when the finish is reached. That finish again, or being off the route, is no new
///    ride.
/// 6. With a wheel, it tells way and speed instead, off the route and without a turn too; who has no
///    revolution for more than 4 s stood for some of that time. A wheel that is back tells what it
///    has rolled meanwhile: of that and of what the turns have added meanwhile, the more counts.
///
/// Reads no clock and has nothing to wait for.
package struct Trip: Sendable {
  /// Longer than a rest on the way, shorter than a night, in milliseconds.
  private static var longestRest: Int64 { 3 * 3_600_000 }
  /// Walking, in millimetres a second: who was slower stood for some of the time.
  private static var slowest: Int64 { 1_000 }
  /// No turning wheel takes longer for a revolution, in milliseconds.
  private static var longestRevolution: Int64 { 4_000 }
  /// As far as anything is counted: a ride round the Earth, in millimetres.
  private static var farthest: Int64 { 40_000_000_000 }

  /// What was ridden, in millimetres.
  package private(set) var millimetres: Int64 = 0
  /// In how many milliseconds.
  package private(set) var milliseconds: Int64 = 0
  /// How fast the rider is, in millimetres a second, as last heard; `nil` if that is not known.
  package private(set) var speed: Int64?

  /// The finish, once it is reached.
  private var finish: TurnMark?
  /// The distance from which on less of it counts, in metres; `nil` off the route.
  private var distance: Int64?
  /// When that was the distance.
  private var time = Instant(milliseconds: 0)
  /// How fast the distance fell last, until the next turn begins.
  private var pace: Int64?
  private var lastNews: Instant?
  /// Whether a wheel is there.
  private(set) var isByWheel = false
  /// When the wheel came on last.
  private var wheelTime: Instant?
  /// What the ride was when the wheel was lost.
  private var atLoss: (millimetres: Int64, milliseconds: Int64)?

  /// A ride of which nothing was seen.
  package init() {}

  /// Whether the rider has arrived.
  package var isOver: Bool { finish != nil }

  /// The average speed in millimetres a second of the time ridden; `nil` in its first minute.
  package var average: Int64? {
    guard milliseconds >= 60_000 else { return nil }
    return millimetres * 1_000 / milliseconds
  }

  /// Hears a turn, and which finish is reached now, if any is.
  ///
  /// Returns whether a ride begins.
  mutating func hear(
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
    case (_, .offRoute): leaveRoute()
    case (.same, _): approach(reading, at: now)
    default: turn(to: reading, at: now)
    }
    return begins
  }

  /// The finish that is reached now, if any is.
  mutating func reach(_ finish: TurnMark?) {
    if let finish { self.finish = finish }
  }

  /// The wheel came on by so many millimetres, at a speed in mm/s where that is known.
  ///
  /// Returns whether a ride begins.
  mutating func hearWheel(_ way: Int64, speed: Int64?, at now: Instant) -> Bool {
    let begins = way > 0 && lastNews.map { now - $0 >= Self.longestRest } ?? true
    if begins { forget() }
    (isByWheel, self.speed) = (true, speed)
    let before = wheelTime
    if way > 0 || before == nil { wheelTime = now }
    if way > 0 { lastNews = now }
    if way > 0, !isOver, let before { roll(way, since: before, at: now) }
    return begins
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

  /// The wheel's sensor is away: the turns alone tell the way.
  mutating func wheelWasLost() {
    guard isByWheel else { return }
    (isByWheel, speed, distance) = (false, nil, nil)
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
    return isOver && news.maneuver != .offRoute && TurnMark(news) != finish
  }

  private mutating func leaveRoute() {
    (distance, pace) = (nil, nil)
    if !isByWheel { speed = nil }
  }

  /// Another turn, or the same one after the rider had left the route.
  private mutating func turn(to reading: Int64, at now: Instant) {
    let gap = now - time
    if distance != nil, let pace, gap > 0, gap <= ClosingSpeed.longestStep {
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
        let walk = walk(way * 1_000)
        follow(way * 1_000, in: gap > ClosingSpeed.longestStep ? min(gap, walk) : gap)
      }
      (self.distance, time, pace) = (reading, now, speed)
    }
  }

  /// For how long one walks so many millimetres.
  private func walk(_ way: Int64) -> Int64 { way * 1_000 / Self.slowest }

  /// What the distances to the turns say counts without a wheel.
  private mutating func follow(_ way: Int64, in time: Int64) {
    if !isByWheel { add(way, in: time) }
  }

  private mutating func add(_ way: Int64, in time: Int64) {
    millimetres = min(millimetres + way, Self.farthest)
    milliseconds += time
  }
}
