import Expecting
import Foundation

@testable import Fuzz

/// What fuzzing has found worth keeping is there and whole; `Tests/fuzz --replay` runs it.
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fuzz/Corpus")

  @Test(arguments: Target.allCases) func eachTargetHasInputsThatAreWhole(_ target: Target) throws {
    let file = Self.folder.appending(path: "\(target.rawValue).pack")
    let packed = Array(try Data(contentsOf: file))
    let inputs = inputs(of: packed)
    #expect(inputs.count > 10)
    expect(inputs.reduce(0) { $0 + 2 + $1.count }, packed.count)
  }

  @Test func aPackHasEachInputBehindItsLength() {
    expect(inputs(of: [2, 0, 7, 8, 0, 0, 1, 0, 9]), [[7, 8], [], [9]])
    expect(inputs(of: [2, 1] + [UInt8](repeating: 5, count: 258)).map(\.count), [258])
    #expect(inputs(of: []).isEmpty)
  }

  @Test func anInputThatEndsGivesZeros() {
    var feed = Feed([7])
    expect((feed.u8(), feed.u8()) == (7, 0))
    expect(feed.isEmpty && feed.rest().isEmpty)
  }
}
