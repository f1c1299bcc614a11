public import HCI

/// What a controller that was brought up can do, as far as it matters here.
public struct ControllerAbilities: Sendable {
  /// What its LE side can do.
  public let features: LEFeatures
  /// The most bytes of data in one packet to it.
  public let aclPacketLength: Int
  /// How many such packets it has room for.
  public let aclPacketCount: Int
}

extension Host {
  /// What the controller can do; known since its `controller` event.
  public var abilities: ControllerAbilities {
    ControllerAbilities(
      features: controller.information.features,
      aclPacketLength: controller.information.aclPacketLength,
      aclPacketCount: controller.information.aclPacketCount)
  }
}
