import Expecting
import Screens
import Sensors
import TestSupport
import VirtualAir
import VirtualDevice

@testable import Device

/// What sensors tell in a ride: the events, the page of the data, the spare line, the strip.
struct SensorRideTests {
  private let strap = VirtualSensor(.heart, number: 1)
  private let wheel = VirtualSensor(.speed, number: 2)
  private let power = VirtualSensor(.power, number: 3)
  private let radar = VirtualSensor(.radar, number: 4)

  /// A ride with these sensors, which are remembered and near.
  private func riding(_ sensors: [VirtualSensor], _ settings: [String] = []) throws -> World {
    let world = try World(settings)
    for sensor in sensors { try world.remember(sensor, as: kind(of: sensor)) }
    world.pass(3_000)  // for which the panel says so
    world.controller.sensors = sensors
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    return world
  }

  private func kind(of sensor: VirtualSensor) -> SensorKind {
    switch sensor.kind {
    case .heart: .heart
    case .speed: .speed
    case .power: .power
    case .radar: .radar
    case .cadence: .cadence
    }
  }

  private func figures(
    speed: DataFigures.Reading = .absent, heart: DataFigures.Reading = .absent,
    cadence: DataFigures.Reading = .absent, power: DataFigures.Reading = .absent
  ) -> Shot {
    .sensor(
      .data(
        DataFigures(speed: speed, heart: heart, cadence: cadence, power: power, units: .metric)))
  }

  /// Two turns of the wheel each second, so 4.21 m/s; the crank stands.
  private func roll(_ world: World, seconds: Int, from first: Int = 0) {
    world.roll(wheel, seconds: seconds, from: first, crank: bytes("10 00 00 00"))
  }

  @Test func aPulseIsToldOnceASecondWhenItChanges() throws {
    let world = try riding([strap])
    for rate: UInt8 in [72, 73, 74, 75, 76] {
      world.notify([0x00, rate], from: strap)
      world.pass(500)
    }
    world.pass(2_000)
    expect(world.events("measure").map { $0[number: "heart"] }, [72, 73, 75, 76])
    #expect(pauses(world).allSatisfy { $0 >= 1 })
    world.pass(5_000)
    expect(world.events("measure").count, 5, "not known any more")
    expect(world.events("measure").last?.line.contains("heart"), false)
  }

  /// A pulse that changes each second is an event each second, and the panel has nothing to do.
  @Test func figuresAreToldWithAValueThatComesAndWakeNobody() throws {
    let world = try riding([strap])
    world.pass(20_000)
    var woken = world.timerWakeUps
    world.pass(30_000)
    let withoutValues = world.timerWakeUps - woken
    woken = world.timerWakeUps
    let told = world.events("measure").count
    for second: UInt8 in 0..<30 {
      world.notify([0x00, 72 + second], from: strap)
      world.pass(1_000)
    }
    #expect(world.events("measure").count - told >= 29)
    #expect(world.timerWakeUps - woken <= withoutValues + 1)
  }

  /// Seconds between each two events that tell figures.
  private func pauses(_ world: World) -> [Double] {
    let times = world.events("measure").compactMap {
      Double($0.line.split(separator: ",")[0].dropFirst(5))
    }
    return zip(times, times.dropFirst()).map { $1 - $0 }
  }

  @Test func aPulseThatIsBackRightAfterItsLossWasToldWaitsForItsSecond() throws {
    let world = try riding([strap])
    world.notify([0x00, 72], from: strap)
    world.pass(150)
    world.loseLink(of: strap)
    for _ in 0..<200 {
      world.advertise(strap)
      world.notify([0x00, 73], from: strap)
      world.pass(10)
    }
    expect(world.events("measure").map { $0[number: "heart"] }, [72, nil, 73])
    #expect(pauses(world).allSatisfy { $0 >= 1 })
  }

  @Test func theDataPageHasAFieldForEachSensor() throws {
    let world = try riding([strap, wheel])
    world.press("aa")
    world.notify(bytes("00 48"), from: strap)
    roll(world, seconds: 4)
    world.notify(bytes("00 48"), from: strap)
    roll(world, seconds: 1, from: 4)
    expect(world.shows(figures(speed: .value(4_210), heart: .value(72))))
    world.loseLink(of: strap)
    strap.isNear = false
    world.pass(1_000)
    expect(world.device.desk.figures.heart, nil)
    world.loseLink(of: wheel)
    wheel.isNear = false
    world.pass(1_000)
    let due = world.device.desk.deadline
    expect(due, nil, "nobody is there to measure")
  }

  @Test func whereOnlyACrankTurnsThereIsNoFieldForASpeed() throws {
    let world = try riding([wheel], ["extra=power"])
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")), "nor in the spare line")
    world.press("aa")
    for value in ["02 0000 0000", "02 0100 0004"] {
      world.notify(bytes(value), from: wheel)
      world.pass(1_000)
    }
    expect(world.shows(figures(cadence: .value(60))))
  }

