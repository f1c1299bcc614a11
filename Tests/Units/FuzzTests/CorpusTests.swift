import Foundation
import Testing

@testable import Fuzz

/// What fuzzing has found worth to be kept, run once more.
///
/// A finding ends the program, with its story on standard error.
@Suite struct CorpusTests {
  @Test(arguments: Target.allCases) func theCorpusHoldsNoFinding(_ target: Target) throws {
    let packs = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fuzz/Corpus/\(target.rawValue).pack")
    var feed = Feed(Array(try Data(contentsOf: packs)))
    var count = 0
    while !feed.isEmpty {
      target.run(feed.take(Int(feed.u16())))
      count += 1
    }
    #expect(count > 0)
  }

  @Test func anInputThatEndsGivesZeros() {
    var feed = Feed([7])
    #expect((feed.u8(), feed.u8()) == (7, 0))
    #expect(feed.isEmpty && feed.rest().isEmpty)
  }
}
