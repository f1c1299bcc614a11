import Beacons
import Bytes
import Expecting
import Foundation
import Places
import Seeded
import TestSupport

/// How often an answer is right, in houses that a seed makes.
@Suite struct HouseTests {
  private func learned(_ seconds: [House.Second]) throws -> Fingerprint {
    var training = try Training(groupUUID, seconds: seconds.count)
    training.resume(at: at(0))
    for (index, second) in seconds.enumerated() {
      for (number, rssi) in second.sorted(by: { $0.key < $1.key }) {
        training.receive(beacon(number), rssi: rssi, at: at(Int64(index) * 1_000 + 500))
      }
    }
    try training.finalize(at: at(Int64(seconds.count) * 1_000))
    var text = FixedBuffer<40500>()
    training.write(to: &text)
    return try Fingerprint(file: text.bytes)
  }

  @Test(arguments: UInt64(1)...6) func sevenOf10AnswersAreRight(seed: UInt64) throws {
    var house = House(seed: seed)
    let rooms = 0..<House.roomCount
    let fingerprints = try rooms.map { try learned(house.stay(in: $0, seconds: 60)) }
    var right = 0
    for room in rooms {
      let walk = try Walk()
      for (index, fingerprint) in fingerprints.enumerated() {
        try walk.add("\(index)", fingerprint)
      }
      for second in house.stay(in: room, seconds: 100) {
        walk.stand((1...(second.keys.max() ?? 1)).map { second[$0] }, seconds: 1)
      }
      right += walk.answers().count { $0 == "\(room)" }
    }
    #expect(right >= 7 * 120, "of 1,200")
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
