package import ATT
package import Bytes
package import Controller
package import HCI

/// What the explorer has to tell its owner.
package enum ExplorerEvent: Equatable, Sendable {
  /// The controller is up, and it listens.
  case listening
  /// The controller failed; it begins again with Reset, if it was up before.
  case failed(HostFailure)
  /// A link to the device is being made.
  case connecting(DeviceAddress)
  /// The link is up.
  case connected(DeviceAddress)
  /// A service of the device.
  case service(UUID, HandleRange)
  /// A characteristic of the last service; its declaration has the handle.
  case characteristic(handle: UInt16, CharacteristicDeclaration)
  /// A descriptor of the last characteristic.
  case descriptor(handle: UInt16, UUID)
  /// An attribute was read to its end: `Explorer.value`.
  case value(handle: UInt16)
  /// An attribute is not to be read.
  case valueRefused(handle: UInt16, AttributeError)
  /// The device does not say which services it has, or no more of them.
  case refused(AttributeError)
  /// What was to be written is written.
  case written
  /// The device refuses what was to be written.
  case writeRefused(AttributeError)
  /// The device does not have the characteristic that is to be written.
  case characteristicMissing
  /// Nobody with the address was heard in 5 s.
  case notHeard
  /// No link came of it in 3 s, or the controller refused to make one.
  case noLink(ErrorCode)
  /// The device left a request without an answer.
  case unanswered
  /// It was not done after 120 s.
  case endless
  /// The link was lost before the device was seen whole.
  case lost(ErrorCode)
  /// All is done, and the link is over.
  case finished
}
