import Bytes
import Expecting
import Seeded
import TestSupport

@testable import PhoneServices

/// Lines out of writes.
struct LineAssemblerTests {
  private static let turn = Heard.turn(.left, 950, "Hauptstraße")
  private static let whole = hauptstrasse.flatMap { $0 }

  @Test func peripheralBehaviour34_theFourWritesOfATurnAreOneLine() {
    expect(Self.whole.count, 76)
    expect(heard(hauptstrasse), [Self.turn])
  }

  @Test func peripheralBehaviour34_anySplitOfALineGivesTheSame() {
    for first in 0...Self.whole.count {
      for second in first...Self.whole.count {
        let values = [
          Array(Self.whole[..<first]), Array(Self.whole[first..<second]),
          Array(Self.whole[second...]),
        ]
        expect(heard(values), [Self.turn], "\(first), \(second)")
      }
    }
  }

  @Test(arguments: everyKind.indices)
  func peripheralBehaviour34_aLineOfEachKindIsTheSameByteByByte(_ index: Int) {
    let (line, meaning) = everyKind[index]
    expect(heard([written(line)]), [meaning])
    expect(heard(written(line).map { [$0] }), [meaning])
    for split in written(line).indices {
      let values = [Array(written(line)[..<split]), Array(written(line)[split...])]
      expect(heard(values), [meaning], "\(split)")
    }
  }

  @Test func peripheralBehaviour34_severalLinesInOneWriteAreAllHeard() {
    let all = everyKind.flatMap { written($0.0) }
    expect(heard([all]), everyKind.map(\.1))
  }

  @Test(arguments: 0..<75)
  func peripheralBehaviour35_aHalfLineIsForgottenWithTheLink(_ count: Int) {
    var writing = Writing()
    writing.write(Array(Self.whole.prefix(count)))
    writing.loseLink()
    writing.write(over)
    expect(writing.heard, [.over])
  }

  /// The rest of a line that began on the link before is none.
  @Test func peripheralBehaviour35_whatFollowsALostLinkIsNotPutBehindIt() {
    var writing = Writing()
    writing.write(hauptstrasse[0])
    writing.loseLink()
    writing.write(hauptstrasse[1] + hauptstrasse[2] + hauptstrasse[3] + over)
    expect(writing.heard, [.other, .over])
  }

  /// The app ends in the middle of a line, and komoot keeps the link.
  @Test func aLineThatBeginsInTheMiddleOfAnotherIsHeard() {
    var writing = Writing()
    writing.write(hauptstrasse[0] + hauptstrasse[1])
    writing.write(over)
    expect(writing.heard, [.over])
  }

  /// Vector V38, and lines that have an end.
  @Test(arguments: [1_025, 2_048, 100_000])
  func aLongLineIsDroppedToItsEndAndTheNextIsHeard(_ count: Int) {
    for end in [[], [0x0A]] as [[UInt8]] {
      var writing = Writing()
      writing.write([0x10] + [UInt8](repeating: 0x61, count: count) + end + over)
      expect(writing.heard, [.over])
    }
  }

  @Test func aLineOf1024BytesIsWhole() {
    var writing = Writing()
    writing.write([0x10] + [UInt8](repeating: 0x61, count: 1_024) + [0x0A])
    expect(writing.lines.map(\.count), [1_024])
  }

  @Test func anEmptyLineIsNone() {
    var writing = Writing()
    writing.write([0x0A, 0x10, 0x0A, 0x10, 0x10, 0x0A, 0x0A])
    #expect(writing.lines.isEmpty)
    writing.write(Array("a".utf8) + [0x0A, 0x0A] + Array("b".utf8) + [0x0A])
    expect(writing.lines, [Array("a".utf8), Array("b".utf8)])
  }

  @Test func twoHundredLinesIn10SecondsAreHeardAndTheOthersDropped() {
    var writing = Writing()
    for _ in 0..<250 { writing.write(over) }
    expect(writing.heard.count, 200)
    writing.pass(9_999)
    writing.write(over)
    expect(writing.heard.count, 200)
    writing.pass(1)
    writing.write(over)
    expect(writing.heard.count, 201)
  }

  @Test func tenThousandLinesInAMinuteAre1200AtMost() {
    var writing = Writing()
    for _ in 0..<10_000 {
      writing.write(over)
      writing.pass(6)
    }
    expect(writing.heard.count, 1_200)
  }

  /// Of any bytes, and of such as lines have.
  @Test(arguments: [false, true])
  func peripheralBehaviour43_aMegabyteOfGarbageTakesNoMoreMemoryAndAWholeLineIsHeardAfterIt(
    _ isLikeLines: Bool
  ) {
    #expect(MemoryLayout<Gadgetbridge.LineAssembler>.size < 1_200, "all that there is")
    var chance = SeededGenerator(state: isLikeLines ? 43 : 34)
    let letters = latin1("GB({\"t\":nav,[]}\\x0u1d8atob=.-e2)\u{10}\n\u{FC}\u{C3}\u{B3}")
    var assembler = Gadgetbridge.LineAssembler()
    var (now, count) = (at(0), 0)
    for place in 0..<1_000_000 {
      let byte =
        isLikeLines
        ? letters.randomElement(using: &chance) ?? 0 : UInt8.random(in: 0...255, using: &chance)
      if assembler.receive(byte, at: now) {
        count += 1
        #expect((1...1_024).contains(assembler.line.count))
        _ = Heard(assembler.line)
      }
      if place % 20 == 0 { now = now + 30 }
    }
    #expect(count > 1_000)
    var last: [Heard] = []
    for byte in over where assembler.receive(byte, at: now + 10_000) {
      last.append(Heard(assembler.line))
    }
    expect(last, [.over])
  }
}
