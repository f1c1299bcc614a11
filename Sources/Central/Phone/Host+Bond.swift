package import Bond
package import Bytes
import Link
import SMP
import Search

/// Which phone is remembered, and which is not any more.
extension Host {
  /// Remembers a phone, as from the disk at the start, or none; a link to another phone is ended.
  ///
  /// A phone remembered without a code is not followed where a code is required: `Security.isCodeMissing`.
  package mutating func setBond(_ bond: consuming Bond?, at now: Instant) {
    guard security.policy != .off else { return }
    replaceBond(by: bond)
    updateSecurity(.keyHolds)
    updateSearch(security.memory == .nothing ? .notRemembered : .remembered)
    // The rider is told first why no phone is searched for.
    if security.isCodeMissing, !link.channels.isThere { updateSearch(.refused) }
    switch phase {
    case .connected, .connecting, .cancelling:
      if security.memory != .nothing, !peer.isRemembered { disconnect(at: now) }
    case .scanning, .idle: scan(at: now)
    default: break
    }
    settle(at: now)
  }

  /// The name of the remembered phone, empty if it never sent one.
  package var bondName: Span<UInt8> { security.bondName.bytes }

  /// Forgets the phone and ends its link; no phone is searched for until the rider asks.
  ///
  /// Where phones are never remembered, the search goes on for another one.
  mutating func forget(at now: Instant) {
    forgetPhone()
    updateSecurity(.guestLeft)
    updateSecurity(.keyHolds)
    updateSearch(.forgotten(at: now))
    updateScanner(.disowned, at: now)
    if link.pairing.isRunning {
      receive(withLink { $0.pair { $0.cancel() } }, at: now)
    } else {
      // No key stays once the phone is told to be forgotten, however late the link ends.
      dropPairing()
      disconnect(at: now)
    }
    if case .disconnecting(let parting, let end) = phase {
      if parting != .givenUp { enter(.disconnecting(.unwanted, until: end)) }
    } else {
      updateProgress { $0.disown() }
    }
  }
}
