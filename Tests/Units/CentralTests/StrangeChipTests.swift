import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// What real controllers do that no specification says.
struct StrangeChipTests {
  /// Where Supported Commands lacks it, whatever the controller tells us of the peer.
  @Test(arguments: SilentCommandTests.wishes)
  func centralBehaviour5_aPeerIsAnsweredOnlyByWhatIsSupported(_ wish: String, _ answer: UInt16) {
    let scene = Encounter(.off)
    scene.controller.features = 1 << 1
    _ = scene.meet()
    scene.central.receive(wish)
    #expect(!scene.controller.commands.contains(answer))
    expect(scene.controller.isConnected)
  }

  /// It does not acknowledge LL_TERMINATE_IND, so that the supervision timeout ends the link.
  @Test func centralBehaviour60_aPeerThatDelaysTheEndOfTheLinkIsNoFailureOfTheController() {
    let scene = Encounter(manner: .justWorks)
    scene.controller.withheld = [0x0406]
    _ = scene.meet()
    scene.central.confirm(false)
    expect(scene.controller.commands.last, 0x0406)
    scene.central.receive("04 0f 04 00 01 06 04")
    scene.central.pass(6_000)
    scene.controller.disconnect(reason: 0x16, scene.central)
    scene.central.pass(1_000)
    let events = scene.central.takeEvents()
    #expect(events.contains(.disconnected(.connectionTerminatedByLocalHost)))
    expect(events.failures, [])
  }

  @Test func centralBehaviour60_aBurstOfHardwareErrorsIsOne() {
    let scene = Encounter.met(.off)
    for _ in 0..<39 { scene.central.receive("04 10 01 42") }
    expect(scene.central.takeEvents().failures, [.failed(.hardwareError(0x42))])
    let resets = scene.controller.commands.count { $0 == 0x0C03 }
    scene.central.pass(1_000)
    expect(scene.controller.commands.count { $0 == 0x0C03 }, resets + 1)
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
  }

  @Test(arguments: [
    "04 13 05 01 ff 0e 05 00", "04 0e 04 01 0c 20 00", "04 0f 04 00 01 0d 20", "04 ff 03 01 02 03",
    "02 40 20 05 00 01 00 3a 00 00", "04 05 04 00 ff 0e 13",
  ])
  func centralBehaviour60_whatBelongsToNobodyChangesNothing(_ packet: String) {
    let scene = Encounter.met(.off)
    let count = scene.controller.commands.count
    for _ in 0..<10 { scene.central.receive(packet) }
    expect(scene.central.takeEvents(), [])
    expect(scene.controller.commands.count, count)
    scene.central.read()
    expect(scene.central.values, [scene.phone.value, scene.phone.value])
  }

  /// One that keeps a packet, and says so many vendor events, one every half a second.
  private func babbling(_ count: Int, on scene: Encounter, between: String? = nil) -> [HostEvent] {
    scene.controller.completesPackets = false
    scene.controller.phone = nil
    scene.central.read()
    for _ in 0..<count {
      scene.central.receive("04 ff 03 1b 03 00")
      if let between { scene.central.receive(between) }
      scene.central.pass(500)
    }
    return scene.central.takeEvents()
  }

  /// A peer that has asked for a longer supervision timeout keeps a packet for as long when it is gone.
  @Test(arguments: [(nil, 10), ("12 07 08 00 18 00 18 00 00 00 58 02", 14)] as [(String?, Int)])
  func centralBehaviour60_vendorEventsAloneForFiveSecondsAreDeath(wish: String?, halfSeconds: Int) {
    let scene = Encounter.met(.off)
    if let wish { scene.controller.send(channel: 0x05, bytes(wish), scene.central) }
    _ = scene.central.takeEvents()
    expect(babbling(halfSeconds, on: scene), [], "not yet")
    scene.central.receive("04 ff 03 1b 03 00")
    #expect(scene.central.takeEvents().contains(.failed(.vendorEventsOnly)))
    scene.controller.completesPackets = true
    scene.controller.phone = scene.phone
    scene.central.pass(1_000)
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
  }

  /// The others come back, but it would be missing for the sensors as long as the link lasts.
  @Test func centralBehaviour60_aBufferThatIsLostOnALinkThatGoesOnIsHadBackAfterAMinute() {
    let scene = Encounter.met(.off)
    _ = scene.central.takeEvents()
    scene.controller.completesPackets = false
    scene.central.read()
    scene.controller.completesPackets = true
    func isLeft(after seconds: Int) -> Bool {
      for _ in 0..<seconds {
        scene.central.pass(1_000)
        scene.central.read()
      }
      return scene.central.takeEvents().contains(.unanswered)
    }
    expect(!isLeft(after: 59), "not yet")
    expect(isLeft(after: 1))
  }

