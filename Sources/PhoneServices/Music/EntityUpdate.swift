package import Bytes

/// A notification of Entity Update: a new value of the phone's player, its queue or its track.
///
/// Entity, attribute and flags (a byte each), then the value in UTF-8, cut to what fits into a
/// notification. Apple Media Service Specification, Entity Update Notification Format.
package struct EntityUpdate: ~Escapable {
  /// An attribute of a track, with its identifier.
  package enum Attribute: UInt8, Sendable {
    case artist = 0
    case album = 1
    case title = 2
    case duration = 3
  }

  /// The identifier of the track among the entities.
  static var track: UInt8 { 2 }

  package let attribute: Attribute
  /// UTF-8, which may end in the middle of a letter.
  package let value: Span<UInt8>

  /// Reads a notification; throws `ParseError.unknown` for one that is not about the track.
  @_lifetime(copy bytes)
  package init(parsing bytes: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(bytes)
    let entity = try reader.u8()
    guard entity == Self.track else { throw .unknown(entity) }
    let number = try reader.u8()
    guard let attribute = Attribute(rawValue: number) else { throw .unknown(number) }
    try reader.skip(1)  // flags: whether the value is cut
    self.attribute = attribute
    value = reader.rest()
  }
}
