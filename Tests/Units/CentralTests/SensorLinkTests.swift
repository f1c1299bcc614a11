import Bytes
import Central
import Expecting
import HCI
import Sensors
import TestSupport
import VirtualAir

@testable import SensorLinks

/// What sensors do on their links, and that the phone's link does not suffer from it.
struct SensorLinkTests: RidingSuite {
  let ride = FollowedRide()

  @Test func thereIsAPlaceForEachKindAndForTheSensorThatIsTried() {
    let places = SensorPlaces()
    expect(places.links.count == SensorPlace.count && places.trusts.count == SensorPlace.count)
  }

  /// A sensor that wants an encrypted link, and pairs in this manner.
  private func secured(
    _ manner: VirtualSecurity.Manner, _ kind: VirtualSensor.Kind = .heart, number: UInt8 = 1
  ) -> VirtualSensor {
    linked(kind, number: number) {
      $0.openLinkError = 0x05
      $0.security = VirtualSecurity(number: UInt32(number - 1))
      $0.security?.manner = manner
    }
  }

  @Test(arguments: VirtualSensor.Kind.allCases)
  func eachKindIsFoundByItsServiceAndSubscribedTo(_ kind: VirtualSensor.Kind) {
    let sensor = linked(kind)
    expect(isReady(kind.known) && sensor.isSubscribed)
    expect(sensor.requests, [0x06, 0x08, 0x04, 0x12, 0x02, 0x08, 0x08, 0x04])
    controller.notify([0x02], from: sensor, central)
    expect(central.sensorBytes.last, [0x02])
  }

  /// Three are linked beside the phone; worth: radar, power, speed, heart.
  @Test func ofFourTheOneThatIsWorthTheLeastGivesWay() {
    let heart = linked(.heart, number: 1)
    linked(.speed, number: 2)
    linked(.power, number: 3)
    expect(controller.links.count == 4 && controller.initiating == nil && central.stage == .ready)
    let radar = linked(.radar, number: 4)
    expect(controller.link(heart) == nil && controller.link(radar) != nil)
    expect(controller.links.count, 4)
    expect(controller.initiating == nil, "nobody is waited for who would be left again")
    controller.sensors.removeAll { $0 === radar }
    controller.disconnect(radar, reason: 0x08, central)
    central.pass(1_000)
    #expect(controller.link(heart) != nil, "its turn again")
  }

  @Test(arguments: [LimitRefusal.commandStatus, .connectionComplete])
  func aControllerWithoutAnotherLinkIsToldOfOnceAndAskedAgainInAMinute(_ refusal: LimitRefusal) {
    controller.linkLimit = 2
    controller.limitRefusal = refusal
    let heart = linked(.heart, number: 1)
    let speed = linked(.speed, number: 2)
    let code = ErrorCode(rawValue: refusal == .commandStatus ? 0x0D : 0x09)
    expect(takeLimits(), [code])
    expect(central.ask { $0.sensors.areLinksExhausted })
    controller.forgetCommands()
    central.pass(30_000)
    // From here on nothing but the minute wakes the host up.
    controller.notify(bytes("00 48"), from: heart, central)
    central.pass(29_999)
    #expect(!controller.commands.contains(0x200D))
    expect(central.stage, .ready)
    controller.linkLimit = 7
    central.pass(1_001)
    #expect(controller.link(speed) != nil)
    expect(!central.ask { $0.sensors.areLinksExhausted })
  }

  /// A bit of LE Supported States is clear: to search, passively or actively, or to connect beside a link.
  @Test(arguments: [24, 25, 28] as [UInt64])
  func aControllerThatDoesNothingBesideALinkHasItForThePhone(_ bit: UInt64) {
    controller.supportedStates &= ~(1 << bit)
    bringUpAnew()
    controller.forgetCommands()
    linked()
    central.searchSensors()
    expect(!central.ask { $0.areSensorsPossible })
    expect(controller.commands == [] && central.stage == .ready)
  }

  // MARK: - Habits

