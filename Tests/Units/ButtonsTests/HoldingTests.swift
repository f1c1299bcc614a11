import Buttons
import Bytes
import Testing

/// Both buttons, buttons that are never released, and edges that the kernel lost.
@Suite struct HoldingTests {
  // MARK: - Both together

  @Test(arguments: [0, 5, 300] as [Int64])
  func bothTogetherAreIgnoredUntilBothAreReleased(_ lag: Int64) {
    var rider = Rider()
    rider.press(.unpair, at: 0)
    rider.press(.page, at: lag)
    rider.release(.unpair, at: 2_900)
    rider.wait(until: 6_000)
    // Unpair again, with page held all the time.
    rider.press(.unpair, at: 6_000)
    rider.release(.unpair, at: 6_200)
    rider.release(.page, at: 7_000)
    rider.wait(until: 8_000)
    #expect(rider.heard == [])
    rider.press(.page, at: 8_000)
    rider.release(.page, at: 8_200)
    rider.wait(until: 9_000)
    #expect(rider.heard == [.gesture(.pageShort)])
  }

  @Test func theSecondButtonAtTheLastMomentStillPreventsALongPress() {
    var rider = Rider()
    rider.take([(.unpair, true, 0), (.page, true, 2_990)])
    rider.wait(until: 5_900)
    #expect(rider.heard == [])
  }

  @Test(arguments: [(Button.page, Button.unpair), (.unpair, .page)], [0, 5, 900] as [Int64])
  func bothHeldForThreeSecondsAreOneGestureAndNoOther(
    _ order: (first: Button, second: Button), _ lag: Int64
  ) {
    var rider = Rider()
    rider.press(order.first, at: 0)
    rider.press(order.second, at: lag)
    rider.wait(until: lag + 2_999)
    #expect(rider.heard == [])
    #expect(rider.deadline == lag + 3_000, "from when both are held")
    rider.wait(until: lag + 3_000)
    #expect(rider.heard == [.gesture(.both)])
    rider.release(order.first, at: 6_000)
    rider.wait(until: 12_000)
    rider.release(order.second, at: 12_000)
    rider.wait(until: 13_000)
    #expect(rider.heard == [.gesture(.both)], "each counts again after both were released")
    rider.press(.page, at: 14_000)
    rider.release(.page, at: 14_100)
    rider.wait(until: 15_000)
    #expect(rider.heard == [.gesture(.both), .gesture(.pageShort)])
  }

  @Test func bothAreNoGestureIfOneIsReleasedForAMoment() {
    var rider = Rider()
    rider.take([(.page, true, 0), (.unpair, true, 10), (.page, false, 2_000), (.page, true, 2_200)])
    rider.wait(until: 20_000)
    #expect(rider.heard == [])
  }

  /// The kernel drops edges that are not read in time.
  @Test func bothAreNoGestureIfTheKernelLostARelease() {
    var rider = Rider()
    rider.take([(.page, true, 0), (.unpair, true, 10)])
    rider.seeReleased(.unpair, at: 2_500)
    rider.wait(until: 20_000)
    #expect(rider.heard == [])
  }

  @Test func theSecondButtonAfterALongPressIsIgnored() {
    var rider = Rider()
    rider.press(.page, at: 0)
    rider.wait(until: 1_500)
    rider.press(.unpair, at: 1_500)
    rider.wait(until: 6_000)
    #expect(rider.heard == [.gesture(.pageLong)])
  }

  // MARK: - Held for ever

  @Test func aStuckButtonIsReportedOnce() {
    var rider = Rider()
    rider.press(.page, at: 0)
    rider.wait(until: 29_999)
    #expect(rider.heard == [.gesture(.pageLong)])
    #expect(rider.deadline == 30_000)
    rider.wait(until: 30_000)
    #expect(rider.heard == [.gesture(.pageLong), .stuck(.page)])
    rider.wait(until: 500_000)
    #expect(rider.heard.count == 2)
    #expect(rider.deadline == nil)  // nothing wakes the program for it any more
  }

