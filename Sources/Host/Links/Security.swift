import ATT
import Bond
import Bytes
import SMP

/// What outlives a link of the way to a secure one: who is remembered, and whether that phone
/// still knows us.
struct Security: ~Copyable {
  /// A single failure may be anybody's who sends the phone's address.
  private static var failuresToTell: Int { 3 }
  /// A phone that forgot us may have another address at each attempt: for so long nobody is tried.
  private static var pause: Int64 { 1_500 }

  let policy: PairingPolicy
  /// The remembered phone.
  private(set) var bond: Bond?
  /// Its name, kept here too as what an optional borrows cannot be lent on.
  private(set) var bondName = FixedBuffer<32>()
  /// Where on the remembered phone that is which is subscribed to, as far as it is known: as its bond has
  /// it, or as links have shown since.
  private(set) var handles = Bond.Handles(repeating: .none)
  /// When a pairing may be tried again.
  var attempts = RepeatedAttempts()
  /// How often in a row the remembered phone, or who sends its address, had no key of ours.
  private var failures = 0
  private var pauseEnd: Instant?
  /// Whether the bond was written anew in this ride: a name that changes must not wear the disk.
  var isBondUpdated = false
  /// The phone that the rider agreed to follow though nothing can be remembered of it.
  private(set) var guest: DeviceAddress?

  init(_ policy: PairingPolicy) { self.policy = policy }

  // MARK: - The bond

  /// Remembers another phone, or nobody; the keys of the last one are overwritten.
  mutating func replaceBond(by bond: consuming Bond?) {
    bondName.removeAll()
    guest = nil
    let known = address
    switch bond {
    case .some(let bond): bond.copyName(into: &bondName)
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
    case .none: Bond.Handles(repeating: .none)
    }
  }

  private var address: DeviceAddress? {
    switch bond {
    case .some(let bond): bond.address
    case .none: nil
    }
  }

  /// The key that a link to the remembered phone is encrypted with, if it has one.
  var longTermKey: Bond.Key? {
    switch bond {
    case .some(let bond): bond.ltk
    case .none: nil
    }
  }

  /// How well a phone is remembered, if one is.
  var memory: Remembrance {
    switch bond {
    case .some(let bond): bond.ltk == nil ? .address : .keys
    case .none: .nothing
    }
  }

  /// Whether a link that is not encrypted is of use: never one to a phone that has a key of ours.
  var allowsOpenLink: Bool { policy != .required && memory != .keys }

  /// Whether a pairing is worth nothing in which no numbers were compared.
  var demandsComparison: Bool {
    switch bond {
    case .some(let bond): bond.isAuthenticated || policy == .required
    case .none: policy == .required
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
    for index in handles.indices where found[index] != .none { handles[index] = found[index] }
  }

  /// What was known of these attributes of the remembered phone does not hold any more.
  mutating func forgetHandles(in changed: HandleRange) {
    for index in handles.indices {
      if handles[index].range?.overlaps(changed) ?? true { handles[index] = .none }
    }
  }

  /// The rider agreed to follow this phone, of which nothing can be remembered.
  mutating func follow(_ address: DeviceAddress) { guest = address }

  /// Whether the rider must agree to this phone before it is followed over an open link.
  func needsDecision(on address: DeviceAddress) -> Bool {
    policy != .off && memory == .nothing && guest != address
  }

  // MARK: - A phone that does not know us

  /// Whether the key was refused since it opened a link the last time.
  var isKeyInDoubt: Bool { failures > 0 }

  /// Whether the rider is to be told that the remembered phone has no key of ours any more.
  var isBondRejected: Bool { failures >= Self.failuresToTell }

  mutating func noteFailure(at now: Instant) {
    failures = min(failures + 1, Self.failuresToTell)
    if isBondRejected { pauseEnd = now + Self.pause }
  }

  /// Whether nobody is tried at the moment, whatever address resolves.
  func isPausing(at now: Instant) -> Bool {
    guard let pauseEnd else { return false }
    return now < pauseEnd
  }

  /// The rider wants it now.
  mutating func endPause() { pauseEnd = nil }

  /// The remembered phone knows us, or is another one now.
  mutating func acceptBond() { (failures, pauseEnd) = (0, nil) }
}

extension DeviceAddress {
  /// Whether it is the same, by whatever way the controller tells it.
  func isSame(as other: DeviceAddress) -> Bool {
    value == other.value && type.rawValue & 1 == other.type.rawValue & 1
  }
}
