import Bytes
import Expecting
import Sensors
import TestSupport

private func kilometresAnHour(_ millimetresASecond: Int64?) -> Double? {
  millimetresASecond.map { (Double($0) * 0.36).rounded() / 100 }
}

private func instant(_ time: Int64) -> Instant { Instant(milliseconds: 1_000_000 + time) }

extension Wheel {
  fileprivate mutating func speed(after count: UInt32, _ time: UInt16, at now: Int64) -> Int64? {
    receive(Revolutions(count: count, time: time), at: instant(now))
    return speed(at: instant(now))
  }
}

extension Crank {
  fileprivate mutating func cadence(after count: UInt32, _ time: UInt16, at now: Int64) -> Int64? {
    receive(Revolutions(count: count, time: time), at: instant(now))
    return cadence(at: instant(now))
  }
}

/// Speed and distance of recorded values, and of the cases in which a naive reader is wrong.
struct WheelTests {
  /// A wheel of 2105 mm whose first value came at 0.
  private func wheel(count: UInt32 = 1_000, time: UInt16 = 0) -> Wheel {
    var wheel = Wheel(circumference: 2_105, timeResolution: CSCMeasurement.timeResolution)
    wheel.receive(Revolutions(count: count, time: time), at: instant(0))
    return wheel
  }

  /// One that made four turns in its first second.
  private func rolling() -> Wheel {
    var wheel = wheel()
    wheel.receive(Revolutions(count: 1_004, time: 1_024), at: instant(1_000))
    return wheel
  }

