import Bytes
import Expecting
import PhoneServices
import TestSupport

struct ReadingPlanTests {
  private func expectRead(_ isExpected: Bool, _ plan: inout ReadingPlan, at milliseconds: Int64) {
    expect(plan.takeDueRead(at: at(milliseconds)), isExpected, "after \(milliseconds) ms")
  }

  @Test func theFirstReadIsTheHostsAndTheNextIsDueOnce() {
    var plan = ReadingPlan()
    expectRead(false, &plan, at: 0)
    plan.begin(at: at(5))
    expectRead(false, &plan, at: 5)
    expectRead(true, &plan, at: 1_005)
    expectRead(false, &plan, at: 1_005)
  }

  @Test func aPhoneThatNeverNotifiesIsReadEverySecond() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    let reads = (0...5_000).filter { plan.takeDueRead(at: at(Int64($0))) }
    expect(reads, [1_000, 2_000, 3_000, 4_000, 5_000])
  }

  private func reads(_ plan: inout ReadingPlan, _ times: ClosedRange<Int64>) -> [Int64] {
    times.filter { plan.takeDueRead(at: at($0)) }
  }

  @Test func newsFromAPhoneThatNeverNotifiesAreFollowedByQuickReads() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    plan.receiveNews(at: at(20))
    expect(reads(&plan, 20...5_000), [270, 770, 1_770, 2_770, 3_770, 4_770])
  }

  @Test func eachNewsMakesTheReadsQuickAgain() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    var readings: [Int64] = [0]
    // A phone with news each time, told 10 ms after it was asked.
    for now in Int64(0)...2_000 {
      if plan.takeDueRead(at: at(now)) { readings.append(now) }
      if readings.last == now - 10 { plan.receiveNews(at: at(now)) }
    }
    expect(readings, [0, 260, 520, 780, 1_040, 1_300, 1_560, 1_820])
  }

  @Test func newsFromAPhoneThatNotifiesChangeNothing() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    plan.receive(.identifier(7), at: at(10))
    expectRead(true, &plan, at: 10)
    plan.receiveNews(at: at(20))
    expect(plan.deadline, at(3_010))
  }

  @Test func aNewLinkIsNotHurriedByTheNewsOfTheLast() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    plan.receiveNews(at: at(1))
    plan.end()
    plan.receiveNews(at: at(2))
    expect(plan.deadline, nil)
    plan.begin(at: at(100))
    expect(reads(&plan, 100...2_200), [1_100, 2_100])
  }

  @Test func aPhoneThatNotifiesIsReadAtLeastEvery4Seconds() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    plan.receive(.identifier(7), at: at(10))
    expect(plan.deadline, at(10))
    expectRead(true, &plan, at: 10)
    // Whole values need no read, but the iPhone's watchdog does.
    plan.receive(.whole, at: at(1_000))
    plan.receive(.whole, at: at(2_000))
    expect(plan.deadline, at(3_010))
  }

  @Test(arguments: [Notification.cut, .identifier(1)])
  func aNotificationThatIsNotWholeIsReadAtOnce(_ notification: Notification) {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    plan.receive(notification, at: at(500))
    expectRead(true, &plan, at: 500)
  }

  @Test func centralBehaviour138_aValueThatIsReadAgainIsNewsOnlyIfItWasNotifiedOrIsAnother() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    func expectNews(_ isExpected: Bool, _ identifier: UInt32) {
      expect(plan.receiveValue(identifier, after: 7), isExpected)
    }
    expectNews(true, 7)
    plan.receive(.ignore, at: at(1))
    expectNews(true, 7)
    plan.receive(.identifier(7), at: at(2))
    expectNews(true, 7)
    expectNews(false, 7)
    expectNews(true, 8)
    plan.begin(at: at(3))
    expectNews(true, 7)
  }

  @Test func withoutALinkNothingIsRead() {
    var plan = ReadingPlan()
    plan.begin(at: at(0))
    plan.end()
    plan.receive(.identifier(1), at: at(1))
    expect(plan.deadline, nil)
  }
}
