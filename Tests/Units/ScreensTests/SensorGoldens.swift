import Navigation
import Screens
import Sensors

extension Golden {
  /// All that sensors and a radar show.
  static var sensors: [Golden] { turnsWithSensors + dataPages + sensorsPages + addingSensors }

  private static var turnsWithSensors: [Golden] {
    [
      turn("extra-speed", .right, "350 m", "Lennéstraße") { $0.extra = .speed(6_750, .metric) },
      turn("extra-unknown", .left, "1.2 km", "") { $0.extra = .cadence(nil) }.onEachPanel,
      turn("extra-seconds-near", .right, "90 m", "Lennéstraße") {
        $0.nearness = 90
        $0.extra = .seconds(14)
      },
      turn("extra-clock-finish", .finish, "80 m", "Am Neuen Palais") {
        $0.nearness = 80
        $0.extra = .clock(minutes: 14 * 60 + 5)
      },
      turn("turn-estimated", .right, "350 m", "Lennéstraße") { $0.isEstimated = true },
      turn("turn-estimated-near", .right, "50 m", "Lennéstraße") {
        $0.isEstimated = true
        $0.nearness = 50
        $0.extra = .power(231)
      },
      turn("radar-clear", .right, "350 m", "Lennéstraße") { $0.radar = radar() },
      turn("radar-silent", .right, "350 m", "Lennéstraße") {
        $0.radar = ShownRadar(isSilent: true)
      },
      turn("radar-vehicles", .slightLeft, "350 m", "Große Weinmeisterstraße") {
        $0.radar = radar(22, 60, 68, 131)
        $0.extra = .heart(142)
      },
      page(
        "ride-radar", phone, rssi: -67, battery: 80, radar: radar(35, 100),
        trip(speed: 18, 42, 93, average: 14)),
    ]
  }

  private static var dataPages: [Golden] {
    [
      data("data", .value(6_750), .value(142), .value(88), .value(231)),
      data("data-three", .value(6_750), .value(142), .value(88), .absent),
      data("data-two", .value(6_750), .value(142), .absent, .absent),
      data("data-heart", .absent, .value(142), .absent, .absent),
      data("data-unknown", .value(0), .unknown, .value(0), .unknown),
      data("data-wide", .value(30_000), .value(199), .value(112), .value(1_231), .imperial),
      data("data-driven", .absent, .absent, .value(7), .value(-10)),
      data("data-radar", .value(6_750), .value(142), .value(88), .value(231), radar: radar(43))
        .onEachPanel,
    ]
  }

  private static var sensorsPages: [Golden] {
    [
      sensors("sensors-none"),
      sensors(
        "sensors", heart: ("H10 4F2A", .ready(battery: 87)), speed: ("", .looking),
        radar: ("RTL515", .away)
      ).onEachPanel,
      sensors(
        "sensors-four", heart: ("Polar H10 4F2A7C21", .ready(battery: 87)),
        speed: ("Wahoo SPEED 8A3B", .ready(battery: nil)), power: ("ASSIOMA17287R", .noLinkFree),
        radar: ("RTL515", .ready(battery: 100))),
      sensors(
        "sensors-five", heart: ("Polar H10 4F2A7C21", .ready(battery: 87)),
        cadence: ("Wahoo CADENCE 3C4D", .ready(battery: 61)),
        speed: ("Wahoo SPEED 8A3B", .ready(battery: nil)), power: ("ASSIOMA17287R", .noLinkFree),
        radar: ("RTL515", .ready(battery: 100))
      ).onEachPanel,
      sensors("sensors-trouble", heart: ("Forerunner", .changesAddress), power: ("", .noLinkFree))
        .onEachPanel,
    ]
  }

