package import Bytes
package import Turns

/// What the phone says about the next turn: a view of the characteristic's value.
///
/// Identifier (4 bytes), direction (1), distance (4), all little-endian, then
/// the street to the end.
package struct Instruction: ~Escapable {
  /// The fixed fields' length, and so the length of the shortest instruction.
  package static var minimumLength: Int { 9 }
  /// The longest value of an attribute: Core Specification, Vol 3, Part F, 3.2.9.
  package static var maximumLength: Int { 512 }

  /// The phone's number for this instruction; Android uses a new one at each send.
  package let identifier: UInt32
  /// Which way to go, as the phone numbers it: see `Maneuver.init(direction:)`.
  package let direction: UInt8
  /// Metres to the turn.
  package let distance: UInt32
  /// The street's bytes as the phone sent them: UTF-8 if all is well, at most 503, cut between two letters.
  package let street: Span<UInt8>

  /// Reads a value; what it has beyond 512 bytes is cut.
  ///
  /// Throws `ParseError.truncated` below nine bytes: no instruction is so short.
  @_lifetime(copy value)
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    guard value.count >= Self.minimumLength else { throw .truncated }
    var reader = ByteReader(value)
    identifier = try reader.u32()
    direction = try reader.u8()
    distance = try reader.u32()
    let rest = reader.takeRest()
    let end = textEnd(rest, upTo: Self.maximumLength - Self.minimumLength)
    // So long a value is one that was cut.
    let isCut = value.count >= Self.maximumLength
    street = rest.extracting(first: isCut ? wholeEnd(of: rest.extracting(first: end)) : end)
  }

  /// The turn that this is about.
  ///
  /// An empty one if the phone has no instruction yet: Android then answers a read with an
  /// identifier and five zeros.
  package var turn: Turn {
    Turn(Maneuver(direction: direction), distance: distance, street: street)
  }
}
