import Bytes
import Central
import Expecting
import SensorLinks
import Sensors
import TestSupport
import VirtualAir

/// What sensors of others do otherwise: how they announce themselves, and what they let us do.
struct SensorHabitTests: RidingSuite {
  let ride = FollowedRide()

  /// A search hears this.
  private func search(
    _ kind: VirtualSensor.Kind, others: [VirtualSensor.Kind] = [], _ advertisement: String,
    _ response: String = ""
  ) -> VirtualSensor {
    find(kind) {
      ($0.advertisement, $0.scanResponse) = (bytes(advertisement), bytes(response))
      $0.others = others
    }
  }

  // MARK: - How they are found

  private static let radar = "66 9A 0C 20 00 08 9A 94 E3 11 7B 66 00 32 4E 6A"
  private static let base = "FB 34 9B 5F 80 00 00 80 00 10 00 00"

  /// In a complete list or an incomplete one, of any size, alone or behind others; it is read as far as it is known,
  /// behind which there are two bytes, and a structure that nobody knows.
  private static let lists: [(VirtualSensor.Kind, String)] = [
    (.radar, "02 01 06 11 07 \(radar)"), (.radar, "11 06 \(radar)"), (.radar, "03 02 1F FE"),
    (.radar, "05 03 0F 18 1F FE"), (.heart, "03 02 0D 18"), (.heart, "11 07 \(base) 0D 18 00 00"),
    (.heart, "05 04 0D 18 00 00"), (.speed, "05 05 16 18 00 00"),
    (.power, "07 02 0A 18 0F 18 18 18"), (.heart, "02 01 06 04 03 0d 18 ff 05 7e 01 02 03 04"),
  ]

  /// Something for cycling may be either: its table says what it is.
  private static let appearances: [(VirtualSensor.Kind, String)] = [
    (.heart, "03 19 40 03"), (.heart, "03 19 41 03"), (.speed, "03 19 80 04"),
    (.power, "03 19 80 04"), (.speed, "03 19 81 04"), (.speed, "03 19 82 04"),
    (.speed, "03 19 83 04"), (.power, "03 19 84 04"), (.speed, "03 19 85 04"),
    (.power, "03 19 82 04"), (.speed, "03 19 84 04"),
  ]

  @Test(arguments: lists + appearances, [false, true])
  func centralBehaviour106_aSensorIsFoundByItsServiceInAnyListAndElseByItsAppearance(
    _ announced: (VirtualSensor.Kind, String), _ isResponse: Bool
  ) {
    let (kind, list) = announced
    let sensor = search(kind, isResponse ? "02 01 06" : list, isResponse ? list : "")
    central.pass(1_000)
    expect(stage == .offering(kind.known) && offered == sensor.deviceAddress)
  }

  @Test func centralBehaviour148_anUnknownStrengthIsTheLeastThatIsAllowed() {
    central.searchSensors()
    let (silent, weak) = (put(.heart, number: 1, rssi: 127), put(.heart, number: 2, rssi: -69))
    central.pass(1_500)
    expect(offered, weak.deviceAddress)
    central.searchNextSensor()
    controller.advertise(central, silent, rssi: 127)
    central.pass(1_500)
    expect(offered, silent.deviceAddress)
  }

  @Test(arguments: ["03 19 C1 03", "02 19 40", "03 19 40 03 03 03 0F"])
  func centralBehaviour149_anotherAppearanceIsNone(_ advertisement: String) {
    _ = search(.heart, advertisement)
    expect(offered != nil, advertisement.hasPrefix("03 19 40 03"))
  }

  // MARK: - Several services

  @Test func centralBehaviour150_theNextOneOfATrainerIsItsSpeed() {
    let trainer = search(.power, others: [.speed], "05 03 16 18 18 18")
    expect(stage, .offering(.power))
    next()
    expect(stage == .offering(.speed) && offered == trainer.deviceAddress)
    trainer.voice = .speed
    controller.notify(bytes("01 00000000 0000"), from: trainer, central)
    expect(central.sensorBytes.last, bytes("01 00000000 0000"))
    // It listens, and then both are there again.
    central.searchNextSensor()
    for kind in [SensorKind.power, .speed] {
      next()
      expect(stage, .offering(kind))
    }
  }

  /// The wheel of a watch says nothing.
  @Test(arguments: [false, true])
  func centralBehaviour150_aKindWithoutAValueMakesRoomForTheNext(_ hasValue: Bool) {
    let watch = search(.heart, others: [.speed], "05 02 0D 18 16 18")
    expect(stage, .offering(.speed))
    if hasValue {
      watch.voice = .speed
      controller.notify(bytes("01 00000000 0000"), from: watch, central)
      central.change { $0.step(.sensorValueMadeSense, at: $1) }
    }
    central.pass(9_999)
    expect(stage, .offering(.speed))
    central.pass(1)
    expect(stage, .offering(hasValue ? .speed : .heart))
    central.pass(49_999)
    #expect(stage != .off)
  }

