import Beacons
import Bytes
import Places
import TestSupport
import Testing

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
    #expect(tally.answers == 1_200)
    #expect(Double(tally.same) >= 0.995 * Double(tally.answers), "\(tally)")
    #expect(Double(tally.right) >= 0.7 * Double(tally.answers), "\(tally)")
  }
}
