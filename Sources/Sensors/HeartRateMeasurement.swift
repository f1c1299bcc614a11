package import Bytes

/// A value of Heart Rate Measurement (2A37), which a strap sends about once a second.
///
/// Flags (1 byte), beats a minute (1 or 2), energy (2, with its flag), then RR intervals (2 each), all
/// little-endian. Heart Rate Service 1.0, 3.1; unknown flags are for fields behind these.
package struct HeartRateMeasurement: Equatable, Sendable {
  /// Whether the sensor touches the skin.
  package enum Contact: UInt8, Sendable {
    case notSupported = 0, none = 2, detected = 3
  }

  /// As the sensor sent it: 0 is no measurement.
  package let beatsPerMinute: UInt16
  package let contact: Contact
  /// Whether there are RR intervals: the times between two beats.
  package let hasIntervals: Bool

  /// Reads a value; throws `ParseError.truncated` for a field that is cut short.
  ///
  /// One odd byte at the end, which real straps send, is no interval.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let flags = try reader.u8()
    beatsPerMinute = flags & 0x01 == 0 ? UInt16(try reader.u8()) : try reader.u16()
    // 1 is reserved for what 0 says.
    contact = Contact(rawValue: flags >> 1 & 0x03) ?? .notSupported
    if flags & 0x08 != 0 { try reader.skip(2) }  // energy
    hasIntervals = flags & 0x10 != 0 && reader.count >= 2
  }

  /// Beats a minute, if there are any and the flag of contact is right: see `Pulse`.
  package var rate: UInt16? {
    beatsPerMinute == 0 || contact == .none ? nil : beatsPerMinute
  }
}
