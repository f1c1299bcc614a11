package import Bytes

/// Reads the gauge of Lenker's own battery once a minute, and makes a charge of its registers.
///
/// It says which register to read. Its owner reads the register, and passes the bytes or the failure.
///
/// | state | its time comes | bytes | the read failed, or the first register is wrong |
/// |---|---|---|---|
/// | resting | first read | – | – |
/// | first read … last but one | – | next read | resting |
/// | last read | – | resting | resting |
package struct BatteryGauge: Sendable {
  /// From the end of a round to the next one, in milliseconds.
  private static var pause: Int64 { 60_000 }
  /// The most that a gauge's own percentage may differ from the table's, as the voltage of a cell that is charged
  /// or in use is not that of a cell at rest.
  private static var mostDifference: UInt32 { 60 }
  /// The most that a fuel gauge reports for a full cell.
  private static var mostPercent: UInt32 { 110 }

  package let kind: GaugeKind
  /// When there is something to read: when the next round begins, or the current one began.
  package private(set) var deadline: Instant
  private var step = 0
  private var values = InlineArray<4, UInt32>(repeating: 0)

  /// A gauge that is read for the first time at `now`.
  package init(_ kind: GaugeKind, at now: Instant) { (self.kind, deadline) = (kind, now) }

  /// The register to read now, if there is one.
  package func read(at now: Instant) -> GaugeRead? { now >= deadline ? kind.read(step) : nil }

  /// What follows from a round.
  package enum Outcome: Equatable {
    case charge(BatteryCharge)
    case fault(GaugeFault)
  }

  /// Receives the bytes of a register; returns the outcome at the end of a round.
  ///
  /// Bytes of another register than the next one, and a wrong number of bytes, are ignored.
  package mutating func receive(
    _ bytes: Span<UInt8>, of register: UInt8, at now: Instant
  ) -> Outcome? {
    guard let read = kind.read(step), read.register == register, read.count == bytes.count else {
      return nil
    }
    var value: UInt32 = 0
    for index in bytes.indices { value = value &<< 8 | UInt32(bytes[index]) }
    values[step] = value
    if step == 0, let fault {
      rest(at: now)
      return .fault(fault)
    }
    step += 1
    guard kind.read(step) == nil else { return nil }
    rest(at: now)
    return outcome
  }

  /// Notes that a read has failed: the round ends, and the next one begins as usual.
  package mutating func failed(at now: Instant) { rest(at: now) }

  private mutating func rest(at now: Instant) { (step, deadline) = (0, now + Self.pause) }

  /// The fault that the first register shows.
  private var fault: GaugeFault? {
    switch kind {
    case .max17048: values[0] & 0xFFF0 == 0x0010 ? nil : .otherDevice
    case .ina219:
      // The reset bit and the bit below it read as 0. Both upper bits of the mode mean: bus voltage, continuous.
      values[0] & 0xC000 != 0 ? .otherDevice : values[0] & 0b110 == 0b110 ? nil : .notMeasuring
    case .piSugar3: nil
    }
  }

  private var outcome: Outcome {
    switch kind {
    case .max17048:
      // VCELL counts 78.125 µV, SOC 1/256 %.
      checked(millivolts: values[1] * 5 / 64, percent: (values[2] + 128) / 256, isCharging: nil)
    case .ina219:
      // Bits 15 to 3, in units of 4 mV.
      checked(millivolts: (values[1] &>> 3) * 4, percent: nil, isCharging: nil)
    case .piSugar3:
      checked(
        millivolts: values[1] &<< 8 | values[2], percent: values[3],
        isCharging: values[0] & 0xC0 == 0xC0)
    }
  }

  private func checked(millivolts: UInt32, percent: UInt32?, isCharging: Bool?) -> Outcome {
    let byTable = UInt32(LithiumCell.percent(atMillivolts: millivolts))
    let shown = min(percent ?? byTable, 100)
    let difference = shown > byTable ? shown - byTable : byTable - shown
    guard LithiumCell.voltages.contains(millivolts), percent ?? 0 <= Self.mostPercent,
      difference <= Self.mostDifference
    else { return .fault(.impossible(millivolts: millivolts, percent: percent)) }
    return .charge(
      BatteryCharge(
        percent: UInt8(truncatingIfNeeded: shown),
        millivolts: UInt16(truncatingIfNeeded: millivolts), isCharging: isCharging))
  }
}

/// The state of the battery, by its gauge.
package struct BatteryCharge: Equatable, Sendable {
  /// How full it is: 0–100.
  package let percent: UInt8
  /// The voltage of the cell.
  package let millivolts: UInt16
  /// Whether it is being charged; `nil` where the gauge does not say.
  package let isCharging: Bool?
}

