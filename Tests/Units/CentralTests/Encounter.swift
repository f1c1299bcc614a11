import Bytes
import Central
import HCI
import Link
import PlainBonds
import TestSupport
import VirtualAir

extension VirtualPhone {
  /// A turn without a street.
  static let turn = bytes("01 00 00 00 01 05 00 00 00")
  /// The service in a complete list of an advertisement.
  static let listing = bytes("11 07") + service
}

/// A host, its controller and a phone that pairs, just before the phone advertises.
final class Encounter {
  let controller: VirtualController
  let phone = VirtualPhone()
  let security = VirtualSecurity()
  let central: Central

  init(
    _ pairing: PairingPolicy = .preferred, manner: VirtualSecurity.Manner = .comparison,
    on controller: VirtualController = VirtualController()
  ) {
    self.controller = controller
    phone.value = VirtualPhone.turn
    phone.security = security
    phone.address = security.privateAddress(1)
    security.manner = manner
    controller.phone = phone
    (central, _) = BringUpTests.started(controller, pairing: pairing)
    _ = central.takeEvents()
  }

  /// A phone that is heard and connected to.
  static func met(_ pairing: PairingPolicy = .preferred) -> Encounter {
    let scene = Encounter(pairing)
    _ = scene.meet()
    return scene
  }

  /// A phone that was paired with by comparison, and is remembered.
  static func paired() -> Encounter {
    let scene = Encounter()
    scene.pair()
    return scene
  }

  /// The same, and then it was lost.
  static func pairedAndLost(_ configure: (VirtualPhone) -> Void = { _ in }) -> Encounter {
    let scene = Encounter()
    configure(scene.phone)
    scene.pair()
    scene.lose()
    return scene
  }

  /// A phone that refuses to pair, to which the rider said yes.
  static func followed() -> Encounter {
    let scene = Encounter(manner: .refusal(0x05))
    scene.agree()
    return scene
  }

  /// One that has forgotten us, of which the rider was told, who has pressed the button then.
  static func rejectedAndPressed() -> Encounter {
    let scene = Encounter()
    scene.becomeRejected()
    scene.central.searchFast()
    return scene
  }

  /// The phone is heard, twice if that is needed, and connected to; returns the events from there on.
  func meet() -> [HostEvent] {
    controller.advertise(central)
    central.pass(80)
    controller.advertise(central)
    central.pass(100)
    return central.takeEvents()
  }

  /// The phone is met, and the rider says yes.
  func agree() {
    _ = meet()
    central.confirm(true)
  }

  /// Pairs by comparison and keeps the bond.
  func pair() {
    agree()
    central.adoptBond()
    _ = central.takeEvents()
  }

  /// Pairs, and meets the phone again when it has forgotten us; returns what it told us then.
  @discardableResult
  func becomeForgotten() -> [HostEvent] {
    pair()
    lose()
    security.longTermKey = nil
    return meet()
  }

  /// The same until the rider is told: three times, each when the address has rested.
  func becomeRejected() {
    becomeForgotten()
    meetAgain(2)
  }

  /// The phone comes so often, each time when its address has rested.
  func meetAgain(_ count: Int) {
    for _ in 0..<count {
      central.pass(61_000)
      _ = meet()
    }
  }

  func lose() {
    controller.disconnect(reason: 0x08, central)
    _ = central.takeEvents()
  }

  /// A bond with the phone, with a key that it does not have.
  var bond: PlainBond {
    var bond = PlainBond(number: 1)
    bond.address = security.identityAddress
    bond.irk = array(security.irk.bytes)
    return bond
  }

  /// The one that the phone has now.
  var phoneAddress: DeviceAddress {
    let octets = phone.address.dropFirst().reversed()
    return DeviceAddress(octets.reduce(0) { $0 << 8 | UInt64($1) }, .random)
  }

  /// What the phone is asked meanwhile.
  func asked(_ action: () -> Void) -> [UInt8] {
    let count = phone.requests.count
    action()
    return Array(phone.requests[count...])
  }

  /// How often the phone was asked to pair.
  var requests: Int { security.codes.count { $0 == 0x01 } }
}