  @Test func aButtonThatSticksAgainIsReportedAgain() {
    var rider = Rider()
    rider.press(.page, at: 0)
    rider.wait(until: 31_000)
    rider.release(.page, at: 31_000)
    rider.press(.page, at: 32_000)
    rider.wait(until: 63_000)
    #expect(
      rider.heard == [.gesture(.pageLong), .stuck(.page), .gesture(.pageLong), .stuck(.page)])
  }

  @Test func bothStuckButtonsAreReportedAndUnpairNothing() {
    var rider = Rider()
    rider.take([(.page, true, 0), (.unpair, true, 10)])
    rider.wait(until: 40_000)
    #expect(rider.heard == [.gesture(.both), .stuck(.page), .stuck(.unpair)])
  }

  @Test func aButtonThatIsHeldAtTheStartDoesNothingUntilItIsReleased() {
    var rider = Rider(isUnpairPressed: true)
    rider.wait(until: 20_000)
    #expect(rider.heard == [])
    #expect(rider.progress == nil)
    rider.wait(until: 31_000)
    #expect(rider.heard == [.stuck(.unpair)])
    rider.release(.unpair, at: 31_000)
    rider.wait(until: 32_000)
    rider.press(.unpair, at: 32_000)
    rider.release(.unpair, at: 32_100)
    rider.wait(until: 33_000)
    #expect(rider.heard == [.stuck(.unpair), .gesture(.unpairShort)])
  }

  @Test func aButtonThatIsHeldAtTheStartMakesTheOtherOneASecondButton() {
    var rider = Rider(isUnpairPressed: true)
    rider.press(.page, at: 1_000)
    rider.release(.page, at: 1_200)
    rider.wait(until: 2_000)
    #expect(rider.heard == [])
  }

  @Test func aReleaseJustBeforeThirtySecondsWhoseBouncesEndAfterThemIsNotStuck() {
    var rider = Rider()
    rider.press(.page, at: 0)
    rider.release(.page, at: 29_990)
    rider.wait(until: 40_000)
    #expect(rider.heard == [.gesture(.pageLong)])
  }

  // MARK: - Lost edges

  @Test func aReleaseThatTheKernelDroppedNeverMakesALongPress() {
    var rider = Rider()
    rider.press(.unpair, at: 0)
    rider.wait(until: 2_999)
    rider.seeReleased(.unpair, at: 3_000)
    rider.wait(until: 60_000)
    #expect(rider.heard == [.gesture(.unpairShort)])
  }

  @Test func aReleaseThatWasDroppedFromTheBouncesOfAPressNeverMakesALongPress() {
    var rider = Rider()
    // The last edge that the kernel had room for, read 5 s later.
    rider.take([(.unpair, true, 0)])
    rider.seeReleased(.unpair, at: 5_000)
    rider.wait(until: 60_000)
    #expect(rider.heard == [.gesture(.unpairShort)])
  }

  @Test func aReleaseThatWasDroppedFromTheBouncesWhileAButtonWasHeldNeverMakesALongPress() {
    var rider = Rider()
    rider.press(.unpair, at: 0)
    rider.wait(until: 100)
    rider.take([(.unpair, false, 110), (.unpair, true, 112)])
    rider.seeReleased(.unpair, at: 5_000)
    rider.wait(until: 60_000)
    #expect(rider.heard == [.gesture(.unpairShort)])
  }

  @Test func whileAButtonBouncesItsEdgesDecideAndNotItsLevel() {
    var rider = Rider()
    rider.take([(.page, true, 0), (.page, false, 500), (.page, true, 510)])
    rider.seeReleased(.page, at: 515)
    rider.wait(until: 1_000)
    #expect(rider.heard == [.gesture(.pageLong)])
  }

  @Test func aButtonThatIsSeenReleasedAndWasNotPressedChangesNothing() {
    var rider = Rider()
    rider.seeReleased(.page, at: 0)
    #expect(rider.deadline == nil)
  }
}
