import TestSupport
import VirtualAir

/// The phones that komoot's app runs on, as the bench has them.
package enum PhoneKind: CaseIterable, Sendable {
  case ios, iosBackground, android
  /// One that nobody can subscribe to, and whose services come and go in silence.
  case android2019

  /// Makes a phone one of this kind.
  package func apply(to phone: VirtualPhone) {
    phone.hasServiceChanged = self != .android2019
    switch self {
    case .ios, .iosBackground:
      phone.notice = .identifier
      phone.blobErrorAtEnd = 0x07
    case .android, .android2019:
      phone.notice = .value
      phone.mtu = 517
      phone.descriptorBeforeCCCD = self == .android
      phone.hasCCCD = self == .android
    }
    if self == .iosBackground {
      // Apple's overflow area, with the bit of komoot's service.
      phone.advertisement = bytes(
        "02 01 1a 14 ff 4c 00 01 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00")
    }
  }

  /// What the phone says before its first instruction: an iPhone refuses to be read.
  package var silence: [UInt8]? {
    switch self {
    case .ios, .iosBackground: nil
    case .android, .android2019: bytes("04 03 02 01 00 00 00 00 00")
    }
  }
}
