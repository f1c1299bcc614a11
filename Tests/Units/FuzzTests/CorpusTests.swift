import Foundation
import Testing

@testable import Fuzz

/// What fuzzing has found worth keeping, run once more.
///
/// A finding ends the program, with its story on standard error. One at a time, as there is one story.
@Suite(.serialized) struct CorpusTests {
  @Test(arguments: Target.allCases) func theCorpusHoldsNoFinding(_ target: Target) throws {
    let packs = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fuzz/Corpus/\(target.rawValue).pack")
    var feed = Feed(Array(try Data(contentsOf: packs)))
    var inputs: [[UInt8]] = []
    while !feed.isEmpty { inputs.append(feed.take(Int(feed.u16()))) }
    #expect(!inputs.isEmpty)
    // Each script ends with two minutes of riding; `Tests/fuzz` begins with all of them.
    let step = target == .device ? 5 : 1
    for index in stride(from: 0, to: inputs.count, by: step) { target.run(inputs[index]) }
  }

  @Test func anInputThatEndsGivesZeros() {
    var feed = Feed([7])
    #expect((feed.u8(), feed.u8()) == (7, 0))
    #expect(feed.isEmpty && feed.rest().isEmpty)
  }
}
