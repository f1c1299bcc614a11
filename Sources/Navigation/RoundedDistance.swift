public import Bytes

/// A distance as komoot's app shows it, so that phone and handlebar agree.
///
/// Two distances that are equal here look the same. Whole numbers only: a foot
/// is 0.3048 m, a mile 1609.344 m, both exactly.
public struct RoundedDistance: Equatable, Sendable {
  /// What the number counts.
  public enum Unit: Equatable, Sendable {
    /// No number: the turn is here.
    case now
    /// Metres, in tens.
    case metres
    /// Kilometres.
    case kilometres
    /// Feet, in fifties.
    case feet
    /// Miles.
    case miles
  }

  /// What the number counts.
  public let unit: Unit
  /// The number in tenths of the unit.
  public let tenths: UInt32
  /// Whether the tenth is shown, as in `1.0 km`.
  public let hasDecimal: Bool

  /// Rounds `metres`; any value is allowed.
  public init(metres: UInt32, units: Units) {
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

  /// Adds the number, such as `210`, `1.0` or `Now`: at most seven characters.
  public func appendNumber<Writer: ByteWriter & ~Copyable>(to writer: inout Writer) {
    guard unit != .now else { return writer.append("Now") }
    writer.append(decimal: Int64(widening: Int(truncatingIfNeeded: tenths / 10)))
    if hasDecimal {
      writer.append(0x2E)
      writer.append(decimal: Int64(widening: Int(truncatingIfNeeded: tenths % 10)))
    }
  }

  /// Adds the unit, such as `m`, or nothing after `Now`.
  public func appendUnit<Writer: ByteWriter & ~Copyable>(to writer: inout Writer) {
    switch unit {
    case .now: break
    case .metres: writer.append("m")
    case .kilometres: writer.append("km")
    case .feet: writer.append("ft")
    case .miles: writer.append("mi")
    }
  }

  /// Number and unit with a space between them, such as `1.0 km`, or `Now`.
  public var text: FixedBuffer<16> {
    var text = FixedBuffer<16>()
    appendNumber(to: &text)
    if unit != .now { text.append(0x20) }
    appendUnit(to: &text)
    return text
  }
}

/// How many times `step` fits into `value`, rounded to the nearest, half up.
private func rounded(_ value: UInt32, to step: UInt32) -> UInt32 {
  value / step + (value % step >= step / 2 ? 1 : 0)
}
