public import Bytes

/// What a sensor measures: of each kind one is remembered.
///
/// The number is the kind's place in the store, and what it is worth to the rider: where there are
/// fewer links than sensors, the greater one is linked.
public enum SensorKind: UInt8, Sendable {
  /// A strap, or a watch that shows the pulse: Heart Rate Service.
  case heart = 0
  /// The wheel, the crank, or both: Cycling Speed and Cadence Service.
  case speed = 1
  /// Pedals, crank or hub: Cycling Power Service.
  case power = 2
  /// What comes from behind: Varia.
  case radar = 3

  /// How many kinds there are.
  public static var count: Int { 4 }

  /// Its word in events and in `--check`.
  public var name: String {
    switch self {
    case .heart: "heart"
    case .speed: "speed"
    case .power: "power"
    case .radar: "radar"
    }
  }

  /// The service that a sensor of this kind has.
  ///
  /// Assigned Numbers, 3.4; that of the radar is its maker's.
  public var service: UUID {
    switch self {
    case .heart: UUID(short: 0x180D)
    case .speed: UUID(short: 0x1816)
    case .power: UUID(short: 0x1818)
    case .radar: UUID(0x6A4E_3200_667B_11E3, 0x949A_0800_200C_9A66)
    }
  }

  /// The service that its advertisements name: the radar's are of a short form, which its maker uses for
  /// other devices, too.
  public var advertisedService: UUID { self == .radar ? UUID(short: 0xFE1F) : service }

  /// The characteristic whose notifications are its values.
  public var characteristic: UUID {
    switch self {
    case .heart: UUID(short: 0x2A37)
    case .speed: UUID(short: 0x2A5B)
    case .power: UUID(short: 0x2A63)
    case .radar: UUID(0x6A4E_3203_667B_11E3, 0x949A_0800_200C_9A66)
    }
  }
}
