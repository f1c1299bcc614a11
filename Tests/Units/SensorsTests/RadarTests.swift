import Bytes
import Expecting
import Seeded
import Sensors
import TestSupport
import VirtualAir

/// What recordings of Varia radars say, and what radars that lie may say.
struct RadarTests {
  private static func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  private func seen(by radar: Radar) -> [[UInt8]] {
    (0..<radar.count).map { [radar[$0].track, radar[$0].distance] }
  }

  private func heard(_ values: String...) -> Radar {
    var radar = Radar()
    for value in values {
      let value = bytes(value)
      radar.receive(value.span, at: Self.at(0))
    }
    return radar
  }

  @Test(
    arguments: [
      ("82", []),
      ("82AE2B44", [[0x2E, 43]]),
      ("82A57658AE8944", [[0x25, 118], [0x2E, 137]]),
      ("12801900", [[0, 25]]),
      ("42813200822D01832800", [[3, 40], [2, 45], [1, 50]]),
      ("127F0A00811400", [[1, 20]]),
      ("12FD0000801E00", [[0, 30]]),
      ("12FFFF00801E00", [[0, 30]]),
    ] as [(String, [[UInt8]])])
  func aValueHasItsVehicles(_ value: String, _ vehicles: [[UInt8]]) {
    let radar = heard(value)
    expect(seen(by: radar), vehicles)
    expect(!radar.isSilent(at: Self.at(0)))
  }

  /// After connecting, raw amplitudes, and what is cut short.
  @Test(arguments: [
    "", "03 FE", "06 01 02 03 04 05", "12 80", "12 80 19", "06 801900",
  ])
  func whatIsNoSuchValueSaysNothing(_ value: String) {
    let radar = heard(value)
    expect(radar.count, 0)
    expect(radar.isSilent(at: Self.at(0)))
    expect(radar.deadline, nil)
  }

  @Test(arguments: ["12801900 81", "12801900 8132", "12801900 812D"])
  func centralBehaviour102_whatIsBehindTheLastWholeVehicleIsIgnored(_ value: String) {
    let radar = heard(value)
    expect(seen(by: radar) == [[0, 25]] && !radar.isSilent(at: Self.at(0)))
  }

  // MARK: - More than six

  private static let first = "40 810A14 821419 831E1E 842823 853228 863C2D"

  @Test func centralBehaviour105_moreThanSixVehiclesComeInTwoValues() {
    let radar = heard(Self.first, "42 874632")
    expect(seen(by: radar), (1...7).map { [$0, $0 * 10] })
    expect(!radar.isSilent(at: Self.at(2_999)))
  }

  /// The second one was lost, or has none.
  @Test(arguments: [[], ["42"], ["42 000000 000000"]])
  func centralBehaviour105_theFirstValueAloneIsSixVehicles(_ rest: [String]) {
    var radar = heard(Self.first)
    for value in rest.map(bytes) { radar.receive(value.span, at: Self.at(0)) }
    expect(seen(by: radar).count == 6 && !radar.isSilent(at: Self.at(0)))
  }

  /// What was seen before it is gone with its second value, with that of another pair, or half a second later.
  @Test(
    arguments: [
      ([], [1, 2, 3, 4, 5, 6]), ([(300, "42 874632")], [1, 2, 3, 4, 5, 6, 7]),
      ([(600, "52 8B5032")], [11]), ([(600, "50 8B5032"), (600, "52 8C5A32")], [11, 12]),
    ] as [([(Int64, String)], [UInt8])])
  func centralBehaviour105_aPairHasTheVehiclesOfNoOther(
    _ values: [(Int64, String)], _ tracks: [UInt8]
  ) {
    var radar = heard("32 8F1419")
    for (time, value) in [(300, Self.first)] + values {
      let value = bytes(value)
      radar.receive(value.span, at: Self.at(time))
    }
    if values.isEmpty { expect(radar.deadline, Self.at(800)) }
    radar.advance(to: Self.at(800))
    expect(seen(by: radar).map { $0[0] }, tracks)
  }

  @Test(arguments: ["000000 000000 000000 000000 000000 000000 0000", "40", "40 8132", "40 FD0000"])
  func centralBehaviour105_aFirstValueWithoutAVehicleIsNone(_ value: String) {
    var radar = heard("12 813200", value)
    expect(seen(by: radar), [[1, 50]])
    radar.advance(to: Self.at(3_000))
    expect(radar.isSilent(at: Self.at(3_000)))
  }

  /// A radar that knows no second value.
  @Test func centralBehaviour105_firstValuesAloneAreAlwaysSixVehicles() {
    var radar = Radar()
    for round in 0..<200 as Range<Int64> {
      var value = bytes(Self.first)
      value[0] = UInt8(round & 0x0F) << 4
      radar.receive(value.span, at: Self.at(round * 300))
      expect(radar.count == 6 && !radar.isSilent(at: Self.at(round * 300)))
    }
  }

