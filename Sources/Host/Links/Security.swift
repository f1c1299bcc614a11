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
  /// When a pairing may be tried again.
  var attempts = RepeatedAttempts()
  /// How often in a row the remembered phone, or who sends its address, had no key of ours.
  private var failures = 0
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
    switch bond {
    case .some(let bond): bond.copyName(into: &bondName)
    case .none: break
    }
    self.bond.wipe()
    self.bond = bond
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

  /// The bond with what a link has shown; `nil` if that is nothing new, or nobody is remembered.
  func updatedBond(name: Span<UInt8>, handles: Bond.Handles) -> Bond? {
    switch bond {
    case .some(let bond): bond.updated(name: name, handles: handles)
    case .none: nil
    }
  }

  /// Where on the remembered phone that is which is subscribed to, as far as it is known.
  var handles: Bond.Handles {
    switch bond {
    case .some(let bond): bond.handles
    case .none: Bond.Handles(repeating: .none)
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

  mutating func noteFailure() { failures = min(failures + 1, Self.failuresToTell) }

  /// The remembered phone knows us, or is another one now.
  mutating func acceptBond() { failures = 0 }
}

extension DeviceAddress {
  /// Whether it is the same, by whatever way the controller tells it.
  func isSame(as other: DeviceAddress) -> Bool {
    value == other.value && type.rawValue & 1 == other.type.rawValue & 1
  }
}
