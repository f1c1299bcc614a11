import Bytes

/// What a wheel has told: how far it has rolled, and how fast.
///
/// A value says where the wheel was when it came; between two it is taken to roll on as fast.
struct WheelTrack: Sendable {
  private struct Sample {
    var time: Instant
    var speed: Int64
  }

  /// For how long one value tells where the wheel is: most sensors send one each second.
  private static var reach: Int64 { 1_500 }
  /// Over which time the mean speed is taken.
  private static var meanTime: Int64 { 5_000 }
  /// Speeds that are closer together than this are one, so that there is room for all of that time.
  private static var spacing: Int64 { 500 }

  /// Whether the wheel's sensor is there.
  private(set) var isLive = false
  /// In millimetres, since the first value.
  private var total: Int64 = 0
  /// What the last value said, and when.
  private var last: (distance: Int64, speed: Int64, time: Instant)?
  /// The last speeds, from the newest on.
  private var samples = InlineArray<10, Sample>(
    repeating: Sample(time: Instant(milliseconds: 0), speed: 0))
  private var count = 0

  /// Hears how far it has rolled in all, in millimetres, and its speed in mm/s where that is known.
  ///
  /// Returns by how many millimetres it came on. A total that falls, or that no bicycle can have
  /// come to, is another one's, and goes on from here.
  mutating func hear(distance: Int64, speed: Int64?, at now: Instant) -> Int64 {
    let way = way(to: distance, at: now)
    total += way
    isLive = true
    last = (distance, speed ?? 0, now)
    if let speed { note(speed, at: now) }
    return way
  }

  /// The sensor is away: where the wheel is now is not known, but it will be told once it is back.
  mutating func wasLost() { (isLive, count) = (false, 0) }

  /// How far it has rolled, in millimetres.
  func millimetres(at now: Instant) -> Int64 {
    guard isLive, let last else { return total }
    return total + last.speed * max(0, min(now - last.time, Self.reach)) / 1_000
  }

  /// When it will have rolled so far, if the last value tells that.
  func time(of millimetres: Int64) -> Instant? {
    guard isLive, let last, last.speed > 0, millimetres > total else { return nil }
    let wait = ((millimetres - total) * 1_000 + last.speed - 1) / last.speed
    return wait <= Self.reach ? last.time + wait : nil
  }

  /// The mean speed of the last five seconds in mm/s; `nil` where none was told in them.
  func meanSpeed(at now: Instant) -> Int64? {
    var (sum, number): (Int64, Int64) = (0, 0)
    for index in 0..<count where now - samples[index].time < Self.meanTime {
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

  private mutating func note(_ speed: Int64, at now: Instant) {
    if count > 0, now - samples[0].time < Self.spacing {
      samples[0].speed = speed
      return
    }
    count = min(count + 1, samples.count)
    var index = count - 1
    while index > 0 {
      samples[index] = samples[index - 1]
      index -= 1
    }
    samples[0] = Sample(time: now, speed: speed)
  }
}
