import Bytes
import Expecting
import Sensors
import TestSupport

private func little(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

/// What real sensors do that their specifications do not expect: two for wheel and crank, and flags that lie.
struct HabitTests {
  private var measurements = Measurements(circumference: 2_105)

  private static func at(_ milliseconds: Int64) -> Instant {
    Instant(milliseconds: 1_000_000 + milliseconds)
  }

  private mutating func receive(_ kind: SensorKind, _ text: String, at time: Int64) {
    let value = bytes(text)
    measurements.receive(kind, value.span, at: Self.at(time))
  }

  /// A pulse each second, the first one at this time; returns what is known after each.
  private mutating func beat(_ values: [String], from start: Int64 = 0) -> [UInt16?] {
    var known: [UInt16?] = []
    for (index, value) in values.enumerated() {
      let time = start + Int64(index) * 1_000
      receive(.heart, value, at: time)
      known.append(measurements.figures(at: Self.at(time)).heart)
    }
    return known
  }

  // MARK: - Two sensors of one service

  @Test mutating func centralBehaviour97_aWheelAndACrankComeFromTwoSensors() {
    for second in 0..<5 as Range<Int64> {
      let (count, time) = (UInt16(second), UInt16(1_024 * second))
      let wheel = [0x01] + little(2 * count) + [0, 0] + little(time)
      let crank = [0x02] + little(count) + little(time)
      measurements.receive(.speed, wheel.span, at: Self.at(second * 1_000))
      measurements.receive(.cadence, crank.span, at: Self.at(second * 1_000 + 500))
    }
    let figures = measurements.figures(at: Self.at(4_500))
    expect(figures.speed == 4_210 && figures.cadence == 60 && figures.distance == 16)
    measurements.linkWasLost(.cadence)
    let alone = measurements.figures(at: Self.at(4_500))
    expect(alone.speed == 4_210 && alone.cadence == nil)
  }

  @Test(
    arguments: [
      (["01 00000000 0000", "01 02000000 0004"], .speed),
      (["02 0000 0000", "02 0100 0004"], .cadence),
      (["03 00000000 0000 1000 0000", "03 02000000 0004 1100 0004"], .speed),
      (["03 00000000 0000 1000 0000", "03 00000000 0004 1100 0004"], .cadence),
      (["03 E8030000 0000 1000 0000", "03 E8030000 0004 1000 0004"], nil),
      (["00", "FC"], nil),
    ] as [([String], SensorKind?)], [SensorKind.speed, .cadence])
  mutating func centralBehaviour97_whatHasMovedDecidesWhichSensorItIs(
    _ values: ([String], SensorKind?), _ place: SensorKind
  ) {
    for (index, value) in values.0.enumerated() { receive(place, value, at: Int64(index) * 1_000) }
    expect(measurements.moved(place), values.1)
  }

  /// A rider who stands turns the crank back a little.
  @Test mutating func centralBehaviour97_aFewTurnsOfTheCrankAreNoProofThatThereIsNoWheel() {
    for turn in 0...20 as ClosedRange<UInt16> {
      let value = bytes("03 E8030000 0000") + little(turn) + little(1_024 &* turn)
      measurements.receive(.speed, value.span, at: Self.at(Int64(turn) * 1_000))
      expect(measurements.surelyMoved(.speed), turn < 20 ? nil : .cadence)
    }
    receive(.speed, "03 E9030000 0054 1400 0050", at: 21_000)
    expect(measurements.surelyMoved(.speed), .speed)
  }

  @Test mutating func centralBehaviour97_theTwoChangePlacesWithAllThatIsKnownOfThem() {
    receive(.speed, "02 0000 0000", at: 0)
    receive(.speed, "02 0100 0004", at: 1_000)
    receive(.cadence, "01 00000000 0000", at: 0)
    receive(.cadence, "01 02000000 0004", at: 1_000)
    measurements.exchangeSpeedAndCadence()
    let figures = measurements.figures(at: Self.at(1_000))
    expect(figures.speed == 4_210 && figures.cadence == 60)
    expect(measurements.moved(.speed) == .speed && measurements.moved(.cadence) == .cadence)
  }

  /// The speed sensor and the power meter count the crank, too.
  @Test mutating func centralBehaviour97_theSensorOfCadenceIsBelievedBeforeAllOthers() {
    for (kind, first, second) in [
      (.cadence, "02 0000 0000", "02 0100 0004"), (.speed, "02 0000 0000", "02 0100 0006"),
      (.power, "2000 8800 0000 0000", "2000 8800 0100 0008"),
    ] as [(SensorKind, String, String)] {
      receive(kind, first, at: 0)
      receive(kind, second, at: 1_000)
    }
    expect(measurements.doesAnotherReplaceCadence)
    var known: [Int64?] = []
    for kind in [SensorKind.cadence, .speed, .power] {
      known.append(measurements.figures(at: Self.at(1_000)).cadence)
      measurements.forget(kind)
    }
    expect(known, [60, 40, 30])
  }

  /// What others measure beside it does not tell whose it is.
  @Test mutating func aSensorThatIsLookedAtIsKnownByItsOwnValues() {
    receive(.power, "3000 8800 A25E0100 AF1D 4B63 967F", at: 0)
    receive(.power, "3000 8800 A45E0100 8326 4C63 9683", at: 1_000)
    receive(.speed, "03 E8030000 0000 1000 0000", at: 1_000)
    expect(measurements.figures(at: Self.at(1_000)).speed, 3_815)
    expect(measurements.figures(of: .speed, at: Self.at(1_000)), Figures())
    expect(measurements.figures(of: .power, at: Self.at(1_000)).power, 136)
  }

  // MARK: - Flags that lie

  /// As of a watch that never says contact, whatever it sits on.
  @Test mutating func centralBehaviour98_aPulseThatIsSteadyIsBelievedThoughContactIsDenied() {
    let known = beat(["04 48", "04 49", "04 49", "04 47", "04 48", "04 4A"])
    expect(known, [nil, nil, nil, nil, 72, 74])
  }

  @Test mutating func centralBehaviour98_whatJumpsAboutIsNoPulse() {
    let known = beat(["04 48", "04 90", "04 48", "04 90", "04 48", "04 90", "04 00", "04 48"])
    #expect(known.allSatisfy { $0 == nil })
  }

  /// Until it leaves, half a minute later.
  @Test mutating func centralBehaviour98_aStrapThatIsTakenOffRepeatsItsLastBeatsAndHasNoPulse() {
    expect(beat(["06 48", "06 49"]), [72, 73])
    let known = beat([String](repeating: "04 49", count: 30), from: 2_000)
    #expect(known.allSatisfy { $0 == nil })
  }

  /// It has changed a little before.
  @Test mutating func centralBehaviour98_beatsThatFreezeAreNoPulseAfterTenOfThem() {
    _ = beat(["06 48"])
    let known = beat(["04 48", "04 49"] + [String](repeating: "04 4A", count: 20), from: 1_000)
    expect(known.firstIndex { $0 != nil }, 4)
    expect(known.lastIndex { $0 != nil }, 11)
  }

  /// The strap has slipped: intervals between beats come all the same.
  @Test mutating func centralBehaviour98_beatsWithIntervalsAreAlive() {
    expect(beat(["16 48 53 03"]), [72])
    let known = beat([String](repeating: "14 48 53 03", count: 30), from: 1_000)
    #expect(known.dropFirst(4).allSatisfy { $0 == 72 })
  }

  /// Such a value was heard before it had contact.
  @Test mutating func afterAContactFiveSteadyValuesAreNeededAsBefore() {
    _ = beat(["04 48", "06 49"])
    let known = beat(["04 4A", "04 4B", "04 4A", "04 4B", "04 4A"], from: 2_000)
    expect(known, [nil, nil, nil, nil, 74])
  }

  @Test mutating func centralBehaviour98_whoHasContactAgainIsBelievedAtOnce() {
    _ = beat(["06 48", "04 48", "04 48"])
    expect(beat(["06 4B"], from: 3_000), [75])
  }

  /// The flag says that it has a wheel, which is not there: its count is 33 for ever.
  @Test mutating func centralBehaviour98_aWheelOfAPowerMeterThatNeverTurnedHasNoSpeed() {
    for second in 0..<8 as Range<Int64> {
      receive(.power, "1000 8800 21000000 0000", at: second * 1_000)
    }
    expect(measurements.figures(at: Self.at(8_000)).speed, nil, "not 0 km/h")
    expect(measurements.figures(at: Self.at(8_000)).power, 136)
  }

  /// Recorded: the flag says both, and the wheel's count stays 0.
  @Test mutating func centralBehaviour98_aCrankThatSaysItHasAWheelHasNone() {
    receive(.cadence, "03 00000000 1001 2100 C6EB", at: 0)
    receive(.cadence, "03 00000000 1001 2200 C6EF", at: 1_000)
    let figures = measurements.figures(at: Self.at(1_000))
    expect(figures.cadence == 60 && figures.speed == nil && figures.distance == nil)
  }

  // MARK: - Longer than defined

  /// Two bytes of a later version behind all that is known.
  @Test(
    arguments: [
      (.speed, "03 00000000 0000 1000 0000 AAAA", "03 02000000 0004 1100 0004 BBBB"),
      (.power, "3000 8800 00000000 0000 1000 0000 AAAA", "3000 8800 02000000 0008 1100 0004 BBBB"),
    ] as [(SensorKind, String, String)])
  mutating func centralBehaviour102_whatIsBehindAMeasurementIsIgnored(
    _ kind: SensorKind, _ first: String, _ second: String
  ) {
    receive(kind, first, at: 0)
    receive(kind, second, at: 1_000)
    let figures = measurements.figures(at: Self.at(1_000))
    expect(figures.speed == 4_210 && figures.cadence == 60)
  }

  @Test mutating func centralBehaviour102_whatIsBehindAPulseIsIgnored() {
    expect(beat(["06 48 AA", "00 49 AA BB", "E6 4A 01 02 03 04"]), [72, 73, 74])
  }
}
