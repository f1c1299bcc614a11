public import Bytes

/// What the phone says about the next turn: the characteristic's value.
///
/// Identifier (4 bytes), direction (1), distance (4), all little-endian, then
/// the street to the end. A struct of about half a kilobyte, held in place.
public struct Instruction: ~Copyable {
  /// The fixed fields' length, and so the length of the shortest instruction.
  public static var minimumLength: Int { 9 }
  /// The longest value of an attribute: Core Specification, Vol 3, Part F, 3.2.9.
  public static var maximumLength: Int { 512 }

  /// The phone's number for this instruction; Android takes a new one at each send.
  public private(set) var identifier: UInt32 = 0
  /// Which way to go.
  public private(set) var direction = Direction.none
  /// Metres to the turn.
  public private(set) var distance: UInt32 = 0
  private var name = FixedBuffer<503>()

  /// The empty instruction: see `isEmpty`.
  public init() {}

  /// Reads a value; what it has beyond 512 bytes is cut.
  ///
  /// Throws `ParseError.truncated` below nine bytes: no instruction is so short.
  public init(parsing value: Span<UInt8>) throws(ParseError) {
    try parse(value)
  }

  /// The street's bytes as the phone sent them: UTF-8 if all is well, at most 503.
  public var street: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { name.bytes }
  }

  /// Whether the phone has no instruction yet.
  ///
  /// Android then answers a read with an identifier and five zeros.
  public var isEmpty: Bool { direction == .none && distance == 0 && name.isEmpty }

  /// Whether a rider would see no difference: direction, distance and street are the same.
  public func isSame(as other: borrowing Instruction) -> Bool {
    distance == other.distance && isSameTurn(as: other)
  }

  /// Whether direction and street are the same, however far away they are.
  public func isSameTurn(as other: borrowing Instruction) -> Bool {
    direction == other.direction && isEqual(street, other.street)
  }

  /// Becomes what `value` says, or stays as it is and throws as `init(parsing:)` does.
  public mutating func parse(_ value: Span<UInt8>) throws(ParseError) {
    guard value.count >= Self.minimumLength else { throw .truncated }
    var reader = ByteReader(value)
    identifier = try reader.u32()
    direction = Direction(rawValue: try reader.u8())
    distance = try reader.u32()
    name.assign(reader.takeRest())
  }

  /// Becomes a copy of `other`.
  public mutating func assign(_ other: borrowing Instruction) {
    identifier = other.identifier
    direction = other.direction
    distance = other.distance
    name.assign(other.street)
  }
}
