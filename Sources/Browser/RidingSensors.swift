import Bytes
import VirtualAir

/// The sensors of the bicycle; the page has these numbers.
enum RidingSensorKind: Int32, CaseIterable {
  case strap, wheel, crank, radar

  var sensor: VirtualSensor {
    let number = UInt8(rawValue) + 1
    switch self {
    case .strap: return VirtualSensor(.heart, number: number, name: "Strap 4F2A")
    case .wheel:
      let sensor = VirtualSensor(.speed, number: number, name: "Wheel 7731")
      sensor.features = [0b01, 0]
      return sensor
    case .crank: return VirtualSensor(.cadence, number: number, name: "Crank 3C4D")
    case .radar: return VirtualSensor(.radar, number: number, name: "Radar 2041")
    }
  }
}

/// A sensor of the bicycle, with what it measures.
struct RidingSensor {
  /// Between two advertisements and between two values, in milliseconds.
  private static let advertisingInterval: Int64 = 250
  private static let (second, quarter): (Int64, Int64) = (1_000, 250)
  /// The way around the wheel in millimetres: the default of the board file.
  private static let circumference: Int64 = 2_105
  /// How far a radar sees, in metres, and how fast vehicles come nearer, in metres a second.
  private static let (range, approach): (Int64, Int64) = (140, 10)

  let kind: RidingSensorKind
  let sensor: VirtualSensor
  private(set) var isOn = false
  /// Beats a minute, km/h or turns a minute.
  private(set) var figure: Int64
  private var rotor: VirtualRotor
  /// The vehicles: the number of each, and when it came into sight.
  private var vehicles: [(track: UInt8, since: Instant)] = []
  private var nextTrack: UInt8 = 1
  private var valueCount: UInt8 = 0
  private var nextAdvertisement: Instant
  private var nextValue: Instant

  init(_ kind: RidingSensorKind, at now: Instant) {
    self.kind = kind
    sensor = kind.sensor
    sensor.isNear = false
    figure = kind == .strap ? 128 : kind == .wheel ? 20 : 80
    rotor = VirtualRotor(at: now.milliseconds)
    (nextAdvertisement, nextValue) = (now, now)
    turn(at: now)
  }

  // MARK: - What its rider does

  mutating func setOn(_ isOn: Bool, at now: Instant) {
    self.isOn = isOn
    sensor.isNear = isOn
    (nextAdvertisement, nextValue) = (now, now)
  }

  mutating func setFigure(_ figure: Int64, at now: Instant) {
    self.figure = max(0, min(255, figure))
    turn(at: now)
  }

  private mutating func turn(at now: Instant) {
    let rate =
      switch kind {
      case .wheel: figure * 10_000_000 / 36 / Self.circumference
      case .crank: figure * 1_000 / 60
      case .strap, .radar: 0 as Int64
      }
    rotor.turn(rate, at: now.milliseconds)
  }

  mutating func vehicleComes(at now: Instant) {
    vehicles.append((nextTrack, now))
    nextTrack = nextTrack % 99 + 1
  }

  // MARK: - Time

  func deadline(isLinked: Bool) -> Instant? {
    guard isOn else { return nil }
    return isLinked ? nextValue : nextAdvertisement
  }

  mutating func takeAdvertisement(at now: Instant) -> Bool {
    guard isOn, nextAdvertisement <= now else { return false }
    // The specification has a random part of up to 10 ms added.
    nextAdvertisement = now + Self.advertisingInterval + now.milliseconds * 7 % 11
    return true
  }

  mutating func takeValues(at now: Instant) -> [[UInt8]] {
    guard isOn, nextValue <= now else { return [] }
    nextValue = now + (kind == .radar ? Self.quarter : Self.second)
    switch kind {
    case .strap: return [VirtualSensor.pulse(UInt8(figure))]
    case .wheel: return [VirtualSensor.wheel(rotor.turns(at: now.milliseconds))]
    case .crank: return [VirtualSensor.crank(rotor.turns(at: now.milliseconds))]
    case .radar: return seen(at: now)
    }
  }

  private mutating func seen(at now: Instant) -> [[UInt8]] {
    vehicles.removeAll { Self.metres(since: $0.since, at: now) < 0 }
    valueCount &+= 1
    let seen = vehicles.map {
      VirtualSensor.Vehicle(track: $0.track, metres: UInt8(Self.metres(since: $0.since, at: now)))
    }
    return VirtualSensor.radar(seen, count: valueCount)
  }

  private static func metres(since: Instant, at now: Instant) -> Int64 {
    range - approach * (now - since) / 1_000
  }
}
