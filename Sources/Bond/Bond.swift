package import Bytes

/// The handles of a characteristic that was subscribed to.
package struct SubscribedHandles: Equatable, Sendable {
  /// The handle of its value; 0 if it was not found.
  package var value: UInt16
  /// The handle of its Client Characteristic Configuration; 0 if it was not found.
  package var configuration: UInt16

  package init(value: UInt16, configuration: UInt16) {
    (self.value, self.configuration) = (value, configuration)
  }

  package static var none: Self { Self(value: 0, configuration: 0) }
}

/// What is remembered of a phone: its address and name, and what both sides know since the pairing.
///
/// It cannot be copied, so that nothing prints its keys by accident and there is one place to wipe them. Its
/// owner calls `wipe` before it drops a bond, as a Swift `deinit` may not write. A change makes a new bond:
/// `updated`. Read an optional bond by `switch`, as `?.` would consume it.
package struct Bond: ~Copyable {
  /// 128 bits, in the order in which the Security Manager's PDUs send them.
  package typealias Key = Octets<16>

  /// The handles of the phone's characteristics that are subscribed to.
  package struct Handles: Equatable, Sendable {
    /// Why a characteristic is subscribed to: for its value, or for changes of handles.
    package enum Role: Sendable {
      case value, serviceChanged
    }

    private var value, serviceChanged: SubscribedHandles

    package init(value: SubscribedHandles = .none, serviceChanged: SubscribedHandles = .none) {
      (self.value, self.serviceChanged) = (value, serviceChanged)
    }

    /// All roles, in the order of the record.
    package static var roles: InlineArray<2, Role> { [.value, .serviceChanged] }

    package subscript(role: Role) -> SubscribedHandles {
      get {
        switch role {
        case .value: value
        case .serviceChanged: serviceChanged
        }
      }
      set {
        switch role {
        case .value: value = newValue
        case .serviceChanged: serviceChanged = newValue
        }
      }
    }
  }

  /// What the phone has set in our attribute server, and which table of attributes it knows.
  ///
  /// It outlives links: Core Specification, Vol 3, Part G, 2.5.2 and 3.3.3.3.
  package struct Served: Equatable, Sendable {
    /// The characteristics that it can subscribe to, each by its Client Characteristic Configuration.
    package enum Subscription: Sendable {
      case serviceChanged, uart
    }

    private var hasServiceChanged, hasUART: Bool
    /// The number of the last table that it was told of; 0 for any table from before there were numbers.
    package var table: UInt8

    /// Nothing is subscribed to.
    package init(table: UInt8 = 0) {
      (hasServiceChanged, hasUART, self.table) = (false, false, table)
    }

    /// Whether it is subscribed to.
    package subscript(subscription: Subscription) -> Bool {
      get {
        switch subscription {
        case .serviceChanged: hasServiceChanged
        case .uart: hasUART
        }
      }
      set {
        switch subscription {
        case .serviceChanged: hasServiceChanged = newValue
        case .uart: hasUART = newValue
        }
      }
    }
  }

  /// The identity address, public or static random.
  package let address: DeviceAddress
  /// Whether no man in the middle of the pairing was possible.
  package let isAuthenticated: Bool
  /// The phone's Identity Resolving Key, if it sent one.
  package private(set) var irk: Key?
  /// The Long Term Key; `nil` if there was no pairing, only a fixed address to remember.
  package private(set) var ltk: Key?
  package private(set) var handles = Handles()
  package private(set) var served = Served()
  private var nameBuffer = FixedBuffer<32>()

  /// The longest `name` in bytes.
  package static var nameSize: Int { 32 }

  /// Remembers a phone; `nil` if `address` is one that changes.
  ///
  /// `name` is UTF-8, cut to 32 bytes between two letters. An identity that the controller resolved
  /// becomes the public or random address that it is.
  package init?(
    address: DeviceAddress, irk: Key? = nil, ltk: Key? = nil, isAuthenticated: Bool = false,
    handles: Handles = Handles(), served: Served = Served(), name: Span<UInt8>
  ) {
    guard let address = address.remembered else { return nil }
    self.address = address
    self.isAuthenticated = isAuthenticated
    self.irk = irk
    self.ltk = ltk
    self.handles = handles
    self.served = served
    nameBuffer.assign(text: name)
  }

  /// The bond with this name, these handles, and these settings on our server; `nil` if nothing differs.
  package func updated(
    name newName: Span<UInt8>, handles newHandles: Handles, served newServed: Served
  ) -> Bond? {
    let isSame = newHandles == handles && newServed == served
    guard !isSame || !isEqual(newName, name) else { return nil }
    return Bond(
      address: address, irk: irk, ltk: ltk, isAuthenticated: isAuthenticated, handles: newHandles,
      served: newServed, name: newName)
  }

  /// The bond with these settings of the phone on our server; `nil` if they do not differ.
  package func updated(served: Served) -> Bond? {
    updated(name: name, handles: handles, served: served)
  }

  /// The phone's own name; empty if it never sent one.
  package var name: Span<UInt8> { nameBuffer.bytes }

  /// Replaces `buffer` by the name.
  ///
  /// For a bond in an optional: Swift 6.3.1 crashes when its `name` is read.
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

extension DeviceAddress {
  /// The public or static random address to remember a device by; `nil` if this one changes.
  package var remembered: DeviceAddress? {
    let whole =
      switch type {
      case .public, .publicIdentity: DeviceAddress(value, .public)
      case .random, .randomIdentity: DeviceAddress(value, .random)
      }
    return whole.isFixed ? whole : nil
  }
}