  /// The rider has it as a wheel already, which is no reason to offer it first.
  @Test func centralBehaviour150_whatIsNotRememberedComesFirst() {
    asleep(.speed, number: 9)
    asleep(.cadence, number: 8)
    _ = search(.heart, others: [.speed], "05 02 0D 18 16 18")
    expect(stage, .offering(.heart))
  }

  // MARK: - Subscriptions

  /// It has no descriptor, or refuses to have it written.
  @Test(arguments: [false, true])
  func centralBehaviour107_whatComesThoughTheSubscriptionWasRefusedCounts(_ hasCCCD: Bool) {
    let strap = linked {
      ($0.hasCCCD, $0.notifiesUnasked, $0.errors) = (hasCCCD, true, [0x12: 0x03])
    }
    expect(!isReady(.heart))
    central.pass(4_999)
    for _ in 0..<3 { controller.notify(bytes("00 48"), from: strap, central) }
    expect(isReady(.heart) && central.sensorBytes.count { $0 == bytes("00 48") } == 3)
    #expect(central.takeSensorEvents().contains(.sensor(.heart, .name)))
    // It is asked again where its value is, as it has not let anybody write.
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(1_000)
    controller.notify(bytes("00 49"), from: strap, central)
    expect(isReady(.heart) && central.sensorBytes.contains(bytes("00 49")))
  }

  /// A wheel that stands says nothing.
  @Test func centralBehaviour107_whoIsUsedWithoutASubscriptionMayBeSilent() {
    let strap = linked { ($0.hasCCCD, $0.notifiesUnasked) = (false, true) }
    controller.notify(bytes("00 48"), from: strap, central)
    central.pass(200_000)
    expect(isReady(.heart))
    controller.notify(bytes("00 49"), from: strap, central)
    expect(central.sensorBytes.contains(bytes("00 49")))
  }

  @Test func centralBehaviour107_onlyAfterFiveSecondsItIsGivenUp() {
    let strap = linked { $0.hasCCCD = false }
    central.pass(4_999)
    #expect(controller.link(strap) != nil)
    central.pass(1)
    expect(controller.link(strap) == nil)
    #expect(central.takeSensorEvents().contains(.sensor(.heart, .refused(.service))))
  }

  @Test func centralBehaviour151_theMTUIsExchangedOnceAndALongValueComesWhole() {
    let power = linked(.power) { $0.mtu = 185 }
    let value = [0x2C, 0x00] + [UInt8](repeating: 0x07, count: 32)
    for _ in 0..<5 {
      central.pass(59_000)
      controller.notify(value, from: power, central)
    }
    expect(central.sensorBytes.last, value)
    expect(power.requests.count { $0 == 0x02 }, 1)
  }

  @Test func centralBehaviour153_whatCanOnlyBeIndicatedIsUsedAndConfirmed() {
    let strap = linked { $0.properties = 0x2F }  // and be broadcast, read and written
    expect(isReady(.heart) && strap.isSubscribed)
    strap.forgetRequests()
    controller.notify(bytes("00 48"), from: strap, central)
    expect(central.sensorBytes.last, bytes("00 48"))
    expect(strap.answers, [[0x04, 0x1E]])
    // Nothing is kept by which the next link would write the other bit.
    controller.disconnect(strap, reason: 0x08, central)
    central.pass(1_000)
    expect(isReady(.heart) && strap.requests.prefix(2) == [0x06, 0x08])
  }

  // MARK: - Batteries

  /// It is read after a pairing, or never, if there is none.
  @Test(
    arguments: [(.justWorks, true), (.refusal(0x05), false), (.silence, false)]
      as [(VirtualSecurity.Manner, Bool)])
  func centralBehaviour152_aBatteryBehindEncryptionIsWorthOnePairing(
    _ manner: VirtualSecurity.Manner, _ isRead: Bool
  ) {
    let strap = linked {
      $0.openBatteryError = 0x0F
      $0.security = VirtualSecurity(number: 1)
      $0.security?.manner = manner
    }
    central.pass(30_000)
    controller.notify(bytes("00 48"), from: strap, central)
    let events = central.takeSensorEvents()
    expect(isReady(.heart) && strap.isEncrypted == isRead)
    expect(events.contains(.sensor(.heart, .battery(87))), isRead)
    #expect(events.contains(.sensor(.heart, .name)) && events.last == .sensor(.heart, .value))
    expect(strap.security?.codes.count { $0 == 0x01 }, 1)
  }

  @Test func centralBehaviour152_aBatteryThatCanTellIsSubscribedTo() throws {
    let strap = linked { $0.notifiesBattery = true }
    _ = central.takeEvents()
    for percent in [14, 13, 255, 12] as [UInt8] {
      let news = try #require(strap.notification(ofBattery: percent))
      controller.send(channel: 0x04, news, from: strap, central)
      if percent == 255 { central.pass(10_000) }
    }
    let told: [SensorEvent] = [.battery(14), .battery(12)]
    expect(central.takeSensorEvents(), told.map { .sensor(.heart, $0) }, "one in ten seconds")
  }
}
