import Buttons
import Bytes
import Expecting

/// Both buttons, buttons that are never released, and edges that the kernel lost.
struct HoldingTests {
  // MARK: - Both together

  @Test(arguments: [0, 5, 300] as [Int64])
  func bothTogetherAreIgnoredUntilBothAreReleased(_ lag: Int64) {
    var rider = Rider()
    rider.press(.b, at: 0)
    rider.press(.a, at: lag)
    rider.release(.b, at: 2_900)
    rider.wait(until: 6_000)
    // Unpair again, with page held all the time.
    rider.press(.b, at: 6_000)
    rider.release(.b, at: 6_200)
    rider.release(.a, at: 7_000)
    rider.wait(until: 8_000)
    expect(rider.heard, [])
    rider.press(.a, at: 8_000)
    rider.release(.a, at: 8_200)
    rider.wait(until: 9_000)
    expect(rider.heard, [.gesture(.aShort)])
  }

  @Test(arguments: [(Button.a, Button.b), (.b, .a)], [0, 5, 900] as [Int64])
  func bothHeldForThreeSecondsAreOneGestureAndNoOther(
    _ order: (first: Button, second: Button), _ lag: Int64
  ) {
    var rider = Rider()
    rider.press(order.first, at: 0)
    rider.press(order.second, at: lag)
    rider.wait(until: lag + 2_999)
    expect(rider.heard, [])
    expect(rider.deadline, lag + 3_000, "from when both are held")
    rider.wait(until: lag + 3_000)
    expect(rider.heard, [.gesture(.both)])
    rider.release(order.first, at: 6_000)
    rider.wait(until: 12_000)
    rider.release(order.second, at: 12_000)
    rider.wait(until: 13_000)
    expect(rider.heard, [.gesture(.both)], "each counts again after both were released")
    rider.press(.a, at: 14_000)
    rider.release(.a, at: 14_100)
    rider.wait(until: 15_000)
    expect(rider.heard, [.gesture(.both), .gesture(.aShort)])
  }

  /// The kernel drops edges that are not read in time.
  @Test func bothAreNoGestureIfTheKernelLostARelease() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.b, true, 10)])
    rider.seeReleased(.b, at: 2_500)
    rider.wait(until: 20_000)
    expect(rider.heard, [])
  }

  @Test func theSecondButtonAfterALongPressIsIgnored() {
    var rider = Rider()
    rider.press(.a, at: 0)
    rider.wait(until: 1_500)
    rider.press(.b, at: 1_500)
    rider.wait(until: 6_000)
    expect(rider.heard, [.gesture(.aLong)])
  }

  // MARK: - Held for ever

  @Test func aStuckButtonIsReportedOnceUntilItSticksAgain() {
    var rider = Rider()
    rider.press(.a, at: 0)
    rider.wait(until: 29_999)
    expect(rider.heard, [.gesture(.aLong)])
    expect(rider.deadline, 30_000)
    rider.wait(until: 30_000)
    expect(rider.heard, [.gesture(.aLong), .stuck(.a)])
    rider.wait(until: 500_000)
    expect(rider.heard.count, 2)
    expect(rider.deadline, nil)  // nothing wakes the program for it any more
    rider.release(.a, at: 500_000)
    rider.press(.a, at: 501_000)
    rider.wait(until: 532_000)
    expect(rider.heard, [.gesture(.aLong), .stuck(.a), .gesture(.aLong), .stuck(.a)])
  }

  @Test func bothStuckButtonsAreReportedAndUnpairNothing() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.b, true, 10)])
    rider.wait(until: 40_000)
    expect(rider.heard, [.gesture(.both), .stuck(.a), .stuck(.b)])
  }

  @Test func aButtonThatIsHeldAtTheStartDoesNothingUntilItIsReleased() {
    var rider = Rider(isBPressed: true)
    rider.wait(until: 20_000)
    expect(rider.heard, [])
    expect(rider.progress, nil)
    rider.wait(until: 31_000)
    expect(rider.heard, [.stuck(.b)])
    rider.release(.b, at: 31_000)
    rider.wait(until: 32_000)
    rider.press(.b, at: 32_000)
    rider.release(.b, at: 32_100)
    rider.wait(until: 33_000)
    expect(rider.heard, [.stuck(.b), .gesture(.bShort)])
  }

  @Test func aButtonThatIsHeldAtTheStartMakesTheOtherOneASecondButton() {
    var rider = Rider(isBPressed: true)
    rider.press(.a, at: 1_000)
    rider.release(.a, at: 1_200)
    rider.wait(until: 2_000)
    expect(rider.heard, [])
  }

  // MARK: - Lost edges

  /// While it was held; of the bounces of the press, whose last edge that the kernel had room for is read 5 s
  /// later; and of bounces while it was held.
  @Test(
    arguments: [
      (2_999, [], 3_000), (0, [], 5_000), (100, [(.b, false, 110), (.b, true, 112)], 5_000),
    ] as [(Int64, [Rider.Contact], Int64)])
  func aReleaseThatTheKernelDroppedNeverMakesALongPress(
    _ time: Int64, _ bounces: [Rider.Contact], _ seen: Int64
  ) {
    var rider = Rider()
    rider.press(.b, at: 0)
    if time > 0 { rider.wait(until: time) }
    rider.take(bounces)
    rider.seeReleased(.b, at: seen)
    rider.wait(until: 60_000)
    expect(rider.heard, [.gesture(.bShort)])
  }

  @Test func whileAButtonBouncesItsEdgesDecideAndNotItsLevel() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.a, false, 500), (.a, true, 510)])
    rider.seeReleased(.a, at: 515)
    rider.wait(until: 1_000)
    expect(rider.heard, [.gesture(.aLong)])
  }

  @Test func aButtonThatIsSeenReleasedAndWasNotPressedChangesNothing() {
    var rider = Rider()
    rider.seeReleased(.a, at: 0)
    expect(rider.deadline, nil)
  }
}