  /// A vendor event more or less is nothing to one that does its work, or has none.
  ///
  /// Beside a Command Status, and a notification of what was not subscribed to.
  @Test(arguments: ["04 0f 04 00 01 16 20", "02 40 20 08 00 04 00 04 00 1b 99 00 01"])
  func centralBehaviour60_vendorEventsBesideOthersAreNoDeath(_ between: String) {
    let busy = Encounter.met(.off)
    _ = busy.central.takeEvents()
    expect(babbling(19, on: busy, between: between), [])
    let idle = Encounter.met(.off)
    for _ in 0..<60 {
      idle.central.receive("04 ff 03 1b 03 00")
      idle.central.pass(500)
    }
    #expect(!idle.central.takeEvents().contains(.failed(.vendorEventsOnly)))
  }

  @Test func centralBehaviour60_vendorEventsAreNoAnswerToACommand() {
    let scene = Encounter(.off)
    scene.controller.isHanging = true
    scene.central.pass(30_000)  // when scanning slows down
    for _ in 0..<4 {
      scene.central.receive("04 ff 03 1b 03 00")
      scene.central.pass(500)
    }
    expect(
      scene.central.takeEvents().failures, [.failed(.commandTimeout(Opcode(rawValue: 0x200C)))])
  }

  /// One is with the transport; of those behind it the newest is there instead of all others.
  @Test func centralBehaviour17_ofManyWishesTheFirstAndTheNewestAreAnswered() {
    let controller = VirtualController.hearingWishes()
    let (central, _) = LinkTests.connected(controller)
    _ = central.takeSaid()
    central.isTransportFull = true
    let wishes = (UInt8(0x18)..<0x30).map { "40 00 \(hex([$0])) 00 30 00 00 00 90 01" }
    for wish in wishes { central.receive("04 3e 0b 06 " + wish) }
    central.isTransportFull = false
    central.pass(0)
    expect(
      central.takeSaid(), [wishes[0], wishes[23]].map { "01 20 20 0e " + $0 + " 00 00 00 00" })
  }

  /// LE Create Connection waits for the end of the scan meanwhile; the phone is connected to all the same.
  @Test(arguments: ["00", "3e"])
  func aLinkThatComesUpBeforeOneIsAskedForEndsNoAttempt(_ status: String) {
    let (central, controller) = BringUpTests.started()
    controller.phone = VirtualPhone()
    controller.phone?.value = bytes("01 00 00 00 08 64 00 00 00")
    controller.withheld = [0x200C]
    controller.advertise(central)
    central.pass(180)
    _ = central.takeSaid()
    central.receive("04 3e 13 01 \(status) 01 00 00 01 1e 00 00 00 00 c0 18 00 00 00 90 01 00")
    expect(central.takeSaid(), [], "one command at a time")
    controller.withheld = []
    controller.commandComplete(0x200C, [0], central)
    #expect(controller.commands.contains(0x200D))
    expect(central.values, [bytes("01 00 00 00 08 64 00 00 00")])
  }

  /// Handles end at 0x0EFF; 0x0FFF is nobody's.
  @Test func centralBehaviour60_theEndOfNobodysLinkChangesNothing() {
    let controller = VirtualController()
    controller.connects = false
    let (central, _) = LinkTests.connected(controller)
    controller.forgetCommands()
    central.receive("04 05 04 00 ff 0f 13")
    expect(controller.commands == [] && !controller.isScanning)
  }
}

/// A controller that refuses to end what is over, or was never there.
struct NothingToEndTests {
  /// A search for a sensor has the radio listen all the time beside a slow one for the phone; a press ends the one
  /// and makes the other one fast.
  @Test func centralBehaviour147_listeningThatIsOffIsNotSwitchedOff() {
    let scene = Encounter.pairedAndLost()
    scene.central.pass(640_000)
    scene.central.change { $0.step(.searchSensors, at: $1) }
    _ = scene.central.takeSaid()
    scene.central.change {
      $0.step(.endSensorSearch, at: $1)
      $0.step(.hurry, at: $1)
    }
    expect(
      scene.central.takeSaid(),
      ["01 0c 20 02 00 00", "01 0b 20 07 00 60 00 60 00 00 00", "01 0c 20 02 01 00"])
  }

  @Test(arguments: ["0c", "02"])
  func centralBehaviour147_listeningThatIsOverIsNoFailure(_ status: String) {
    let (central, controller) = BringUpTests.started()
    controller.withheld = [0x200C]
    central.pass(30_000)
    controller.withheld = []
    central.receive("04 0e 04 01 0c 20 " + status)
    expect(controller.isScanning && central.takeEvents().failures == [])
  }

