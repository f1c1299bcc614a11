package import Bytes
package import Turns

/// What the phone says about the next turn: a view of the characteristic's value.
///
/// Identifier (4 bytes), direction (1), distance (4), all little-endian, then the street to the end.
package struct Instruction: ~Escapable {
  /// The length of the fixed fields, which the shortest instruction has.
  package static var minimumLength: Int { 9 }
  /// The longest value of an attribute: Core Specification, Vol 3, Part F, 3.2.9.
  package static var maximumLength: Int { 512 }

  /// Whether an app that assumes the smallest MTU cuts its values to this length.
  ///
  /// A notification then has room for 20 bytes, the answer to a read for 22.
  package static func mayBeCutByApp(_ count: Int) -> Bool { count == 20 || count == 22 }

  /// The phone's number for this instruction; Android uses a new one each time.
  package let identifier: UInt32
  /// The phone's number of the direction: see `Maneuver.init(direction:)`.
  package let direction: UInt8
  /// Metres to the turn.
  package let distance: UInt32
  /// The street's bytes as the phone sent them: UTF-8 if they are correct, at most 503, cut between letters.
  package let street: Span<UInt8>

  /// Reads the first 512 bytes of a value; throws `ParseError.truncated` if it has fewer than nine.
  @_lifetime(copy value)
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    guard value.count >= Self.minimumLength else { throw .truncated }
    var reader = ByteReader(value)
    identifier = try reader.u32()
    direction = try reader.u8()
    distance = try reader.u32()
    let rest = reader.takeRest()
    let end = textEnd(rest, upTo: Self.maximumLength - Self.minimumLength)
    // A value of the greatest length was cut by the phone.
    let isCut = value.count >= Self.maximumLength
    street = rest.extracting(first: isCut ? wholeEnd(of: rest.extracting(first: end)) : end)
  }

  /// The turn of the instruction; empty if the phone has none yet.
  ///
  /// Android then answers a read with an identifier and five zeros.
  package var turn: Turn {
    Turn(Maneuver(direction: direction), distance: distance, street: street)
  }
}