/// Why the answers of a gauge are no use.
package enum GaugeFault: Equatable, Sendable {
  /// Its identification is not that of this kind of gauge.
  case otherDevice
  /// It is powered down, or does not measure the bus voltage continuously.
  case notMeasuring
  /// Its values are not those of one lithium cell; `percent` is as the gauge reports it.
  case impossible(millivolts: UInt32, percent: UInt32?)
}

/// One lithium cell at rest: its charge by its voltage.
enum LithiumCell {
  /// The voltages of a cell while Lenker runs from it, in millivolts.
  ///
  /// Data sheets end the discharge at 2.5 V and the charge at 4.2 V, at 4.35 V for some cells.
  static var voltages: ClosedRange<UInt32> { 2_500...4_400 }

  /// Millivolts, and the charge in thousandths.
  ///
  /// Measured at C/20 with a Samsung INR21700-40T: S. Sunil, K. R. Pattipati, B. Balasingam, "Piecewise Linear
  /// Approximation of Battery Open-Circuit Voltage Characteristics Using Dynamic Programming", IEEE Transactions
  /// on Instrumentation and Measurement, 2025; the table is in the data beside it (Piecewise-Battery-OCV). Another
  /// cell differs by some percent, and by more in cold or while it is charged.
  private static var curve: InlineArray<10, (millivolts: UInt32, permille: UInt32)> {
    [
      (2_500, 0), (2_808, 5), (3_118, 35), (3_318, 85), (3_419, 136), (3_583, 292), (3_694, 452),
      (4_066, 839), (4_112, 955), (4_200, 1_000),
    ]
  }

  /// The charge in percent, on straight lines between the points of the table.
  static func percent(atMillivolts millivolts: UInt32) -> UInt8 {
    let curve = curve
    var low = curve[0]
    guard millivolts > low.millivolts else { return 0 }
    for index in 1..<curve.count {
      let high = curve[index]
      if millivolts <= high.millivolts {
        let share = (millivolts - low.millivolts) * (high.permille - low.permille)
        let permille = low.permille + share / (high.millivolts - low.millivolts)
        return UInt8(truncatingIfNeeded: (permille + 5) / 10)
      }
      low = high
    }
    return 100
  }
}

/// The chip that measures Lenker's own battery, on the panel's bus.
///
/// Nothing but register numbers is written: each chip measures by itself once it has power.
package enum GaugeKind: Equatable, Sendable {
  /// A fuel gauge for one lithium cell, which knows voltage and charge.
  ///
  /// MAX17048 data sheet, "Register Summary".
  case max17048
  /// A power monitor, whose bus voltage is that of the cell; its pins A0 and A1 choose from 0x40 to 0x4F.
  ///
  /// INA219 data sheet (SBOS448), 8.6 "Register Maps", and table 1 for the addresses.
  case ina219(address: UInt8)
  /// A battery board for the Pi Zero, whose microcontroller knows voltage, charge and the charger.
  ///
  /// "PiSugar3 I2C Datasheet" of its maker's documentation.
  case piSugar3

  /// Its 7-bit address on the bus.
  package var address: UInt8 {
    switch self {
    case .max17048: 0x36
    case .ina219(let address): address
    case .piSugar3: 0x57
    }
  }

  /// As the board file names it, without an address.
  package var name: String {
    switch self {
    case .max17048: "max17048"
    case .ina219: "ina219"
    case .piSugar3: "pisugar3"
    }
  }

  /// The reads of a round, one after the other; `nil` after the last one.
  func read(_ step: Int) -> GaugeRead? {
    switch (self, step) {
    case (.max17048, 0): read(of: 0x08)  // VERSION
    case (.max17048, 1): read(of: 0x02)  // VCELL
    case (.max17048, 2): read(of: 0x04)  // SOC
    case (.ina219, 0): read(of: 0x00)  // Configuration
    case (.ina219, 1): read(of: 0x02)  // Bus Voltage
    case (.piSugar3, 0): read(of: 0x02, count: 1)  // external power, charging switch
    case (.piSugar3, 1): read(of: 0x22, count: 1)  // the voltage's high byte
    case (.piSugar3, 2): read(of: 0x23, count: 1)  // and its low one
    case (.piSugar3, 3): read(of: 0x2A, count: 1)  // percent
    default: nil
    }
  }

  private func read(of register: UInt8, count: Int = 2) -> GaugeRead {
    GaugeRead(address: address, register: register, count: count)
  }
}

/// One read over the bus: the register's number is written, then its bytes are read without a stop in between.
package struct GaugeRead: Equatable, Sendable {
  /// The gauge's 7-bit address.
  package let address: UInt8
  package let register: UInt8
  /// How many bytes: 1 or 2, the high one first.
  package let count: Int
}
