public import Bytes

/// What is remembered of a phone: who it is and what both sides know since the pairing.
///
/// Cannot be copied, so that nothing prints its keys by accident and there is one place
/// to wipe them. No `deinit` may write in Swift: who gives a bond up calls `wipe` first.
/// In an optional it is read by `switch`, as `?.` would consume it.
public struct Bond: ~Copyable {
  /// 128 bits, in the order in which the Security Manager's PDUs send them.
  public typealias Key = Octets<16>

  /// The identity address, public or static random.
  public let address: DeviceAddress
  /// Whether nobody can have been in the middle of the pairing.
  public let isAuthenticated: Bool
  /// The phone's Identity Resolving Key, if it gave one.
  public private(set) var irk: Key?
  /// The Long Term Key, if there was a pairing and not just a fixed address to remember.
  public private(set) var ltk: Key?
  /// The Identity Resolving Key that we gave to the phone, if we did.
  public private(set) var localIRK: Key?
  private var nameBuffer = FixedBuffer<32>()

  /// What `name` holds at most, in bytes.
  static var nameSize: Int { 32 }

  /// Remembers a phone; `nil` if `address` is one that changes.
  ///
  /// `name` is UTF-8, cut to 32 bytes. An identity that the controller resolved
  /// becomes the public or random address that it is.
  public init?(
    address: DeviceAddress, irk: Key? = nil, ltk: Key? = nil, localIRK: Key? = nil,
    isAuthenticated: Bool = false, name: Span<UInt8>
  ) {
    switch address.type {
    case .public, .publicIdentity: self.address = DeviceAddress(address.value, .public)
    case .random, .randomIdentity: self.address = DeviceAddress(address.value, .random)
    }
    self.isAuthenticated = isAuthenticated
    self.irk = irk
    self.ltk = ltk
    self.localIRK = localIRK
    nameBuffer.assign(name)
    guard self.address.isFixed else { return nil }
  }

  /// The same with another name; `nil` if it is no other.
  public func renamed(_ newName: Span<UInt8>) -> Bond? {
    guard !isEqual(newName, name) else { return nil }
    return Bond(
      address: address, irk: irk, ltk: ltk, localIRK: localIRK, isAuthenticated: isAuthenticated,
      name: newName)
  }

  /// What the phone calls itself, empty if it never said.
  public var name: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { nameBuffer.bytes }
  }

  /// Replaces `buffer` by the name.
  ///
  /// For a bond in an optional: Swift 6.3.1 crashes where its `name` is asked for.
  public func copyName<let n: Int>(into buffer: inout FixedBuffer<n>) { buffer.assign(name) }

  /// Overwrites the keys and the name with zeros; the bond then knows an address only.
  public mutating func wipe() {
    irk?.wipe()
    ltk?.wipe()
    localIRK?.wipe()
    (irk, ltk, localIRK) = (nil, nil, nil)
    nameBuffer.wipe()
  }
}

extension Optional where Wrapped == Bond, Wrapped: ~Copyable {
  /// Forgets the bond and overwrites its keys where they are.
  public mutating func wipe() {
    self?.wipe()
    self = nil
  }
}
