import Bytes
import Komoot
import Testing

@Suite struct ReadingPlanTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

  private func expectRead(_ isExpected: Bool, _ plan: inout ReadingPlan, at milliseconds: Int64) {
    let isDue = plan.takeDueRead(at: at(milliseconds))
    #expect(isDue == isExpected, "after \(milliseconds) ms")
  }

  @Test func theFirstReadIsDueAtOnceAndOnce() {
    var plan = ReadingPlan()
    expectRead(false, &plan, at: 0)
    plan.begin(at: at(5))
    expectRead(true, &plan, at: 5)
    expectRead(false, &plan, at: 5)
  }

  @Test func aPhoneThatNeverNotifiesIsReadEverySecond() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    let reads = (0...5_000).filter { plan.takeDueRead(at: at(Int64($0))) }
    #expect(reads == [0, 1_000, 2_000, 3_000, 4_000, 5_000])
  }

  @Test func aPhoneThatNotifiesIsReadAtLeastEvery4Seconds() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    _ = plan.takeDueRead(at: at(0))
    plan.take(.identifier(7), at: at(10))
    #expect(plan.deadline == at(10))
    expectRead(true, &plan, at: 10)
    // Whole values need no read, but the iPhone's watchdog does.
    plan.take(.whole, at: at(1_000))
    plan.take(.whole, at: at(2_000))
    #expect(plan.deadline == at(3_010))
  }

  @Test(arguments: [Notification.cut, .identifier(1)])
  func aNotificationThatIsNotWholeIsReadAtOnce(_ notification: Notification) {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    _ = plan.takeDueRead(at: at(0))
    plan.take(notification, at: at(500))
    expectRead(true, &plan, at: 500)
  }

  @Test func withoutALinkNothingIsRead() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    plan.end()
    plan.take(.identifier(1), at: at(1))
    #expect(plan.deadline == nil)
  }
}
