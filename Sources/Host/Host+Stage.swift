public import Bytes
public import HCI

/// How far the host has come on its way to a ride.
public enum Stage: Equatable, Sendable {
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
  /// The characteristic is there, or was and is waited for.
  case ready
}

extension Host {
  /// How far it has come.
  public var stage: Stage {
    switch phase {
    case .off, .recovering: .off
    // A search goes on for the rider while its controller is brought up anew.
    case .bringUp: isSameSearch ? .searching : .off
    case .idle: .idle
    case .scanning: scanner.hasStranger ? .found : .searching
    case .connecting, .cancelling: .connecting
    case .connected, .disconnecting: link.isRiding || link.isWaiting ? .ready : .connecting
    }
  }

  /// What the controller that is up says of itself; `nil` while none is.
  public var controllerFacts: ControllerFacts? {
    guard stage != .off else { return nil }
    return ControllerFacts(
      address: controller.address, version: controller.version,
      manufacturer: controller.manufacturer, features: controller.features,
      aclPacketLength: controller.aclPacketLength, aclPacketCount: controller.aclPacketCount)
  }
}
