import Bytes
import Central
import Expecting
import HCI
import Sensors
import TestSupport
import VirtualAir

/// How remembered sensors get a link: the radio does one thing at a time, and the phone goes first.
struct SensorWaitTests: RidingSuite {
  let ride = FollowedRide()
  let strap = VirtualSensor(.heart)

  init() { ride.controller.sensors = [strap] }

  /// The strap is remembered, but sleeps.
  func waitForStrap() {
    strap.isNear = false
    central.follow(strap)
  }

  func wakeStrap() {
    strap.isNear = true
    controller.advertise(central, strap)
  }

  func linkStrap() {
    waitForStrap()
    wakeStrap()
  }

  func loseStrap(_ reason: UInt8 = 0x08) {
    strap.isNear = false
    controller.disconnect(strap, reason: reason, central)
  }

  @Test func besideTheRideARememberedSensorIsWaitedForByTheAcceptList() {
    strap.isNear = false
    controller.forgetCommands()
    central.follow(strap)
    #expect(
      central.takeSaid() == [
        "01 10 20 00", "01 11 20 07 01 01 5e 50 52 00 c0",
        // 30 ms of 300 ms; the list; our public address; 100 to 125 ms, 4 s.
        "01 0d 20 19 e0 01 30 00 01 00 00 00 00 00 00 00 00 50 00 64 00 00 00 90 01 00 00 00 00",
      ])
    central.pass(59_999)
    expect(central.takeSaid().filter { $0.hasPrefix("01") && !$0.hasPrefix("01 13 20") }, [])
    expect(central.takeSensorEvents(), [])
  }

  /// It was told the wrong address, or its word of a link was lost.
  @Test func theControllerIsToldAnewEachMinuteWhomToWaitFor() {
    waitForStrap()
    controller.forgetCommands()
    central.pass(60_000)
    expect(controller.commands.filter { $0 != 0x2013 }, [0x200E, 0x2010, 0x2011, 0x200D])
    wakeStrap()
    expect(isReady(.heart))
  }

  /// The command is given up after the second Reset that its silence costs.
  private func waitForStrapWithoutAnAcceptList() {
    controller.withheld = [0x2011]
    waitForStrap()
    for _ in 0..<2 {
      central.pass(2_000)
      #expect(central.takeEvents().contains(.failed(.commandTimeout(Opcode(rawValue: 0x2011)))))
      central.pass(250)
      controller.advertise(central)
      central.pass(180)
    }
    expect(central.stage, .ready)
  }

  /// The first one's rest is over in the middle of the second one's attempt.
  @Test func withoutAnAcceptListEachAttemptHasItsFiveSeconds() {
    waitForStrapWithoutAnAcceptList()
    let wheel = asleep(.speed, number: 2)
    while controller.initiating?.peer != wheel.address { central.pass(100) }
    central.pass(4_000)
    expect(controller.initiating?.peer, wheel.address)
    central.pass(1_000)
    expect(controller.initiating?.peer, strap.address)
    central.unfollow(.heart)
    #expect(controller.initiating?.peer != strap.address)
  }

  /// Who is not there is tried ever more rarely: it holds the radio for five seconds and rests in between, a second,
  /// two, at last a minute.
  @Test func aControllerWithoutAnAcceptListTriesOneAfterTheOther() {
    waitForStrapWithoutAnAcceptList()
    expect(controller.initiating?.usesAcceptList, false)
    controller.forgetCommands()
    central.pass(300_000)
    let attempts = controller.commands.count { $0 == 0x200D }
    #expect((5...10).contains(attempts), "\(attempts)")
    expect(central.stage, .ready)
    strap.isNear = true
    central.pass(61_000)
    expect(isReady(.heart))
  }

  @Test func whoWakesUpIsSubscribedToAndTellsOfItself() {
    linkStrap()
    central.pass(0)
    #expect(
      central.takeSensorEvents() == [
        .sensor(.heart, .connecting), .sensor(.heart, .ready), .sensor(.heart, .battery(87)),
        .sensor(.heart, .name),
      ])
    expect(central.sensorBytes, [Array("Polar H10 12345678".utf8)])
    controller.notify(bytes("16 4d 16 03"), from: strap, central)
    expect(central.takeSensorEvents(), [.sensor(.heart, .value)])
    expect(central.sensorBytes.last, bytes("16 4d 16 03"))
    expect(central.stage, .ready, "the ride goes on")
  }

  @Test func theWaitIsCalledBackWhenThePhoneIsLostAndTheScanFollows() {
    waitForStrap()
    controller.forgetCommands()
    controller.disconnect(reason: 0x08, central)
    expect(controller.commands, [0x200E, 0x200B, 0x200C])
    expect(controller.isScanning && controller.initiating == nil)
  }

  /// Its answer to the cancel is late: until LE Connection Complete the controller is left alone, for two seconds.
  @Test(arguments: [true, false])
  func centralBehaviour159_theScanWaitsForTheEndOfTheWait(_ ends: Bool) {
    waitForStrap()
    controller.withheld = [0x200E]
    controller.disconnect(reason: 0x08, central)
    expect(!controller.isScanning)
    central.receive("04 0e 04 01 0e 20 00")
    expect(!controller.isScanning)
    _ = central.takeEvents()
    if ends {
      central.receive("04 3e 13 01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
      expect(controller.isScanning)
    } else {
      central.pass(1_999)
      expect(central.takeEvents(), [])
      central.pass(1)
      #expect(central.takeEvents().contains(.failed(.attemptStuck)))
    }
  }

  /// It wakes up in the moment in which the wait is called back: the link is there, and is kept.
  @Test func whoComesInTheSameMomentIsLinked() {
    waitForStrap()
    controller.withheld = [0x200E]
    controller.disconnect(reason: 0x08, central)
    controller.withheld = []
    wakeStrap()
    central.receive("04 0e 04 01 0e 20 0c")
    central.pass(0)
    expect(isReady(.heart))
    expect(controller.isScanning)
  }

  @Test func whileThePhoneIsSearchedForWhoIsHeardIsConnectedToForASecondAtMost() {
    waitForStrap()
    controller.disconnect(reason: 0x08, central)
    strap.isNear = true
    controller.connects = false
    controller.advertise(central, strap)
    expect(controller.initiating?.peer, strap.address)
    expect(!controller.isScanning)
    central.pass(999)
    expect(!controller.isScanning)
    central.pass(1)
    expect(controller.isScanning && controller.initiating == nil)
    // It rests for a second then, and twice as long the next time; the phone has the radio for longer.
    central.pass(900)
    controller.advertise(central, strap)
    expect(controller.isScanning)
    central.pass(400)
    expect(controller.isScanning, "it is not heard")
    controller.advertise(central, strap)
    expect(!controller.isScanning)
  }

  /// The attempt waits behind another command, of which the controller says nothing yet.
  @Test func whoIsForgottenBeforeItIsConnectedToIsNotConnectedTo() {
    waitForStrap()
    controller.disconnect(reason: 0x08, central)
    strap.isNear = true
    controller.withheld = [0x200C]
    controller.advertise(central, strap)
    central.unfollow(.heart)
    controller.withheld = []
    controller.forgetCommands()
    central.receive("04 0e 04 01 0c 20 00")
    expect(controller.commands == [0x200B, 0x200C] && controller.isScanning)
  }

  /// It has no more to say of a ride.
  @Test func whileThePhoneOffersNoNavigationSensorsAreWaitedFor() {
    let scene = Encounter.pairedAndLost()
    scene.phone.hasService = false
    #expect(scene.meet().contains(.waiting))
    scene.controller.sensors = [strap]
    scene.central.follow(strap)
    expect(scene.central.ask { $0.sensors.isReady(.heart) })
  }

  /// The rider has no phone with them: the sensors come all the same.
  @Test func withoutASearchSensorsAreWaitedForAllTheSame() {
    let scene = Encounter(.required)
    scene.controller.sensors = [strap]
    scene.central.pass(30_000)
    expect(scene.central.stage, .idle)
    strap.isNear = false
    scene.central.follow(strap)
    strap.isNear = true
    scene.controller.advertise(scene.central, strap)
    expect(scene.central.ask { $0.sensors.isReady(.heart) })
  }

  /// In the middle of a pairing or a discovery the phone has the radio for itself.
  @Test func beforeTheRideNobodyIsWaitedFor() {
    phone.withheld = [0x06]
    controller.disconnect(reason: 0x08, central)
    waitForStrap()
    controller.advertise(central)
    controller.advertise(central)
    central.pass(180)
    expect(controller.isConnected && central.stage == .connecting)
    expect(controller.initiating == nil)
  }

  @Test func whoIsForgottenIsLeft() {
    linkStrap()
    central.unfollow(.heart)
    expect(controller.link(strap) == nil)
    expect(controller.initiating == nil)
    expect(
      central.takeSensorEvents().last,
      .sensor(.heart, .disconnected(strap.deviceAddress, .connectionTerminatedByLocalHost)))
  }

  @Test func atTheEndAllLinksAreEndedAndNobodyIsWaitedFor() {
    linkStrap()
    asleep(.speed, number: 2)
    #expect(controller.initiating != nil)
    central.leave()
    central.pass(0)
    expect(controller.links.isEmpty && controller.initiating == nil && !controller.isScanning)
    expect(central.mayEnd)
  }

  @Test func aResetLosesAllLinksAndBringsThemBack() {
    linkStrap()
    _ = central.takeEvents()
    central.receive("04 10 01 42")
    expect(
      central.takeSensorEvents(),
      [.sensor(.heart, .disconnected(strap.deviceAddress, .connectionTimeout))])
    central.pass(1_000)
    controller.advertise(central)
    central.pass(180)
    expect(central.stage, .ready)
    wakeStrap()
    expect(isReady(.heart))
  }

  @Test func withoutSensorsNobodyIsWaitedFor() {
    let central = Central(sensors: false)
    let controller = VirtualController()
    controller.sensors = [strap]
    let phone = VirtualPhone()
    controller.phone = phone
    central.controller = { controller.take($1, $0) }
    central.start()
    controller.advertise(central)
    central.pass(180)
    central.follow(strap)
    expect(central.stage, .ready)
    expect(controller.initiating == nil)
    central.searchSensors()
    expect(central.ask { $0.sensors.stage }, .off)
  }

  // MARK: - While the phone is away, and where one of several leads to no link

  /// One that was heard, linked and is gone again is not tried before it is heard again.
  @Test func whoHasGoneIsNotTriedBeforeItIsHeardAgain() {
    strap.isNear = false
    central.follow(strap)
    controller.disconnect(reason: 0x08, central)
    wakeStrap()
    central.pass(1_000)
    expect(isReady(.heart))
    loseStrap()
    controller.forgetCommands()
    central.pass(5_000)
    expect(!controller.commands.contains(0x200D) && controller.isScanning)
  }

  /// The radar's link was lost at once: the strap is waited for as before.
  @Test func whoIsLostAtOnceIsNoReasonToRestForOthers() {
    waitForStrap()
    let radar = asleep(.radar, number: 4)
    controller.forgetCommands()
    controller.connect(central, to: radar.address, status: 0x3E)
    central.pass(100)
    wakeStrap()
    central.pass(100)
    expect(isReady(.heart))
  }

  /// An empty list would be waited for in vain, and one sensor of two as well.
  @Test(arguments: [0, 1] as [UInt8])
  func whereTheListHasNoRoomSensorsAreTriedInTurn(_ size: UInt8) {
    controller.acceptListSize = size
    waitForStrap()
    asleep(.speed, number: 2)
    strap.isNear = true
    controller.forgetCommands()
    central.pass(70_000)
    #expect(!controller.commands.contains(0x2011))
    expect(isReady(.heart))
  }

  /// The controller has its own reasons, of which no list comes about.
  @Test(arguments: [0x02, 0x0C, 0x12] as [UInt8])
  func whereTheListTakesNobodySensorsAreTriedInTurn(_ status: UInt8) {
    controller.refused[0x2011] = status
    waitForStrap()
    strap.isNear = true
    central.pass(70_000)
    expect(isReady(.heart))
  }
}
