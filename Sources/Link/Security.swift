package import ATT
package import Bond
package import Bytes
package import SMP

/// What outlives a link: which phone is remembered, and whether that phone still knows us.
///
/// It owns the remembered phone (`bond`) with what links have shown of it, the guest of this ride, and how often each
/// phone has failed. What happens comes in by `receive`; only `replaceBond` changes which phone is remembered.
package struct Security: ~Copyable {
  /// After how many failures the rider is told: a single one may be any device's with the phone's address.
  private static var failuresToTell: Int { 3 }

  package let policy: PairingPolicy
  /// The remembered phone.
  package private(set) var bond: Bond?
  /// Its name, copied because Swift cannot return a span from inside an optional.
  package private(set) var bondName = FixedBuffer<32>()
  /// The handles of the remembered phone that are subscribed to: as its bond has them, or as links have shown since.
  package private(set) var handles = Bond.Handles()
  /// What the remembered phone has set on our server: as its bond has it, or as links have shown since.
  package private(set) var served = Bond.Served()
  /// When a pairing may be tried again, for each phone.
  package private(set) var attempts = PairingAttempts()
  /// How often in a row the remembered phone, or a device with its address, had no key of ours.
  private var failures = 0
  /// Whether the rider has asked for a phone since the key's failure was reported.
  ///
  /// The remembered phone may then pair once more.
  package private(set) var mayPairAgain = false
  /// Whether a new name was written in this ride: a name that keeps changing must not wear the disk.
  package private(set) var isBondUpdated = false
  /// The phone that the rider agreed to follow for this ride.
  private var guest: Guest?

  package init(_ policy: PairingPolicy) { self.policy = policy }

  /// A phone that is followed for one ride, as nothing of it is remembered, or not yet.
  private struct Guest {
    let address: DeviceAddress
    /// The key of its pairing, without which its address is worth nothing; `nil` if it was not paired with.
    var key: Bond.Key?
    /// Whether the rider compared the numbers.
    let isCompared: Bool
  }

  /// What happens with phones, their keys and handles.
  package enum Input {
    /// A pairing with this phone failed, for whatever reason, or was interrupted.
    case pairingFailed(DeviceAddress, at: Instant)
    /// This phone was paired with, or the rider has agreed to it without a key.
    case accepted(DeviceAddress)
    /// The rider agreed to this phone, and it is followed until it is remembered, or its ride is over.
    ///
    /// A phone that was paired with is known again by its key, any other phone by its address.
    case followed(DeviceAddress, by: Bond.Key?, isCompared: Bool)
    /// The ride of a phone that is followed without being remembered is over.
    case guestLeft
    /// The rider wants a phone now.
    case riderAsked
    /// The remembered phone knows us, or is another one now.
    case keyHolds
    /// The remembered phone, or a device with its address, had no key of ours.
    case keyFailed
    /// A link to the remembered phone has found these handles.
    case found(Bond.Handles)
    /// The remembered phone has set this on our server.
    case served(Bond.Served)
    /// What was known of these attributes of the remembered phone does not hold any more.
    case changed(HandleRange)
    case rideBegan
    /// Another name of the phone is being written.
    case nameChanged
  }

  package mutating func receive(_ input: Input) {
    switch input {
    case .pairingFailed(let address, let now): attempts.failed(with: address, at: now)
    case .accepted(let address): attempts.succeeded(with: address)
    case .followed(let address, let key, let isCompared):
      guard memory == .nothing else { return }
      endGuest()
      guest = Guest(address: address, key: key, isCompared: isCompared)
    case .guestLeft: endGuest()
    case .riderAsked: mayPairAgain = isBondRejected
    case .keyHolds: acceptBond()
    case .keyFailed: failures = min(failures + 1, Self.failuresToTell)
    case .found(let handles): learnHandles(handles)
    case .served(let served): self.served = served
    case .changed(let range): forgetHandles(in: range)
    case .rideBegan: isBondUpdated = false
    case .nameChanged: isBondUpdated = true
    }
  }

  // MARK: - The bond

  /// Remembers another phone, or none; the keys of the last one are overwritten.
  package mutating func replaceBond(by bond: consuming Bond?) {
    bondName.removeAll()
    let (known, knownKey) = (address, key)
    switch bond {
    case .some(let bond):
      endGuest()
      bond.copyName(into: &bondName)
    case .none: break
    }
    self.bond.wipe()
    self.bond = bond
    // If it is the same phone, links may have shown more since this bond was made.
    if address != known { handles = writtenHandles }
    // What the phone has set belongs to its pairing.
    if address != known || key != knownKey { served = writtenServed }
  }

  private var writtenServed: Bond.Served {
    switch bond {
    case .some(let bond): bond.served
    case .none: Bond.Served()
    }
  }

  private var key: Bond.Key? {
    switch bond {
    case .some(let bond): bond.ltk
    case .none: nil
    }
  }

  private var writtenHandles: Bond.Handles {
    switch bond {
    case .some(let bond): bond.handles
    case .none: Bond.Handles()
    }
  }

  /// The remembered phone's address: its identity, if it has sent one.
  package var address: DeviceAddress? {
    switch bond {
    case .some(let bond): bond.address
    case .none: nil
    }
  }

  /// Whether the phone on the disk is not followed: it was remembered without a code, which is required.
  ///
  /// It stays on the disk, as the rider may change the policy.
  package var isCodeMissing: Bool {
    switch bond {
    case .some(let bond): policy == .required && !bond.isAuthenticated
    case .none: false
    }
  }

  /// The key that a link to this phone is encrypted with before anything is asked of it, if there is one.
  package func key(of address: DeviceAddress, isRemembered: Bool) -> Bond.Key? {
    guard isRemembered else { return guestKey(of: address) }
    switch bond {
    case .some(let bond): return bond.ltk
    case .none: return nil
    }
  }

  /// How well a phone is remembered, if one is.
  package var memory: Remembrance {
    guard !isCodeMissing else { return .nothing }
    switch bond {
    case .some(let bond): return bond.ltk == nil ? .address : .keys
    case .none: return .nothing
    }
  }

  /// Whether a link that is not encrypted is of use: never one to a phone that has a key of ours.
  package var allowsOpenLink: Bool { policy != .required && memory != .keys }

  /// Whether a pairing with this phone only counts if numbers are compared.
  package func demandsComparison(of address: DeviceAddress) -> Bool {
    if let guest, guest.isCompared, guest.address.isSame(as: address) { return true }
    switch bond {
    case .some(let bond): return bond.isAuthenticated || policy == .required
    case .none: return policy == .required
    }
  }

  /// Whether the address is the remembered phone's, or one that only it could have made.
  package func isBonded<Cryptography: Crypto>(
    _ address: DeviceAddress, with cryptography: Cryptography
  ) -> Bool {
    switch bond {
    case .some(let bond):
      if address.isSame(as: bond.address) { return true }
      guard let irk = bond.irk else { return false }
      return cryptography.resolves(irk: irk, address)
    case .none: return false
    }
  }

  /// The bond with what links have shown; `nil` if nothing is new, or no phone is remembered.
  package func updatedBond(name: Span<UInt8>) -> Bond? {
    switch bond {
    case .some(let bond): bond.updated(name: name, handles: handles, served: served)
    case .none: nil
    }
  }

  /// The bond with what the phone has set on our server; `nil` if nothing is new, or no phone is remembered.
  package func servedBond() -> Bond? {
    switch bond {
    case .some(let bond): bond.updated(served: served)
    case .none: nil
    }
  }

  private mutating func learnHandles(_ found: Bond.Handles) {
    let roles = Bond.Handles.roles
    for index in roles.indices where found[roles[index]] != .none {
      handles[roles[index]] = found[roles[index]]
    }
  }

  private mutating func forgetHandles(in changed: HandleRange) {
    let roles = Bond.Handles.roles
    for index in roles.indices {
      if handles[roles[index]].range?.overlaps(changed) ?? true { handles[roles[index]] = .none }
    }
  }

  // MARK: - A phone for one ride

  /// Stops following the phone of one ride; its key is overwritten.
  private mutating func endGuest() {
    guard guest != nil else { return }
    guest?.key?.wipe()
    guest = nil
    acceptBond()
  }

  private func guestKey(of address: DeviceAddress) -> Bond.Key? {
    guard let guest, guest.address.isSame(as: address) else { return nil }
    return guest.key
  }

  /// Whether this phone is followed for its ride over an open link, without a key.
  package func isFollowedOpenly(_ address: DeviceAddress) -> Bool {
    guard let guest else { return false }
    return guest.key == nil && guest.address.isSame(as: address)
  }

  /// Whether the rider must agree to this phone before it is followed over an open link.
  package func needsDecision(on address: DeviceAddress) -> Bool {
    policy != .off && memory == .nothing && !isFollowedOpenly(address)
  }

  // MARK: - A phone that does not know us

  /// Whether the key was refused since it opened a link the last time.
  package var isKeyInDoubt: Bool { failures > 0 }

  /// Whether the rider is to be told that the remembered phone has no key of ours any more.
  package var isBondRejected: Bool { failures >= Self.failuresToTell }

  private mutating func acceptBond() { (failures, mayPairAgain) = (0, false) }
}

/// By what a phone is remembered.
package enum Remembrance: Equatable, Sendable {
  /// It is paired: its key is in `Host.newBond`.
  case keys
  /// It cannot be paired with, but its address, which is in `Host.newBond`, never changes.
  case address
  /// Nothing by which it could be known after this ride.
  case nothing
}
