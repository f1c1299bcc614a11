import Bytes
import Central
import TestSupport
import Testing
import VirtualAir

/// A remembered phone that is linked and has nothing to tell.
@Suite struct IdlePhoneTests {
  /// What a phone sends all day, whatever runs on it.
  private static let usual = bytes("02 01 06")
  /// Apple's overflow area, with the bit of komoot's service.
  private static let overflow = bytes(
    "02 01 1a 14 ff 4c 00 01 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00")

  /// A phone that was linked without komoot for ten minutes.
  private func letGo() -> Encounter {
    let scene = Encounter()
    scene.phone.hasServiceChanged = true
    scene.pair()
    scene.phone.hasService = false
    scene.controller.send(channel: 0x04, VirtualPhone.serviceChanged, scene.central)
    scene.central.pass(599_000)
    #expect(scene.controller.isConnected)
    _ = scene.central.takeEvents()
    scene.central.pass(1_500)
    return scene
  }

  private func advertise(_ data: [UInt8], _ scene: Encounter) {
    scene.phone.advertisement = data
    for _ in 0..<20 {
      scene.controller.advertise(scene.central)
      scene.central.pass(150)
    }
  }

  @Test func centralBehaviour95_aPhoneThatTellsNothingForTenMinutesIsLetGo() {
    let scene = letGo()
    #expect(!scene.controller.isConnected)
    let events = scene.central.takeEvents()
    #expect(events.count { if case .disconnected = $0 { true } else { false } } == 1)
    #expect(events.last == .scan(.slow), "nobody is in a hurry")
  }

  @Test func centralBehaviour95_aPhoneThatShowsNoKomootIsNotConnectedToAgain() {
    let scene = letGo()
    advertise(Self.usual, scene)
    #expect(!scene.controller.isConnected)
    scene.central.pass(3_600_000)
    advertise(Self.usual, scene)
    #expect(!scene.controller.isConnected)
  }

  @Test(arguments: [true, false])
  func centralBehaviour95_komootsUUIDOrTheOverflowBitConnectAgain(_ isForeground: Bool) {
    let scene = letGo()
    let komoots = scene.phone.advertisement
    advertise(Self.usual, scene)
    scene.phone.hasService = true
    advertise(isForeground ? komoots : Self.overflow, scene)
    #expect(scene.central.takeEvents().contains(.ready(isSubscribed: true)))
  }

  @Test func centralBehaviour95_aPressConnectsAgain() {
    let scene = letGo()
    scene.central.searchFast()
    advertise(Self.usual, scene)
    #expect(scene.controller.isConnected)
  }

  @Test func centralBehaviour95_aRideThatIsLostLaterIsSearchedForByItsPhoneAlone() {
    let scene = letGo()
    scene.phone.hasService = true
    advertise(scene.phone.advertisement, scene)
    scene.lose()
    advertise(Self.usual, scene)
    #expect(scene.controller.isConnected)
  }

  @Test func centralBehaviour95_anotherPhoneThatIsPairedLaterNeedsNoKomootToBeKnown() {
    let scene = letGo()
    scene.central.forget()
    scene.central.searchFast()
    scene.phone.hasService = true
    scene.pair()
    scene.lose()
    advertise(Self.usual, scene)
    #expect(scene.controller.isConnected)
  }
}
