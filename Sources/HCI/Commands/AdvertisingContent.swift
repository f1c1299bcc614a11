package import Bytes

/// What a peripheral says of itself: in its advertisements, and to a device that asks for more.
///
/// Supplement to the Core Specification, Part A. A name of up to 8 bytes is in the advertisement, a longer
/// one in the scan response, where 29 fit. The appearance is in the other one.
package struct AdvertisingContent: Equatable, Sendable {
  /// The AD structures of each advertisement.
  package let advertisement: ShortBytes<31>
  /// The AD structures of each scan response.
  package let scanResponse: ShortBytes<31>

  /// The flags, with the bit "BR/EDR Not Supported": 1.3.
  private enum Flags {
    static var generalDiscoverable: UInt8 { 0x06 }
    static var notDiscoverable: UInt8 { 0x04 }
  }

  /// A device with a `name` of at most 29 bytes that looks for `service`, as a client.
  ///
  /// Only phones that know it already use a device that is not discoverable.
  package init(
    name: Span<UInt8>, appearance: UInt16, soliciting service: UUID, isDiscoverable: Bool
  ) {
    var first = FixedBuffer<31>()
    var second = FixedBuffer<31>()
    first.begin(.flags, count: 1)
    first.append(isDiscoverable ? Flags.generalDiscoverable : Flags.notDiscoverable)
    first.begin(.solicited128BitUUIDs, count: 16)
    first.append(service)
    if first.free >= 2 + name.count {
      first.append(name: name)
      second.append(appearance: appearance)
    } else {
      first.append(appearance: appearance)
      second.append(name: name)
    }
    advertisement = ShortBytes(first.bytes)
    scanResponse = ShortBytes(second.bytes)
  }
}

extension FixedBuffer {
  /// The beginning of an AD structure, before `count` bytes of data.
  fileprivate mutating func begin(_ type: AdvertisingDataType, count: Int) {
    append(UInt8(truncatingIfNeeded: 1 + count))
    append(type.rawValue)
  }

  /// The whole name, or nothing if it does not fit.
  fileprivate mutating func append(name: Span<UInt8>) {
    guard free >= 2 + name.count else { return }
    begin(.completeLocalName, count: name.count)
    append(name)
  }

  fileprivate mutating func append(appearance: UInt16) {
    begin(.appearance, count: 2)
    append(u16: appearance)
  }
}
