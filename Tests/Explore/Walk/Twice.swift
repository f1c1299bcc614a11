import Arena
import Seeded

/// Whether what the hash cannot tell apart behaves alike.
extension Walk {
  static let randomLength = 12

  /// Plays random paths.
  ///
  /// Where one comes to the state of an earlier one by another way, both go on in the same way, and the same has to
  /// come out. Returns how many pairs were compared, and whether all were alike.
  func compareRandomPaths(_ count: Int, seed: UInt64) -> (pairs: Int, areAlike: Bool) {
    let length = Walk.randomLength
    arena_save(0)
    let paths: UnsafeMutablePointer<UInt8> = mapped(count * length)
    let first: UnsafeMutablePointer<(path: Int32, length: Int32)> = mapped(capacity)
    let marks: UnsafeMutablePointer<UInt64> = mapped(length + 1)
    var generator = SeededGenerator(state: seed)
    var pairs = 0
    for number in 0..<count {
      let path = paths + number * length
      for index in 0..<length { path[index] = UInt8(generator.next() % UInt64(letters.count)) }
      arena_restore(0)
      for index in 0..<length {
        play(letters[Int(path[index])])
        marks[index] = mark().value
        company.witness.forgetBreach()
      }
      arena_restore(0)
      for index in 0..<length {
        let place = place(of: marks[index], in: table)
        guard table[place] != 0 else {
          table[place] = max(1, marks[index])
          first[place] = (Int32(number), Int32(index + 1))
          continue
        }
        let other = first[place]
        let one = Way(path, index + 1)
        let another = Way(paths + Int(other.path) * length, Int(other.length))
        guard !one.isSame(as: another) else { continue }
        pairs += 1
        let rest = marks[index]
        guard output(of: one, then: rest) != output(of: another, then: rest) else { continue }
        say("seed \(seed): these two lead to one hash, and what comes after them differs:")
        for way in [one, another] {
          say(
            "  "
              + (0..<way.count).map { letters[Int(way.letters[$0])].name }.joined(separator: ", "))
        }
        return (pairs, false)
      }
    }
    return (pairs, true)
  }

  private struct Way {
    let letters: UnsafeMutablePointer<UInt8>
    let count: Int
    init(_ letters: UnsafeMutablePointer<UInt8>, _ count: Int) {
      (self.letters, self.count) = (letters, count)
    }

    func isSame(as other: Way) -> Bool {
      count == other.count && (0..<count).allSatisfy { letters[$0] == other.letters[$0] }
    }
  }

  /// A hash of what comes out after that way, as eight letters follow that this seed draws.
  private func output(of way: Way, then seed: UInt64) -> UInt64 {
    arena_restore(0)
    for index in 0..<way.count { play(letters[Int(way.letters[index])]) }
    company.output = Fingerprint(at: 0)
    var generator = SeededGenerator(state: seed)
    for _ in 0..<8 { play(letters[Int(generator.next() % UInt64(letters.count))]) }
    let output = company.output?.value ?? 0
    arena_restore(0)
    return output
  }
}