  @Test func twoRevolutionsIn1130TicksAre3815MillimetresASecond() throws {
    var wheel = Wheel(circumference: 2_105, timeResolution: CSCMeasurement.timeResolution)
    for (index, text) in ["03 A25E0100 6D0E 4B63 967F", "03 A45E0100 D712 4B63 967F"].enumerated() {
      let value = bytes(text)
      let measurement = try CSCMeasurement(parsing: value.span)
      wheel.receive(try #require(measurement.wheel), at: instant(Int64(index) * 1_000))
    }
    expect(wheel.speed(at: instant(1_000)), 3_815)
    expect(wheel.distance, 4_210)
  }

  @Test func theTimesOfAPowerMeterCountTwiceAsManyParts() throws {
    var wheel = Wheel(
      circumference: 2_105, timeResolution: CyclingPowerMeasurement.wheelTimeResolution)
    for (index, text) in ["3000 8800 A25E0100 AF1D 4B63 967F", "3000 8800 A45E0100 8326 4B63 967F"]
      .enumerated()
    {
      let value = bytes(text)
      let measurement = try CyclingPowerMeasurement(parsing: value.span)
      wheel.receive(try #require(measurement.wheel), at: instant(Int64(index) * 1_000))
    }
    expect(wheel.speed(at: instant(1_000)), 3_815)
  }

  @Test func aRecordedRideHasTheSpeedsThatOthersShowed() throws {
    var wheel = Wheel(circumference: 2_105, timeResolution: CSCMeasurement.timeResolution)
    var speeds: [Double?] = []
    let ride = [
      "03A4000000184E4000A74C", "03A600000072524100C050", "03A7000000A6544200C754",
      "03A900000008594300C658",
    ]
    for (index, text) in ride.enumerated() {
      let value = bytes(text)
      let now = instant(Int64(index) * 1_000)
      wheel.receive(try #require(try CSCMeasurement(parsing: value.span).wheel), at: now)
      speeds.append(kilometresAnHour(wheel.speed(at: now)))
    }
    expect(speeds, [nil, 13.93, 13.76, 13.83])
  }

  @Test func theFirstValueIsABaselineAndWhoDoesNotTurnForFourSecondsStands() {
    let wheel = wheel()
    expect(wheel.speed(at: instant(0)), nil)
    expect(wheel.distance, 0)
    expect(wheel.speed(at: instant(3_999)), nil)
    expect(wheel.speed(at: instant(4_000)), 0)
  }

  /// Real sensors send a revolution three or four times.
  @Test func aRepetitionIsNoStop() {
    var wheel = rolling()
    expect(wheel.speed(at: instant(1_000)), 8_420)
    for repetition in 1...2 as ClosedRange<Int64> {
      wheel.receive(Revolutions(count: 1_004, time: 1_024), at: instant(1_000 + 100 * repetition))
      expect(wheel.speed(at: instant(1_000 + 100 * repetition)), 8_420)
    }
    expect(wheel.distance, 4 * 2_105)
  }

  @Test func whoHasNoRevolutionIsSlowerThanOneInThisTime() {
    var wheel = rolling()
    expect(wheel.speed(after: 1_004, 1_024, at: 2_000), 2_105)
    expect(wheel.speed(after: 1_004, 1_024, at: 4_000), 701)
    expect(wheel.speed(after: 1_004, 1_024, at: 5_000), 0)
  }

  /// At one value a second there are several revolutions in each: the speed must not fall between them.
  @Test func betweenTwoValuesTheSpeedStays() {
    let wheel = rolling()
    for time in [1_300, 1_900, 2_400, 2_999] as [Int64] {
      expect(wheel.speed(at: instant(time)), 8_420)
    }
    expect(wheel.speed(at: instant(3_000)), 1_052, "a sensor that is silent has none to tell")
  }

  /// By the sensor's clock, which begins again after 64 s, it was 30.3 km/h.
  @Test func afterAStopOf64SecondsTheFirstRevolutionWasSlow() {
    var wheel = wheel()
    wheel.receive(Revolutions(count: 1_001, time: 1_024), at: instant(1_000))
    let time = UInt16(truncatingIfNeeded: 1_024 + 65_792)  // 64.25 s later
    expect(wheel.speed(after: 1_002, time, at: 65_250), 33)  // 0.12 km/h
    expect(wheel.distance, 2 * 2_105)
  }

  /// The value came a little sooner than the sensor's clock says, which went round; or the clock shows the same
  /// time again.
  @Test(arguments: [(100, 63_900), (0, 64_100)] as [(UInt16, Int64)])
  func theFirstRevolutionWasSlowWhereTheClockWentRound(_ time: UInt16, _ now: Int64) {
    var wheel = wheel()
    expect(wheel.speed(after: 1_001, time, at: now), 33)
  }

  /// The sensor tells the time of each value, or that of the last revolution: both are the same to us.
  @Test(arguments: [1_024, 0] as [UInt16])
  func centralBehaviour99_aValueWithoutARevolutionHoldsThenDecaysWhateverItsTimeSays(
    _ ticks: UInt16
  ) {
    var wheel = rolling()
    var speeds: [Int64?] = []
    for second in 2...5 as ClosedRange<Int64> {
      let time = 1_024 + UInt16(second - 1) * ticks
      wheel.receive(Revolutions(count: 1_004, time: time), at: instant(second * 1_000 - 800))
      speeds.append(wheel.speed(at: instant(second * 1_000 - 800)))
    }
    expect(speeds, [8_420, 1_754, 956, 657])
    expect(wheel.speed(at: instant(5_000)), 0)
    expect(wheel.distance, 4 * 2_105)
  }

  /// One revolution in two seconds, by a sensor that tells the time of each value.
  @Test func centralBehaviour99_theNextRevolutionTookAllTheTimeSinceTheLastOne() {
    var wheel = rolling()
    wheel.receive(Revolutions(count: 1_004, time: 2_048), at: instant(2_000))
    expect(wheel.speed(after: 1_005, 3_072, at: 3_000), 1_053)
  }

  @Test func aCountThatFellIsANewBaseline() {
    var wheel = rolling()
    wheel.receive(Revolutions(count: 3, time: 2_048), at: instant(2_000))
    expect(wheel.distance, 4 * 2_105)
    expect(wheel.speed(after: 5, 3_072, at: 3_000), 4_210)
    expect(wheel.distance, 6 * 2_105)
  }

  @Test func aCountNearItsEndRunsOn() {
    var wheel = wheel(count: .max, time: 65_000)
    expect(wheel.speed(after: 1, 488, at: 1_000), 4_210)
    expect(wheel.distance, 2 * 2_105)
  }

  /// It stands still, goes back by 8 ticks, and by more than the revolutions can have taken.
  @Test(arguments: [1_024, 1_016, 300] as [UInt16])
  func centralBehaviour109_revolutionsWhoseTimeDoesNotGoOnHaveNoSpeed(_ time: UInt16) {
    var wheel = rolling()
    expect(wheel.speed(after: 1_008, time, at: 2_000), nil)
    expect(wheel.distance, 8 * 2_105, "what was counted may be right")
    expect(wheel.speed(after: 1_010, time &+ 1_024, at: 3_000), nil)
    expect(wheel.speed(after: 1_012, time &+ 2_048, at: 4_000), 4_210)
    expect(wheel.distance, 12 * 2_105)
  }

  @Test func centralBehaviour109_aWheelDoesNotJumpAheadInNoTime() {
    var wheel = rolling()
    expect(wheel.speed(after: 1_100, 1_024, at: 2_000), nil)
    expect(wheel.distance, 4 * 2_105)
  }

  /// One revolution in 72 ticks, and in 71.
  @Test(arguments: [(72, 29_938), (71, nil)] as [(UInt16, Int64?)])
  func thirtyMetresASecondAreTheLimit(_ ticks: UInt16, _ speed: Int64?) {
    var wheel = wheel()
    expect(wheel.speed(after: 1_001, ticks, at: 70), speed)
  }

  @Test func noBicycleRides108KilometresAnHour() {
    var wheel = rolling()
    expect(wheel.speed(after: 1_104, 2_048, at: 2_000), 8_420)
    expect(wheel.distance, 4 * 2_105)
    expect(wheel.speed(after: 1_106, 3_072, at: 3_000), 4_210)
    expect(wheel.distance, 6 * 2_105)
  }

  @Test func whatWasRiddenWithoutALinkHasADistanceAndNoSpeed() {
    var wheel = rolling()
    wheel.linkWasLost()
    expect(wheel.speed(at: instant(6_000)), nil)
    expect(wheel.speed(after: 1_044, 11_264, at: 11_000), nil)
    expect(wheel.distance, 44 * 2_105)
    expect(wheel.speed(after: 1_046, 12_288, at: 12_000), 4_210)
  }
}

/// Cadence of recorded values.
struct CrankTests {
  @Test func recordedTimesHaveTheirCadences() {
    var crank = Crank()
    let times: [UInt16] = [11_111, 12_566, 13_933, 15_020, 15_953, 16_887, 17_821, 18_705]
    var cadences: [Int64?] = []
    for (index, time) in times.enumerated() {
      let now = instant(Int64(time - times[0]) * 1_000 / 1_024)
      crank.receive(Revolutions(count: UInt32(index), time: time), at: now)
      cadences.append(crank.cadence(at: now))
    }
    // 42.23 44.95 56.52 65.85 65.78 65.78 69.50, to the nearest
    expect(cadences, [nil, 42, 45, 57, 66, 66, 66, 70])
  }

  @Test(
    arguments: [
      (Revolutions(count: 41_765, time: 65_228), Revolutions(count: 41_766, time: 347), 94),
      (Revolutions(count: 28_170, time: 64_727), Revolutions(count: 28_171, time: 373), 52),
      (Revolutions(count: 65_535, time: 0), Revolutions(count: 0, time: 1_024), 60),
    ] as [(Revolutions, Revolutions, Int64)])
  func countsAndTimesRollOver(_ first: Revolutions, _ second: Revolutions, _ cadence: Int64) {
    var crank = Crank()
    crank.receive(first, at: instant(0))
    crank.receive(second, at: instant(1_000))
    expect(crank.cadence(at: instant(1_000)), cadence)
  }

  @Test func aCrankThatHasNotTurnedForThreeSecondsStands() {
    var crank = Crank()
    crank.receive(Revolutions(count: 7, time: 0), at: instant(0))
    crank.receive(Revolutions(count: 8, time: 1_024), at: instant(1_000))
    crank.receive(Revolutions(count: 8, time: 1_024), at: instant(3_500))
    expect(crank.cadence(at: instant(3_999)), 60)
    expect(crank.cadence(at: instant(4_000)), 0)
  }

  /// Its clock goes on while the rider coasts for a moment.
  @Test func centralBehaviour99_aCrankWithoutARevolutionHoldsItsCadenceForThreeSeconds() {
    var crank = Crank()
    crank.receive(Revolutions(count: 7, time: 0), at: instant(0))
    crank.receive(Revolutions(count: 8, time: 1_024), at: instant(1_000))
    expect(crank.cadence(after: 8, 2_048, at: 2_000), 60)
    crank.receive(Revolutions(count: 8, time: 3_072), at: instant(3_000))
    expect(crank.cadence(at: instant(3_999)), 60)
    expect(crank.cadence(at: instant(4_000)), 0)
    expect(crank.cadence(after: 9, 5_120, at: 5_000), 15)
  }

  /// Logged of a power meter; the second one came a second later.
  @Test func centralBehaviour109_aCrankWhoseTimeGoesBackHasNoCadence() throws {
    var crank = Crank()
    var cadences: [Int64?] = []
    let values = [
      "20 00 0B 00 10 00 D0 03", "20 00 0B 00 11 00 C8 03", "20 00 0B 00 12 00 C8 07",
      "20 00 0B 00 13 00 C8 0B",
    ]
    for (second, text) in values.enumerated() {
      let value = bytes(text)
      let turns = try #require(try CyclingPowerMeasurement(parsing: value.span).crank)
      cadences.append(crank.cadence(after: turns.count, turns.time, at: Int64(second) * 1_000))
    }
    expect(cadences, [nil, nil, nil, 60])
  }

  @Test func nobodyPedals201RevolutionsAMinute() {
    var crank = Crank()
    crank.receive(Revolutions(count: 0, time: 0), at: instant(0))
    expect(crank.cadence(after: 1, 307, at: 300), 200)
    expect(crank.cadence(after: 2, 307 + 306, at: 600), 200)
    expect(crank.cadence(after: 2 + 65_000, 2_000, at: 2_000), 200)
  }

  @Test func afterALossTheNextRevolutionsHaveNoCadence() {
    var crank = Crank()
    crank.receive(Revolutions(count: 0, time: 0), at: instant(0))
    crank.receive(Revolutions(count: 1, time: 1_024), at: instant(1_000))
    crank.linkWasLost()
    expect(crank.cadence(at: instant(9_000)), nil)
    expect(crank.cadence(after: 9, 9_216, at: 9_000), nil)
    expect(crank.cadence(after: 10, 10_240, at: 10_000), 60)
  }
}
