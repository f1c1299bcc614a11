package import Bytes

/// A value of Notification Source: a notification came, changed or went.
///
/// Event, flags, category and the number of notifications in it (a byte each), then the UID (4 bytes,
/// little-endian). Apple Notification Center Service Specification, Notification Source.
package struct SourceEvent: Equatable, Sendable {
  /// What happened, with the event's identifier.
  package enum Kind: UInt8, Sendable {
    case added = 0
    case modified = 1
    case removed = 2
  }

  package let kind: Kind
  private var flags: UInt8
  private let category: UInt8
  /// How many notifications of its category the phone has now.
  private let count: UInt8
  /// The phone's number for it on this link.
  package let uid: UInt32

  /// A placeholder.
  static var nothing: SourceEvent {
    SourceEvent(kind: .removed, flags: 0, category: 0, count: 0, uid: 0)
  }

  /// Adopts the flags of a later event.
  mutating func adopt(_ change: SourceEvent) { flags = change.flags }

  /// Whether the phone shows it silently.
  package var isSilent: Bool { flags & 0x01 != 0 }
  /// Whether it is older than the link.
  package var isOlderThanLink: Bool { flags & 0x04 != 0 }
  /// Whether the rider can accept it, for example a call.
  package var canBeAccepted: Bool { flags & 0x08 != 0 }
  package var canBeRefused: Bool { flags & 0x10 != 0 }
  /// Whether it is an incoming call.
  package var isCall: Bool { category == 1 }
  /// Whether it is the phone's only one of its category.
  package var isOnlyOfCategory: Bool { count == 1 }
}

extension SourceEvent {
  /// Reads a value; throws `ParseError.unknown` for another event.
  package init(parsing value: Span<UInt8>) throws(ParseError) {
    var reader = ByteReader(value)
    let number = try reader.u8()
    guard let kind = Kind(rawValue: number) else { throw .unknown(number) }
    self.init(
      kind: kind, flags: try reader.u8(), category: try reader.u8(), count: try reader.u8(),
      uid: try reader.u32())
  }
}

/// Apple Notification Center Service (ANCS) and its characteristics.
///
/// ANCS Specification, Service Characteristics.
extension UUID {
  package static var notificationService: UUID {
    UUID(0x7905_F431_B5CE_4E99, 0xA40F_4B1E_122D_00D0)
  }
  package static var notificationSource: UUID {
    UUID(0x9FBF_120D_6301_42D9, 0x8C58_25E6_99A2_1DBD)
  }
  package static var controlPoint: UUID {
    UUID(0x69D1_D8F3_45E1_49A8, 0x9821_9BBD_FDAA_D9D9)
  }
  package static var dataSource: UUID {
    UUID(0x22EA_C6E9_24D6_4BB5, 0xBE44_B36A_CE7C_7BFB)
  }
}
