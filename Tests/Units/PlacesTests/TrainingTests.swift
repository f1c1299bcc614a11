import Beacons
import Bytes
import Expecting
import Foundation
import Places
import TestSupport

/// A training in virtual time.
@Suite struct TrainingTests {
  /// Three beacons that are heard ten times in each of so many seconds from `start` on.
  private func stand(
    _ training: inout Training, from start: Int64, seconds: Int, beacons: Int = 3
  ) {
    for tenth in 0..<Int64(seconds) * 10 {
      for minor in 1...beacons {
        training.receive(beacon(minor), rssi: -60, at: at(start + tenth * 100))
      }
    }
  }

  private func begun(
    _ uuid: Bytes.UUID = groupUUID, seconds: Int, from start: Int64
  ) throws -> Training {
    var training = try Training(uuid, seconds: seconds)
    training.resume(at: at(start))
    return training
  }

  private func file(of training: borrowing Training) -> String {
    var text = FixedBuffer<40500>()
    training.write(to: &text)
    expect(!text.isOverflown)
    return string(text.bytes)
  }

  /// What Foundation reads from the file, without the group in the keys.
  private func json(_ file: String) throws -> [String: [Int]] {
    let object = try JSONSerialization.jsonObject(with: Data(file.utf8))
    let members = try #require(object as? [String: Any])
    return Dictionary(
      uniqueKeysWithValues: members.map { key, value in
        (key.replacing(groupText, with: ""), value as? [Int] ?? [value as? Int ?? -1])
      })
  }

  private func finalize(_ training: inout Training, at now: Int64) -> String? {
    do throws(TrainingError) {
      try training.finalize(at: at(now))
      return nil
    } catch {
      var text = FixedBuffer<200>()
      error.write(to: &text)
      return string(text.bytes)
    }
  }

  @Test func eachSecondIsOneReadingHoweverOftenABeaconAdvertises() throws {
    var training = try begun(seconds: 12, from: 5_250)
    stand(&training, from: 5_250, seconds: 12)
    expect(training.deadline, at(17_250))
    training.advance(to: at(17_250))
    expect(training.isComplete)
    expect(finalize(&training, at: 17_250), nil)
    let readings = Array(repeating: -60, count: 12)
    expect(
      try json(file(of: training)),
      [
        ".Maj:1.Min:1": readings, ".Maj:1.Min:2": readings, ".Maj:1.Min:3": readings,
        "seconds": [12],
      ])
  }

  @Test func aReadingIsTheMeanOfItsSecond() throws {
    var training = try begun(seconds: 10, from: 0)
    for (time, rssi) in [
      (0, -60), (999, -61),  // -60.5
      (1_000, -60), (1_400, -60), (1_800, -61),  // -60.33
      (2_000, -128), (2_999, 127), (3_500, -9), (3_600, -1), (3_700, 0), (5_000, -70),
    ] as [(Int64, Int8)] {
      training.receive(beacon(1), rssi: rssi, at: at(time))
    }
    stand(&training, from: 6_000, seconds: 4)
    training.advance(to: at(10_000))
    let readings = [-61, -60, -128, -9, -70, -60, -60, -60, -60]
    expect(try json(file(of: training))[".Maj:1.Min:1"], readings)
  }

  @Test func aSecondThatDoesNotEndDoesNotCount() throws {
    var training = try begun(seconds: 60, from: 0)
    stand(&training, from: 0, seconds: 11)
    training.receive(beacon(4), rssi: -60, at: at(11_500))
    expect(finalize(&training, at: 11_999), nil)
    expect(training.secondsDone, 11)
    expect(training.deadline, nil)
    let read = try json(file(of: training))
    expect(read["seconds"], [11])
    expect(read[".Maj:1.Min:1"]?.count, 11)
    expect(read.keys.count, 4)
  }

