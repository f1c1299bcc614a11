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

  /// The kinds that are in both.
  package func intersection(_ other: SensorKinds) -> SensorKinds {
    var both = SensorKinds()
    both.bits = bits & other.bits
    return both
  }
}
