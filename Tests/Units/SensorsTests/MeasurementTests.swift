import Bytes
import Expecting
import Sensors
import TestSupport

/// Values of heart rate straps; those that name one are recorded, the others made by the specification.
struct HeartRateTests {
  @Test(
    arguments: [
      ("Polar H7", "16 4D 16 03", 77, true), ("Polar H7, two", "16 4E 1B 03 12 03", 78, true),
      ("Polar H10", "10 3B 53 04", 59, true),
      ("three intervals", "16 78 FF 01 FF 01 0C 01", 120, true),
      ("an odd byte", "10 3E B1 03 DE", 62, true), ("an odd byte alone", "10 3E B1", 62, false),
      ("energy without intervals", "18 43 D0 07", 67, false), ("16 bits", "01 2C 01", 300, false),
      ("no contact", "04 43", nil, false), ("energy", "18 43 D0 07 72 03", 67, true),
      ("no beat", "06 00", nil, false), ("contact is not supported", "02 43", 67, false),
      ("unknown flags and a field behind", "E0 43 01 02 03", 67, false),
      ("energy that is cut", "18 43 D0", 67, false),
      ("energy that is not there", "08 43", 67, false),
    ] as [(String, String, UInt16?, Bool)])
  func aValueIsRead(_ name: String, _ text: String, _ rate: UInt16?, _ hasIntervals: Bool) throws {
    let value = bytes(text)
    let measurement = try HeartRateMeasurement(parsing: value.span)
    expect(measurement.rate == rate && measurement.hasIntervals == hasIntervals, "\(name)")
  }

  @Test(arguments: ["", "00", "01 2C"])
  func withoutWholeBeatsItIsNoValue(_ value: String) {
    let value = bytes(value)
    #expect(throws: ParseError.truncated) {
      _ = try HeartRateMeasurement(parsing: value.span).rate
    }
  }
}

/// Values of speed and cadence sensors.
struct CSCTests {
  @Test(arguments: [
    (
      "03 A25E0100 6D0E 4B63 967F", Revolutions(count: 89_762, time: 3_693),
      Revolutions(count: 25_419, time: 32_662)
    ),
    ("01 01000000 0204", Revolutions(count: 1, time: 1_026), nil),
    ("02 0100 0204", nil, Revolutions(count: 1, time: 1_026)),
    ("00", nil, nil),
    ("FC 01 02", nil, nil),
  ]) func aValueIsRead(_ value: String, _ wheel: Revolutions?, _ crank: Revolutions?) throws {
    let value = bytes(value)
    let measurement = try CSCMeasurement(parsing: value.span)
    expect(measurement.wheel, wheel)
    expect(measurement.crank, crank)
  }

  @Test(arguments: [
    ("03 A25E0100 6D0E 4B63 967F", 7), ("01 A25E0100 6D0E", 7), ("02 4B63 967F", 5),
  ])
  func centralBehaviour110_whatIsWholeInFrontOfACutCounts(_ value: String, _ least: Int) throws {
    let value = bytes(value)
    let whole = try CSCMeasurement(parsing: value.span)
    for count in value.indices {
      let prefix = value.span.extracting(first: count)
      guard count >= least else {
        #expect(throws: ParseError.truncated) { _ = try CSCMeasurement(parsing: prefix) }
        continue
      }
      let cut = try CSCMeasurement(parsing: prefix)
      expect(cut.wheel == whole.wheel && cut.crank == nil)
    }
  }
}

/// Values of power meters.
struct CyclingPowerTests {
  private static let all =
    "FF1F F6FF 65 4001 70110100 0008 F401 0004 9001 E2FF 4000 E0FF BC3A12 0500 B900 D204"

  @Test(arguments: [
    ("3000 8800 A25E0100 AF1D 4B63 967F", 136, 89_762, 7_599, 25_419, 32_662),
    ("2000 0B00 0A6E D7FC", 11, nil, nil, 28_170, 64_727),
    ("2C00 0000 9F00 0C00 E542", 0, nil, nil, 12, 17_125),
    ("0000 F6FF", -10, nil, nil, nil, nil),
    (all, -10, 70_000, 2_048, 500, 1_024),
  ]) func wattsWheelAndCrankAreRead(
    _ value: String, _ watts: Int16, _ wheel: UInt32?, _ wheelTime: UInt16?, _ crank: UInt32?,
    _ crankTime: UInt16?
  ) throws {
    let value = bytes(value)
    let measurement = try CyclingPowerMeasurement(parsing: value.span)
    expect(measurement.power, watts)
    expect(measurement.wheel?.count, wheel)
    expect(measurement.wheel?.time, wheelTime)
    expect(measurement.crank?.count, crank)
    expect(measurement.crank?.time, crankTime)
  }

  /// Balance and torque are behind the watts, then wheel and crank.
  @Test func centralBehaviour110_whatIsWholeInFrontOfACutCounts() throws {
    let value = bytes(Self.all)
    for count in value.indices {
      let prefix = value.span.extracting(first: count)
      guard count >= 4 else {
        #expect(throws: ParseError.truncated) { _ = try CyclingPowerMeasurement(parsing: prefix) }
        continue
      }
      let cut = try CyclingPowerMeasurement(parsing: prefix)
      expect(cut.power == -10 && (cut.wheel != nil) == (count >= 13))
      expect(cut.crank != nil, count >= 17)
    }
  }

  /// Cycling Power Service 1.1, 3.2.1.1; a flag alone announces its own field, of this size, and no other.
  @Test(
    arguments: [
      (0x0001, 1), (0x0004, 2), (0x0010, 6), (0x0020, 4), (0x0040, 4), (0x0080, 4), (0x0100, 3),
      (0x0200, 2), (0x0400, 2), (0x0800, 2), (0x1002, 0),
    ] as [(UInt16, Int)])
  func eachFlagHasItsField(_ flags: UInt16, _ size: Int) throws {
    let field = [UInt8](repeating: 0x65, count: size)
    let value = [UInt8(flags & 0xFF), UInt8(flags >> 8)] + bytes("8800") + field
    let found = try CyclingPowerMeasurement(parsing: value.span)
    expect(found.power, 136)
    expect((found.wheel != nil), (flags == 0x0010))
    expect((found.crank != nil), (flags == 0x0020))
  }
}
