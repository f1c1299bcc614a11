import Central
import Expecting
import TestSupport
import VirtualAir

/// How full the phone's battery is: Battery Service 1.0, section 3.1, read once and when asked for.
@Suite struct BatteryTests {
  /// What the phone tells when it is asked, which is once, and what is taken of that.
  @Test(
    arguments: [
      ([0], 0), ([1], 1), ([80], 80), ([100], 100), ([80, 0], 80), ([], nil), ([101], nil),
      ([255], nil), (nil, nil),
    ] as [([UInt8]?, UInt8?)])
  func centralBehaviour102_theFirstByteOfTheBatteryIsAPercentageOrNothing(
    _ value: [UInt8]?, _ percent: UInt8?
  ) {
    let (central, phone) = LinkTests.connected { $0.battery = value }
    expect(central.takeEvents().count { $0 == .battery }, percent == nil ? 0 : 1)
    expect(central.battery, percent)
    let count = phone.requests.count
    central.pass(600_000)
    expect(phone.requests.count, count)
  }

  @Test func itIsReadAnewWhenTheRiderLooks() {
    let (central, phone) = LinkTests.connected { $0.battery = [80] }
    _ = central.takeEvents()
    phone.battery = [79]
    central.readBattery()
    expect(central.takeEvents(), [.battery])
    expect(central.battery, 79)
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

  /// A phone that was just agreed to, whose encryption does not end; and what it was asked so far.
  private func beingEncrypted() -> (scene: Encounter, count: Int) {
    let scene = Encounter()
    scene.phone.battery = [80]
    scene.controller.encrypts = false
    scene.agree()
    return (scene, scene.phone.requests.count)
  }

  /// The same while a new key is put to use.
  @Test func aPhoneThatIsPairedWithIsNotAskedBeforeTheLinkIsEncrypted() {
    let (scene, count) = beingEncrypted()
    scene.central.readBattery()
    scene.central.read()
    expect(scene.phone.requests.count, count)
    scene.controller.encryptionEnds(scene.central)
    #expect(scene.phone.requests.count > count, "what was put off is asked now")
  }

  /// Whatever becomes of the pairing: what is begun with a key ends with it, or the link does.
  @Test(arguments: ["the rider says no", "the phone is silent", "the phone cannot pair"])
  func aPhoneWhosePairingHasFailedIsNotAskedForItsBattery(_ how: String) {
    let (scene, count) = beingEncrypted()
    switch how {
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

  @Test func itIsForgottenWithTheLink() {
    let controller = VirtualController()
    let (central, _) = LinkTests.connected(controller) { $0.battery = [80] }
    expect(central.battery, 80)
    controller.disconnect(reason: 0x08, central)
    _ = central.takeEvents()
    expect(central.battery, nil)
    central.readBattery()
    #expect(!central.takeEvents().contains(.battery))
  }
}
