package import Bytes
package import HCI

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
  /// Whether a phone can connect to it.
  package let hasPeripheralRole: Bool
  /// The most bytes of data in one packet to it.
  package let aclPacketLength: Int
  /// How many such packets it has room for.
  package let aclPacketCount: Int

  package init(_ information: borrowing ControllerInformation) {
    address = information.address
    version = information.version
    manufacturer = information.manufacturer
    chip = information.chip
    patch = information.patch
    features = information.features
    states = information.states
    hasPeripheralRole = information.commands.peripheralRole
    aclPacketLength = information.aclPacketLength
    aclPacketCount = information.aclPacketCount
  }
}