  /// A thousand pairs and single values, some of which are lost.
  @Test func centralBehaviour105_noCarIsSeenThatIsNotThereAndNoneThatIsThereIsClear() {
    var random = SeededGenerator(state: 105)
    var (radar, now) = (Radar(), Int64(0))
    // Those that were behind the rider within the last two seconds.
    var lately: [(time: Int64, vehicles: [[UInt8]])] = []
    for round in 0..<1_000 {
      now += Int64.random(in: 200...400, using: &random)
      let count = Int.random(in: 0...12, using: &random)
      let vehicles = (0..<count).map { _ in
        [UInt8.random(in: 0..<100, using: &random), UInt8.random(in: 1...140, using: &random)]
      }
      lately = lately.filter { now - $0.time < 2_000 } + [(now, vehicles)]
      let sent = VirtualSensor.radar(
        vehicles.map { VirtualSensor.Vehicle(track: $0[0], metres: $0[1]) },
        count: UInt8(truncatingIfNeeded: round))
      let heard = sent.filter { _ in Int.random(in: 0..<5, using: &random) > 0 }
      for value in heard { radar.receive(value.span, at: Self.at(now)) }
      radar.advance(to: Self.at(now))
      let told = lately.flatMap(\.vehicles)
      #expect(seen(by: radar).allSatisfy(told.contains))
      if count > 0, !heard.isEmpty { #expect(radar.count > 0) }
    }
  }

  @Test(
    arguments: [
      (["12 810A00 821400 831E00 842800 853200 863C00", "22 874600 885000"], Array(1...8)),
      // Of those that are as near the lower track comes first, and one that comes nearer moves up.
      (["12 831E00 811E00 821E00"], [1, 2, 3]), (["12 823200 812D00", "22 821400"], [2, 1]),
    ] as [([String], [UInt8])])
  func vehiclesAreInTheOrderOfTheirDistances(_ values: [String], _ tracks: [UInt8]) {
    var radar = Radar()
    for value in values.map(bytes) { radar.receive(value.span, at: Self.at(0)) }
    expect(seen(by: radar).map { $0[0] }, tracks)
  }

  /// Nobody had it pass meanwhile.
  @Test func aValueHasNoVehicleThatIsGone() {
    var radar = heard("12 813200")
    let value = bytes("22 822D00")
    radar.receive(value.span, at: Self.at(2_000))
    expect(seen(by: radar), [[2, 45]])
  }

  @Test func aVehicleIsGoneTwoSecondsAfterItWasTold() {
    var radar = heard("12 813200")
    var value = bytes("22 822D00")
    radar.receive(value.span, at: Self.at(1_000))
    radar.advance(to: Self.at(1_999))
    expect(seen(by: radar), [[2, 45], [1, 50]])
    expect(radar.deadline, Self.at(2_000))
    radar.advance(to: Self.at(2_000))
    expect(seen(by: radar), [[2, 45]])
    value = bytes("32")
    radar.receive(value.span, at: Self.at(2_100))
    expect(radar.count, 0, "the road is clear")
  }

  /// It must not look like a clear road; one that is clear is told rarely by some.
  @Test(
    arguments: [
      (["82"], 12_000), (["12 813200"], 3_000), (["12 813200", "22"], 12_000),
      (["82", "12 813200"], 3_000), (["40 810A14 820A14", "42"], 3_000),
    ] as [([String], Int64)])
  func centralBehaviour111_aRadarThatSaysNothingForSoLongIsSilent(
    _ values: [String], _ time: Int64
  ) {
    var radar = Radar()
    for value in values.map(bytes) { radar.receive(value.span, at: Self.at(0)) }
    radar.advance(to: Self.at(time - 1))
    expect(!radar.isSilent(at: Self.at(time - 1)) && radar.deadline == Self.at(time))
    expect(radar.isSilent(at: Self.at(time)))
    radar.advance(to: Self.at(time))
    expect(radar.deadline, nil)
    expect(Radar().isSilent(at: Self.at(0)))
  }

  @Test func ofTooManyVehiclesTheNearestAreKept() {
    var value: [UInt8] = [0x12]
    for track in (0..<100 as Range<UInt8>).reversed() where track != 0x7D {
      value += [0x80 | track, track, 0]
    }
    var radar = Radar()
    radar.receive(value.span, at: Self.at(0))
    expect(seen(by: radar), (0..<16 as Range<UInt8>).map { [$0, $0] })
    radar.linkWasLost()
    expect(radar.count == 0 && radar.isSilent(at: Self.at(0)))
  }
}
