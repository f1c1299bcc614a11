import ATT
import Bond
import Bytes

/// The attributes of our server, the same on every link and in every role: phones keep them from link to link.
///
/// | handle | what | value | before the link is encrypted | encrypted with the remembered phone |
/// |---|---|---|---|---|
/// | 1 | service Generic Access, to 5 | `1800` | read | read |
/// | 2, 3 | Device Name | the name | read | read |
/// | 4, 5 | Appearance | `0481`, cycling computer | read | read |
/// | 6 | service Generic Attribute, to 9 | `1801` | read | read |
/// | 7, 8 | Service Changed | all handles | nothing | indicated |
/// | 9 | its configuration | 2 octets of a bond | refused | read, write `0000` or `0002` |
/// | 10 | service Nordic UART, to 15 | `6E400001-…` | read | read |
/// | 11, 12 | RX, from the phone | 0 to 512 octets | refused | write with a response |
/// | 13, 14 | TX, to the phone | at most 20 octets | nothing | notified |
/// | 15 | its configuration | 2 octets of a bond | refused | read, write `0000` or `0001` |
///
/// Every peer may read declarations (2, 4, 7, 11 and 13 too). A line that changes gives the table another number: a
/// phone that subscribes to Service Changed then gets an indication.
///
/// Core Specification, Vol 3, Part C, 12 and Part G, 3 and 7; Nordic's UART Service.
enum ServerTable {
  /// The table's number: 1 is the first one with Service Changed.
  static var number: UInt8 { 1 }
  static var serviceChanged: UInt16 { 8 }
  static var uartRX: UInt16 { 12 }
  static var uartTX: UInt16 { 14 }

  /// All lines; that of handle 1 is the first.
  static var lines: InlineArray<15, ServerAttribute> {
    [
      ServerAttribute(UUID.genericAccess),
      ServerAttribute(.read, .deviceName),
      ServerAttribute(.deviceName, .name, read: .everybody),
      ServerAttribute(.read, .appearance),
      ServerAttribute(.appearance, .appearance, read: .everybody),
      ServerAttribute(UUID.genericAttribute),
      ServerAttribute(.indicate, .serviceChanged),
      ServerAttribute(.serviceChanged, .nothing),
      ServerAttribute(Bond.Served.Subscription.serviceChanged),
      ServerAttribute(UUID.uart),
      ServerAttribute(.write, .uartRX),
      ServerAttribute(.uartRX, .nothing, write: .bond),
      ServerAttribute(.notify, .uartTX),
      ServerAttribute(.uartTX, .nothing),
      ServerAttribute(Bond.Served.Subscription.uart),
    ]
  }

  /// The line of this handle; `nil` if there is none.
  static func line(_ handle: UInt16) -> ServerAttribute? {
    let lines = lines
    let index = Int(handle) - 1
    return lines.indices.contains(index) ? lines[index] : nil
  }

  /// The handles of the service or characteristic that is declared at `handle`; any other attribute stands alone.
  ///
  /// Core Specification, Vol 3, Part G, 2.5.3.
  static func group(_ handle: UInt16) -> HandleRange {
    var end = handle
    guard let type = line(handle)?.type, type == .primaryService || type == .characteristic else {
      return HandleRange(handle, handle)
    }
    while let next = line(end + 1), next.type != .primaryService, next.type != type { end += 1 }
    return HandleRange(handle, end)
  }

  /// Our handles in a range, which must be valid.
  static func handles(in range: HandleRange) -> Range<UInt16> {
    let end = UInt16(truncatingIfNeeded: lines.count) + 1
    return min(range.start, end)..<min(range.end, end - 1) + 1
  }
}

/// A line of the table: what an attribute is, what it holds, and which phones may read or write it.
struct ServerAttribute {
  enum Permission {
    case nobody
    case everybody
    /// The remembered phone, over an encrypted link.
    case bond
  }

  /// What can be done with a characteristic's value.
  ///
  /// Core Specification, Vol 3, Part G, 3.3.1.1.
  enum Property: UInt8 {
    case read = 0x02
    case write = 0x08
    case notify = 0x10
    case indicate = 0x20
  }

  enum Content {
    case service(UUID)
    /// The declaration of the characteristic whose value is behind it.
    case characteristic(Property, UUID)
    case name
    case appearance
    /// Nothing is kept of what is sent or received there.
    case nothing
    case configuration(Bond.Served.Subscription)
  }

  let type: UUID
  let content: Content
  let read: Permission
  let write: Permission

  /// A value.
  init(
    _ type: UUID, _ content: Content, read: Permission = .nobody, write: Permission = .nobody
  ) {
    (self.type, self.content, self.read, self.write) = (type, content, read, write)
  }

  /// The declaration of a primary service.
  init(_ service: UUID) { self.init(.primaryService, .service(service), read: .everybody) }

  /// The declaration of a characteristic.
  init(_ property: Property, _ uuid: UUID) {
    self.init(.characteristic, .characteristic(property, uuid), read: .everybody)
  }

  /// A Client Characteristic Configuration.
  init(_ subscription: Bond.Served.Subscription) {
    self.init(
      .clientCharacteristicConfiguration, .configuration(subscription), read: .bond, write: .bond)
  }
}

extension Bond.Served.Subscription {
  /// The value of its Client Characteristic Configuration while a phone subscribes.
  ///
  /// Core Specification, Vol 3, Part G, 3.3.3.3.
  var configured: UInt16 {
    switch self {
    case .serviceChanged: Wanted.Subscription.indications.rawValue
    case .uart: Wanted.Subscription.notifications.rawValue
    }
  }
}

/// `6E40000x-B5A3-F393-E0A9-E50E24DCCA9E`.
extension UUID {
  static var uart: UUID { nordic(1) }
  static var uartRX: UUID { nordic(2) }
  static var uartTX: UUID { nordic(3) }

  private static func nordic(_ number: UInt32) -> UUID {
    UUID(0x6E40_0000_B5A3_F393 | UInt64(widening: number) &<< 32, 0xE0A9_E50E_24DC_CA9E)
  }
}
