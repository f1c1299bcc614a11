import Beacons
import Bytes
import Expecting
import Foundation
import Places
import Seeded
import TestSupport

/// The integers against floating point, and both against the truth, in houses that a seed makes.
@Suite struct HouseTests {
  private struct Tally {
    var (answers, same, right) = (0, 0, 0)
  }

  /// A fingerprint of what was heard, by way of a training and its file.
  private func learn(_ seconds: [House.Second]) throws -> Fingerprint {
    var training = try Training(groupUUID, seconds: seconds.count, at: at(0))
    for (index, second) in seconds.enumerated() {
      for (number, rssi) in second.sorted(by: { $0.key < $1.key }) {
        training.hear(beacon(number), rssi: rssi, at: at(Int64(index) * 1_000 + 500))
      }
    }
    try training.finalize(at: at(Int64(seconds.count) * 1_000))
    var reader = FingerprintReader()
    for number in 0..<training.pieceCount {
      var piece = FixedBuffer<1280>()
      training.write(piece: number, to: &piece)
      try reader.read(piece.bytes)
    }
    return try reader.finish()
  }

  /// Stays in the room, and compares each answer; where the margin is small the old place is the answer.
  private func stay(
    in room: Int, _ seconds: [House.Second], _ reference: Reference, _ walk: Walk,
    _ tally: inout Tally
  ) {
    var place: Int?
    for (index, second) in seconds.enumerated() {
      let signals = (1...(second.keys.max() ?? 1)).map { second[$0] }
      walk.stand(signals, seconds: 1)
      let news = walk.news()
      let answer = news.first { $0.hasPrefix("current") }
        .flatMap { $0.split(separator: " ").dropFirst(2).first }.flatMap { Int($0) }
      let best = reference.best(for: seconds[max(0, index - 2)...index])
      let expected = best.map { $0.margin >= 1 ? $0.room : place ?? $0.room }
      // What is entered, not left: the last word of the last event of this kind.
      let entered = news.last { $0.hasPrefix("enter A ") }
      place = entered.flatMap { Int($0.split(separator: " ")[2]) } ?? place
      tally.answers += 1
      tally.same += answer == expected ? 1 : 0
      tally.right += answer == room ? 1 : 0
    }
  }

  @Test(arguments: UInt64(1)...6)
  func theIntegersChooseAsFloatingPointDoes(seed: UInt64) throws {
    var house = House(seed: seed)
    var reference = Reference()
    var fingerprints: [Fingerprint] = []
    for room in 0..<House.roomCount {
      let seconds = house.stay(in: room, seconds: 60)
      reference.train(seconds)
      fingerprints.append(try learn(seconds))
    }
    var tally = Tally()
    for room in 0..<House.roomCount {
      let walk = try Walk()
      for (index, fingerprint) in fingerprints.enumerated() {
        try walk.add("\(index)", fingerprint)
      }
      stay(in: room, house.stay(in: room, seconds: 100), reference, walk, &tally)
    }
    expect(tally.answers, 1_200)
    #expect(Double(tally.same) >= 0.995 * Double(tally.answers), "\(tally)")
    #expect(Double(tally.right) >= 0.7 * Double(tally.answers), "\(tally)")
  }
}

/// A house of rooms side by side with beacons in them, heard by a model: path loss by distance and walls,
/// shadows that stay, noise that does not, and readings that are lost.
struct House {
  /// What is heard in one second, by the beacon's number from 1 on.
  typealias Second = [Int: Int8]

  private static let rooms = (columns: 4, rows: 3)
  /// Metres of a room's side.
  private static let side = 4.0
  private static let beaconCount = 12
  /// Free space has an exponent of 2, furniture makes it more; a wall takes so many dB.
  private static let (exponent, wall) = (2.2, 4.0)
  /// Of a room for ever, of one stay in it (a body, another day), and of each reading, in dB.
  private static let (shadow, drift, noise) = (3.0, 4.0, 6.0)
  /// Below it a controller hears nothing.
  private static let floor = -95.0
  private static let loss = 0.15

