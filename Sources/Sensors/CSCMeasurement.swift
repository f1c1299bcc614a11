package import Bytes

/// A value of CSC Measurement (2A5B): what a speed and cadence sensor has counted.
///
/// Flags (1 byte), the wheel's revolutions (4) and time (2), the crank's (2 and 2), little-endian,
/// times in 1/1024 s. Cycling Speed and Cadence Service 1.0, 3.1.
package struct CSCMeasurement: Equatable, Sendable {
  /// How many parts of a second the times count.
  package static var timeResolution: Int64 { 1_024 }

  /// Of the wheel; `nil` if absent.
  package let wheel: Revolutions?
  /// Of the crank; `nil` if absent.
  package let crank: Revolutions?

  /// Reads a value; throws `ParseError.truncated` for a field that is cut short.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let flags = try reader.u8()
    wheel = flags & 0x01 == 0 ? nil : try reader.wheelRevolutions()
    crank = flags & 0x02 == 0 ? nil : try reader.crankRevolutions()
  }
}
