package import Bytes

/// What a sensor measures; one sensor of each kind is remembered.
///
/// The number is the kind's place in `PerKind` and in recordings.
package enum SensorKind: UInt8, Sendable {
  /// A strap, or a watch that shows the pulse: Heart Rate Service.
  case heart = 0
  /// The wheel, or wheel and crank: Cycling Speed and Cadence Service.
  case speed = 1
  /// Pedals, crank or hub: Cycling Power Service.
  case power = 2
  /// What comes from behind: Varia.
  case radar = 3
  /// The crank alone: Cycling Speed and Cadence Service, as `speed`. The part that moves tells them apart.
  case cadence = 4

  package static var count: Int { PerKind<Bool>.count }

  /// Its worth to the rider, from 0 on: if there are more sensors than links, the highest worth gets one.
  package var worth: Int {
    switch self {
    case .heart: 0
    case .cadence: 1
    case .speed: 2
    case .power: 3
    case .radar: 4
    }
  }

  package static func worth(_ worth: Int) -> SensorKind {
    for kind in SensorKind.all where kind.worth == worth { return kind }
    return .heart
  }

  /// The other kind of the same service, if there is one.
  package var twin: SensorKind? {
    switch self {
    case .speed: .cadence
    case .cadence: .speed
    case .heart, .power, .radar: nil
    }
  }

  /// Its word in events and in `--check`.
  package var name: String {
    switch self {
    case .heart: "heart"
    case .speed: "speed"
    case .power: "power"
    case .radar: "radar"
    case .cadence: "cadence"
    }
  }

  /// The service of a sensor of this kind.
  ///
  /// Assigned Numbers, 3.4; the radar's is its maker's own.
  package var service: UUID {
    switch self {
    case .heart: UUID(short: 0x180D)
    case .speed, .cadence: UUID(short: 0x1816)
    case .power: UUID(short: 0x1818)
    case .radar: UUID(0x6A4E_3200_667B_11E3, 0x949A_0800_200C_9A66)
    }
  }

  /// The service that most of its advertisements have instead: the radar's is a short one, which its maker uses for
  /// other devices too.
  package var advertisedService: UUID { self == .radar ? UUID(short: 0xFE1F) : service }

  /// The characteristic whose notifications are its values.
  package var characteristic: UUID {
    switch self {
    case .heart: UUID(short: 0x2A37)
    case .speed, .cadence: UUID(short: 0x2A5B)
    case .power: UUID(short: 0x2A63)
    case .radar: UUID(0x6A4E_3203_667B_11E3, 0x949A_0800_200C_9A66)
    }
  }
}

/// Loops over kinds go in the order of their numbers.
extension SensorKind: Strideable {
  /// All kinds: as many as `PerKind` has places.
  package static var all: ClosedRange<SensorKind> {
    .heart...(SensorKind(rawValue: UInt8(truncatingIfNeeded: count - 1)) ?? .heart)
  }

  package func distance(to other: SensorKind) -> Int { Int(other.rawValue) - Int(rawValue) }

  package func advanced(by count: Int) -> SensorKind {
    SensorKind(rawValue: UInt8(truncatingIfNeeded: Int(rawValue) + count)) ?? .heart
  }
}

/// One value for each kind of sensor.
package struct PerKind<Element> {
  private typealias Elements = InlineArray<5, Element>

  private var elements: Elements

  /// How many kinds there are.
  package static var count: Int { Elements.count }

  package init(repeating element: Element) { elements = Elements(repeating: element) }

  package subscript(kind: SensorKind) -> Element {
    get { elements[Int(kind.rawValue)] }
    set { elements[Int(kind.rawValue)] = newValue }
  }

  /// Exchanges the values of two kinds.
  package mutating func swapAt(_ a: SensorKind, _ b: SensorKind) {
    elements.swapAt(Int(a.rawValue), Int(b.rawValue))
  }
}

extension PerKind: Sendable where Element: Sendable {}

extension PerKind: Equatable where Element: Equatable {
  package static func == (a: Self, b: Self) -> Bool {
    for kind in SensorKind.all where a[kind] != b[kind] { return false }
    return true
  }
}

/// A set of kinds, a bit for each.
package struct SensorKinds: Equatable, Sendable {
  private var bits: UInt8 = 0

  package init() {}

  package var isEmpty: Bool { bits == 0 }

  package var count: Int { bits.nonzeroBitCount }

  package func contains(_ kind: SensorKind) -> Bool { bits & 1 &<< kind.rawValue != 0 }

  package mutating func insert(_ kind: SensorKind) { bits |= 1 &<< kind.rawValue }

  package mutating func remove(_ kind: SensorKind) { bits &= ~(1 &<< kind.rawValue) }

  /// The kind that is worth most to the rider.
  package var mostWorth: SensorKind? {
    for worth in 0..<SensorKind.count {
      let kind = SensorKind.worth(SensorKind.count - 1 - worth)
      if contains(kind) { return kind }
    }
    return nil
  }

  /// The kinds that are in either.
  package func union(_ other: SensorKinds) -> SensorKinds {
    var either = self
    either.bits |= other.bits
    return either
  }

  /// The kinds that are in both.
  package func intersection(_ other: SensorKinds) -> SensorKinds {
    var both = SensorKinds()
    both.bits = bits & other.bits
    return both
  }
}
