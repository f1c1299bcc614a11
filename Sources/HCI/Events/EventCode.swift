import Bytes

/// What kind of event it is: its first byte.
///
/// Core Specification, Vol 4, Part E, 7.7.
package enum EventCode: UInt8, Sendable {
  case disconnectionComplete = 0x05
  case encryptionChange = 0x08
  case commandComplete = 0x0E
  case commandStatus = 0x0F
  case hardwareError = 0x10
  case numberOfCompletedPackets = 0x13
  case dataBufferOverflow = 0x1A
  case encryptionKeyRefreshComplete = 0x30
  case leMeta = 0x3E
  /// The maker's own.
  case vendor = 0xFF

  /// Its bit in the mask of Set Event Mask, which counts from the event 0x01 on (7.3.1).
  package var mask: UInt64 { 1 &<< UInt64(widening: UInt32(rawValue &- 1)) }
}

/// What kind of LE Meta event it is: its third byte.
///
/// Core Specification, Vol 4, Part E, 7.7.65.
package enum LEEventCode: UInt8, Sendable {
  case connectionComplete = 0x01
  case advertisingReport = 0x02
  case connectionUpdateComplete = 0x03
  case readRemoteFeaturesComplete = 0x04
  case longTermKeyRequest = 0x05
  case remoteConnectionParameterRequest = 0x06
  case dataLengthChange = 0x07
  case enhancedConnectionComplete = 0x0A
  case phyUpdateComplete = 0x0C
  case extendedAdvertisingReport = 0x0D

  /// Its bit in the mask of LE Set Event Mask, which counts from the event 0x01 on (7.8.1).
  package var mask: UInt64 { 1 &<< UInt64(widening: UInt32(rawValue &- 1)) }
}
