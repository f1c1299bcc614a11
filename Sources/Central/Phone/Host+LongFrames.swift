import Bytes
import HCI
import Link
import Search

/// Whether the phone takes long frames: `LongFrames`.
extension Host {
  /// Whether a phone with this address is offered, and given, none but short ones.
  func takesLongFrames(_ address: DeviceAddress) -> Bool {
    !longFrames.areRefused(by: peer.isRemembered ? nil : address)
  }

  /// The link has ended for this reason, which may show whether the phone takes them.
  mutating func noteForLongFrames(endedBy reason: ErrorCode, at now: Instant) {
    // Anybody can send an address of the phone's: where it has a key, only an encrypted link says something of it.
    guard !peer.isRemembered || memory != .keys || link.isEncrypted else { return }
    let phone = peer.isRemembered ? nil : link.peer
    if link.hasLongFrameCome { return withLongFrames { $0.came(from: phone) } }
    // What ends here is not the phone's doing.
    guard reason != .connectionTerminatedByLocalHost, link.endedAtLongFrame(reason, at: now) else {
      return
    }
    if withLongFrames({ $0.ended(link: phone) }) { report(.longFramesRefused) }
  }
}
