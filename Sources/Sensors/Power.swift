import Bytes

/// Power as riders read it: the mean of the last three seconds.
///
/// The values of these seconds live here; only `hear` changes them.
struct Power: Sendable {
  private struct Reading {
    var time: Instant
    var watts: Int16
  }

  /// In milliseconds.
  private static var period: Int64 { 3_000 }

  /// The newest first; some sensors send four each second.
  private var readings = FixedList<16, Reading>(
    filler: Reading(time: Instant(milliseconds: 0), watts: 0))

  /// What the sensor said last; 0 before that.
  var last: Int16 { readings.isEmpty ? 0 : readings[0].watts }

  /// The mean in watts, rounded away from zero at a half.
  var mean: Int16 {
    guard readings.count > 0 else { return 0 }
    var sum = 0
    for index in 0..<readings.count { sum += Int(readings[index].watts) }
    let half = readings.count / 2
    return Int16(truncatingIfNeeded: (sum + (sum < 0 ? -half : half)) / readings.count)
  }

  /// Hears a value; those that are three seconds older count no more.
  mutating func hear(_ watts: Int16, at now: Instant) {
    while readings.count > 0,
      readings.isFull || now - readings[readings.count - 1].time >= Self.period
    {
      readings.remove(at: readings.count - 1)
    }
    readings.insert(Reading(time: now, watts: watts), at: 0)
  }
}
