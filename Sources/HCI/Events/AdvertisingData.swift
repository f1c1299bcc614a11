package import Bytes

/// What an AD structure holds.
///
/// Supplement to the Core Specification, Part A; Assigned Numbers, 2.3.
package struct AdvertisingDataType: RawRepresentable, Equatable, Sendable {
  package var rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static var flags: Self { Self(rawValue: 0x01) }
  package static var incomplete16BitUUIDs: Self { Self(rawValue: 0x02) }
  package static var complete16BitUUIDs: Self { Self(rawValue: 0x03) }
  package static var incomplete32BitUUIDs: Self { Self(rawValue: 0x04) }
  package static var complete32BitUUIDs: Self { Self(rawValue: 0x05) }
  package static var incomplete128BitUUIDs: Self { Self(rawValue: 0x06) }
  package static var complete128BitUUIDs: Self { Self(rawValue: 0x07) }
  package static var serviceData16Bit: Self { Self(rawValue: 0x16) }
  package static var serviceData32Bit: Self { Self(rawValue: 0x20) }
  package static var serviceData128Bit: Self { Self(rawValue: 0x21) }
  package static var shortenedLocalName: Self { Self(rawValue: 0x08) }
  package static var completeLocalName: Self { Self(rawValue: 0x09) }
  /// Services that the device looks for, as a client.
  package static var solicited128BitUUIDs: Self { Self(rawValue: 0x15) }
  /// What kind of device it is.
  package static var appearance: Self { Self(rawValue: 0x19) }
  /// The transmitted power in dBm.
  package static var txPowerLevel: Self { Self(rawValue: 0x0A) }
  /// A company's number and its own data.
  package static var manufacturerSpecificData: Self { Self(rawValue: 0xFF) }

  /// How many bytes each UUID has in an incomplete or complete list; `nil` if this is no list.
  package var listedUUIDSize: Int? {
    switch self {
    case .incomplete16BitUUIDs, .complete16BitUUIDs: 2
    case .incomplete32BitUUIDs, .complete32BitUUIDs: 4
    case .incomplete128BitUUIDs, .complete128BitUUIDs: 16
    default: nil
    }
  }

  /// How many bytes the UUID before service data has; `nil` if this is no service data.
  package var serviceDataUUIDSize: Int? {
    switch self {
    case .serviceData16Bit: 2
    case .serviceData32Bit: 4
    case .serviceData128Bit: 16
    default: nil
    }
  }
}

/// The AD structures of an advertisement: length, type, data.
///
/// Core Specification, Vol 3, Part C, 11. A structure that is longer than the rest ends the data. What
/// came before it stays valid.
package struct AdvertisingData: ~Escapable {
  private var reader: ByteReader

  /// Whether the data ended with a structure that is longer than the rest.
  package private(set) var isMalformed = false

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>) { reader = ByteReader(bytes) }

  package struct Structure: ~Escapable {
    package let type: AdvertisingDataType
    package let data: Span<UInt8>

    @_lifetime(copy data)
    init(type: AdvertisingDataType, data: Span<UInt8>) { (self.type, self.data) = (type, data) }
  }

  /// The next structure, or `nil` at the end of what is well-formed.
  @_lifetime(copy self)
  package mutating func next() -> Structure? {
    guard !reader.isEmpty, !isMalformed else { return nil }
    do throws(ParseError) {
      let length = Int(try reader.u8())
      guard length > 0 else { return nil }  // early termination
      let type = AdvertisingDataType(rawValue: try reader.u8())
      return Structure(type: type, data: try reader.take(length - 1))
    } catch {
      isMalformed = true
      return nil
    }
  }

  /// Whether a list of service UUIDs in `bytes`, complete or not, holds `uuid`.
  package static func contains(_ uuid: UUID, in bytes: Span<UInt8>) -> Bool {
    var data = AdvertisingData(bytes)
    while let structure = data.next() {
      guard let size = structure.type.listedUUIDSize else { continue }
      if lists(structure.data, uuid, size: size) { return true }
    }
    return false
  }

  private static func lists(_ bytes: Span<UInt8>, _ uuid: UUID, size: Int) -> Bool {
    var reader = ByteReader(bytes)
    while let entry = try? reader.take(size) {
      if let listed = try? UUID(parsing: entry), listed == uuid { return true }
    }
    return false
  }
}
