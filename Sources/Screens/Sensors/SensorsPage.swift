import Messages
import Sensors
import Words

/// The state of a sensor.
package enum SensorState: Equatable, Sendable {
  /// None of its kind is remembered or being looked for, so that it has no line.
  case absent
  /// It is being looked for.
  case looking
  /// It is not there.
  case away
  /// It sends its values; how full its battery is in percent, if that is known.
  case ready(battery: UInt8?)
  /// Its address changes, so that it cannot be recognised.
  case changesAddress
  /// There are not enough links for it.
  case noLinkFree
}

/// A line of the page of the sensors.
package struct SensorRow: ~Escapable {
  /// The sensor's name, empty while it is not known.
  package var name: Span<UInt8>
  /// Its state.
  package var state: SensorState

  /// A sensor with its name and state.
  @_lifetime(copy name)
  package init(_ name: Span<UInt8>, _ state: SensorState) {
    self.name = name
    self.state = state
  }
}

/// The sensors that are remembered or being looked for, one of each kind at most.
package struct SensorsPage: ~Escapable {
  private let heart, cadence, speed, power, radar: SensorRow

  /// The sensor of each kind.
  @_lifetime(copy heart, copy cadence, copy speed, copy power, copy radar)
  package init(
    heart: SensorRow, cadence: SensorRow, speed: SensorRow, power: SensorRow, radar: SensorRow
  ) {
    self.heart = heart
    self.cadence = cadence
    self.speed = speed
    self.power = power
    self.radar = radar
  }

  /// The sensor of a kind.
  subscript(kind: SensorKind) -> SensorRow {
    @_lifetime(copy self)
    get {
      switch kind {
      case .heart: heart
      case .cadence: cadence
      case .speed: speed
      case .power: power
      case .radar: radar
      }
    }
  }
}

extension SensorKind {
  /// The rider's word for it, its symbol, the small symbol where a word has no room, and what makes it
  /// send something.
  var look: (word: SensorPhrase, symbol: Symbol, sign: Symbol, waking: SensorPhrase?) {
    switch self {
    case .heart: (.heart, .heart, .smallHeart, .putStrapOn)
    case .cadence: (.cadence, .crank, .smallCrank, .turnCrank)
    case .speed: (.speed, .wheel, .smallWheel, .spinWheel)
    case .power: (.power, .bolt, .smallBolt, .turnCrank)
    case .radar: (.radar, .car, .smallCar, nil)
    }
  }
}
