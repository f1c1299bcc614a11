import Bytes
import Expecting
import Sensors
import TestSupport

/// What recordings of Varia radars say, and what radars that lie may say.
@Suite struct RadarTests {
  private static func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  private func seen(by radar: Radar) -> [[UInt8]] {
    (0..<radar.count).map { [radar[$0].track, radar[$0].distance] }
  }

  private func heard(_ values: String...) -> Radar {
    var radar = Radar()
    for value in values {
      let value = bytes(value)
      radar.hear(value.span, at: Self.at(0))
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

  @Test func aSecondValueHasTheVehiclesFromTheSeventhOn() {
    let radar = heard(
      "12 810A00 821400 831E00 842800 853200 863C00", "22 874600 885000")
    expect(seen(by: radar).map { $0[0] }, [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func ofThoseThatAreAsNearTheLowerTrackComesFirst() {
    expect(seen(by: heard("12 831E00 811E00 821E00")).map { $0[0] }, [1, 2, 3])
  }

  /// Nobody had it pass meanwhile.
  @Test func aValueHasNoVehicleThatIsGone() {
    var radar = heard("12 813200")
    let value = bytes("22 822D00")
    radar.hear(value.span, at: Self.at(2_000))
    expect(seen(by: radar), [[2, 45]])
  }

  @Test func aVehicleThatComesNearerMovesUp() {
    let radar = heard("12 813200 822D00", "22 811400")
    expect(seen(by: radar), [[1, 20], [2, 45]])
  }

  @Test func aVehicleIsGoneTwoSecondsAfterItWasTold() {
    var radar = heard("12 813200")
    var value = bytes("22 822D00")
    radar.hear(value.span, at: Self.at(1_000))
    radar.advance(to: Self.at(1_999))
    expect(seen(by: radar), [[2, 45], [1, 50]])
    expect(radar.deadline, Self.at(2_000))
    radar.advance(to: Self.at(2_000))
    expect(seen(by: radar), [[2, 45]])
    value = bytes("32")
    radar.hear(value.span, at: Self.at(2_100))
    expect(radar.count, 0, "the road is clear")
  }

  /// It must not look like a clear road.
  @Test func aRadarThatSaysNothingForThreeSecondsIsSilent() {
    var radar = heard("82")
    expect(!radar.isSilent(at: Self.at(2_999)))
    expect(radar.deadline, Self.at(3_000))
    expect(radar.isSilent(at: Self.at(3_000)))
    radar.advance(to: Self.at(3_000))
    expect(radar.deadline, nil)
    expect(Radar().isSilent(at: Self.at(0)))
  }

  @Test func ofTooManyVehiclesTheNearestAreKept() {
    var value: [UInt8] = [0x12]
    for track in (0..<100 as Range<UInt8>).reversed() where track != 0x7D {
      value += [0x80 | track, track, 0]
    }
    var radar = Radar()
    radar.hear(value.span, at: Self.at(0))
    expect(seen(by: radar), (0..<16 as Range<UInt8>).map { [$0, $0] })
    radar.linkWasLost()
    expect(radar.count == 0 && radar.isSilent(at: Self.at(0)))
  }
}