  @Test func aPauseStopsTheClock() throws {
    var training = try begun(seconds: 12, from: 0)
    stand(&training, from: 0, seconds: 5)
    training.pause(at: at(5_400))
    expect(training.deadline, nil)
    stand(&training, from: 6_000, seconds: 100, beacons: 4)
    training.pause(at: at(107_000))
    training.advance(to: at(1_000_000))
    training.resume(at: at(1_000_000))
    training.resume(at: at(1_000_001))
    expect(training.secondsDone, 5)
    // 0.6 s are left of the sixth second.
    expect(training.deadline, at(1_000_600))
    stand(&training, from: 1_000_000, seconds: 10)
    expect(training.isComplete)
    let read = try json(file(of: training))
    expect(read[".Maj:1.Min:2"]?.count, 12)
    expect(read[".Maj:1.Min:4"], nil)
  }

  @Test func whatIsHeardAfterTheEndDoesNotCount() throws {
    var training = try begun(seconds: 10, from: 0)
    stand(&training, from: 0, seconds: 20, beacons: 4)
    training.receive(beacon(5), rssi: -60, at: at(30_000))
    training.pause(at: at(30_000))
    training.resume(at: at(30_000))
    expect(training.isComplete)
    expect(training.deadline, nil)
    expect(try json(file(of: training)).keys.count, 5)
    expect(training.secondsDone, 10)
  }

  @Test func otherGroupsDoNotCount() throws {
    var training = try begun(seconds: 10, from: 0)
    training.receive(beacon(1, of: UUID(1, 2)), rssi: -60, at: at(500))
    training.advance(to: at(10_000))
    expect(training.beaconCount, 0)
  }

  @Test(
    arguments: [
      (9, 3, "only 9 s were listened to, and a fingerprint takes 10; listen longer"),
      (10, 3, nil),
      (
        10, 2,
        "beacons of the group that were heard: 2, and a fingerprint takes 3; go nearer, or add a beacon"
      ),
      (
        60, 0,
        "beacons of the group that were heard: 0, and a fingerprint takes 3; check the UUID, and that"
          + " the beacons have power"
      ),
    ] as [(Int, Int, String?)])
  func aFingerprintTakes3BeaconsIn10Seconds(
    _ seconds: Int, _ beacons: Int, _ expected: String?
  ) throws {
    var training = try begun(seconds: 240, from: 0)
    if beacons > 0 { stand(&training, from: 0, seconds: seconds, beacons: beacons) }
    expect(finalize(&training, at: Int64(seconds) * 1_000), expected)
    expect(training.beaconCount, beacons)
  }

  @Test func whatWasHeardIsTold() throws {
    var training = try begun(seconds: 60, from: 0)
    training.receive(beacon(7), rssi: -60, at: at(0))
    training.receive(beacon(7), rssi: -62, at: at(1_000))
    training.receive(beacon(7), rssi: -63, at: at(2_000))
    training.receive(beacon(9), rssi: -90, at: at(2_000))
    training.advance(to: at(3_000))
    var text = FixedBuffer<200>()
    training.writeHeard(to: &text)
    expect(
      string(text.bytes),
      "\n  heard \(groupText).Maj:1.Min:7: 3 readings, -62 dBm"
        + "\n  heard \(groupText).Maj:1.Min:9: 1 reading, -90 dBm")
  }

  @Test func ofMoreThan32BeaconsTheFirstAreKept() throws {
    var training = try begun(seconds: 10, from: 0)
    stand(&training, from: 0, seconds: 10, beacons: 40)
    training.advance(to: at(10_000))
    expect(training.beaconCount, 32)
    expect(try json(file(of: training)).keys.contains(".Maj:1.Min:32"))
  }

  @Test func theLargestFileIsReadAsItIsWritten() throws {
    var training = try begun(UUID(.max, .max), seconds: 240, from: 0)
    for second in 0..<Int64(240) {
      for minor in 0..<UInt16(32) {
        let strange = IBeacon(UUID(.max, .max), major: .max, minor: .max - minor)
        training.receive(strange, rssi: second == 0 ? -2 : -128, at: at(second * 1_000 + 10))
      }
    }
    expect(finalize(&training, at: 240_000), nil)
    let text = file(of: training)
    let read = fingerprint(text)
    expect(read.count, 32)
    expect(read.seconds, 240)
    expect(read.beacon(at: 31), IBeacon(UUID(.max, .max), major: .max, minor: .max - 31))
    let seen = try json(text)
    expect(
      seen["FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF.Maj:65535.Min:65504"],
      [-2] + Array(repeating: -128, count: 239))
  }
}
