package import Bytes

/// Power as riders read it: the mean of the last three seconds.
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

  /// The last value; 0 before the first.
  var last: Int16 { readings.isEmpty ? 0 : readings[0].watts }

  /// The mean in watts, rounded away from zero at a half.
  var mean: Int16 {
    guard readings.count > 0 else { return 0 }
    var sum = 0
    for index in 0..<readings.count { sum += Int(readings[index].watts) }
    let half = readings.count / 2
    return Int16(truncatingIfNeeded: (sum + (sum < 0 ? -half : half)) / readings.count)
  }

  /// Receives a value; values that are three seconds older no longer count.
  mutating func receive(_ watts: Int16, at now: Instant) {
    while readings.count > 0,
      readings.isFull || now - readings[readings.count - 1].time >= Self.period
    {
      readings.remove(at: readings.count - 1)
    }
    readings.insert(Reading(time: now, watts: watts), at: 0)
  }
}

/// A value of Cycling Power Measurement (2A63): watts, and what the sensor counts of a wheel or a crank.
///
/// Flags (2 bytes), watts (2), then the fields with a flag, in their order, little-endian. All fields together have 34
/// bytes, which a sensor may split over several values: an absent or cut field changes nothing. Cycling Power Service
/// 1.1, 3.2.
package struct CyclingPowerMeasurement: Equatable, Sendable {
  /// Ticks a second of the wheel's times, which wrap after 32 s.
  package static var wheelTimeResolution: Int64 { 2_048 }

  /// Watts; below zero where the rider brakes by the pedals.
  package let power: Int16
  /// Of the wheel, in 1/2048 s.
  package private(set) var wheel: Revolutions?
  /// Of the crank, in 1/1024 s.
  package private(set) var crank: Revolutions?

  /// Reads the whole fields of a value, even if its flags announce more.
  ///
  /// Throws `ParseError.truncated` if even the watts are not whole.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let flags = try reader.u16()
    power = Int16(bitPattern: try reader.u16())
    do throws(ParseError) {
      if flags & 1 << 0 != 0 { try reader.skip(1) }  // pedal balance
      if flags & 1 << 2 != 0 { try reader.skip(2) }  // accumulated torque
      if flags & 1 << 4 != 0 { wheel = try reader.wheelRevolutions() }
      if flags & 1 << 5 != 0 { crank = try reader.crankRevolutions() }
      // Nothing behind these is of use.
    } catch {}
  }
}
