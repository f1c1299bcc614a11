import Buttons
import Expecting

/// What the panel can show of a press of unpair that is on its way to 3 s, in virtual time.
struct HoldProgressTests {
  @Test func theBarMovesEvery150MillisecondsUntilThePhoneIsForgotten() {
    var rider = Rider()
    rider.press(.b, at: 1_000)
    var steps: [Step] = []
    while rider.heard.isEmpty, let due = rider.deadline {
      rider.wait(until: due)
      if let progress = rider.progress { steps.append(Step(at: due - 1_000, progress)) }
    }
    expect(
      steps,
      [
        Step(at: 450, 150), Step(at: 600, 200), Step(at: 750, 250), Step(at: 900, 300),
        Step(at: 1_050, 350), Step(at: 1_200, 400), Step(at: 1_350, 450), Step(at: 1_500, 500),
        Step(at: 1_650, 550), Step(at: 1_800, 600), Step(at: 1_950, 650), Step(at: 2_100, 700),
        Step(at: 2_250, 750), Step(at: 2_400, 800), Step(at: 2_550, 850), Step(at: 2_700, 900),
        Step(at: 2_850, 950),
      ])
    expect(rider.heard, [.gesture(.bLong)])
    expect(rider.progress, nil)  // it has happened
  }

  @Test func aShortPressShowsNoProgress() {
    var rider = Rider()
    rider.press(.b, at: 0)
    rider.wait(until: 449)
    expect(rider.progress, nil)
    rider.release(.b, at: 449)
    rider.wait(until: 1_000)
    expect(rider.progress, nil)
    expect(rider.heard, [.gesture(.bShort)])
  }

  @Test func aReleaseOnTheWayEndsTheProgressOnceItsBouncesAreOver() {
    var rider = Rider()
    rider.press(.b, at: 0)
    rider.wait(until: 1_500)
    rider.release(.b, at: 1_640)
    rider.wait(until: 1_669)
    expect(rider.progress, 500)  // and not 550: it may be a release
    rider.wait(until: 1_670)
    expect(rider.progress, nil)
    rider.press(.b, at: 2_000)
    rider.wait(until: 2_449)
    expect(rider.progress, nil)  // the next press begins at nothing
    rider.wait(until: 2_450)
    expect(rider.progress, 150)
  }

  @Test func aShockOnTheWayOnlyDelaysTheBar() {
    var rider = Rider()
    rider.take([(.b, true, 0), (.b, false, 1_045), (.b, true, 1_060)])
    expect(rider.progress, 300)
    rider.wait(until: 1_090)
    expect(rider.progress, 350)
    expect(rider.deadline, 1_200)
  }

  @Test func theSecondButtonEndsTheProgress() {
    var rider = Rider()
    rider.press(.b, at: 0)
    rider.wait(until: 2_000)
    rider.press(.a, at: 2_000)
    rider.wait(until: 2_030)
    expect(rider.progress, nil)
    expect(rider.deadline, 5_000)  // both held for 3 s
  }

  @Test func aPressOfAIsNoWayToForget() {
    var rider = Rider()
    rider.press(.a, at: 0)
    expect(rider.deadline, 30)
    rider.wait(until: 30)
    expect(rider.deadline, 1_000)  // and no step before it
    rider.wait(until: 999)
    expect(rider.progress, nil)
  }

  @Test func aProgramThatWokeLateShowsWhereTheButtonIsNow() {
    var rider = Rider()
    rider.press(.b, at: 0)
    rider.skip(to: 2_710)
    expect(rider.progress, 900)
    expect(rider.deadline, 2_850)
  }

  /// A step of the progress and when it came.
  private struct Step: Equatable {
    let time: Int64
    let progress: Int

    init(at time: Int64, _ progress: Int) { (self.time, self.progress) = (time, progress) }
  }
}
