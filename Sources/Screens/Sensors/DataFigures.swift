import Bytes
package import Navigation
import Words

/// What the sensors measure now, as the page of the data shows it.
///
/// Two values that look the same are equal.
package struct DataFigures: Equatable, Sendable {
  package enum Reading: Equatable, Sendable {
    /// No sensor for the figure is remembered, so it has no place on the page.
    case absent
    /// Its sensor sends nothing now: a dash.
    case unknown
    case value(Int)

    /// Another number instead of the value.
    fileprivate func map(_ change: (Int) -> Int) -> Reading {
      if case .value(let value) = self { .value(change(value)) } else { self }
    }
  }

  /// A figure; a panel without room for all shows the first ones.
  enum Field: UInt8 {
    case speed, heart, cadence, power
  }

  /// Tenths of a km/h or mph, whole ones from 100 on.
  private let speed: Reading
  /// Beats a minute, turns a minute, watts.
  private let heart, cadence, power: Reading
  private let units: Units

  /// Figures from millimetres a second, beats a minute, turns a minute, and watts.
  package init(
    speed: Reading, heart: Reading, cadence: Reading, power: Reading, units: Units
  ) {
    self.speed = speed.map {
      let tenths = units.perHour(Int64(widening: max(0, min($0, 250_000))), parts: 10)
      return Int(truncatingIfNeeded: tenths < 1_000 ? tenths : (tenths + 5) / 10 * 10)
    }
    self.heart = heart.map { max(0, min($0, 999)) }
    self.cadence = cadence.map { max(0, min($0, 999)) }
    self.power = power.map { max(-999, min($0, 9_999)) }
    self.units = units
  }

  /// How many figures are on the page.
  var count: Int {
    (speed == .absent ? 0 : 1) + (heart == .absent ? 0 : 1) + (cadence == .absent ? 0 : 1)
      + (power == .absent ? 0 : 1)
  }

  /// The figure with this number among those on the page.
  func field(_ number: Int) -> Field {
    var left = number
    var field = Field.speed
    while reading(of: field) == .absent || left > 0, let next = Field(rawValue: field.rawValue + 1)
    {
      if reading(of: field) != .absent { left -= 1 }
      field = next
    }
    return field
  }

  func reading(of field: Field) -> Reading {
    switch field {
    case .speed: speed
    case .heart: heart
    case .cadence: cadence
    case .power: power
    }
  }

  /// The number of a figure, in its parts; without digits while it is not known.
  func number(of field: Field, in language: Language) -> FigureNumber {
    var number = FigureNumber()
    guard case .value(let value) = reading(of: field) else { return number }
    number.isNegative = value < 0
    let isTenths = field == .speed
    number.whole.append(decimal: Int64(widening: abs(value) / (isTenths ? 10 : 1)))
    if isTenths, value < 1_000 {
      number.rest.append(language.decimalSign)
      number.rest.append(decimal: Int64(widening: value % 10))
    }
    return number
  }

  /// The number for which a figure keeps room; a wider one makes all figures smaller.
  func usualNumber(of field: Field) -> FigureNumber {
    var number = FigureNumber()
    number.whole.append(field == .speed ? "88" : "888")
    if field == .speed { number.rest.append(".8") }
    return number
  }

  /// The unit of a figure; a panel that `isNarrow` has no room for the long form.
  func unit(of field: Field, in language: Language, isNarrow: Bool) -> FixedBuffer<16> {
    var unit = FixedBuffer<16>()
    switch field {
    case .speed: unit.append(units.speedUnit)
    case .heart: unit.append(.beats, in: language)
    case .cadence:
      let turns = language[.turns]
      if isNarrow { unit.append(turns.bytes.form(1)) }
      if unit.isEmpty { unit.append(turns.bytes.form(0)) }
    case .power: unit.append("W")
    }
    return unit
  }
}

struct FigureNumber: ~Copyable {
  var isNegative = false
  var whole = FixedBuffer<8>()
  /// The decimal sign and the tenth.
  var rest = FixedBuffer<8>()
}
