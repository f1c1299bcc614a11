import Bytes
import Expecting

@testable import Battery

/// A gauge with these registers, a byte each, asked at times of its own.
private struct Asked {
  var gauge: BatteryGauge
  var registers = [UInt8](repeating: 0, count: 256)
  private(set) var reads: [[UInt8]] = []

  init(_ kind: GaugeKind) { gauge = BatteryGauge(kind, at: start) }

  mutating func set(_ register: UInt8, _ value: UInt16) {
    registers[Int(register)] = UInt8(value >> 8)
    registers[Int(register) + 1] = UInt8(value & 0xFF)
  }

  /// A whole round; `nil` if the gauge asks for nothing or never ends.
  mutating func round(at now: Instant = start) -> BatteryGauge.Outcome? {
    for _ in 0..<10 {
      guard let read = gauge.read(at: now) else { return nil }
      reads.append([read.address, read.register, UInt8(read.count)])
      let first = Int(read.register)
      let bytes = Array(registers[first..<first + read.count])
      if let result = gauge.receive(bytes.span, of: read.register, at: now) { return result }
    }
    return nil
  }
}

private let start = Instant(milliseconds: 5_000)

struct BatteryGaugeTests {
  static func fuelGauge(version: UInt16 = 0x0012, _ voltage: UInt16, _ charge: UInt16)
    -> BatteryGauge.Outcome?
  {
    var asked = Asked(.max17048)
    asked.set(0x08, version)
    asked.set(0x02, voltage)
    asked.set(0x04, charge)
    return asked.round()
  }

  static func monitor(_ configuration: UInt16, _ voltage: UInt16) -> BatteryGauge.Outcome? {
    var asked = Asked(.ina219(address: 0x41))
    asked.set(0x00, configuration)
    asked.set(0x02, voltage)
    return asked.round()
  }

  static func piSugar(_ control: UInt8, _ voltage: UInt16, _ percent: UInt8)
    -> BatteryGauge.Outcome?
  {
    var asked = Asked(.piSugar3)
    asked.registers[0x02] = control
    asked.set(0x22, voltage)
    asked.registers[0x2A] = percent
    return asked.round()
  }

  static func charge(_ percent: UInt8, _ millivolts: UInt16, _ isCharging: Bool? = nil)
    -> BatteryGauge.Outcome
  {
    .charge(BatteryCharge(percent: percent, millivolts: millivolts, isCharging: isCharging))
  }

  static func impossible(_ millivolts: UInt32, _ percent: UInt32? = nil) -> BatteryGauge.Outcome {
    .fault(.impossible(millivolts: millivolts, percent: percent))
  }

  /// 78.125 µV and 1/256 % a bit, as the data sheet has them.
  @Test func aFuelGaugeSaysVoltageAndCharge() {
    expect(Self.fuelGauge(0xC300, 0x5700), Self.charge(87, 3_900))
    expect(Self.fuelGauge(0xC300, 0x5780), Self.charge(88, 3_900))
    expect(Self.fuelGauge(0xD200, 0x6400), Self.charge(100, 4_200))
    // It may be above 100 % for a while after charging.
    expect(Self.fuelGauge(0xD200, 0x6880), Self.charge(100, 4_200))
    expect(Self.fuelGauge(0xA000, 0x0000), Self.charge(0, 3_200))
  }

  /// The example of the INA219's data sheet, 11.98 V, is no lithium cell; 3.72 V is one.
  @Test func aPowerMonitorSaysTheVoltageOfItsBus() {
    expect(Self.monitor(0x399F, 0x5D98), Self.impossible(11_980))
    expect(Self.monitor(0x399F, 930 << 3 | 2), Self.charge(48, 3_720))
    expect(Self.monitor(0x019E, 930 << 3), Self.charge(48, 3_720))
  }

  /// 0x10 and 0x1F are 4.127 V in the documentation of the PiSugar.
  @Test func aPiSugarSaysVoltageChargeAndWhetherItIsCharged() {
    expect(Self.piSugar(0xC4, 0x101F, 96), Self.charge(96, 4_127, true))
    expect(Self.piSugar(0x44, 0x101F, 96), Self.charge(96, 4_127, false))
    // The charging switch is off.
    expect(Self.piSugar(0x84, 0x101F, 96), Self.charge(96, 4_127, false))
  }

  @Test func eachGaugeIsAskedForItsOwnRegistersOnly() {
    var asked = Asked(.max17048)
    asked.set(0x08, 0x0012)
    _ = asked.round()
    expect(asked.reads, [[0x36, 0x08, 2], [0x36, 0x02, 2], [0x36, 0x04, 2]])
    asked = Asked(.ina219(address: 0x4F))
    asked.set(0x00, 0x399F)
    _ = asked.round()
    expect(asked.reads, [[0x4F, 0x00, 2], [0x4F, 0x02, 2]])
    asked = Asked(.piSugar3)
    _ = asked.round()
    expect(
      asked.reads, [[0x57, 0x02, 1], [0x57, 0x22, 1], [0x57, 0x23, 1], [0x57, 0x2A, 1]])
  }