  static var roomCount: Int { rooms.columns * rooms.rows }

  private var generator: SeededGenerator
  private var beacons: [(x: Double, y: Double)] = []
  private var shadows: [[Double]] = []

  init(seed: UInt64) {
    generator = SeededGenerator(state: seed)
    for _ in 0..<Self.beaconCount {
      let x = uniform() * Self.side * Double(Self.rooms.columns)
      beacons.append((x, uniform() * Self.side * Double(Self.rooms.rows)))
    }
    for _ in 0..<Self.roomCount {
      shadows.append((0..<Self.beaconCount).map { _ in normal() * Self.shadow })
    }
  }

  /// So many seconds of somebody who walks about in a room.
  mutating func stay(in room: Int, seconds: Int) -> [Second] {
    let drifts = beacons.map { _ in normal() * Self.drift }
    return (0..<seconds).map { _ in
      let x = (Double(room % Self.rooms.columns) + uniform()) * Self.side
      let y = (Double(room / Self.rooms.columns) + uniform()) * Self.side
      return second(in: room, x, y, drifts)
    }
  }

  private mutating func second(
    in room: Int, _ x: Double, _ y: Double, _ drifts: [Double]
  ) -> Second {
    var second: Second = [:]
    for (index, beacon) in beacons.enumerated() {
      let distance = max(0.5, hypot(beacon.x - x, beacon.y - y))
      let walls =
        abs((beacon.x / Self.side).rounded(.down) - (x / Self.side).rounded(.down))
        + abs((beacon.y / Self.side).rounded(.down) - (y / Self.side).rounded(.down))
      let signal =
        -59 - 10 * Self.exponent * log10(distance) - Self.wall * walls + shadows[room][index]
        + drifts[index] + normal() * Self.noise
      if signal >= Self.floor, uniform() >= Self.loss { second[index + 1] = Int8(min(-20, signal)) }
    }
    return second
  }

  private mutating func uniform() -> Double { Double.random(in: 0..<1, using: &generator) }

  /// A sum of twelve uniform numbers has the variance 1.
  private mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }
}

/// The classifier in floating point, from its formulas and nothing of ours.
struct Reference {
  private struct Beacon {
    var count, mean, variance: Double
  }

  private var rooms: [(seconds: Double, beacons: [Int: Beacon])] = []

  mutating func train(_ seconds: [House.Second]) {
    var readings: [Int: [Double]] = [:]
    for second in seconds {
      for (beacon, rssi) in second { readings[beacon, default: []].append(Double(rssi)) }
    }
    rooms.append(
      (
        Double(seconds.count),
        readings.mapValues { values in
          let count = Double(values.count)
          let mean = values.reduce(0, +) / count
          let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
          return Beacon(count: count, mean: mean, variance: max(9, variance))
        }
      ))
  }

  /// The best room for the mean of these seconds and its margin in nat; `nil` with fewer than 3 beacons.
  func best(for seconds: ArraySlice<House.Second>) -> (room: Int, margin: Double)? {
    var heard: [Int: [Double]] = [:]
    for second in seconds {
      for (beacon, rssi) in second { heard[beacon, default: []].append(Double(rssi)) }
    }
    guard heard.count >= 3 else { return nil }
    let means = heard.mapValues { $0.reduce(0, +) / Double($0.count) }
    let costs = rooms.indices.map { (cost: cost(of: means, in: $0), room: $0) }
      .sorted { $0.cost < $1.cost }
    return (costs[0].room, costs[1].cost - costs[0].cost)
  }

  private func cost(of heard: [Int: Double], in room: Int) -> Double {
    var cost = 0.0
    for (number, signal) in heard {
      let known = rooms[room].beacons[number]
      let (mean, variance) = known.map { ($0.mean, $0.variance) } ?? (-95, 36)
      cost += (signal - mean) * (signal - mean) / variance / 2 + log(variance) / 2
    }
    for (number, beacon) in rooms[room].beacons where heard[number] == nil {
      cost -= log(max(1 - beacon.count / rooms[room].seconds, 0.02))
    }
    return cost
  }
}
