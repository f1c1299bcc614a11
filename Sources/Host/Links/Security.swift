import Bond
import Bytes
import SMP

/// What outlives a link of the way to a secure one: who is remembered, and whether that phone
/// still knows us.
struct Security: ~Copyable {
  private static var firstRest: Int64 { 5_000 }
  private static var lastRest: Int64 { 60_000 }

  let policy: PairingPolicy
  /// The remembered phone.
  private(set) var bond: Bond?
  /// Its name, kept here too as what an optional borrows cannot be lent on.
  private(set) var bondName = FixedBuffer<32>()
  /// When a pairing may be tried again.
  var attempts = RepeatedAttempts()
  /// Our own identity resolving key, for phones that take one.
  private(set) var localIRK: Octets<16>?
  /// Whether the remembered phone has shown that it has no key of ours any more.
  private(set) var isBondRejected = false
  private var rest: Int64 = 0
  private var restEnd: Instant?

  init(_ policy: PairingPolicy) { self.policy = policy }

  // MARK: - The bond

  /// Remembers another phone, or nobody; the keys of the last one are overwritten.
  mutating func replaceBond(by bond: consuming Bond?) {
    bondName.removeAll()
    switch bond {
    case .some(let bond):
      bond.copyName(into: &bondName)
      localIRK = bond.localIRK
    case .none: localIRK = nil
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

  /// Whether a bond that was compared is not to be replaced by one that was not.
  var demandsComparison: Bool {
    switch bond {
    case .some(let bond): bond.isAuthenticated
    case .none: false
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

  /// The bond with another name; `nil` if it is no other, or nobody is remembered.
  func renamedBond(_ name: Span<UInt8>) -> Bond? {
    switch bond {
    case .some(let bond): bond.renamed(name)
    case .none: nil
    }
  }

  // MARK: - Who we are

  /// Who we are to a phone that we pair with; without randomness nobody.
  mutating func identity<Cryptography: Crypto>(
    _ address: DeviceAddress, with cryptography: inout Cryptography
  ) -> Identity? {
    do throws(CryptoError) {
      let irk = if let localIRK { localIRK } else { try cryptography.random() as Octets<16> }
      localIRK = irk
      return Identity(irk: irk, address: address)
    } catch {
      return nil
    }
  }

  // MARK: - A phone that does not know us

  /// Whether the remembered phone is left alone for a while after it did not know us.
  func isResting(at now: Instant) -> Bool {
    guard let restEnd else { return false }
    return now < restEnd
  }

  /// The remembered phone does not know us: it is tried ever more rarely.
  ///
  /// It is tried at all, as anybody may send its address and then have no key.
  mutating func rejectBond(at now: Instant) {
    isBondRejected = true
    rest = rest == 0 ? Self.firstRest : min(rest * 2, Self.lastRest)
    restEnd = now + rest
  }

  /// The rider wants it now.
  mutating func endRest() { restEnd = nil }

  /// The remembered phone knows us, or is another one now.
  mutating func acceptBond() {
    isBondRejected = false
    rest = 0
    restEnd = nil
  }
}

extension DeviceAddress {
  /// Whether it is the same, by whatever way the controller tells it.
  func isSame(as other: DeviceAddress) -> Bool {
    value == other.value && type.rawValue & 1 == other.type.rawValue & 1
  }
}
