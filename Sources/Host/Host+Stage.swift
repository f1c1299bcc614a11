package import Bytes
package import HCI

/// How far the host has come on its way to a ride.
package enum Stage: Equatable, Sendable {
  /// The controller is not up.
  case off
  /// Nobody is searched for before the rider asks.
  case idle
  /// Searching, and nobody was heard who may be the rider's phone.
  case searching
  /// Searching, and a stranger was heard who may be.
  case found
  /// A link is being made, or is there and leads to no characteristic yet.
  case connecting
  /// The characteristic is there, or was and is waited for, and the phone is trusted.
  case ready
}

/// What a controller that is up says of itself.
package struct ControllerFacts: Sendable {
  /// Its public address.
  package let address: DeviceAddress
  /// Its HCI version number.
  ///
  /// Assigned Numbers, 2.1.
  package let version: UInt8
  /// Its company.
  ///
  /// Assigned Numbers, 7.1.
  package let manufacturer: UInt16
  /// Which of a Raspberry Pi's chips it is; `nil` for another one.
  package let chip: PiChip?
  /// The number of the patch that such a chip got from its driver; 0 for none.
  package let patch: UInt16
  /// What its LE side can do.
  package let features: LEFeatures
  /// What its LE side can do at the same time; `nil` if it does not say.
  package let states: LEStates?
  /// The most bytes of data in one packet to it.
  package let aclPacketLength: Int
  /// How many such packets it has room for.
  package let aclPacketCount: Int

  init(_ information: borrowing ControllerInformation) {
    address = information.address
    version = information.version
    manufacturer = information.manufacturer
    chip = information.chip
    patch = information.patch
    features = information.features
    states = information.states
    aclPacketLength = information.aclPacketLength
    aclPacketCount = information.aclPacketCount
  }
}

extension Host {
  /// How far it has come.
  package var stage: Stage {
    switch phase {
    case .off, .recovering, .bringUp: .off
    case .idle: .idle
    // Who sends an address of the remembered phone is either that or nobody.
    case .scanning: scanner.first == nil || memory != .nothing ? .searching : .found
    case .connecting, .cancelling: .connecting
    case .connected, .disconnecting: isRide ? .ready : .connecting
    }
  }

  /// What the controller says of itself; `nil` while none is up.
  package var controllerFacts: ControllerFacts? {
    guard stage != .off else { return nil }
    return ControllerFacts(controller.information)
  }

  /// The name of the phone that is remembered, or else of the one that is there; empty if it is not known.
  package var phoneName: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { memory == .nothing ? peerName : bondName }
  }

  /// What the stranger calls itself that would be connected to now; empty if it did not.
  package var foundName: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { heardName(of: found.address) }
  }

  /// The power of its last advertisement in dBm; `nil` if that is not known.
  package var foundRSSI: Int8? { found.rssi }

  private var found: Candidate { scanner.first ?? .nobody }
}
