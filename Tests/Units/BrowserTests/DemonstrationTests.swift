import BoardFile
import Buttons
import Bytes
import Graphics
import TestSupport
import Testing
import VirtualAir

@testable import Browser

/// What the page does with the device, without a page; `Tests/Browser` has the page.
@Suite struct DemonstrationTests {
  private let demonstration: Demonstration

  init() {
    demonstration = .meeting(Board())
    demonstration.withRider { rider, now in
      rider.begin(
        [
          RideStep(milliseconds: 0, direction: 2, distance: 0, street: Array("Weg".utf8)),
          RideStep(milliseconds: 1_000, direction: 8, distance: 90, street: Array("Ring".utf8)),
          RideStep(milliseconds: 9_000, direction: 5, distance: 60, street: Array("Allee".utf8)),
        ], at: now)
    }
  }

  /// What the events have said since the last look.
  private func takeEvents() -> String {
    defer { demonstration.removeEvents() }
    return String(decoding: demonstration.events, as: UTF8.self)
  }

  @Test func itHasMetItsPhoneBefore() {
    demonstration.pass(500)
    let events = takeEvents()
    #expect(events.contains(#"radio {"t":0.000,"event":"bond","state":"loaded","name":"iPhone"}"#))
    #expect(events.contains(#""state":"encrypted""#) && !events.contains("pairing"))
  }

  @Test func itRidesByItself() {
    demonstration.pass(2_000)
    #expect(takeEvents().contains(#""direction":8,"distance":90,"street":"Ring""#))
    #expect(demonstration.panel.isOn && demonstration.panel.faults == 0)
  }

  @Test func aPhoneThatWasAwayGoesOnWhereItIsByThen() {
    demonstration.pass(500)
    demonstration.setPhone(isNear: false)
    demonstration.pass(10_000)
    #expect(!takeEvents().contains("Ring"))
    demonstration.setPhone(isNear: true)
    demonstration.pass(500)
    let events = takeEvents()
    #expect(events.contains("Allee") && !events.contains("Ring"))
  }

  @Test func aPhoneThatIsForgottenIsPairedAnewByTheSameDigits() {
    demonstration.pass(500)
    hold(.b, for: 3_100)
    demonstration.pass(4_000)
    hold(.a, for: 100)
    demonstration.pass(2_000)
    let digits = String(1_000_000 + demonstration.rider.security.digits).dropFirst()
    #expect(takeEvents().contains(#""state":"confirm","number":"\#(digits)""#))
    hold(.a, for: 100)
    demonstration.pass(500)
    #expect(takeEvents().contains(#""pairing","state":"done""#))
  }

  @Test func anotherBoardKeepsThePhoneAndTheRide() {
    demonstration.pass(2_000)
    demonstration.removeEvents()
    var board = Board()
    board.panel = .ssd1306x72x40
    demonstration.restart(board)
    demonstration.pass(500)
    #expect(takeEvents().contains("Ring"))
    #expect(demonstration.glass.size.width == 72)
  }

  @Test func portsThatAPageDoesNotHaveAreLeftOut() {
    var board = Board()
    board.panelReset = 25
    board.report = .file(Text("report"))
    demonstration.restart(board)
    demonstration.pass(500)
    demonstration.touch(.a, isPressed: true)
    hold(.b, for: 3_500)
    demonstration.touch(.a, isPressed: false)
    demonstration.pass(500)
    let isOn = demonstration.panel.isOn
    #expect(isOn)
    #expect(takeEvents().contains("Ring"))
  }

  private func hold(_ button: Button, for milliseconds: Int64) {
    demonstration.touch(button, isPressed: true)
    demonstration.pass(milliseconds)
    demonstration.touch(button, isPressed: false)
  }
}
