/// The chip that measures Lenker's own battery, on the panel's bus.
///
/// None is written to but for the number of a register: each measures by itself once it has its power.
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

  /// The reads of a round, one behind the other; `nil` behind the last.
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
