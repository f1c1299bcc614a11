import Bytes
import Events
import Expecting
import TestSupport

/// Readers that do not read, do not stop talking, or leave: none of them costs more than a little.
struct SlowReaderTests {
  /// A reader of everything that has taken the answer to that.
  private func reader() -> Conversation {
    let reader = Conversation()
    reader.say("on all\n")
    _ = reader.lines()
    reader.pass(100)
    return reader
  }

  private func event(_ number: Int) -> String {
    #"{"t":1.000,"event":"frame","number":\#(number)}"#
  }

  @Test func whoTakesNothingHoldsABoundedNumberOfBytes() {
    let reader = reader()
    for number in 0..<100_000 { reader.tell(.device, event(number)) }
    #expect((4_096...8_192).contains(reader.outputCount()))
  }

  @Test func whatIsLostIsCountedAndToldInItsPlace() throws {
    let reader = reader()
    for number in 0..<1_000 { reader.tell(.device, event(number)) }
    let lines = reader.lines()
    let kept = lines.count - 1
    expect(lines.dropLast().elementsEqual((0..<kept).map(event)) && kept > 100)
    expect(lines.last, #"{"t":10.100,"event":"lost","lines":\#(1_000 - kept)}"#)
    reader.tell(.device, event(1_000))
    expect(reader.lines(), [event(1_000)], "told once")
  }

  @Test func whatItDoesNotReadIsNoLoss() {
    let reader = Conversation()
    reader.say("on radio\n")
    _ = reader.lines()
    for number in 0..<1_000 { reader.tell(.device, event(number)) }
    expect(reader.lines(), [])
  }

  /// Else somebody who is a little slow got now a line and now a loss.
  @Test func afterALossNothingComesUntilAllIsTaken() {
    let reader = reader()
    for number in 0..<300 { reader.tell(.device, event(number)) }
    reader.take(reader.outputCount() - 1)
    reader.tell(.device, event(300))
    expect(reader.outputCount(), 1)
    reader.take()
    reader.tell(.device, event(301))
    let lines = reader.lines()
    #expect(lines.count > 100)
    expect(lines.suffix(2).first, #"{"t":10.100,"event":"lost","lines":\#(303 - lines.count)}"#)
    expect(lines.last, event(301))
  }

  @Test func whoDoesNotTakeTheAnswersIsNotHeardAnyFurther() {
    let reader = Conversation()
    reader.say(String(repeating: "help\n", count: 10_000))
    reader.pass(1_000_000, isSlow: true)
    expect((7_000...8_192).contains(reader.outputCount()) && !reader.takesInput)
    let unheard = reader.unheardCount
    reader.pass(1_000_000, isSlow: true)
    expect(reader.unheardCount == unheard && unheard > 49_000)
    expect(reader.deadline, nil, "nobody wakes up for it")
    _ = reader.lines()
    expect(reader.takesInput)
  }

  @Test func itsAnswersAreNeverLost() {
    let reader = reader()
    for number in 0..<1_000 { reader.tell(.device, event(number)) }
    reader.say("off 1\n")
    let lines = reader.lines()
    expect(lines.last, unsubscribed(1))
    expect(lines.dropLast().last?.contains(#""event":"lost""#), true)
  }

  @Test func aLossIsToldBeforeAnAnswerThoughThatHasRoom() {
    let reader = reader()
    // 13 lines of 601 bytes leave 379 of the 8192.
    let line = String(repeating: "x", count: 600)
    for _ in 0..<14 { reader.tell(.device, line) }
    reader.say("off 1\n")
    expect(reader.outputCount(), 13 * 601)
    let lost = #"{"t":10.100,"event":"lost","lines":1}"#
    expect(reader.lines(), [String](repeating: line, count: 13) + [lost, unsubscribed(1)])
  }

  /// It could keep the loop busy; so it is heard ten times a second, 64 bytes each time.
  @Test func whoTalksWithoutAPauseIsHeardTenTimesASecond() {
    let reader = Conversation()
    reader.say([UInt8](repeating: 0x0A, count: 100_000))
    reader.pass(9_999)
    expect(100_000 - reader.unheardCount, 100 * 64)
    expect(reader.lines().count, 100 * 64)
  }

  @Test func whoHasSpokenOnceWakesNobodyTwice() {
    let reader = Conversation()
    expect(reader.takesInput && reader.deadline == nil)
    reader.say("on radio\n")
    expect(!reader.takesInput && reader.deadline == 100)
    reader.pass(99)
    expect(!reader.takesInput && reader.deadline == 1)
    reader.pass(1)
    expect(reader.takesInput && reader.deadline == nil)
  }

  @Test func aLineWithoutAnEndIsToldOnceAndGrowsNowhere() {
    let reader = Conversation()
    reader.say(String(repeating: "x", count: 32))
    expect(reader.lines(), [], "it may still become a line")
    reader.pass(100)
    reader.say("x")
    expect(reader.lines(), [refused])
    reader.pass(100)
    reader.say(String(repeating: "on radio ", count: 1_000))
    reader.pass(60_000)
    expect(reader.lines() == [] && reader.unheardCount == 0)
    reader.say("\non radio\n")
    expect(reader.lines(), [subscribed(1)], "the next line counts")
  }

  @Test func whoSaysNothingMoreStillReads() {
    let reader = reader()
    reader.endInput()
    reader.tell(.device, event(1))
    expect(!reader.isOver && !reader.takesInput && reader.deadline == nil)
    expect(reader.lines(), [event(1)])
    expect(!reader.isOver)
  }

  @Test func whoReadsNothingAndSaysNothingMoreIsDone() {
    let reader = Conversation()
    reader.say("on radio\noff 1\n")
    reader.endInput()
    expect(!reader.isOver, "its answers are not taken")
    expect(reader.lines(), [subscribed(1), unsubscribed(1)])
    expect(reader.isOver)
  }

  /// Of a line that is too long the end is not told again.
  @Test(
    arguments: ["on radio", "off 1", "o", "\r", String(repeating: "x", count: 20)]
      + [String(repeating: "x", count: 50)])
  func whatEndsWithoutANewlineIsNoCommand(_ said: String) {
    let reader = Conversation()
    reader.say(said)
    reader.endInput()
    expect(reader.lines(), [refused])
    expect(reader.wanted.isEmpty && reader.isOver)
  }

  @Test func whatWasSaidBeforeTheEndIsStillAnswered() {
    let reader = Conversation()
    for number in 0..<1_000 { reader.tell(.device, event(number)) }
    reader.say("on radio\n" + String(repeating: "\n", count: 50) + "off 1")
    reader.endInput()
    let lines = reader.lines()
    expect(lines.first == subscribed(1) && lines.count == 52 && lines.last == refused)
    expect(!reader.isOver)
  }
}
