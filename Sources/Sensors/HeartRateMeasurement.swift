package import Bytes

/// A value of Heart Rate Measurement (2A37), which a strap sends about once a second.
///
/// Flags (1 byte), beats a minute (1 or 2), energy (2, if flagged), then RR intervals (2 each), all
/// little-endian. Heart Rate Service 1.0, 3.1; unknown flags are for fields behind these.
package struct HeartRateMeasurement: ~Escapable {
  /// Whether the sensor touches the skin.
  package enum Contact: UInt8, Sendable {
    case notSupported = 0, none = 2, detected = 3
  }

  /// As it was sent: 0 is no measurement.
  package let beatsPerMinute: UInt16
  /// Whether that can be one.
  package let contact: Contact
  /// Kilojoules since the rider reset them.
  package let energyExpended: UInt16?
  /// The time between two beats in 1/1024 s, two bytes each, oldest first.
  private let intervals: Span<UInt8>

  /// Reads a value; throws `ParseError.truncated` for a field that is cut short.
  ///
  /// One odd byte at the end, which real straps send, is no interval.
  @_lifetime(copy value)
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let flags = try reader.u8()
    beatsPerMinute = flags & 0x01 == 0 ? UInt16(try reader.u8()) : try reader.u16()
    // 1 is reserved for what 0 says.
    contact = Contact(rawValue: flags >> 1 & 0x03) ?? .notSupported
    energyExpended = flags & 0x08 == 0 ? nil : try reader.u16()
    let rest = reader.takeRest()
    intervals = flags & 0x10 == 0 ? rest.extracting(first: 0) : rest
  }

  /// Beats a minute, if there are any and the flag can be believed: see `Pulse`.
  package var rate: UInt16? {
    beatsPerMinute == 0 || contact == .none ? nil : beatsPerMinute
  }

  /// How many RR intervals there are.
  package var intervalCount: Int { intervals.count / 2 }

  /// An RR interval in 1/1024 s, the oldest at 0.
  package func interval(at index: Int) -> UInt16 {
    UInt16(intervals[2 * index]) | UInt16(intervals[2 * index + 1]) << 8
  }
}
