import Bytes

/// How far and how fast a wheel has rolled.
///
/// A value has the way of the wheel at its arrival. Between two values the wheel is assumed to keep its speed.
/// The total and the last speeds live here; `hear` and `wasLost` change them.
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
  private(set) var isLive = false
  /// In millimetres, since the first value.
  private var total: Int64 = 0
  /// The last value and its time.
  private var last: (distance: Int64, speed: Int64, time: Instant)?
  /// The last speeds, the newest first.
  private var samples = FixedList<10, Sample>(
    filler: Sample(time: Instant(milliseconds: 0), speed: 0))

  /// Hears how far it has rolled in all, in millimetres, and its speed in mm/s if known.
  ///
  /// Returns by how many millimetres it rolled on. A total that falls, or grows faster than a bicycle,
  /// belongs to another wheel, and counts from here on.
  mutating func hear(distance: Int64, speed: Int64?, at now: Instant) -> Int64 {
    let way = way(to: distance, at: now)
    total += way
    isLive = true
    last = (distance, speed ?? 0, now)
    if let speed { note(speed, at: now) }
    return way
  }

  /// The sensor is gone: the way of the wheel is unknown until it is back.
  mutating func wasLost() {
    isLive = false
    samples.removeAll()
  }

  /// How far it has rolled, in millimetres.
  func millimetres(at now: Instant) -> Int64 {
    guard isLive, let last else { return total }
    return total + last.speed * max(0, min(now - last.time, Self.reach)) / 1_000
  }

  /// When it will have rolled this far, if the last value allows an estimate.
  func time(of millimetres: Int64) -> Instant? {
    guard isLive, let last, last.speed > 0, millimetres > total else { return nil }
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

  private mutating func note(_ speed: Int64, at now: Instant) {
    if !samples.isEmpty, now - samples[0].time < Self.spacing {
      samples[0].speed = speed
      return
    }
    samples.insert(Sample(time: now, speed: speed), at: 0)
  }
}
