package import Bytes

/// A value of Current Time (2A2B): the local time where the phone is.
///
/// Year (2 bytes, little-endian), month, day, hour, minute, second, day of the week, 1/256 s, and the reason
/// for the update. Current Time Service 1.1, 3.1.
package struct LocalTime: Equatable, Sendable {
  /// 1582 to 9999.
  package let year: UInt16
  /// 1 to 12.
  package let month: UInt8
  /// 1 to the last of the month.
  package let day: UInt8
  /// 0 to 23.
  package let hour: UInt8
  /// 0 to 59.
  package let minute: UInt8
  /// 0 to 59.
  package let second: UInt8
  private let fraction: UInt8

  /// Reads a value; throws `ParseError.invalid` if it is no time.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    year = try reader.u16()
    month = try reader.u8()
    day = try reader.u8()
    hour = try reader.u8()
    minute = try reader.u8()
    second = try reader.u8()
    try reader.skip(1)  // day of the week
    fraction = try reader.u8()
    guard (1582...9999).contains(year), (1...12).contains(month), hour < 24, minute < 60,
      second < 60, day >= 1, day <= Self.days(in: month, of: year)
    else { throw .invalid }
  }

  /// The time in a zone, by the seconds since 1970 began in UTC; `nil` before 1970 and after 9999 in that zone.
  package init?(secondsSince1970 seconds: Int64, in zone: Zone) {
    guard (-100_000...253_402_400_000).contains(seconds) else { return nil }
    let local = seconds + Int64(widening: Int(zone.minutes)) * 60
    guard (0...253_402_300_799).contains(local) else { return nil }
    let date = Self.date(daysSince1970: Int(truncatingIfNeeded: local / 86_400))
    (year, month, day) = (UInt16(date.year), UInt8(date.month), UInt8(date.day))
    let second = Int(truncatingIfNeeded: local % 86_400)
    hour = UInt8(second / 3_600)
    minute = UInt8(second / 60 % 60)
    self.second = UInt8(second % 60)
    fraction = 0
  }

  /// A day of the Gregorian calendar, counted in years that begin in March, so that the leap day is the last.
  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let sinceMarch0 = days + 719_468
    let (era, dayOfEra) = sinceMarch0.quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func days(in month: UInt8, of year: UInt16) -> UInt8 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Milliseconds since midnight.
  package var milliseconds: Int {
    let seconds = (Int(hour) * 60 + Int(minute)) * 60 + Int(second)
    return seconds * 1_000 + Int(fraction) * 1_000 / 256
  }

  /// Writes it as `2026-09-17T14:30:00`, with a zone as `+02:00` behind it: ISO 8601.
  package func write<Writer: ByteWriter & ~Copyable>(in zone: Zone?, into writer: inout Writer) {
    writer.append(decimal: UInt(year), atLeast: 4)
    append("-", month, to: &writer)
    append("-", day, to: &writer)
    append("T", hour, to: &writer)
    append(":", minute, to: &writer)
    append(":", second, to: &writer)
    guard let zone else { return }
    let minutes = zone.minutes.magnitude
    append(zone.minutes < 0 ? "-" : "+", UInt8(minutes / 60), to: &writer)
    append(":", UInt8(minutes % 60), to: &writer)
  }

  private func append<Writer: ByteWriter & ~Copyable>(
    _ sign: String, _ number: UInt8, to writer: inout Writer
  ) {
    writer.append(sign)
    writer.append(decimal: UInt(number), atLeast: 2)
  }
}

/// Bluetooth Assigned Numbers, 3.4 and 3.8.
extension UUID {
  package static var currentTimeService: UUID { UUID(short: 0x1805) }
  /// The local date and time.
  package static var currentTime: UUID { UUID(short: 0x2A2B) }
  /// The zone, and whether it is summer time.
  package static var localTimeInformation: UUID { UUID(short: 0x2A0F) }
}

/// A value of Local Time Information (2A0F): how far local time is ahead of UTC.
///
/// The zone in quarters of an hour (1 byte, signed), then what summer time adds, in quarters too.
/// Current Time Service 1.1, 3.2.
package struct Zone: Equatable, Sendable {
  /// Minutes with summer time; negative west of Greenwich.
  package let minutes: Int16

  /// A zone by its minutes; `nil` if none is that far from Greenwich.
  package init?(minutes: Int) {
    guard (-18 * 60...18 * 60).contains(minutes) else { return nil }
    self.minutes = Int16(minutes)
  }

  /// Reads a value; throws `ParseError.invalid` if the phone does not know the zone or the summer time.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let quarters = Int16(Int8(bitPattern: try reader.u8()))
    let summer = try reader.u8()
    guard (-48...56).contains(quarters) else { throw .invalid }
    switch summer {
    case 0, 2, 4, 8: minutes = (quarters + Int16(summer)) * 15
    default: throw .invalid
    }
  }
}
