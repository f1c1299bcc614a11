package import Bytes

/// The pulse from the values of one sensor, whose flag of skin contact may be wrong.
///
/// | the value | the pulse |
/// |---|---|
/// | reports contact, or nothing about it | its beats |
/// | reports no contact | unknown; from the fifth steady value in a row on, its beats |
///
/// A strap that is taken off repeats its last beats for a while. So a sensor that has reported contact before
/// must also show signs of life: its beats change, or it sends the intervals between them.
struct Pulse: Sendable {
  /// How many steady values in a row outweigh the flag.
  private static var convincing: Int { 5 }
  /// For how many values a pulse without changes and intervals still counts as alive.
  private static var longestFreeze: Int { 10 }
  /// By how many beats a minute a steady pulse changes at most from value to value.
  private static var steadiness: UInt16 { 15 }

  /// Whether the flag ever reported contact.
  private var hasSaidContact = false
  /// The beats of the last value without contact, and how many such values were steady.
  private var deniedBeats: UInt16 = 0
  private var steadyCount = 0
  /// For how many values the pulse has shown no sign of life.
  private var frozenCount = 0

  /// Receives a value; returns its beats a minute if they are credible.
  mutating func receive(_ value: HeartRateMeasurement) -> UInt16? {
    guard value.contact == .none else {
      if value.contact == .detected { hasSaidContact = true }
      steadyCount = 0
      return value.rate
    }
    note(value.beatsPerMinute, hasIntervals: value.hasIntervals)
    let isAlive = frozenCount < Self.longestFreeze || !hasSaidContact
    return steadyCount >= Self.convincing && isAlive ? value.beatsPerMinute : nil
  }

  /// The link is lost: earlier values say nothing about the next ones.
  mutating func linkWasLost() { steadyCount = 0 }

  private mutating func note(_ beats: UInt16, hasIntervals: Bool) {
    let change = max(beats, deniedBeats) - min(beats, deniedBeats)
    let isSteady = steadyCount > 0 && change <= Self.steadiness
    let isAlive = hasIntervals || isSteady && change > 0
    frozenCount =
      isAlive ? 0 : isSteady ? min(frozenCount + 1, Self.longestFreeze) : Self.longestFreeze
    steadyCount = beats == 0 ? 0 : isSteady ? min(steadyCount + 1, Self.convincing) : 1
    deniedBeats = beats
  }
}

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

  /// Reads the whole fields of a value; throws `ParseError.truncated` if even the beats are not whole.
  ///
  /// One odd byte at the end, which real straps send, is no interval.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let flags = try reader.u8()
    beatsPerMinute = flags & 0x01 == 0 ? UInt16(try reader.u8()) : try reader.u16()
    // 1 means the same as 0.
    contact = Contact(rawValue: flags >> 1 & 0x03) ?? .notSupported
    let energySize = flags & 0x08 == 0 ? 0 : 2
    hasIntervals = flags & 0x10 != 0 && reader.count >= energySize + 2
  }

  /// Beats a minute, if there are any and the flag of contact is right: see `Pulse`.
  package var rate: UInt16? {
    beatsPerMinute == 0 || contact == .none ? nil : beatsPerMinute
  }
}