  /// Both have a wheel and a crank: three links are enough for all that is measured.
  @Test func wherePowerMeasuresAllThatTheSpeedSensorDoesThatOneGivesWay() throws {
    let world = try riding([strap, wheel, power, radar])
    expect(world.controller.link(wheel) != nil && world.controller.link(strap) == nil)
    world.notify(bytes("3000 8800 A25E0100 AF1D 4B63 967F"), from: power)
    world.pass(1_000)
    world.notify(bytes("3000 8800 A45E0100 8326 4C63 9683"), from: power)
    world.pass(2_000)
    expect(world.controller.link(wheel) == nil && world.controller.link(strap) != nil)
  }

  @Test func aWheelOfTheBoardFileMakesTheSpeed() throws {
    let world = try riding([wheel], ["wheel=2250"])
    roll(world, seconds: 11)
    world.pass(0)
    expect(world.events("measure").last.map { $0[number: "speed"] }, 4_500)
  }

  @Test func theWheelMovesTheTripAndTheTurn() throws {
    let world = try riding([wheel])
    roll(world, seconds: 11)
    world.pass(0)
    let measured = world.events("measure").last
    expect(measured.map { $0[number: "speed"] }, 4_210)
    #expect((40...43).contains(measured?[number: "distance"] ?? 0))
    let progress = world.events("progress").last
    expect(progress?["source"], "wheel")
    #expect((300...315).contains(progress?[number: "distance"] ?? 0))
  }

  @Test func vehiclesAreToldOnEachChange() throws {
    let world = try riding([radar])
    for value in ["82", "82", "12801900", "12801900", "12801400", "42813200822D01832800", "82"] {
      world.notify(bytes(value), from: radar)
      world.pass(500)
    }
    world.notify(bytes("12801900"), from: radar)
    world.pass(15_000)  // nothing is heard of it any more
    world.notify(bytes("12801900"), from: radar)
    world.loseLink(of: radar)
    expect(
      world.events("radar").map { $0.line.split(separator: "[")[1].dropLast(2) },
      [
        "{\"track\":0,\"distance\":25}",
        "{\"track\":0,\"distance\":20}",
        "{\"track\":0,\"distance\":20},{\"track\":3,\"distance\":40},{\"track\":2,\"distance\":45},{\"track\":1,\"distance\":50}",
        "",
        "{\"track\":0,\"distance\":25}",
        "",
        "{\"track\":0,\"distance\":25}",
        "",
      ])
  }

  @Test func aVehicleIsSeenAtTheEdgeAndHeardOnce() throws {
    let world = try riding([radar], ["buttons=gpio:/dev/gpiochip0", "button-a=17", "alert=22"])
    world.press("aa")
    world.notify(bytes("82"), from: radar)
    world.pass(100)
    let clear = world.glass
    world.notify(bytes("82AE2B44"), from: radar)
    world.pass(0)
    var shown = ShownRadar(isSilent: false)
    shown.add(metres: 43)
    expect(world.shows(.sensor(.data(none, radar: shown))))
    #expect(world.glass != clear)
    world.notify(bytes("82AE2A44"), from: radar)
    world.pass(1_000)
    expect(world.alerts.filter(\.isHigh).count, 2, "two pulses, for one vehicle")
  }

  private var none: DataFigures {
    DataFigures(
      speed: .absent, heart: .absent, cadence: .absent, power: .absent, units: .metric)
  }

  /// It must not look like a clear road.
  @Test func aSilentRadarIsSeenAsSuch() throws {
    let world = try riding([radar])
    world.press("aa")
    world.pass(0)
    expect(world.shows(.sensor(.data(none, radar: ShownRadar(isSilent: true)))))
    world.notify(bytes("82"), from: radar)
    world.pass(0)
    expect(world.shows(.sensor(.data(none, radar: ShownRadar(isSilent: false)))))
    world.pass(11_999)
    expect(world.shows(.sensor(.data(none, radar: ShownRadar(isSilent: false)))))
    world.pass(1)
    expect(world.shows(.sensor(.data(none, radar: ShownRadar(isSilent: true)))))
  }

