import Beacons
import Bytes
import Expecting
import Foundation
import TestSupport

@testable import Places

/// The costs of what is heard in a place, reckoned by hand in 1/256 nat.
@Suite struct CostTests {
  private func fingerprintOfOne(_ readings: [Int], seconds: Int) -> Fingerprint {
    fingerprint(file([readings], seconds: seconds))
  }

  /// The cost when these beacons are heard, each with one reading.
  private func cost(of heard: [(minor: Int, rssi: Int8)], in fingerprint: Fingerprint) -> Int32 {
    var table = BeaconTable()
    for (minor, rssi) in heard { table.receive(beacon(minor), rssi, isKnown: true, at: at(500)) }
    table.tick(at: at(999))
    return fingerprint.cost(of: table)
  }

  @Test func aSteadyBeaconIsTakenToVaryBy3Decibels() {
    let steady = fingerprintOfOne([-60, -60, -60, -60], seconds: 4)
    // 128 · ln 9 = 281.2; 6 dB off are 128 · 36/9 = 512 more.
    expect(cost(of: [(1, -60)], in: steady), 281)
    expect(cost(of: [(1, -66)], in: steady), 281 + 512)
    expect(cost(of: [(1, -54)], in: steady), 281 + 512)
  }

  @Test func aBeaconThatVariesCostsLessWhereItIsFarOff() {
    // Mean -65, variance 25: 128 · ln 25 = 412.0.
    let wide = fingerprintOfOne([-60, -70, -60, -70], seconds: 4)
    expect(cost(of: [(1, -65)], in: wide), 412)
    // 128 · 100/25 = 512.
    expect(cost(of: [(1, -75)], in: wide), 412 + 512)
  }

  @Test func aMeanBetweenDecibelsIsNotRounded() {
    // Mean -60.5, variance 0.25, so 9: 128 · 0.25/9 = 3.6.
    let half = fingerprintOfOne([-60, -61], seconds: 2)
    expect(cost(of: [(1, -60)], in: half), 281 + 4)
    expect(cost(of: [(1, -61)], in: half), 281 + 4)
  }

  @Test func anUnknownBeaconCostsWhatOneOf95And6Does() {
    // The known one is silent, which it never was: 256 · ln 50 = 1001.5. 128 · ln 36 = 458.7.
    let other = fingerprintOfOne([-60, -60], seconds: 2)
    expect(cost(of: [(2, -95)], in: other), 1_001 + 459)
    // 128 · 35²/36 = 4355.6.
    expect(cost(of: [(2, -60)], in: other), 1_001 + 459 + 4_356)
  }

  /// 256 times ln 4/3, ln 2, ln 4, and ln 50.
  @Test(arguments: [(1, 74), (2, 177), (3, 355), (4, 1_001)])
  func aSilentBeaconCostsMoreTheMoreItWasHeard(_ count: Int, _ expected: Int32) {
    let known = fingerprintOfOne(Array(repeating: -60, count: count), seconds: 4)
    expect(cost(of: [], in: known), expected)
  }

  @Test func noSilenceIsLessProbableThan1In50() {
    // 98 of 100 are exactly 1 in 50; 256 · ln 33.3 = 897.7 for 97, 256 · ln 40 = 944.4 for 195 of 200.
    let often = fingerprintOfOne(Array(repeating: -60, count: 99), seconds: 100)
    expect(cost(of: [], in: often), 1_001)
    let limit = fingerprintOfOne(Array(repeating: -60, count: 98), seconds: 100)
    expect(cost(of: [], in: limit), 1_001)
    let below = fingerprintOfOne(Array(repeating: -60, count: 97), seconds: 100)
    expect(cost(of: [], in: below), 898)
    let near = fingerprintOfOne(Array(repeating: -60, count: 195), seconds: 200)
    expect(cost(of: [], in: near), 944)
  }

  @Test func nothingOverflowsInTheWorstOfFiles() {
    let far = fingerprint(
      file(Array(repeating: Array(repeating: -128, count: 240), count: 32), seconds: 240))
    // 128 · 126²/9 + 281 for each.
    let near = (1...32).map { (minor: $0, rssi: Int8(-2)) }
    let each: Int32 = 225_792 + 281
    expect(cost(of: near, in: far), 32 * each)
    // 32 beacons that are unknown there, and 32 that are silent.
    let others = (101...132).map { (minor: $0, rssi: Int8(-2)) }
    // 128 · 93²/36 = 30,752.
    expect(cost(of: others, in: far), 32 * (30_752 + 459) + 32 * 1_001)
    let wide = fingerprint(
      file(
        [Array(repeating: [-128, -2], count: 120).flatMap { $0 }], seconds: 240))
    // Variance 63² = 3,969: 128 · ln 3969 = 1060.7; 128 · 63²/3969 = 128.
    expect(cost(of: [(1, -2)], in: wide), 128 + 1_061)
  }
}

@Suite struct LogarithmTests {
  /// Independent: Foundation's logarithm in floating point.
  @Test func itIsExactTo1Of10000() {
    var worst = 0.0
    var number: Int32 = 1
    while number < Int32.max - 3_000_000 {
      let exact = log(Double(number))
      worst = max(worst, abs(Double(logarithm(number)) / 65_536 - exact))
      number += 1 + number / 977
    }
    #expect(worst < 0.0001)
    #expect(abs(Double(logarithm(.max)) / 65_536 - log(Double(Int32.max))) < 0.0001)
  }

  @Test func itNeverFalls() {
    for number in Int32(1)..<70_000 { #expect(logarithm(number) <= logarithm(number + 1)) }
  }

  @Test func ofNothingThereIsNone() {
    expect(logarithm(1), 0)
    expect(logarithm(0), 0)
    expect(logarithm(-5), 0)
  }
}
