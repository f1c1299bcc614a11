package import Bytes

/// Bluetooth Assigned Numbers, 3.4 and 3.8.
extension UUID {
  package static var currentTimeService: UUID { UUID(short: 0x1805) }
  /// The local date and time.
  package static var currentTime: UUID { UUID(short: 0x2A2B) }
  /// The zone, and whether it is summer time.
  package static var localTimeInformation: UUID { UUID(short: 0x2A0F) }
}
