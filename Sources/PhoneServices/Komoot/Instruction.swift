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
  /// The last direction that komoot has: off the route.
  private static var lastDirection: UInt8 { 30 }
  /// More metres than anybody rides to the next turn.
  private static var farthest: UInt32 { 1_000_000 }

  /// The length of the identifier, which begins each value and may be a notification by itself.
  package static var identifierCount: Int { 4 }

  /// The phone's number for this instruction; Android uses a new one each time.
  package let identifier: UInt32
  /// The phone's number of the direction: see `Maneuver.init(direction:)`.
  package let direction: UInt8
  /// Metres to the turn.
  package let distance: UInt32
  /// The street's bytes as the phone sent them: UTF-8 if they are correct, at most 503, cut between letters.
  package let street: Span<UInt8>

  /// Reads the first 512 bytes of a value.
  ///
  /// Throws `ParseError.truncated` for fewer than nine bytes, and `ParseError.invalid` if the value is not komoot's:
  /// with an unknown direction, an impossible distance, or a control character in the street.
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
    guard direction <= Self.lastDirection, distance <= Self.farthest else { throw .invalid }
    for index in street.indices where street[index] < 0x20 || street[index] == 0x7F {
      throw .invalid
    }
  }

  /// The turn of the instruction; empty if the phone has none yet.
  ///
  /// Android then answers a read with an identifier and five zeros.
  package var turn: Turn {
    Turn(Maneuver(direction: direction), distance: distance, street: street)
  }
}

/// The GATT service by which komoot's app sends the next turn.
package enum NavigationService {
  package static var uuid: UUID { UUID(0x71C1_E128_D92F_4FA8, 0xA2B2_0F17_1DB3_436C) }

  /// Its only characteristic: read and notify.
  package static var characteristic: UUID { UUID(0x503D_D605_9BCB_4F6E, 0xB235_270A_5748_3026) }
}

extension Maneuver {
  /// The maneuver of a direction, byte 4 of komoot's value.
  package init(direction: UInt8) {
    self =
      switch direction {
      case 0: .none  // reserved
      case 1: .straight
      case 2: .start
      case 3: .finish
      case 4: .slightLeft
      case 5: .left
      case 6: .sharpLeft
      case 7: .sharpRight
      case 8: .right
      case 9: .slightRight
      case 10: .forkRight
      case 11: .forkLeft
      case 12: .uTurn
      case 13: .pointOfInterest  // reserved
      case 14: .roundabout(.unsaid, nil)  // reserved, but seen in recorded rides
      case 15: .roundabout(.left, .clockwise)
      case 16: .roundabout(.right, .counterclockwise)
      case 17: .roundabout(.number(1, of: 1), .counterclockwise)
      case 18: .roundabout(.number(1, of: 2), .counterclockwise)
      case 19: .roundabout(.number(1, of: 3), .counterclockwise)
      case 20: .roundabout(.number(2, of: 2), .counterclockwise)
      case 21: .roundabout(.number(2, of: 3), .counterclockwise)
      case 22: .roundabout(.number(3, of: 3), .counterclockwise)
      case 23: .roundabout(.number(1, of: 1), .clockwise)
      case 24: .roundabout(.number(1, of: 2), .clockwise)
      case 25: .roundabout(.number(1, of: 3), .clockwise)
      case 26: .roundabout(.number(2, of: 2), .clockwise)
      case 27: .roundabout(.number(2, of: 3), .clockwise)
      case 28: .roundabout(.number(3, of: 3), .clockwise)
      case 29: .roundabout(.unknown, nil)
      case 30: .offRoute
      default: .unknown(direction)
      }
  }
}
