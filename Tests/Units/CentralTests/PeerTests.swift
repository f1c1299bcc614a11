import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// Which phone's name and signal the host reports, whatever else it hears.
struct PeerTests {
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
  private func meetPixel() {
    phone.advertisement += Self.named("Pixel")
    controller.advertise(central)
    central.pass(200)
  }

  private func hearNeighbour() {
    controller.report(bytes("01 09 09 09 09 09 c9"), Self.named("Neighbour"), rssi: -20, central)
  }

  /// And nothing once it is forgotten; until then it is called what it advertises.
  @Test func beforeAnybodyIsChosenNothingIsKnown() {
    hearNeighbour()
    controller.advertise(central)
    expect(central.peerName, "")
    expect(central.peerRSSI, nil)
    meetPixel()
    expect(central.phoneName, "Pixel")
    central.forget()
    expect(central.peerName, "")
    expect(central.peerRSSI, nil)
  }

  /// Before the attempt, and in the search after a loss.
  @Test func theNameAndTheSignalAreThePhonesWhoeverElseIsHeard() {
    phone.advertisement += Self.named("Pixel")
    controller.advertise(central, rssi: -70)
    hearNeighbour()
    central.pass(200)
    expect(controller.isConnected)
    for _ in 0..<2 {
      expect(central.peerName, "Pixel")
      expect(central.peerRSSI, -70)
      controller.disconnect(reason: 0x08, central)
      hearNeighbour()
    }
  }

  /// The phone need not repeat it when it is found again.
  @Test func aNameInAScanResponseIsKeptAmongNeighbours() {
    controller.advertise(central)
    hearNeighbour()
    controller.report(phone.address, Self.named("Pixel"), type: 4, central)
    for number in UInt8(1)...40 {
      controller.report([1, number, 9, 9, 9, 9, 0xC9], Self.named("Neighbour \(number)"), central)
    }
    central.pass(200)
    expect(central.peerName, "Pixel")
    controller.disconnect(reason: 0x08, central)
    central.pass(5_000)
    controller.advertise(central, rssi: -50)
    central.pass(200)
    expect(controller.isConnected)
    expect(central.peerName, "Pixel")
    expect(central.peerRSSI, -50)
  }

  @Test func eachCandidateHasItsOwnName() {
    phone.advertisement += Self.named("Pixel")
    let other = bytes("01 02 02 02 02 02 c2")
    controller.advertise(central)
    controller.report(other, VirtualPhone.listing + Self.named("Fairphone"), rssi: -80, central)
    expect(central.heardNames, ["Pixel", "Fairphone"])
  }

  @Test func anotherPhoneThatIsChosenDoesNotInheritTheName() {
    meetPixel()
    controller.disconnect(reason: 0x08, central)
    controller.report(bytes("01 02 02 02 02 02 c2"), VirtualPhone.listing, rssi: 127, central)
    central.pass(200)
    expect(controller.peer, bytes("01 02 02 02 02 02 c2"))
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
struct VisibilityTests {
  /// A notification, but for its value.
  private func packet(_ handle: UInt16) -> [UInt8] {
    [0x02] + little(handle | 0x2000) + bytes("07 00 03 00 04 00 1b 22 00")
  }

  /// With music what is private of the phone, and nothing of a sensor.
  @Test(arguments: [true, false])
  func onlyWhatIsPrivateOfThePhoneIsHidden(_ hasMusic: Bool) throws {
    let controller = VirtualController()
    let strap = VirtualSensor(.heart)
    let central = Central(music: hasMusic)
    let phone = VirtualPhone()
    phone.value = VirtualPhone.turn
    controller.phone = phone
    controller.sensors = [strap]
    controller.attach(to: central)
    central.start()
    controller.advertise(central)
    central.pass(200)
    central.follow(strap)
    let said = (packet(try #require(controller.link(strap)?.handle)), packet(controller.handle))
    let (ofSensor, ofPhone) = central.ask {
      ($0.visibility(of: said.0.span), $0.visibility(of: said.1.span))
    }
    expect(ofSensor, .all)
    expect(ofPhone.extent(of: 0x99), hasMusic ? .first(0) : .all)
    expect(ofPhone.extent(of: 0x22) == .all && hasMusic == (ofPhone != .all))
  }
}

/// How full the phone's battery is: Battery Service 1.0, section 3.1, read once and when asked for.
struct BatteryTests {
  /// What the phone tells when it is asked, which is once, and what is taken of that.
  @Test(
    arguments: [
      ([0], 0), ([1], 1), ([80], 80), ([100], 100), ([80, 0], 80), ([], nil), ([101], nil),
      ([255], nil), (nil, nil),
    ] as [([UInt8]?, UInt8?)])
  func centralBehaviour102_theFirstByteOfABatteryIsAPercentage(value: [UInt8]?, percent: UInt8?) {
    let (central, phone) = LinkTests.connected { $0.battery = value }
    expect(central.takeEvents().count { $0 == .battery }, percent == nil ? 0 : 1)
    expect(central.battery, percent)
    let count = phone.requests.count
    central.pass(600_000)
    expect(phone.requests.count, count)
  }

  @Test func itIsReadAnewWhenTheRiderLooksAndForgottenWithTheLink() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.battery = [80] }
    _ = central.takeEvents()
    phone.battery = [79]
    central.readBattery()
    expect(central.takeEvents(), [.battery])
    expect(central.battery, 79)
    controller.disconnect(reason: 0x08, central)
    _ = central.takeEvents()
    expect(central.battery, nil)
    central.readBattery()
    #expect(!central.takeEvents().contains(.battery))
  }

  @Test func aPhoneThatTellsOnlyWhomItTrustsIsAskedAgainOnTheEncryptedLink() {
    let scene = Encounter()
    scene.phone.battery = [55]
    scene.phone.isBatteryPrivate = true
    #expect(!scene.meet().contains(.battery))
    scene.central.confirm(true)
    #expect(scene.central.takeEvents().contains(.battery))
    expect(scene.central.battery, 55)
  }

  /// The rider turns to the page of the ride while the link is being encrypted.
  @Test func aRememberedPhoneIsNotAskedBeforeTheLinkIsEncrypted() {
    let scene = Encounter.pairedAndLost()
    scene.controller.encrypts = false
    let count = scene.phone.requests.count
    _ = scene.meet()
    scene.central.readBattery()
    expect(scene.phone.requests[count...], [0x02], "the MTU is no question to the phone")
  }

  /// A phone that was just agreed to, whose encryption does not end: what is begun with a key ends with it, or the
  /// link does.
  @Test(arguments: [
    "the encryption ends", "the rider says no", "the phone is silent", "the phone cannot pair",
  ])
  func aPhoneThatIsPairedWithIsNotAskedBeforeTheLinkIsEncrypted(_ how: String) {
    let scene = Encounter()
    scene.phone.battery = [80]
    scene.controller.encrypts = false
    scene.agree()
    let count = scene.phone.requests.count
    switch how {
    case "the encryption ends":
      scene.central.readBattery()
      scene.central.read()
      expect(scene.phone.requests.count, count)
      scene.controller.encryptionEnds(scene.central)
      #expect(scene.phone.requests.count > count, "what was put off is asked now")
      return
    case "the rider says no": scene.central.confirm(false)
    case "the phone is silent": scene.central.pass(31_000)
    default:
      scene.controller.send(channel: 0x06, bytes("05 05"), scene.central)
      scene.central.pass(0)
      scene.central.readBattery()
    }
    scene.central.pass(40_000)
    expect(scene.phone.requests.count, count)
    expect(!scene.controller.isConnected)
  }
}