  /// What told of its end was lost, or its end is under way.
  @Test(arguments: ["02", "0c"])
  func centralBehaviour147_aLinkThatIsOverIsNoFailure(_ status: String) {
    let scene = Encounter.met(.off)
    scene.controller.withheld = [0x0406]
    scene.central.disconnect()
    scene.central.receive("04 0f 04 \(status) 01 06 04")
    if status == "0c" { scene.controller.disconnect(reason: 0x16, scene.central) }
    expect(scene.controller.isScanning)
    scene.central.pass(10_000)
    expect(scene.central.takeEvents().failures, [])
  }

  /// It is no reason to advertise in turn with listening, nor to tell anything.
  @Test func centralBehaviour147_advertisingThatIsOverIsNoRefusal() {
    let visit = Visit.quiet()
    visit.refused[0x200A] = 0x0C
    visit.controller.connects = false
    visit.isHeard()
    visit.central.pass(10)
    visit.refused = [:]
    _ = visit.takeCommands()
    visit.central.pass(10_000)
    expect(visit.takeAdvertising().count, 4)
    expect(visit.central.takeEvents().advertisingRefusals, [])
  }
}

/// A Connection Complete with a handle that something else has: what told of its end was lost.
struct UsedHandleTests {
  enum Old: CaseIterable { case phone, visitor, leaving, sensor }

  private let visit = Visit()
  private let strap = VirtualSensor(.heart, number: 1)
  private var central: Central { visit.central }

  /// Something has the handle 0x0040, and its end is lost.
  private func lose(_ old: Old) {
    // What it has not told cannot be judged by.
    central.isControllerHonest = false
    switch old {
    case .phone:
      visit.controller.encrypts = false
      visit.isHeard()
      expect(central.stage, .connecting)
      unheard(by: central) { visit.controller.disconnect(reason: 0x08, central) }
      visit.controller.encrypts = true
    case .visitor:
      visit.comes()
      unheard(by: central) { visit.end() }
    case .leaving:
      visit.endsAtOnce = false
      visit.connects(from: visit.phonesAddress(9))
      central.pass(10_100)
      expect(visit.controller.isScanning, "it is left behind")
      unheard(by: central) { visit.end() }
    case .sensor:
      visit.controller.sensors = [strap]
      central.follow(strap)
      visit.controller.advertise(central, strap)
      central.pass(500)
      expect(central.ask { $0.sensors.isReady(.heart) })
      unheard(by: central) { visit.controller.disconnect(strap, reason: 0x08, central) }
    }
    _ = central.takeEvents()
  }

  private func unheard(by central: Central, _ act: () -> Void) {
    central.onPacket = { $0.starts(with: [0x04, 0x05]) ? [] : [$0] }
    act()
    central.onPacket = { [$0] }
  }

  private func expectNoRefusal(_ events: [HostEvent]) {
    expect(events.rejections, [])
    expect(events.failures, [])
  }

  @Test(arguments: Old.allCases)
  func centralBehaviour134_aVisitorIsLetInThoughSomethingHadItsHandle(_ old: Old) {
    lose(old)
    visit.connects(from: visit.phonesAddress(5))
    visit.encrypts()
    let events = central.takeEvents()
    #expect(events.contains(.encrypted))
    expectNoRefusal(events)
    expect(central.ask { $0.sensors.isReady(.heart) }, false)
  }

  @Test(arguments: [Old.leaving, .sensor])
  func centralBehaviour134_aPhoneIsLinkedThoughSomethingHadItsHandle(_ old: Old) {
    lose(old)
    visit.controller.encrypts = false
    visit.isHeard()
    let events = central.takeEvents()
    expect(events.isConnected)
    expectNoRefusal(events)
    expect(central.ask { $0.sensors.isReady(.heart) }, false)
  }

  @Test func centralBehaviour134_aSensorIsLinkedThoughThePhoneHadItsHandle() {
    let ride = FollowedRide()
    let (central, controller) = (ride.central, ride.controller)
    strap.isNear = false
    controller.sensors = [strap]
    central.follow(strap)
    central.isControllerHonest = false
    _ = central.takeEvents()
    unheard(by: central) { controller.disconnect(reason: 0x08, central) }
    strap.isNear = true
    controller.advertise(central, strap)
    central.pass(2_000)
    expect(central.ask { $0.sensors.isReady(.heart) })
    #expect(central.takeEvents().contains(.disconnected(.connectionTimeout)))
  }
}
