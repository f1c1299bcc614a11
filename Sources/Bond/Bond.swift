package import Bytes

/// Where on an attribute server a characteristic is that was subscribed to.
package struct SubscribedHandles: Equatable, Sendable {
  /// Of its value; 0 if it was not found.
  package var value: UInt16
  /// Of its Client Characteristic Configuration; 0 if it was not found.
  package var configuration: UInt16

  /// These handles.
  package init(value: UInt16, configuration: UInt16) {
    (self.value, self.configuration) = (value, configuration)
  }

  /// Not found.
  package static var none: Self { Self(value: 0, configuration: 0) }
}

/// What is remembered of a phone: who it is and what both sides know since the pairing.
///
/// Cannot be copied, so that nothing prints its keys by accident and there is one place
/// to wipe them. No `deinit` may write in Swift: who gives a bond up calls `wipe` first.
/// In an optional it is read by `switch`, as `?.` would consume it.
package struct Bond: ~Copyable {
  /// 128 bits, in the order in which the Security Manager's PDUs send them.
  package typealias Key = Octets<16>

  /// Where on the phone's attribute server that was found which is subscribed to.
  package struct Handles: Equatable, Sendable {
    /// What a characteristic is subscribed to for.
    package enum Role: Sendable {
      /// It says the way.
      case way
      /// It says that handles have changed.
      case serviceChanged
    }

    private var way, serviceChanged: SubscribedHandles

    /// These handles, as far as they were found.
    package init(way: SubscribedHandles = .none, serviceChanged: SubscribedHandles = .none) {
      (self.way, self.serviceChanged) = (way, serviceChanged)
    }

    /// All roles, in the order of the record.
    package static var roles: InlineArray<2, Role> { [.way, .serviceChanged] }

    /// The handles of what has this role.
    package subscript(role: Role) -> SubscribedHandles {
      get {
        switch role {
        case .way: way
        case .serviceChanged: serviceChanged
        }
      }
      set {
        switch role {
        case .way: way = newValue
        case .serviceChanged: serviceChanged = newValue
        }
      }
    }
  }

  /// The identity address, public or static random.
  package let address: DeviceAddress
  /// Whether nobody can have been in the middle of the pairing.
  package let isAuthenticated: Bool
  /// The phone's Identity Resolving Key, if it gave one.
  package private(set) var irk: Key?
  /// The Long Term Key, if there was a pairing and not just a fixed address to remember.
  package private(set) var ltk: Key?
  /// Where that is which is subscribed to.
  package private(set) var handles = Handles()
  private var nameBuffer = FixedBuffer<32>()

  /// What `name` holds at most, in bytes.
  static var nameSize: Int { 32 }

  /// Remembers a phone; `nil` if `address` is one that changes.
  ///
  /// `name` is UTF-8, cut to 32 bytes between two letters. An identity that the controller resolved
  /// becomes the public or random address that it is.
  package init?(
    address: DeviceAddress, irk: Key? = nil, ltk: Key? = nil, isAuthenticated: Bool = false,
    handles: Handles = Handles(), name: Span<UInt8>
  ) {
    guard let address = address.remembered else { return nil }
    self.address = address
    self.isAuthenticated = isAuthenticated
    self.irk = irk
    self.ltk = ltk
    self.handles = handles
    nameBuffer.assign(text: name)
  }

  /// The same with another name and other handles; `nil` if nothing is another.
  package func updated(name newName: Span<UInt8>, handles newHandles: Handles) -> Bond? {
    guard newHandles != handles || !isEqual(newName, name) else { return nil }
    return Bond(
      address: address, irk: irk, ltk: ltk, isAuthenticated: isAuthenticated, handles: newHandles,
      name: newName)
  }

  /// What the phone calls itself, empty if it never said.
  package var name: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { nameBuffer.bytes }
  }

  /// Replaces `buffer` by the name.
  ///
  /// For a bond in an optional: Swift 6.3.1 crashes where its `name` is asked for.
  package func copyName<let n: Int>(into buffer: inout FixedBuffer<n>) { buffer.assign(name) }

  /// Overwrites the keys and the name with zeros; the bond then knows an address only.
  package mutating func wipe() {
    irk?.wipe()
    ltk?.wipe()
    (irk, ltk) = (nil, nil)
    nameBuffer.wipe()
  }
}

extension Optional where Wrapped == Bond, Wrapped: ~Copyable {
  /// Forgets the bond and overwrites its keys where they are.
  package mutating func wipe() {
    self?.wipe()
    self = nil
  }
}
