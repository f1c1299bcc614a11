import Expecting
import TestSupport
import VirtualAir

/// The virtual sensors by the bytes of the specification (Vol 3, Parts F and G).
struct SensorTests {
  private func linked(
    _ kind: VirtualSensor.Kind, _ change: (VirtualSensor) -> Void = { _ in }
  ) -> (BareHost, VirtualSensor) {
    let sensor = VirtualSensor(kind)
    change(sensor)
    let host = BareHost(sensor)
    _ = host.create(sensor.address)
    return (host, sensor)
  }

  private static let subscribe = "12 23 00 01 00"

  @Test(
    arguments: [
      (.heart, "0d 18", "09 07 21 00 10 22 00 37 2a", "02 25 00 38 2a"),
      (.speed, "16 18", "09 07 21 00 10 22 00 5b 2a", "02 25 00 5c 2a"),
      (.power, "18 18", "09 07 21 00 10 22 00 63 2a", "02 25 00 65 2a"),
    ] as [(VirtualSensor.Kind, String, String, String)])
  func aServiceOfTheSIGIsDiscovered(
    _ kind: VirtualSensor.Kind, _ service: String, _ first: String, _ second: String
  ) {
    let (host, _) = linked(kind)
    expect(host.ask("06 01 00 ff ff 00 28 \(service)"), ["07 20 00 2f 00"])
    expect(host.ask("06 30 00 ff ff 00 28 \(service)"), ["01 06 30 00 0a"])
    expect(host.ask("08 20 00 2f 00 03 28"), ["\(first) 24 00 \(second)"])
    expect(host.ask("08 26 00 2f 00 03 28"), ["01 08 26 00 0a"])
    expect(
      host.ask("04 23 00 2f 00"), ["05 01 23 00 02 29 24 00 03 28 25 00 \(second.suffix(5))"])
  }

  @Test func thatOfTheRadarIsOfALongName() {
    let (host, _) = linked(.radar)
    let uuid = "66 9a 0c 20 00 08 9a 94 e3 11 7b 66"
    expect(host.ask("06 01 00 ff ff 00 28 \(uuid) 00 32 4e 6a"), ["07 20 00 2f 00"])
    expect(host.ask("08 20 00 2f 00 03 28"), ["09 15 21 00 10 22 00 \(uuid) 03 32 4e 6a"])
    expect(host.ask("04 23 00 2f 00"), ["05 01 23 00 02 29"])
    // One answer has UUIDs of one length.
    expect(host.ask("04 21 00 2f 00"), ["05 01 21 00 03 28"])
    expect(host.ask("04 22 00 2f 00"), ["05 02 22 00 \(uuid) 03 32 4e 6a"])
  }

  @Test func allServicesAreListed() {
    let (host, _) = linked(.heart)
    expect(
      host.ask("10 01 00 ff ff 00 28"),
      [
        "11 06 01 00 07 00 00 18 20 00 2f 00 0d 18 40 00 43 00 0f 18"
      ])
  }

  @Test func nameFeaturesAndBatteryAreRead() {
    let (host, sensor) = linked(.speed) { $0.name = "Wahoo" }
    expect(host.ask("08 01 00 ff ff 00 2a"), ["09 07 03 00 57 61 68 6f 6f"])
    expect(host.ask("08 01 00 ff ff 19 2a"), ["09 03 42 00 57"])
    expect(host.ask("0a 25 00"), ["0b 03 00"])
    expect(host.ask("0a 22 00"), ["01 0a 22 00 02"])
    sensor.battery = nil
    expect(host.ask("08 01 00 ff ff 19 2a"), ["01 08 01 00 0a"])
    expect(host.ask("0a 42 00"), ["01 0a 42 00 01"])
  }

  @Test func aValueIsNotifiedToASubscriberOfThisLink() {
    let (host, sensor) = linked(.heart)
    expect(host.hear { $0.notify([0x00, 0x48], from: sensor, host) }, [])
    expect(host.ask(Self.subscribe), ["13"])
    expect(
      host.hear { $0.notify([0x00, 0x48], from: sensor, host) },
      [
        "02 40 20 09 00 05 00 04 00 1b 22 00 00 48"
      ])
    _ = host.hear { $0.disconnect(sensor, reason: 0x13, host) }
    expect(host.hear { $0.notify([0x00, 0x48], from: sensor, host) }, [])
  }

  @Test func theMTUCutsWhatIsNotified() {
    let (host, sensor) = linked(.power) { $0.mtu = 30 }
    expect(host.ask("02 05 02"), ["03 1e 00"])
    _ = host.ask(Self.subscribe)
    // 27 bytes of the value, in two packets.
    let packets = host.hear { $0.notify([UInt8](repeating: 7, count: 40), from: sensor, host) }
    expect(packets.map { $0.split(separator: " ").count - 5 }, [27, 7])
  }

  /// As Polar's straps do, with Unacceptable Connection Parameters.
  @Test func oneThatIsRefusedItsParametersGoes() {
    let (host, sensor) = linked(.heart) {
      $0.wantedParameters = [250, 400, 0, 600]
      $0.leavesWhenRefused = true
    }
    expect(host.ask(Self.subscribe), ["13", "12 01 08 00 fa 00 90 01 00 00 58 02"])
    let answer = "02 40 00 0a 00 06 00 05 00 13 01 02 00 00 00"
    expect(host.say(answer), ["04 13 05 01 40 00 01 00"])
    expect(sensor.parameterResult, 0)
    expect(host.say(answer.dropLast(5) + "01 00").last, "04 05 04 00 40 00 3b")
    expect(sensor.leavingReason, nil, "it would stay the next time")
  }

