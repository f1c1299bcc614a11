import Buttons
import Bytes
import Seeded
import TestSupport
import Testing

/// When a press of a button counts, and as what, in virtual time.
@Suite struct PressRecognizerTests {
  // MARK: - Short and long

  @Test func aShortPressCountsAtItsRelease() {
    var rider = Rider()
    rider.press(.a, at: 0)
    rider.wait(until: 400)
    #expect(rider.heard == [])
    rider.release(.a, at: 400)
    rider.wait(until: 429)
    #expect(rider.heard == [])
    rider.wait(until: 430)
    #expect(rider.heard == [.gesture(.aShort)])
  }

  @Test(arguments: [(Button.a, Int64(1_000), Gesture.aLong), (.b, 3_000, .bLong)])
  func aLongPressCountsWhileStillHeldAndItsReleaseNoMore(
    _ button: Button, _ time: Int64, _ gesture: Gesture
  ) {
    var rider = Rider()
    rider.press(button, at: 0)
    rider.wait(until: time - 1)
    #expect(rider.heard == [])
    #expect(rider.deadline == time)
    rider.wait(until: time)
    #expect(rider.heard == [.gesture(gesture)])
    rider.release(button, at: time + 500)
    rider.wait(until: 10_000)
    #expect(rider.heard == [.gesture(gesture)])
  }

  @Test func aPressOfBThatIsReleasedBeforeThreeSecondsIsShort() {
    var rider = Rider()
    rider.press(.b, at: 0)
    rider.release(.b, at: 2_999)
    rider.wait(until: 5_000)
    #expect(rider.heard == [.gesture(.bShort)])
  }

  @Test func pressesFollowEachOther() {
    var rider = Rider()
    rider.press(.a, at: 0)
    rider.release(.a, at: 100)
    rider.press(.b, at: 200)
    rider.release(.b, at: 300)
    rider.press(.a, at: 400)
    rider.wait(until: 1_400)
    #expect(
      rider.heard == [.gesture(.aShort), .gesture(.bShort), .gesture(.aLong)])
  }

  // MARK: - Time is the edges' own

  /// A contact bounces, and all of it is read late.
  @Test func centralBehaviour74_aGestureSaysWhenItsContactClosed() {
    func time(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }
    var presses = PressRecognizer(at: time(0))
    for (isPressed, milliseconds) in [(true, 1_000), (false, 1_004), (true, 1_006), (false, 1_300)]
      as [(Bool, Int64)]
    {
      presses.receive(Edge(.a, isPressed: isPressed, at: time(milliseconds)))
    }
    presses.advance(to: time(2_500))
    #expect(presses.takeEvent() == .gesture(.aShort))
    #expect(presses.pressTime == time(1_000))
  }

  @Test func aPressThatIsReadLateIsAsLongAsItWas() {
    var rider = Rider()
    rider.take([
      (.a, true, 0), (.a, false, 400), (.b, true, 500), (.b, false, 3_400),
    ])
    rider.wait(until: 60_000)
    #expect(rider.heard == [.gesture(.aShort), .gesture(.bShort)])
  }

  @Test func aLongPressThatIsReadLateIsALongPress() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.a, false, 1_200)])
    rider.wait(until: 60_000)
    #expect(rider.heard == [.gesture(.aLong)])
  }

  @Test func aReleaseJustBeforeTheLongPressWhoseBouncesEndAfterItIsShort() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.a, false, 990), (.a, true, 995), (.a, false, 1_005)])
    rider.wait(until: 2_000)
    #expect(rider.heard == [.gesture(.aShort)])
  }

  @Test func edgesOutOfOrderByATickAreHarmless() {
    var rider = Rider()
    rider.take([(.a, true, 10), (.a, false, 9), (.a, true, 11), (.a, false, 200)])
    rider.wait(until: 300)
    #expect(rider.heard == [.gesture(.aShort)])
  }

  // MARK: - Bounces

  @Test func whatIsShorterThanThirtyMillisecondsIsADisturbance() {
    var rider = Rider()
    rider.take([(.b, true, 0), (.b, false, 29)])
    rider.wait(until: 1_000)
    #expect(rider.heard == [])
    rider.take([(.b, true, 2_000), (.b, false, 2_030)])
    rider.wait(until: 3_000)
    #expect(rider.heard == [.gesture(.bShort)])
  }

  @Test func aPressIsAsLongAsFromItsFirstBounce() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.a, false, 10), (.a, true, 20)])
    #expect(rider.deadline == 50)
    rider.wait(until: 50)
    #expect(rider.deadline == 1_000)
  }

  @Test func aShockWhileAButtonIsHeldDoesNotEndThePress() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.a, false, 500), (.a, true, 520)])
    rider.wait(until: 1_000)
    #expect(rider.heard == [.gesture(.aLong)])
  }

  @Test func aShockAtTheVeryMomentOfALongPressOnlyDelaysIt() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.a, false, 995), (.a, true, 1_010)])
    rider.wait(until: 1_039)
    #expect(rider.heard == [])
    rider.wait(until: 1_040)
    #expect(rider.heard == [.gesture(.aLong)])
  }

  @Test func ofThousandPressesThatBounceNoneIsMissedOrDoubled() {
    let seed = testSeed
    print("seed \(seed)")
    var random = SeededGenerator(state: seed)
    var rider = Rider()
    var expected: [ButtonEvent] = []
    var now: Int64 = 0
    for _ in 0..<1_000 {
      let button = Bool.random(using: &random) ? Button.a : .b
      let isLong = Int.random(in: 0..<4, using: &random) == 0
      let long: Int64 = button == .a ? 1_000 : 3_000
      // Far enough from the limit that the bounces' length does not decide.
      let held = Int64.random(in: isLong ? long + 60...long + 900 : 60...900, using: &random)
      rider.bounce(button, to: true, from: now, &random)
      rider.bounce(button, to: false, from: now + held, &random)
      now += held + Int64.random(in: 90...600, using: &random)
      rider.wait(until: now)
      expected.append(.gesture(gesture(button, isLong: isLong)))
    }
    #expect(rider.heard == expected, "seed \(seed)")
  }

  private func gesture(_ button: Button, isLong: Bool) -> Gesture {
    switch (button, isLong) {
    case (.a, false): .aShort
    case (.a, true): .aLong
    case (.b, false): .bShort
    case (.b, true): .bLong
    }
  }
}
