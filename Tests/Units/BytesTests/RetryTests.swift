import Bytes
import Expecting

struct RetryTests {
  private let start = Instant(milliseconds: 5_000)

  @Test func theFirstAttemptIsDueAtItsTime() {
    let retry = Retry(at: start + 100, pause: 1_000)
    expect(!retry.isDue(at: start + 99))
    expect(retry.isDue(at: start + 100))
    expect(!Retry(at: nil, pause: 1_000).isDue(at: start), "without one nothing ever is")
  }

  @Test func afterAFailureTheNextAttemptComesAfterThePauseOrAnotherOne() {
    var retry = Retry(at: start, pause: 1_000)
    _ = retry.failed(5, at: start + 7)
    expect(retry.deadline, start + 1_007)
    _ = retry.failed(5, at: start, pause: 250)
    expect(retry.deadline, start + 250)
    _ = retry.failed(5, at: start)
    expect(retry.deadline, start + 1_000)
  }

  @Test func eachKindIsToldOnceHoweverTheyAlternate() {
    var retry = Retry(at: start, pause: 1_000)
    let told = [5, 6, 5, 6, 7, 5].map { retry.failed($0, at: start) }
    expect(told, [true, true, false, false, true, false])
  }

  @Test func kindsBeyondTheRoomAreNotTold() {
    var retry = Retry(at: start, pause: 1_000)
    for kind: Int32 in 1...8 {
      expect(retry.failed(kind, at: start), true)
    }
    expect(retry.failed(9, at: start), false)
    expect(retry.failed(1, at: start), false)
  }

  @Test func afterASuccessNothingIsDueAndAllIsToldAgain() {
    var retry = Retry(at: start, pause: 1_000)
    _ = retry.failed(5, at: start)
    retry.succeeded()
    expect(retry.deadline, nil)
    expect(retry.failed(5, at: start), true)
    retry.succeeded()
    retry.again(at: start + 300)
    expect(retry.isDue(at: start + 300), "ordered without a failure")
  }

  @Test func whatStopsIsNotDueAndNotForgotten() {
    var retry = Retry(at: start, pause: 1_000)
    _ = retry.failed(5, at: start)
    retry.stop()
    expect(retry.deadline, nil)
    expect(retry.failed(5, at: start), false)
  }
}