  @Test func parametersThatAreUpdatedAreTold() {
    let (host, sensor) = linked(.heart)
    expect(
      host.say("01 13 20 0e 40 00 fa 00 90 01 00 00 58 02 00 00 00 00"),
      [
        "04 0f 04 00 01 13 20", "04 3e 0a 03 00 40 00 90 01 00 00 58 02",
      ])
    expect(host.controller.link(sensor)?.parameters.interval, 400)
  }

  @Test(arguments: [0x05, 0x0F] as [UInt8]) func oneThatWantsAKeyRefusesToNotify(_ error: UInt8) {
    let (host, sensor) = linked(.heart) {
      $0.openLinkError = error
      $0.security = VirtualSecurity()
      $0.security?.manner = .legacy
    }
    expect(host.ask(Self.subscribe), ["01 12 23 00 \(hex([error]))"])
    expect(host.ask("01 03 00 08 10 00 02", channel: 6), ["02 03 00 01 10 00 00"])
    sensor.isEncrypted = true
    expect(host.ask(Self.subscribe), ["13"])
  }

  @Test func itMayBeSilentOrRefuse() {
    let (host, _) = linked(.speed) {
      $0.withheld = [0x0A]
      $0.errors = [0x02: 0x06]
    }
    expect(host.ask("0a 25 00"), [])
    expect(host.ask("02 05 02"), ["01 02 00 00 06"])
  }

  @Test func itMayBeginByAskingUs() {
    let sensor = VirtualSensor(.power)
    sensor.requestsSecurity = true
    sensor.ownRequests = [bytes("0a 03 00")]
    let host = BareHost(sensor)
    expect(
      host.create(sensor.address).dropFirst(2),
      [
        "02 40 20 06 00 02 00 06 00 0b 01", "02 40 20 07 00 03 00 04 00 0a 03 00",
      ])
    _ = host.ask("01 0a 03 00 0a")
    expect(sensor.answers, [bytes("04 01 0a 03 00 0a")])
  }
}

/// What the virtual sensors send, by the bytes of the specifications and of recordings.
struct SensorValueTests {
  /// HRS 1.0, 3.1.1.1: 8 bits, with contact.
  @Test func aPulseIsThatOfAStrapOnSkin() {
    expect(hex(VirtualSensor.pulse(77)), "06 4d")
  }

  /// The counts and times of a recorded Wahoo KICKR, each alone.
  @Test func wheelAndCrankAreCountedAlone() {
    let wheel = VirtualRotor.Turns(count: 0x1_5EA2, time: 0xF_0E6D)
    expect(hex(VirtualSensor.wheel(wheel)), "01 a2 5e 01 00 6d 0e")
    let crank = VirtualRotor.Turns(count: 0x2_634B, time: 0x7F96)
    expect(hex(VirtualSensor.crank(crank)), "02 4b 63 96 7f")
  }

  /// Two of them as recorded, but for the third byte.
  @Test(
    arguments: [
      (8, [], ["82"]), (8, [(0x2E, 43)], ["82 ae 2b 00"]),
      (1, [(0, 25)], ["12 80 19 00"]),
      (
        0x14, [(1, 50), (2, 45), (3, 40), (4, 35), (5, 30), (6, 25), (7, 20)],
        ["40 81 32 00 82 2d 00 83 28 00 84 23 00 85 1e 00 86 19 00", "42 87 14 00"]
      ),
    ] as [(UInt8, [(UInt8, UInt8)], [String])])
  func aRadarSaysWhichVehiclesItSees(
    _ count: UInt8, _ vehicles: [(UInt8, UInt8)], _ values: [String]
  ) {
    let seen = vehicles.map { VirtualSensor.Vehicle(track: $0.0, metres: $0.1) }
    expect(VirtualSensor.radar(seen, count: count).map { hex($0) }, values)
  }

  // MARK: - What turns

  /// Two turns a second: each half second is a turn, and has its time.
  @Test(arguments: [
    (499, 0, 0), (500, 1, 512), (999, 1, 512), (1_250, 2, 1_024), (1_500, 3, 1_536),
  ])
  func aRotorCountsWholeTurns(_ time: Int64, _ count: Int64, _ last: Int64) {
    var rotor = VirtualRotor(at: 0)
    rotor.turn(2_000, at: 0)
    expect(rotor.turns(at: time), VirtualRotor.Turns(count: count, time: last))
  }

  @Test func aRotorThatStandsKeepsItsLastTurn() {
    var rotor = VirtualRotor(at: 1_000)
    rotor.turn(1_000, at: 1_000)
    expect(rotor.turns(at: 3_500), VirtualRotor.Turns(count: 2, time: 3_072))
    rotor.turn(0, at: 3_500)
    expect(rotor.turns(at: 60_000), VirtualRotor.Turns(count: 2, time: 3_072))
    rotor.turn(1_000, at: 60_000)
    expect(rotor.turns(at: 60_500), VirtualRotor.Turns(count: 3, time: 61_952))
  }
}
