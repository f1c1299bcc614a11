package import Bond
package import Bytes
package import Link
import SMP
import Search

/// Which phone is remembered, and which is not any more.
extension Host {
  /// Remembers a phone, as from the disk at the start, or nobody; a link to another one is ended.
  ///
  /// One that was remembered without a code is not followed where that is required: `Security.isCodeMissing`.
  package mutating func setBond(_ bond: consuming Bond?, at now: Instant) {
    guard security.policy != .off else { return }
    replaceBond(by: bond)
    noteForSecurity(.keyHolds)
    noteForSearch(memory == .nothing ? .notRemembered : .remembered)
    // The rider is told first why nobody is searched for.
    if security.isCodeMissing, !link.isThere { noteForSearch(.refused) }
    switch phase {
    case .connected, .connecting, .cancelling:
      if memory != .nothing, !peer.isRemembered { disconnect(at: now) }
    case .scanning, .idle: scan(at: now)
    default: break
    }
    settle(at: now)
  }

  /// How well a phone is remembered, if one is.
  package var memory: Remembrance { security.memory }

  /// What the remembered phone calls itself, empty if it never said.
  package var bondName: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { security.bondName.bytes }
  }

  /// Forgets the phone and ends its link; nobody is searched for until the rider asks.
  ///
  /// Where nobody is remembered the search goes on, as for another phone.
  mutating func forget(at now: Instant) {
    replaceBond(by: nil)
    noteForSecurity(.guestLeft)
    noteForSecurity(.keyHolds)
    dropNewBond()
    noteForSearch(.forgotten(at: now))
    noteForScanner(.disowned, at: now)
    forgetPeer()
    if link.pairing.isRunning {
      act(on: withLink { $0.cancelPairing() }, at: now)
    } else {
      disconnect(at: now)
    }
    if case .disconnecting(let parting, let end) = phase {
      if parting != .givenUp { enter(.disconnecting(.unwanted, until: end)) }
    } else {
      noteForLink { $0.disown() }
    }
  }
}