  private static var addingSensors: [Golden] {
    [
      Golden("sensor-search") { $0.draw(.sensorSearch(secondsLeft: 27)) }.onEachPanel,
      candidate("connecting", .heart, "H10 4F2A", .connecting),
      candidate("still-speed", .speed, "Wahoo SPEED 8A3B", .still),
      candidate("heart", .heart, "H10 4F2A", .figure(.heart(72))),
      candidate("speed", .speed, "Wahoo SPEED 8A3B", .figure(.speed(6_750, .metric))).onEachPanel,
      candidate("cadence", .cadence, "Wahoo CADENCE 3C4D", .figure(.cadence(88))),
      candidate("power-nameless", .power, "", .figure(.power(120))),
      candidate("vehicles", .radar, "RTL515", .vehicles(2)).onEachPanel,
      choice(
        "two",
        [(.heart, "TICKR 3F2A", .figure(.heart(72))), (.heart, "H10 4F2A", .figure(.heart(141)))],
        mark: 1
      ).onEachPanel,
      choice(
        "mixed",
        [
          (.heart, "H10 4F2A", .figure(.heart(72))),
          (.speed, "Wahoo SPEED 8A3B", .figure(.speed(6_750, .metric))),
          (.radar, "RTL515", .vehicles(2)), (.power, "7C21", .gone),
        ], mark: 2),
      Golden("sensor-pairing") {
        let name = bytes("H10 4F2A")
        $0.draw(.sensorPairing(.heart, name: name.span))
      }.onEachPanel,
      Golden("no-sensor-found") { $0.draw(.noSensorFound) },
      Golden("sensor-saved") {
        let name = bytes("H10 4F2A")
        $0.draw(.sensorSaved(.heart, name: name.span))
      },
      Golden("sensor-not-saved") { $0.draw(.sensorNotSaved(.speed)) },
      Golden("sensor-battery") { $0.draw(.sensorBattery(.heart, percent: 9)) },
      Golden("forgetting-sensors") { $0.draw(.forgettingSensors(permille: 500)) },
      Golden("sensors-forgotten") { $0.draw(.sensorsForgotten) },
    ]
  }

  private static func radar(_ metres: UInt8...) -> ShownRadar {
    var radar = ShownRadar(isSilent: false)
    for metres in metres { radar.add(metres: metres) }
    return radar
  }

  private static func data(
    _ name: String, _ speed: DataFigures.Reading, _ heart: DataFigures.Reading,
    _ cadence: DataFigures.Reading, _ power: DataFigures.Reading, _ units: Units = .metric,
    radar: ShownRadar? = nil
  ) -> Golden {
    let figures = DataFigures(
      speed: speed, heart: heart, cadence: cadence, power: power, units: units)
    return Golden(name) { $0.draw(.data(figures, radar: radar)) }
  }

  private typealias Line = (name: String, state: SensorState)

  private static func sensors(
    _ name: String, heart: Line = ("", .absent), cadence: Line = ("", .absent),
    speed: Line = ("", .absent), power: Line = ("", .absent), radar: Line = ("", .absent)
  ) -> Golden {
    Golden(name) {
      let (first, second) = (bytes(heart.name), bytes(cadence.name))
      let (third, fourth, fifth) = (bytes(speed.name), bytes(power.name), bytes(radar.name))
      $0.draw(
        .sensors(
          SensorsPage(
            heart: SensorRow(first.span, heart.state),
            cadence: SensorRow(second.span, cadence.state),
            speed: SensorRow(third.span, speed.state),
            power: SensorRow(fourth.span, power.state),
            radar: SensorRow(fifth.span, radar.state))))
    }
  }

  private static func choice(
    _ name: String, _ lines: [(SensorKind, String, SensorCandidate.Reading)], mark: Int
  ) -> Golden {
    Golden("sensor-choice-\(name)") {
      let filler = Array(repeating: (SensorKind.heart, "", SensorCandidate.Reading.still), count: 4)
      let all = lines + filler
      let (first, second) = (bytes(all[0].1), bytes(all[1].1))
      let (third, fourth) = (bytes(all[2].1), bytes(all[3].1))
      $0.draw(
        .sensorChoice(
          SensorChoice(
            SensorCandidate(all[0].0, first.span, all[0].2),
            SensorCandidate(all[1].0, second.span, all[1].2),
            SensorCandidate(all[2].0, third.span, all[2].2),
            SensorCandidate(all[3].0, fourth.span, all[3].2), count: lines.count, mark: mark)))
    }
  }

  private static func candidate(
    _ name: String, _ kind: SensorKind, _ sensor: String, _ reading: SensorCandidate.Reading
  ) -> Golden {
    Golden("sensor-\(name)") {
      let name = bytes(sensor)
      $0.draw(.sensorCandidate(SensorCandidate(kind, name.span, reading)))
    }
  }
}
