import Bytes
import Expecting
import Sensors
import TestSupport

/// What is known of all sensors together.
struct MeasurementsTests {
  private var measurements = Measurements(circumference: 2_105)

  private static func at(_ milliseconds: Int64) -> Instant {
    Instant(milliseconds: 1_000_000 + milliseconds)
  }

  private mutating func receive(_ kind: SensorKind, _ text: String, at time: Int64) {
    let value = bytes(text)
    measurements.receive(kind, value.span, at: Self.at(time))
  }

  private func figures(at time: Int64) -> Figures { measurements.figures(at: Self.at(time)) }

  @Test func beforeTheFirstValueNothingIsKnown() {
    expect(figures(at: 0), Figures())
    expect(!measurements.hasWheel && !measurements.hasCrank)
  }

  @Test mutating func pulseAndPowerAreKnownForFiveSeconds() {
    receive(.heart, "16 4D 16 03", at: 0)
    receive(.power, "00 00 F6 FF", at: 0)
    expect(figures(at: 4_999).heart == 77 && figures(at: 4_999).power == -10)
    expect(figures(at: 5_000).heart == nil && figures(at: 5_000).power == nil)
  }

  /// Zero beats, or no contact with the skin.
  @Test(arguments: ["00 00", "04 43"])
  mutating func aStrapThatIsNotWornTellsNothing(_ value: String) {
    receive(.heart, "00 48", at: 0)
    receive(.heart, value, at: 100)
    expect(figures(at: 100).heart, nil)
  }

  /// Watts of 100, 200, 300 and 400 each half second, then of 50 alone.
  @Test mutating func powerIsTheMeanOfThreeSecondsAndTheLastValueIsKeptBeside() {
    for (time, watts) in [(0, "6400"), (1_000, "C800"), (2_000, "2C01")] as [(Int64, String)] {
      receive(.power, "0000 " + watts, at: time)
    }
    expect(figures(at: 2_000).power == 200 && figures(at: 2_000).powerNow == 300)
    receive(.power, "0000 9001", at: 3_000)
    expect(figures(at: 3_000).power, 300, "that of three seconds ago counts no more")
    expect(figures(at: 7_999).power, 300)
    receive(.power, "0000 3200", at: 8_500)
    expect(figures(at: 8_500).power == 50 && figures(at: 8_500).powerNow == 50)
  }

  /// Rounded away from zero at a half, without an overflow; of more than sixteen the last ones.
  @Test(
    arguments: [
      (["0100", "0200"], 2), (["FFFF", "FEFF"], -2), (["FF7F", "FF7F"], 32_767),
      (["0080", "0080", "0080"], -32_768),
      (Array(repeating: "0000", count: 16) + Array(repeating: "6400", count: 16), 100),
    ] as [([String], Int16)])
  mutating func theMeanIsRoundedAndBounded(_ values: [String], _ mean: Int16) {
    for (index, watts) in values.enumerated() {
      receive(.power, "0000 " + watts, at: Int64(index) * 20)
    }
    expect(figures(at: 700).power, mean)
  }

  @Test mutating func anotherLinkBeginsAnotherMean() {
    receive(.power, "0000 6400", at: 0)
    measurements.linkWasLost(.power)
    expect(figures(at: 100).power == nil && figures(at: 100).powerNow == nil)
    receive(.power, "0000 C800", at: 200)
    expect(figures(at: 200).power, 200)
  }

  @Test mutating func wheelAndCrankComeFromEither() {
    receive(.power, "3000 8800 A25E0100 AF1D 4B63 967F", at: 0)
    receive(.power, "3000 8800 A45E0100 8326 4C63 9683", at: 1_000)
    expect(figures(at: 1_000).speed, 3_815)
    expect(figures(at: 1_000).cadence, 60)
    expect(figures(at: 1_000).distance, 4)
    expect(measurements.hasWheel && measurements.hasCrank && measurements.doesPowerReplaceSpeed)
    measurements.linkWasLost(.power)
    expect(figures(at: 1_000).speed == nil && figures(at: 1_000).cadence == nil)
  }

  /// Only the wheel of the power meter turns, or only its crank.
  @Test(arguments: ["1000 8800 A45E0100 8326", "2000 8800 4C63 9683"])
  mutating func powerReplacesNoSensorThatTellsMore(_ second: String) {
    receive(.power, "3000 8800 A25E0100 AF1D 4B63 967F", at: 0)
    receive(.power, second, at: 1_000)
    expect(!measurements.doesPowerReplaceSpeed)
  }

  @Test mutating func theWayAroundTheWheelIsThatOfBoth() {
    measurements.circumference = 4_210
    receive(.speed, "01 A25E0100 6D0E", at: 0)
    receive(.power, "1000 8800 A25E0100 AF1D", at: 0)
    receive(.power, "1000 8800 A45E0100 8326", at: 1_000)
    expect(figures(at: 1_000).speed, 7_630)
    receive(.speed, "01 A45E0100 D712", at: 1_000)
    expect(figures(at: 1_000).speed, 7_630)
  }

  /// One turn a second by the one, two by the other.
  @Test mutating func whereBothCountTheCrankTheSpeedSensorsCountIsTaken() {
    receive(.speed, "02 0100 0000", at: 0)
    receive(.power, "2000 8800 0100 0000", at: 0)
    receive(.speed, "02 0200 0004", at: 1_000)
    receive(.power, "2000 8800 0300 0004", at: 1_000)
    expect(figures(at: 1_000).cadence, 60)
    measurements.linkWasLost(.speed)
    expect(figures(at: 1_000).cadence, 120)
  }