  /// Who leaves when it is refused is waited for again: it is a loss like any other.
  @Test(
    arguments: [
      ([250, 400, 0, 600], 0, false), ([6, 3200, 499, 3200], 1, false),
      ([6, 3200, 499, 3200], 1, true),
    ] as [([UInt16], UInt16, Bool)])
  func parametersAreAcceptedUnlessTheyAreAbsurd(wanted: [UInt16], result: UInt16, leaves: Bool) {
    let strap = linked {
      ($0.wantedParameters, $0.leavesWhenRefused) = (wanted, leaves)
    }
    expect(strap.parameterResult == result && (controller.link(strap) == nil) == leaves)
    expect((controller.link(strap)?.parameters.interval == 400), (result == 0))
    strap.leavesWhenRefused = false
    central.pass(1_000)
    #expect(controller.link(strap) != nil)
  }

  /// As does who refuses every request.
  @Test(arguments: [nil, 0x0E] as [UInt8?])
  func whoHasNoServiceIsLeftAndRestsEverLonger(_ error: UInt8?) {
    let strap = linked { strap in
      strap.hasService = false
      for request in [0x02, 0x04, 0x06, 0x08, 0x12] as [UInt8] { strap.errors[request] = error }
    }
    expect(takeRefusals(), [.service])
    strap.forgetRequests()
    for rest in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000] as [Int64] {
      central.pass(rest - 1)
      expect(strap.requests, [], "for \(rest) ms")
      central.pass(1)
      expect(strap.requests, [0x06])
      strap.forgetRequests()
    }
    expect(central.stage, .ready)
  }

  /// Another sensor was added: what the links have taught of this one stays.
  @Test func whoIsFollowedAnewIsAskedWhereItsValueWas() {
    let strap = linked()
    central.follow(strap)
    strap.forgetRequests()
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(1_000)
    controller.advertise(central, strap)
    central.pass(1_000)
    expect(isReady(.heart) && strap.requests.prefix(2) == [0x08, 0x12])
  }

  @Test(arguments: [0x06, 0x08, 0x04, 0x12] as [UInt8])
  func whoTakesARequestAndDoesNotAnswerIsLeftAfterTenSeconds(_ request: UInt8) {
    let strap = linked { $0.withheld = [request] }
    central.pass(9_999)
    #expect(controller.link(strap) != nil)
    central.pass(1)
    expect(takeRefusals(), [.silence])
    expect(central.stage, .ready)
  }

  /// The word of its link's end was lost: only an answer tells that it is still there.
  ///
  /// It is subscribed to anew: what it was sent had been damaged on the wire, and it said yes to that.
  @Test func whoIsSilentForAMinuteIsAskedWhetherItIsThere() {
    let strap = linked()
    strap.forgetRequests()
    for _ in 0..<3 {
      central.pass(59_999)
      controller.notify(bytes("00 48"), from: strap, central)
    }
    expect(strap.requests, [])
    strap.isSubscribed = false
    _ = central.takeEvents()
    central.pass(60_000)
    expect(strap.requests == [0x06, 0x08, 0x04, 0x12, 0x08, 0x04] && isReady(.heart))
    expect(strap.isSubscribed)
    expect(central.takeSensorEvents(), [.sensor(.heart, .battery(87))])
    strap.withheld = [0x08]
    central.pass(60_000)
    strap.isNear = false
    central.pass(30_000)
    expect(takeRefusals() == [.silence] && controller.link(strap) == nil)
    expect(central.stage, .ready)
  }

  /// Its link's end was lost, and the controller knows nothing of it any more.
  @Test func aLinkThatTheControllerDoesNotKnowIsGone() {
    let strap = linked()
    linked(.speed, number: 2)
    _ = central.takeEvents()
    central.onPacket = { $0.prefix(2) == [0x04, 0x05] ? [] : [$0] }
    controller.disconnect(strap, reason: 0x08, central)
    strap.isNear = false
    central.onPacket = { [$0] }
    central.pass(110_000)
    expect(!isReady(.heart) && isReady(.speed) && central.stage == .ready)
    expect(central.ask { $0.sensors.linkedAddress(.heart) }, nil)
    #expect(!central.takeEvents().contains(.failed(.linkStuck)))
    strap.isNear = true
    controller.advertise(central, strap)
    central.pass(60_000)
    expect(isReady(.heart))
  }

  /// One that nobody asked for is ended at once; this is none.
  @Test(arguments: [0, 1]) func aLinkThatIsThereIsNotEndedForBeingToldOfAgain(_ index: Int) {
    let addresses = [controller.phone!.address, linked(.heart).address]
    let handle = controller.links[index].handle
    central.receive(
      [0x04, 0x3E, 0x13, 0x01, 0x00] + little(handle) + [0x00] + addresses[index]
        + bytes("18 00 00 00 90 01 00"))
    expect(controller.links.count, 2)
    expect(isReady(.heart) && central.stage == .ready)
  }

  @Test func aNotificationBeforeTheSubscriptionIsNoValue() {
    let strap = linked { $0.withheld = [0x12] }
    controller.send(channel: 0x04, bytes("1b 22 00 00 48"), from: strap, central)
    expect(central.sensorBytes, [])
  }

  /// A Pairing Request is the central's; an exchange of the MTU is answered, a command and a failure are not.
  @Test func whatASensorWishesUnaskedIsDeclined() {
    let strap = linked {
      let (read, find) = (bytes("0a 03 00"), bytes("06 01 00 ff ff 00 28 00 18"))
      $0.ownRequests = [bytes("02 f7 00"), read, find, bytes("52 03 00 01")]
    }
    controller.send(channel: 0x06, bytes("01 03 00 01 10 00 00"), from: strap, central)
    expect(isReady(.heart))
    #expect(strap.answers.contains(bytes("04 03 3c 00")), "Exchange MTU Response")
    #expect(strap.answers.contains(bytes("06 05 05")), "Pairing Not Supported")
    #expect(strap.answers.contains(bytes("04 01 0a 00 00 0a")), "Attribute Not Found")
    #expect(strap.answers.contains(bytes("04 01 06 00 00 0a")))
    expect(strap.answers.count, 4)
    controller.send(channel: 0x06, bytes("05 05"), from: strap, central)
    expect(strap.answers.count, 4)
    controller.send(channel: 0x06, [], from: strap, central)
    expect(isReady(.heart))
  }

  @Test(
    arguments: [
      (.legacy, .pairing), (.comparison, .pairing), (.refusal(0x05), .pairing),
      (.silence, .silence),
    ] as [(VirtualSecurity.Manner, SensorRefusal)])
  func whoWantsToBePairedWithOtherwiseIsOfNoUse(
    _ manner: VirtualSecurity.Manner, _ reason: SensorRefusal
  ) {
    _ = secured(manner)
    if reason == .silence { central.pass(10_000) }
    expect(takeRefusals(), [reason])
    expect(central.stage, .ready)
    let other = secured(.justWorks, .speed, number: 2)
    expect(isReady(.speed) && other.isEncrypted, "its pairing is over")
  }

  // MARK: - Buffers

  /// The controller has three buffers and gives none back: two are a sensor's, the third is not.
  @Test func noSensorTakesTheLastBufferOfThePhone() {
    controller.leBuffers.count = 3
    controller.completesEndedLinks = true
    bringUpAnew()
    let strap = linked()
    controller.completesPackets = false
    strap.forgetRequests()
    // Five requests of the sensor, whose answers wait, and then one of the phone's.
    for _ in 0..<5 { controller.send(channel: 0x04, bytes("0a 03 00"), from: strap, central) }
    expect(controller.link(strap)?.inFlight, 2)
    phone.forgetRequests()
    central.read()
    expect(phone.requests, [0x0A])
    expect(controller.links.map(\.inFlight), [1, 2])
    controller.completeAll(central)
    central.pass(0)
    expect(controller.links.map(\.inFlight), [0, 2])
    expect(controller.overruns, 0)
    // Those of a link that is gone are free.
    central.read()
    strap.isNear = false
    controller.disconnect(strap, reason: 0x08, central)
    central.read()
    expect(controller.links.map(\.inFlight), [2])
  }
}
