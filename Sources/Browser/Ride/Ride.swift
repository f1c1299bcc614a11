import Bytes

/// A ride as the phone plays it, with a clock of its own, which may run faster than the device's.
struct Ride {
  let steps: [RideStep]
  /// By how much its clock is faster, 1...40.
  private(set) var speed: Int64 = 1
  /// How many steps are over.
  private(set) var done = 0
  /// The ride's own time, and what time it was then.
  private var time: Int64 = 0
  private var clock: Instant?

  init(_ steps: [RideStep]) { self.steps = steps }

  var hasBegun: Bool { clock != nil || done > 0 }
  var isOver: Bool { done == steps.count }
  /// Thousandths of it that are over.
  var permille: Int32 {
    guard let end = steps.last?.milliseconds, end > 0 else { return isOver ? 1000 : 0 }
    return Int32(min(1000, time * 1000 / end))
  }

  /// When the next step is due; none while the clock stands, and after the last.
  var deadline: Instant? {
    guard let clock, !isOver else { return nil }
    let rest = max(0, steps[done].milliseconds - time)
    return clock + (rest + speed - 1) / speed
  }

  mutating func start(at now: Instant) { clock = clock ?? now }

  mutating func stop(at now: Instant) {
    advance(to: now)
    clock = nil
  }

  mutating func setSpeed(_ speed: Int64, at now: Instant) {
    advance(to: now)
    self.speed = max(1, min(40, speed))
  }

  /// Goes on to where the route is finished: to the last instruction that is of another kind than the
  /// one before it.
  mutating func skipToFinish(at now: Instant) {
    advance(to: now)
    var finish = steps.count - 1
    while finish > 0, steps[finish - 1].direction == steps[finish].direction { finish -= 1 }
    guard finish > done else { return }
    done = finish
    time = max(time, steps[finish].milliseconds)
  }

  private mutating func advance(to now: Instant) {
    guard let last = clock else { return }
    time += (now - last) * speed
    if let end = steps.last?.milliseconds { time = min(time, end) }
    clock = now
  }

  /// The newest step that is due by now, if one has become due since the last call.
  mutating func takeDueStep(at now: Instant) -> RideStep? {
    guard clock != nil else { return nil }
    advance(to: now)
    let before = done
    while done < steps.count, steps[done].milliseconds <= time { done += 1 }
    return done > before ? steps[done - 1] : nil
  }
}

/// One instruction of a ride, and when the phone says it.
struct RideStep {
  /// Since the ride began.
  var milliseconds: Int64
  /// komoot's number of the direction.
  var direction: UInt8
  /// In metres.
  var distance: UInt32
  /// UTF-8, as it is sent.
  var street: [UInt8]
}

extension RideStep {
  /// The value of komoot's characteristic that says it; `identifier` is the phone's number for it.
  func value(identifier: UInt32) -> [UInt8] {
    octets(identifier) + [direction] + octets(distance) + street
  }

  private func octets(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
