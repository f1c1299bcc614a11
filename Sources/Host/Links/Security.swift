import ATT
import Bond
import Bytes
import SMP

/// What outlives a link of the way to a secure one: who is remembered, and whether that phone
/// still knows us.
struct Security: ~Copyable {
  /// A single failure may be anybody's who sends the phone's address.
  private static var failuresToTell: Int { 3 }

  let policy: PairingPolicy
  /// The remembered phone.
  private(set) var bond: Bond?
  /// Its name, kept here too as what an optional borrows cannot be lent on.
  private(set) var bondName = FixedBuffer<32>()
  /// Where on the remembered phone that is which is subscribed to, as far as it is known: as its bond has
  /// it, or as links have shown since.
  private(set) var handles = Bond.Handles()
  /// When a pairing may be tried again, and with whom.
  var attempts = PairingAttempts()
  /// How often in a row the remembered phone, or who sends its address, had no key of ours.
  private var failures = 0
  /// Whether the rider has asked for a phone since that was told: then it may be paired with once more.
  private(set) var mayPairAgain = false
  /// Whether the bond was written anew in this ride: a name that changes must not wear the disk.
  var isBondUpdated = false
  /// Whom the rider agreed to follow for this ride.
  private var guest: Guest?

  init(_ policy: PairingPolicy) { self.policy = policy }

  /// A phone that is followed for one ride, as nothing of it is remembered, or not yet.
  private struct Guest {
    let address: DeviceAddress
    /// The key of its pairing, without which its address is worth nothing; `nil` if it was not paired with.
    var key: Bond.Key?
    /// Whether the rider compared the numbers.
    let isCompared: Bool
  }

  // MARK: - The bond

  /// Remembers another phone, or nobody; the keys of the last one are overwritten.
  mutating func replaceBond(by bond: consuming Bond?) {
    bondName.removeAll()
    let known = address
    switch bond {
    case .some(let bond):
      endGuest()
      bond.copyName(into: &bondName)
    case .none: break
    }
    self.bond.wipe()
    self.bond = bond
    // Of the same phone, links may have shown more since this was to be written.
    if address != known { handles = writtenHandles }
  }

  private var writtenHandles: Bond.Handles {
    switch bond {
    case .some(let bond): bond.handles
    case .none: Bond.Handles()
    }
  }

  private var address: DeviceAddress? {
    switch bond {
    case .some(let bond): bond.address
    case .none: nil
    }
  }

  /// Whether the phone on the disk is not followed: it was remembered without a code, which is required.
  ///
  /// It stays there, as the rider may change that.
  var isCodeMissing: Bool {
    switch bond {
    case .some(let bond): policy == .required && !bond.isAuthenticated
    case .none: false
    }
  }

  /// The key that a link to this phone is encrypted with before anything is asked of it, if there is one.
  func key(of address: DeviceAddress, isRemembered: Bool) -> Bond.Key? {
    guard isRemembered else { return guestKey(of: address) }
    switch bond {
    case .some(let bond): return bond.ltk
    case .none: return nil
    }
  }

  /// How well a phone is remembered, if one is.
  var memory: Remembrance {
    guard !isCodeMissing else { return .nothing }
    switch bond {
    case .some(let bond): return bond.ltk == nil ? .address : .keys
    case .none: return .nothing
    }
  }

  /// Whether a link that is not encrypted is of use: never one to a phone that has a key of ours.
  var allowsOpenLink: Bool { policy != .required && memory != .keys }

  /// Whether a pairing with this phone is worth nothing in which no numbers are compared.
  func demandsComparison(of address: DeviceAddress) -> Bool {
    if let guest, guest.isCompared, guest.address.isSame(as: address) { return true }
    switch bond {
    case .some(let bond): return bond.isAuthenticated || policy == .required
    case .none: return policy == .required
    }
  }

  /// Whether the address is the remembered phone's, or one that only it could have made.
  func isBonded<Cryptography: Crypto>(
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

  /// The bond with what links have shown; `nil` if that is nothing new, or nobody is remembered.
  func updatedBond(name: Span<UInt8>) -> Bond? {
    switch bond {
    case .some(let bond): bond.updated(name: name, handles: handles)
    case .none: nil
    }
  }

  /// Takes what a link to the remembered phone has found.
  mutating func learnHandles(_ found: Bond.Handles) {
    let roles = Bond.Handles.roles
    for index in roles.indices where found[roles[index]] != .none {
      handles[roles[index]] = found[roles[index]]
    }
  }

  /// What was known of these attributes of the remembered phone does not hold any more.
  mutating func forgetHandles(in changed: HandleRange) {
    let roles = Bond.Handles.roles
    for index in roles.indices {
      if handles[roles[index]].range?.overlaps(changed) ?? true { handles[roles[index]] = .none }
    }
  }

  // MARK: - A phone for one ride

  /// The rider agreed to this phone, and it is followed until it is remembered, or its ride is over.
  ///
  /// One that was paired with is known again by its `key`, and any other one by its address.
  mutating func follow(_ address: DeviceAddress, by key: Bond.Key?, isCompared: Bool = false) {
    guard memory == .nothing else { return }
    endGuest()
    guest = Guest(address: address, key: key, isCompared: isCompared)
  }

  /// Follows nobody any more of whom nothing is remembered; the key is overwritten.
  mutating func endGuest() {
    guard guest != nil else { return }
    guest?.key?.wipe()
    guest = nil
    acceptBond()
  }

  private func guestKey(of address: DeviceAddress) -> Bond.Key? {
    guard let guest, guest.address.isSame(as: address) else { return nil }
    return guest.key
  }

  /// Whether the rider agreed to this phone over an open link.
  func isGuest(_ address: DeviceAddress) -> Bool {
    guard let guest else { return false }
    return guest.key == nil && guest.address.isSame(as: address)
  }

  /// Whether the rider must agree to this phone before it is followed over an open link.
  func needsDecision(on address: DeviceAddress) -> Bool {
    policy != .off && memory == .nothing && !isGuest(address)
  }

  // MARK: - A phone that does not know us

  /// Whether the key was refused since it opened a link the last time.
  var isKeyInDoubt: Bool { failures > 0 }

  /// Whether the rider is to be told that the remembered phone has no key of ours any more.
  var isBondRejected: Bool { failures >= Self.failuresToTell }

  mutating func noteFailure() { failures = min(failures + 1, Self.failuresToTell) }

  /// The rider wants a phone now.
  mutating func riderAsked() { mayPairAgain = isBondRejected }

  /// The remembered phone knows us, or is another one now.
  mutating func acceptBond() { (failures, mayPairAgain) = (0, false) }
}

extension DeviceAddress {
  /// Whether it is the same, by whatever way the controller tells it.
  func isSame(as other: DeviceAddress) -> Bool {
    value == other.value && type.rawValue & 1 == other.type.rawValue & 1
  }
}
