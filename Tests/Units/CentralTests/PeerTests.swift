import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// Which phone's name and signal the host tells, whoever else is heard.
@Suite struct PeerTests {
  private static let neighbour = bytes("01 09 09 09 09 09 c9")
  private let controller = VirtualController()
  private let phone = VirtualPhone()
  private let central: Central

  init() {
    // The phone never gets as far as telling its name over the link.
    phone.withheld = [0x06]
    controller.phone = phone
    (central, _) = BringUpTests.started(controller)
  }

  private static func named(_ name: String) -> [UInt8] {
    [UInt8(1 + name.utf8.count), 0x09] + Array(name.utf8)
  }

  /// The phone says what it is called, and is connected to.
  private func meetPixel(rssi: Int8 = -60) {
    phone.advertisement += Self.named("Pixel")
    controller.advertise(central, rssi: rssi)
    central.pass(200)
  }

  private func hearNeighbour(rssi: Int8 = -20) {
    controller.report(Self.neighbour, Self.named("Neighbour"), rssi: rssi, central)
  }

  @Test func beforeAnybodyIsChosenNothingIsKnown() {
    hearNeighbour()
    controller.advertise(central)
    expect(central.peerName, "")
    expect(central.peerRSSI, nil)
  }

  @Test func aNeighbourThatIsHeardBeforeTheAttemptTakesNoName() {
    phone.advertisement += Self.named("Pixel")
    controller.advertise(central, rssi: -70)
    hearNeighbour()
    central.pass(200)
    expect(controller.isConnected)
    expect(central.peerName, "Pixel")
    expect(central.peerRSSI, -70)
  }

  @Test func aNameInAScanResponseIsKeptAmongNeighbours() {
    controller.advertise(central)
    hearNeighbour()
    controller.report(phone.address, Self.named("Pixel"), type: 4, central)
    for number in UInt8(1)...40 {
      controller.report(
        [1, number, 9, 9, 9, 9, 0xC9], Self.named("Neighbour \(number)"), central)
    }
    central.pass(200)
    expect(central.peerName, "Pixel")
  }

  @Test func inTheSearchAfterALossTheNameAndTheSignalAreStillThePhones() {
    meetPixel(rssi: -70)
    controller.disconnect(reason: 0x08, central)
    hearNeighbour()
    expect(central.peerName, "Pixel")
    expect(central.peerRSSI, -70)
  }

  @Test func eachCandidateHasItsOwnName() {
    phone.advertisement += Self.named("Pixel")
    let other = bytes("01 02 02 02 02 02 c2")
    controller.advertise(central)
    controller.report(
      other, bytes("11 07") + VirtualPhone.service + Self.named("Fairphone"), rssi: -80, central)
    expect(central.heardNames, ["Pixel", "Fairphone"])
  }

  @Test func anotherPhoneThatIsChosenDoesNotInheritTheName() {
    meetPixel()
    controller.disconnect(reason: 0x08, central)
    controller.report(
      bytes("01 02 02 02 02 02 c2"), bytes("11 07") + VirtualPhone.service, rssi: 127, central)
    central.pass(200)
    expect(controller.peer, bytes("01 02 02 02 02 02 c2"))
    expect(central.peerName, "")
    expect(central.peerRSSI, nil)
  }

  @Test func aPhoneThatIsFoundAgainKeepsANameThatItDoesNotRepeat() {
    controller.advertise(central)
    controller.report(phone.address, Self.named("Pixel"), type: 4, central)
    central.pass(200)
    controller.disconnect(reason: 0x08, central)
    central.pass(5_000)
    controller.advertise(central, rssi: -50)
    central.pass(200)
    expect(controller.isConnected)
    expect(central.peerName, "Pixel")
    expect(central.peerRSSI, -50)
  }

  @Test func aStrangerHasTheNameThatItAdvertisesUntilItIsForgotten() {
    meetPixel()
    expect(central.phoneName, "Pixel")
    central.forget()
    expect(central.peerName, "")
    expect(central.peerRSSI, nil)
  }

  @Test func aRememberedPhoneHasItsNameBeforeItIsHeard() throws {
    let scene = Encounter()
    var bond = scene.bond
    bond.name = "Fairphone"
    try scene.central.remember(bond)
    expect(scene.central.phoneName, "Fairphone")
  }
}

/// What a capture may show of the packets that are received.
@Suite struct VisibilityTests {
  private let controller = VirtualController()
  private let strap = VirtualSensor(.heart)

  private func riding(music: Bool) -> Central {
    let central = Central(music: music)
    let phone = VirtualPhone()
    phone.value = bytes("01 00 00 00 01 05 00 00 00")
    controller.phone = phone
    controller.sensors = [strap]
    controller.attach(to: central)
    central.start()
    controller.advertise(central)
    central.pass(200)
    central.follow(strap)
    return central
  }

  /// A notification, but for its value.
  private func packet(_ handle: UInt16) -> [UInt8] {
    [0x02] + little(handle | 0x2000) + bytes("07 00 03 00 04 00 1b 22 00")
  }

  @Test func withMusicWhatIsPrivateOfThePhoneIsHiddenAndNothingOfASensor() throws {
    let central = riding(music: true)
    let sensor = packet(try #require(controller.link(strap)?.handle))
    let phone = packet(controller.handle)
    let (ofSensor, ofPhone) = central.ask {
      ($0.visibility(of: sensor.span), $0.visibility(of: phone.span))
    }
    expect(ofSensor, .all)
    expect(ofPhone.extent(of: 0x99) == .first(0) && ofPhone.extent(of: 0x22) == .all)
  }

  @Test func withoutMusicAndNotificationsNothingIsHidden() {
    let central = riding(music: false)
    let phone = packet(controller.handle)
    expect(central.ask { $0.visibility(of: phone.span) }, .all)
  }
}
