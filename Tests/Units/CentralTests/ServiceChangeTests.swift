import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// Phones whose services come and go.
@Suite struct ServiceChangeTests {
  @Test func centralBehaviour28_afterServiceChangedAllIsDiscoveredAndSubscribedAnew() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) {
      $0.hasServiceChanged = true
      $0.value = bytes("01 00 00 00 01 05 00 00 00")
    }
    expect(phone.isServiceChangedSubscribed && phone.isSubscribed, "in a pause")
    _ = central.takeEvents()
    let count = phone.requests.count
    phone.linkWasLost()  // forgets the subscriptions, the link stays
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    expect(phone.answers.last, bytes("04 1e"), "confirmed")
    expect(phone.isSubscribed && phone.isServiceChangedSubscribed)
    expect(central.takeEvents(), [.ready(isSubscribed: true), .value])
    #expect(!phone.requests[count...].contains(0x02), "the MTU is exchanged once in a link")
  }

  @Test func centralBehaviour28_aServiceThatVanishesIsWaitedForWithoutSpinning() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.hasServiceChanged = true }
    phone.hasService = false
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    let count = phone.requests.count
    _ = central.takeEvents()
    central.pass(120_000)
    expect(controller.isConnected)
    expect(central.takeEvents(), [], "it is told once that the service is gone")
    // After 2, 4, 8, 16 and then every 30 seconds.
    expect(phone.requests.count - count, 7)
    phone.hasService = true
    _ = central.takeEvents()
    central.pass(30_000)
    expect(central.takeEvents().first, .ready(isSubscribed: true))
    central.pass(60_000)
    expect(controller.isConnected, "it is not waited for any more")
  }

  @Test func centralBehaviour28_withoutServiceChangedAnInvalidHandleTells() {
    let (central, phone) = LinkTests.connected { _ in }
    phone.value = bytes("01 00 00 00 01 05 00 00 00")
    phone.hasService = false
    central.read()
    phone.hasService = true
    _ = central.takeEvents()
    central.pass(2_000)
    expect(central.takeEvents(), [.ready(isSubscribed: true), .value])
    expect(central.values.last, phone.value)
  }

  @Test func aServiceThatIsLookedForWhenTheLinkIsToBeRelaxedIsNotGivenUp() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { _ in }
    central.pass(9_000)
    phone.value = bytes("01 00 00 00 01 05 00 00 00")
    phone.hasService = false
    central.read()  // an invalid handle: the service is looked for in 2 s, the link relaxed in 1 s
    _ = central.takeEvents()
    central.pass(1_500)
    expect(controller.isConnected)
    phone.hasService = true
    central.pass(500)
    expect(central.takeEvents(), [.ready(isSubscribed: true), .value])
  }

  @Test func aHandleThatIsInvalidAgainAndAgainDoesNotSpin() {
    let (central, phone) = LinkTests.connected { _ in }
    phone.readError = 0x01
    let count = phone.requests.count
    for _ in 0..<60 {
      central.read()
      central.pass(1_000)
    }
    // Six searches in a minute, of four requests and a read each.
    #expect(phone.requests.count - count <= 6 * 6)
  }

  @Test func aSecondServiceChangedIsHeardWhileTheServiceIsMissing() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.hasServiceChanged = true }
    phone.hasService = false
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    phone.hasService = true
    _ = central.takeEvents()
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    expect(central.takeEvents().first, .ready(isSubscribed: true))
  }

  @Test func anAnswerToASearchThatWasBegunAnewIsNotTakenForTheNewOne() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.hasServiceChanged = true }
    phone.withheld = [0x04]
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    phone.withheld = []
    _ = central.takeEvents()
    controller.send(channel: 0x04, bytes("05 01 24 00 02 29"), central)
    expect(central.takeEvents().first, .ready(isSubscribed: true))
  }

  @Test func aPhoneThatHadTheServiceIsWaitedForWhenItComesBackWithoutIt() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { _ in }
    controller.disconnect(reason: 0x08, central)
    phone.hasService = false
    _ = central.takeEvents()
    controller.advertise(central)
    central.pass(1_000)
    expect(controller.isConnected)
    expect(central.takeEvents().last, .waiting)
    phone.hasService = true
    central.pass(2_000)
    expect(central.takeEvents().first, .ready(isSubscribed: true))
  }

  @Test func centralBehaviour17_theLinkIsRelaxedOnceTheRideIsUnderWay() {
    let controller = VirtualController()
    let (central, _) = LinkTests.connected(controller) { _ in }
    _ = central.takeSaid()
    central.pass(9_999)
    expect(central.takeSaid(), [])
    central.pass(1)
    // 100 to 125 ms, no latency, a timeout of 4 s.
    expect(central.takeSaid(), ["01 13 20 0e 40 00 50 00 64 00 00 00 90 01 00 00 00 00"])
    expect(central.deadline, nil, "and then nobody is woken")
  }

  /// On each way that a phone can ask.
  @Test(arguments: [true, false])
  func centralBehaviour17_aLinkWhosePhoneHasAWishIsNotRelaxed(_ isByL2CAP: Bool) {
    let controller = VirtualController()
    controller.supportedCommands[33] = 1 << 4 | 1 << 5
    controller.features = 1 << 1
    let (central, _) = LinkTests.connected(controller) { _ in }
    if isByL2CAP {
      controller.send(channel: 0x05, bytes("12 01 08 00 18 00 28 00 00 00 90 01"), central)
    } else {
      central.hears("04 3e 0b 06 40 00 18 00 28 00 00 00 90 01")
    }
    _ = central.takeSaid()
    central.pass(60_000)
    expect(central.takeSaid(), [])
  }

  /// Silences of 2 s; a loss that is noticed after 20 s; a timeout shorter than the silence.
  @Test(arguments: [
    "a0 00 c8 00 07 00 58 02", "18 00 28 00 00 00 d0 07", "50 00 64 00 04 00 64 00",
  ])
  func centralBehaviour17_parametersThatNoRideCouldBearAreRefusedOnBothWays(_ wish: String) {
    let controller = VirtualController()
    controller.supportedCommands[33] = 1 << 4 | 1 << 5
    controller.features = 1 << 1
    let (central, phone) = LinkTests.connected(controller) { _ in }
    _ = central.takeSaid()
    controller.send(channel: 0x05, bytes("12 01 08 00 " + wish), central)
    expect(phone.answers.last, bytes("05 13 01 02 00 01 00"))
    _ = central.takeSaid()
    central.hears("04 3e 0b 06 40 00 " + wish)
    expect(central.takeSaid(), ["01 21 20 03 40 00 3b"])
    expect(controller.isConnected)
  }
}
