import Bytes
import HCI
import Link
import Search

/// Whether the phone takes long frames: `LongFrames`.
extension Host {
  /// Whether a phone with this address may be offered, and given, long frames.
  func takesLongFrames(_ address: DeviceAddress) -> Bool {
    !longFrames.areRefused(by: phone(at: address))
  }

  /// Whose links count together.
  private func phone(at address: DeviceAddress) -> DeviceAddress? {
    peer.isRemembered ? security.address : address
  }

  /// The link has ended for this reason, which may show whether the phone takes long frames.
  mutating func updateLongFrames(endedBy reason: ErrorCode, at now: Instant) {
    // Any device can use the phone's address: if the phone has a key, only an encrypted link says something of it.
    guard !peer.isRemembered || security.memory != .keys || link.progress.isEncrypted else {
      return
    }
    let phone = phone(at: link.channels.peer)
    if link.hasLongFrameCome { return updateLongFrames { $0.came(from: phone) } }
    // A link that this host has ended says nothing of the phone.
    guard reason != .connectionTerminatedByLocalHost else { return }
    guard link.endedAtLongFrame(reason, at: now) else {
      return updateLongFrames { $0.endedOtherwise(link: phone) }
    }
    if updateLongFrames({ $0.ended(link: phone) }) { report(.longFramesRefused) }
  }
}
