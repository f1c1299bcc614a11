import Bytes
import Navigation
import Turns

/// A level that was announced.
struct Announcement: Equatable, CustomStringConvertible {
  /// Milliseconds since the test began.
  var time: Int64
  var level: AlertLevel
  /// The distance that was told last.
  var distance: UInt32

  var description: String { "\(level) at \(time) ms, \(distance) m" }
}

/// What a display makes of what it is told, in virtual time; it wakes up at its deadlines only.
struct Display: ~Copyable {
  var guidance = Guidance(units: .metric)
  private(set) var announced: [Announcement] = []
  private(set) var wakeups = 0
  /// What says the turns.
  var source = TurnSource.komoot
  private var maneuver = Maneuver.right
  private var street = "A"
  private var distance: UInt32 = 0
  private var time: Int64 = 0

  var levels: [AlertLevel] { announced.map(\.level) }

  /// Another turn from now on.
  mutating func turn(_ maneuver: Maneuver, _ street: String) {
    (self.maneuver, self.street) = (maneuver, street)
  }

  /// The phone says how far it is.
  mutating func tell(_ distance: UInt32, at time: Int64) {
    wait(until: time)
    self.distance = distance
    let name = Array(street.utf8)
    _ = guidance.receive(
      Turn(maneuver, distance: distance, street: name.span), from: source, at: start + time)
    note()
  }

  /// Distances from `first` on, `speed` metres a second, told every `interval` up to `end`.
  mutating func ride(
    from first: Double, speed: Double, at begin: Int64, until end: Int64,
    every interval: Int64 = 1_000
  ) {
    for time in stride(from: begin, through: end, by: Int64.Stride(interval)) {
      let distance = first - speed * Double(time - begin) / 1_000
      tell(UInt32(max(0, distance.rounded())), at: time)
    }
  }

  /// The wheel has rolled so many metres, and says its speed in m/s.
  mutating func roll(_ metres: Double, speed: Double?, at time: Int64) {
    wait(until: time)
    guidance.receiveWheel(
      distance: Int64(metres * 1_000), speed: speed.map { Int64($0 * 1_000) }, at: start + time)
    guidance.advance(to: start + time)
    note()
  }

  /// The wheel rolls on at a speed in m/s from `metres` on, told each second.
  mutating func roll(from metres: Double, speed: Double, at begin: Int64, until end: Int64) {
    for time in stride(from: begin, through: end, by: 1_000) {
      roll(metres + speed * Double(time - begin) / 1_000, speed: speed, at: time)
    }
  }

  /// What there is to tell then, if nothing else is told before.
  mutating func progress(at time: Int64) -> Progress? {
    wait(until: time)
    guidance.advance(to: start + time)
    return guidance.progress
  }

  mutating func loseWheel(at time: Int64) {
    wait(until: time)
    guidance.wheelWasLost(at: start + time)
    guidance.advance(to: start + time)
    note()
  }

  /// Nothing is told until then.
  mutating func wait(until end: Int64) {
    while let deadline = guidance.deadline, deadline <= start + end {
      time = max(time, deadline - start)
      guidance.advance(to: deadline)
      wakeups += 1
      note()
    }
    time = end
  }

  mutating func removeTurn() {
    guidance.removeTurn()
    note()
  }

  private mutating func note() {
    guard let level = guidance.takeAnnouncement() else { return }
    announced.append(Announcement(time: time, level: level, distance: distance))
  }
}
