package import Bytes

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

  /// Reads a value; throws `ParseError.invalid` if the phone does not know one of the two.
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
