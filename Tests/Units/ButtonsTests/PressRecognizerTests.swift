import Buttons
import Bytes
import Expecting
import TestSupport

/// When a press of a button counts, and as what, in virtual time.
struct PressRecognizerTests {
  // MARK: - Short and long

  @Test func aShortPressCountsAtItsRelease() {
    var rider = Rider()
    rider.press(.a, at: 0)
    rider.wait(until: 400)
    expect(rider.heard, [])
    rider.release(.a, at: 400)
    rider.wait(until: 429)
    expect(rider.heard, [])
    rider.wait(until: 430)
    expect(rider.heard, [.gesture(.aShort)])
  }

  @Test(arguments: [(Button.a, Int64(1_000), Gesture.aLong), (.b, 3_000, .bLong)])
  func aLongPressCountsWhileStillHeldAndItsReleaseNoMore(
    _ button: Button, _ time: Int64, _ gesture: Gesture
  ) {
    var rider = Rider()
    rider.press(button, at: 0)
    rider.wait(until: time - 1)
    expect(rider.heard, [])
    expect(rider.deadline, time)
    rider.wait(until: time)
    expect(rider.heard, [.gesture(gesture)])
    rider.release(button, at: time + 500)
    rider.wait(until: 10_000)
    expect(rider.heard, [.gesture(gesture)])
  }

  /// What some edges are that are read at once, at the end of a time.
  @Test(
    arguments: [
      ("a press of B that ends before 3 s", [(.b, true, 0), (.b, false, 2_999)], 5_000, [.bShort]),
      (
        "presses that follow each other",
        [(.a, true, 0), (.a, false, 100), (.b, true, 200), (.b, false, 300), (.a, true, 400)],
        1_400, [.aShort, .bShort, .aLong]
      ),
      (
        "presses that are read late",
        [(.a, true, 0), (.a, false, 400), (.b, true, 500), (.b, false, 3_400)], 60_000,
        [.aShort, .bShort]
      ),
      ("a long press that is read late", [(.a, true, 0), (.a, false, 1_200)], 60_000, [.aLong]),
      (
        "a release just before a long press, whose bounces end after it",
        [(.a, true, 0), (.a, false, 990), (.a, true, 995), (.a, false, 1_005)], 2_000, [.aShort]
      ),
      (
        "edges that are out of order by a tick",
        [(.a, true, 10), (.a, false, 9), (.a, true, 11), (.a, false, 200)], 300, [.aShort]
      ),
      ("a disturbance of 29 ms", [(.b, true, 0), (.b, false, 29)], 1_000, []),
      ("a press of 30 ms", [(.b, true, 0), (.b, false, 30)], 1_000, [.bShort]),
      (
        "a shock while a button is held",
        [(.a, true, 0), (.a, false, 500), (.a, true, 520)], 1_000, [.aLong]
      ),
      (
        "the second button at the last moment before a long press",
        [(.b, true, 0), (.a, true, 2_990)], 5_900, []
      ),
      (
        "both, of which one is released for a moment",
        [(.a, true, 0), (.b, true, 10), (.a, false, 2_000), (.a, true, 2_200)], 20_000, []
      ),
      (
        "a release just before 30 s, whose bounces end after them: it is not stuck",
        [(.a, true, 0), (.a, false, 29_990)], 40_000, [.aLong]
      ),
    ] as [(String, [Rider.Contact], Int64, [Gesture])])
  func edgesAreTheGesturesThatTheirTimesSay(
    _ name: String, _ edges: [Rider.Contact], _ end: Int64, _ gestures: [Gesture]
  ) {
    var rider = Rider()
    rider.take(edges)
    rider.wait(until: end)
    expect(rider.heard, gestures.map { .gesture($0) }, "\(name)")
  }

  // MARK: - Time is the edges' own

  /// A contact bounces, and all of it is read late; the other one closes while the first still settles.
  @Test func centralBehaviour74_aGestureSaysWhenItsContactClosed() {
    func time(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }
    var presses = PressRecognizer(at: time(0))
    let edges: [(Button, Bool, Int64)] = [
      (.a, true, 1_000), (.a, false, 1_004), (.a, true, 1_006), (.a, false, 1_300),
      (.b, true, 1_300), (.b, false, 1_500),
    ]
    for (button, isPressed, milliseconds) in edges {
      presses.receive(Edge(button, isPressed: isPressed, at: time(milliseconds)))
    }
    presses.advance(to: time(2_500))
    func began(_ milliseconds: Int64) -> PressRecognizer.Beginning {
      PressRecognizer.Beginning(time: time(milliseconds), hold: .phone, isPanelOn: true)
    }
    expect(presses.takeOutcome(), .gesture(.aShort, began(1_000)))
    expect(presses.takeOutcome(), .gesture(.bShort, began(1_300)))
  }

  // MARK: - Bounces

  @Test func aPressIsAsLongAsFromItsFirstBounce() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.a, false, 10), (.a, true, 20)])
    expect(rider.deadline, 50)
    rider.wait(until: 50)
    expect(rider.deadline, 1_000)
  }

  @Test func aShockAtTheVeryMomentOfALongPressOnlyDelaysIt() {
    var rider = Rider()
    rider.take([(.a, true, 0), (.a, false, 995), (.a, true, 1_010)])
    rider.wait(until: 1_039)
    expect(rider.heard, [])
    rider.wait(until: 1_040)
    expect(rider.heard, [.gesture(.aLong)])
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