  @Test func aBatteryThatIsNearlyEmptyIsToldOnceARide() throws {
    strap.battery = 14
    let world = try World()
    try world.remember(strap, as: .heart)
    world.pass(3_000)
    world.controller.sensors = [strap]
    world.advertise()
    world.pass(1_000)
    expect(world.shows(.sensor(.battery(.heart, percent: 14))))
    expect(world.events("sensor").last.map { $0[number: "percent"] }, 14)
    world.pass(3_000)
    world.loseLink(of: strap)
    world.pass(2_000)
    expect(!world.shows(.sensor(.battery(.heart, percent: 14))))
    world.tell(3, 5, "Zielgerade")
    world.say(try #require(PhoneKind.android.silence))
    world.pass(25_000)
    world.loseLink(of: strap)
    world.pass(1_000)
    expect(world.shows(.sensor(.battery(.heart, percent: 14))), "the ride is over")
  }

  /// It comes in the middle of the ride, and waits until the turn is done.
  @Test func aBatteryHidesNoTurnThatIsNear() throws {
    strap.battery = 14
    let world = try riding([strap])
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    world.tell(5, 499, "Parkweg")
    world.pass(2_000)
    expect(world.shows(.turn(.left, "500 m", "Parkweg")))
    world.tell(5, 500, "Parkweg")
    world.pass(0)
    expect(world.shows(.sensor(.battery(.heart, percent: 14))))
    world.pass(3_000)
    expect(world.shows(.turn(.left, "500 m", "Parkweg")))
  }

  /// Off the route and at the start nobody knows how far it is; fifteen percent are enough.
  @Test(arguments: [14, 15] as [UInt8])
  func aBatteryIsToldBehindTheLastTurnIfItIsNearlyEmpty(_ percent: UInt8) throws {
    strap.battery = percent
    let world = try riding([strap])
    world.tell(30, 900, "Parkweg")
    world.pass(1_000)
    expect(!world.shows(.sensor(.battery(.heart, percent: percent))))
    world.say(try #require(PhoneKind.android.silence))
    world.pass(1_000)
    expect(world.shows(.sensor(.battery(.heart, percent: percent))), (percent < 15))
  }

  @Test(
    arguments: [
      ("heart", .heart(72)), ("speed", .speed(4_210, .metric)), ("cadence", .cadence(nil)),
      ("power", nil), ("seconds", .seconds(80)), ("auto", nil), ("none", nil),
    ] as [(String, ShownFigure?)])
  func theSpareLineShowsWhatTheRiderWants(_ extra: String, _ figure: ShownFigure?) throws {
    let world = try riding([strap, wheel], ["extra=\(extra)"])
    roll(world, seconds: 3)
    world.notify(bytes("00 48"), from: strap)
    world.tell(8, 350, "Hauptstraße")
    roll(world, seconds: 1, from: 3)
    expect(
      world.shows(.sensor(.turn(.right, "340 m", "Hauptstraße", extra: figure))),
      "\(world.glass)")
  }

  @Test(arguments: [("auto", .speed(4_210, .metric)), ("none", nil)] as [(String, ShownFigure?)])
  func centralBehaviour128_aSquarePanelHasTheSpeedInTheSpareLineUnlessTheRiderWantsNothing(
    _ extra: String, _ figure: ShownFigure?
  ) throws {
    let world = try riding([wheel], ["panel=sh1107-128x128", "extra=\(extra)"])
    roll(world, seconds: 3)
    expect(
      world.showsMoved(.sensor(.turn(.right, "340 m", "Hauptstraße", extra: figure))),
      "\(world.glass)")
  }

  /// The phone is silent: the wheel says how far it is, whatever else is lost.
  @Test func inATunnelTheDistanceIsEstimated() throws {
    let world = try riding([strap, wheel])
    roll(world, seconds: 10)
    let estimate = Shot.sensor(.turn(.right, "310 m", "Hauptstraße", isEstimated: true))
    expect(world.shows(estimate))
    strap.isNear = false
    world.loseLink(of: strap)
    expect(world.shows(estimate))
    world.loseLink(of: wheel)
    expect(!world.shows(estimate))
  }

  @Test func thePanelHasTheMeanOfPowerAndTheEventItsValue() throws {
    let world = try riding([power])
    for watts in ["6400", "C800", "2C01"] {
      world.notify(bytes("0000 " + watts), from: power)
      world.pass(1_000)
    }
    expect(world.events("measure").map { $0[number: "power"] }, [100, 200, 300])
    world.press("aa")
    world.pass(100)
    expect(world.shows(figures(power: .value(200))))
    // Then nothing else wakes it up.
    world.pass(7_000)
    expect(world.events("measure").last.map { $0[number: "power"] }, .some(nil))
    expect(world.shows(figures(power: .unknown)))
  }

  @Test func aBatteryHidesNoNotice() throws {
    strap.battery = 14
    let world = try World()
    world.advertise()
    world.pass(1_000)
    world.controller.sensors = [strap]
    try world.remember(strap, as: .heart)
    world.pass(100)
    expect(world.shows(.sensor(.saved(.heart, strap.name))))
    world.pass(3_000)
    expect(world.shows(.sensor(.battery(.heart, percent: 14))))
  }

  @Test func whoHasNoSuchSensorHasNothingInTheSpareLine() throws {
    let world = try riding([strap], ["extra=speed"])
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }
}
