package import Bytes
package import Words

/// A distance as komoot's app shows it, so that phone and handlebar agree.
///
/// Whole numbers only: a foot is 0.3048 m, a mile 1609.344 m, both exactly.
package struct RoundedDistance: Equatable, Sendable {
  private enum Unit {
    case now, metres, kilometres, feet, miles
  }

  private let unit: Unit
  /// The number in tenths of the unit.
  private let tenths: UInt32
  /// Whether the tenth is shown, as in `1.0 km`.
  private let hasDecimal: Bool

  /// Rounds any number of metres.
  package init(metres: UInt32, units: Units) {
    switch units {
    case .metric: self.init(metric: metres)
    case .imperial: self.init(imperial: metres)
    }
  }

  private init(_ unit: Unit, tenths: UInt32, hasDecimal: Bool = false) {
    self.unit = unit
    self.tenths = tenths
    self.hasDecimal = hasDecimal
  }

  private init(metric metres: UInt32) {
    if metres <= 5 {
      self.init(.now, tenths: 0)
    } else if metres < 995 {
      self.init(.metres, tenths: rounded(metres, to: 10) * 100)
    } else if metres < 9_950 {
      self.init(.kilometres, tenths: rounded(metres, to: 100), hasDecimal: true)
    } else {
      self.init(.kilometres, tenths: rounded(metres, to: 1_000) * 10)
    }
  }

  private init(imperial metres: UInt32) {
    // 3,048 m are 10,000 ft, 1,609,344 m are 1,000 mi: 32 bits are enough everywhere.
    // 6 m are the first whole metres from 17 ft on, 161 m from 0.1 mi, 16,013 m from 9.95 mi.
    if metres < 6 {
      self.init(.now, tenths: 0)
    } else if metres < 161 {
      let fifties = max(1, rounded(metres * 10_000, to: 50 * 3_048))
      self.init(.feet, tenths: fifties * 500)
    } else if metres < 16_013 {
      self.init(.miles, tenths: rounded(metres * 10_000, to: 1_609_344), hasDecimal: true)
    } else {
      let thousands = metres / 1_609_344 * 1_000
      let rest = rounded(metres % 1_609_344 * 1_000, to: 1_609_344)
      self.init(.miles, tenths: (thousands + rest) * 10)
    }
  }

  /// Number and unit with a blank between them, such as `1.0 km`, or `Now`.
  package func text(in language: Language = .english) -> FixedBuffer<16> {
    var text = FixedBuffer<16>()
    guard unit != .now else {
      text.append(.now, in: language)
      return text
    }
    text.append(decimal: Int64(widening: tenths / 10))
    if hasDecimal {
      text.append(language.decimalSign)
      text.append(decimal: Int64(widening: tenths % 10))
    }
    switch unit {
    case .now: break
    case .metres: text.append(" m")
    case .kilometres: text.append(" km")
    case .feet: text.append(" ft")
    case .miles: text.append(" mi")
    }
    return text
  }
}

/// How many times `step` fits into `value`, rounded to the nearest, half up.
private func rounded(_ value: UInt32, to step: UInt32) -> UInt32 {
  value / step + (value % step >= step / 2 ? 1 : 0)
}

/// The units of distances and speeds on the panel.
package enum Units: Equatable, Sendable {
  case metric
  case imperial

  /// Millimetres of a kilometre or a mile, which is 1609.344 m exactly.
  var unit: Int64 { self == .metric ? 1_000_000 : 1_609_344 }

  package var speedUnit: String { self == .metric ? "km/h" : "mph" }

  /// A speed in millimetres a second, in `parts` of a kilometre or a mile an hour, rounded half up.
  package func perHour(_ speed: Int64, parts: Int64 = 1) -> Int64 {
    (speed * 3_600 * parts + unit / 2) / unit
  }
}