  /// Its clock goes on, and the crank does not.
  @Test mutating func aTimeAloneIsNoCrank() {
    receive(.speed, "02 0100 0000", at: 0)
    receive(.speed, "02 0100 0004", at: 1_000)
    expect(!measurements.hasCrank)
  }

  /// The power meter says that it has both, and they stand still.
  @Test mutating func whatDoesNotTurnIsNotThere() {
    for second in 0..<10 as Range<Int64> {
      receive(.power, "3000 8800 A25E0100 AF1D 4B63 967F", at: second * 1_000)
    }
    expect(figures(at: 9_000).cadence, nil)
    expect(!measurements.hasWheel && !measurements.hasCrank)
    expect(!measurements.doesPowerReplaceSpeed)
  }

  /// One metre is counted once, and the sensor made for it is believed.
  @Test mutating func whereBothCountTheWheelTheSpeedSensorsCountIsTaken() {
    for (index, count) in ["A25E0100", "A45E0100", "A65E0100"].enumerated() {
      let time = Int64(index) * 1_000
      let ticks = ["AF1D", "8326", "572F"][index]
      receive(.speed, "01 \(count) \(["6D0E", "D712", "411B"][index])", at: time)
      receive(.power, "1000 8800 \(count) \(ticks)", at: time + 500)
    }
    expect(figures(at: 2_500).distance, 8)
    measurements.linkWasLost(.speed)
    receive(.power, "1000 8800 A85E0100 2B38", at: 3_500)
    expect(figures(at: 3_500).speed, 3_815)
    expect(figures(at: 3_500).distance, 12)
  }

  @Test mutating func whoIsLostTellsNothing() {
    receive(.heart, "00 48", at: 0)
    receive(.power, "00 00 88 00", at: 0)
    receive(.radar, "82AE2B44", at: 0)
    for kind in [SensorKind.heart, .speed, .power, .radar, .cadence] {
      measurements.linkWasLost(kind)
    }
    expect(figures(at: 0), Figures())
    expect(measurements.radar.count == 0 && measurements.radar.isSilent(at: Self.at(0)))
  }

  @Test(arguments: [SensorKind.heart, .speed, .power, .radar, .cadence])
  mutating func aValueThatIsCutShortSaysNothing(_ kind: SensorKind) {
    receive(kind, "", at: 0)
    receive(kind, "FF", at: 0)
    receive(kind, "FF FF", at: 0)
    expect(figures(at: 0), Figures())
  }

  /// It is used for its cadence alone, beside a power meter in the hub: flags lie.
  @Test mutating func aWheelThatNeverTurnedHidesNoOther() {
    let counts = ["A25E0100", "A45E0100", "A65E0100", "A85E0100", "AA5E0100", "AC5E0100"]
    let ticks = ["AF1D", "8326", "572F", "2B38", "FF40", "D349"]
    for index in 0..<6 {
      let time = Int64(index) * 1_104
      receive(.speed, "01 00000000 0000", at: time)
      receive(.power, "1000 8800 \(counts[index]) \(ticks[index])", at: time)
    }
    expect(figures(at: 5_600).speed, 3_815)
    expect(figures(at: 5_600).distance, 21)
    expect(measurements.isWheel(of: .power, at: Self.at(5_600)))
    expect(!measurements.isWheel(of: .speed, at: Self.at(5_600)))
  }

  /// 10 turns before the loss and 100 in it, which both sensors counted.
  @Test mutating func aMetreThatThePowerMeterCountedIsNotCountedAgain() {
    receive(.speed, "01 00000000 0000", at: 0)
    receive(.speed, "01 0A000000 0028", at: 10_000)
    receive(.power, "1000 8800 00000000 0000", at: 10_000)
    measurements.linkWasLost(.speed)
    receive(.power, "1000 8800 64000000 0020", at: 100_000)
    receive(.speed, "01 6E000000 0028", at: 100_000)
    expect(figures(at: 100_000).distance, 231)
    receive(.speed, "01 78000000 0050", at: 110_000)
    expect(figures(at: 110_000).distance, 252)
  }

  /// Its counts have nothing to do with those of the one before.
  @Test mutating func anotherSensorOfTheKindBeginsAnew() {
    receive(.speed, "01 E8030000 0000", at: 0)
    receive(.speed, "01 EA030000 0004", at: 1_000)
    measurements.forget(.speed)
    expect(figures(at: 1_000).speed, nil)
    receive(.speed, "01 4C040000 0000", at: 61_000)
    expect(figures(at: 61_000).distance, 4)
    receive(.power, "3000 8800 A25E0100 AF1D 4B63 967F", at: 62_000)
    receive(.power, "3000 8800 A45E0100 8326 4C63 967F", at: 63_000)
    receive(.power, "3000 8800 A65E0100 572F 4D63 9683", at: 64_000)
    expect(measurements.doesPowerReplaceSpeed)
    measurements.forget(.power)
    expect(!measurements.doesPowerReplaceSpeed && figures(at: 64_000).power == nil)
  }

  @Test mutating func whatAStrangersWheelRollsIsNoPartOfTheDistance() {
    for (value, time) in [("01 00000000 0000", 0), ("01 02000000 0004", 1_000)] as [(String, Int64)]
    {
      let bytes = bytes(value)
      measurements.receive(.speed, bytes.span, isOurs: false, at: Self.at(time))
    }
    expect(figures(at: 1_000).speed, 4_210)
    expect(figures(at: 1_000).distance, 0)
  }
}