  @Test func whatCannotBeOneLithiumCellIsNoCharge() {
    expect(Self.fuelGauge(0x0000, 0x0000), Self.impossible(0, 0))
    expect(Self.fuelGauge(0xC300, 0xFF00), Self.impossible(3_900, 255))
    expect(Self.fuelGauge(0xFFFF, 0x5700), Self.impossible(5_119, 87))
    expect(Self.piSugar(0, 0, 0), Self.impossible(0, 0))
    expect(Self.piSugar(0, 6_000, 80), Self.impossible(6_000, 80))
    expect(Self.piSugar(0, 3_900, 255), Self.impossible(3_900, 255))
    expect(Self.monitor(0x399F, 0), Self.impossible(0))
    expect(Self.monitor(0x399F, 1_500 << 3), Self.impossible(6_000))
    // Neither is nearly full and said to be empty, nor the other way round.
    expect(Self.piSugar(0, 4_180, 0), Self.impossible(4_180, 0))
    expect(Self.fuelGauge(0xA000, 0x6400), Self.impossible(3_200, 100))
  }

  @Test(arguments: 0...255) func aGaugeThatSticksAtOneByteHasNoChargeOfANotherCell(_ byte: Int) {
    let word = UInt16(byte) << 8 | UInt16(byte)
    for result in [
      Self.fuelGauge(version: word, word, word), Self.monitor(word, word),
      Self.piSugar(UInt8(byte), word, UInt8(byte)),
    ] {
      guard case .charge(let charge) = result else { continue }
      #expect((2_500...4_400).contains(charge.millivolts))
      let byTable = LithiumCell.percent(atMillivolts: UInt32(charge.millivolts))
      #expect(abs(Int(byTable) - Int(charge.percent)) <= 60)
    }
  }

  @Test func anotherDeviceAtItsAddressIsNotAskedFurther() {
    for version: UInt16 in [0x0000, 0xFFFF, 0x0002, 0x0021, 0x1012] {
      expect(Self.fuelGauge(version: version, 0xC300, 0x5700), .fault(.otherDevice))
    }
    expect(Self.monitor(0xFFFF, 930 << 3), .fault(.otherDevice))
    var asked = Asked(.max17048)
    _ = asked.round()
    expect(asked.reads.count, 1)
  }

  /// Modes 0 to 5 of the data sheet measure nothing, once, or the shunt alone.
  @Test func aMonitorThatIsSwitchedOffSaysNothing() {
    for mode: UInt16 in 0...5 {
      expect(Self.monitor(0x3998 | mode, 930 << 3), .fault(.notMeasuring))
    }
  }

  @Test func itIsAskedOnceAMinute() {
    var asked = Asked(.ina219(address: 0x40))
    asked.set(0x00, 0x399F)
    asked.set(0x02, 930 << 3)
    expect(asked.gauge.deadline, start)
    #expect(asked.round() != nil)
    expect(asked.gauge.deadline, start + 60_000)
    expect(asked.gauge.read(at: start + 59_999), nil)
    #expect(asked.round(at: start + 60_000) != nil)
    // Whatever is wrong, too.
    asked.set(0x00, 0)
    expect(asked.round(at: start + 120_000), .fault(.notMeasuring))
    expect(asked.gauge.read(at: start + 179_999), nil)
  }

  @Test func aReadThatFailsEndsTheRoundAndTheNextOneBeginsAgain() {
    var asked = Asked(.max17048)
    asked.set(0x08, 0x0012)
    asked.set(0x02, 0xC300)
    asked.set(0x04, 0x5700)
    let version: [UInt8] = [0x00, 0x12]
    expect(asked.gauge.receive(version.span, of: 0x08, at: start), nil)
    asked.gauge.failed(at: start)
    expect(asked.gauge.read(at: start), nil)
    expect(asked.gauge.read(at: start + 60_000)?.register, 0x08)
    expect(asked.round(at: start + 60_000), Self.charge(87, 3_900))
  }

  @Test func bytesThatAreNotItsTurnAreLeftOut() {
    var gauge = BatteryGauge(.max17048, at: start)
    let (none, one, three): ([UInt8], [UInt8], [UInt8]) = ([], [0x12], [0x00, 0x12, 0x00])
    let two: [UInt8] = [0x00, 0x12]
    for bytes in [none, one, three] {
      let result = gauge.receive(bytes.span, of: 0x08, at: start)
      expect(result, nil)
    }
    let early = gauge.receive(two.span, of: 0x04, at: start)
    expect(early == nil && gauge.read(at: start)?.register == 0x08)
    let right = gauge.receive(two.span, of: 0x08, at: start)
    expect(right == nil && gauge.read(at: start)?.register == 0x02)
  }
}

struct LithiumCellTests {
  /// The table of the paper, and halves of its ways.
  @Test(arguments: [
    (0, 0), (2_500, 0), (3_118, 4), (3_318, 9), (3_419, 14), (3_583, 29), (3_694, 45), (4_066, 84),
    (4_112, 96), (4_200, 100), (4_400, 100), (3_501, 21), (3_880, 65),
  ])
  func aVoltageIsACharge(_ millivolts: Int, _ percent: Int) {
    expect(LithiumCell.percent(atMillivolts: UInt32(millivolts)), UInt8(percent))
  }

  @Test func aHigherVoltageIsNeverLessCharge() {
    var last: UInt8 = 0
    for millivolts: UInt32 in 0...5_000 {
      let percent = LithiumCell.percent(atMillivolts: millivolts)
      #expect(percent >= last)
      last = percent
    }
    expect(last, 100)
  }
}
