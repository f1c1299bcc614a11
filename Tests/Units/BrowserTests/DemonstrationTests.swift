import BoardFile
import Buttons
import Bytes
import Expecting
import Graphics
import TestSupport
import VirtualAir

@testable import Browser

/// What the page does with the device, without a page; `Tests/Browser` has the page.
struct DemonstrationTests {
  private let it: Demonstration

  init() {
    it = .meeting(Board())
    it.withRider { rider, now in
      rider.begin(
        [
          RideStep(milliseconds: 0, direction: 2, distance: 0, street: Array("Weg".utf8)),
          RideStep(milliseconds: 1_000, direction: 8, distance: 90, street: Array("Ring".utf8)),
          RideStep(milliseconds: 9_000, direction: 5, distance: 60, street: Array("Allee".utf8)),
        ], at: now)
    }
  }

  @Test func itHasMetItsPhoneBefore() {
    it.advance(by: 500)
    let events = it.takeEvents()
    #expect(events.contains(#"radio {"t":0.000,"event":"bond","state":"loaded","name":"iPhone"}"#))
    expect(events.contains(#""state":"encrypted""#) && !events.contains("pairing"))
  }

  @Test func itRidesByItself() {
    it.advance(by: 2_000)
    #expect(it.takeEvents().contains(#""direction":8,"distance":90,"street":"Ring""#))
    expect(it.panel.isOn && it.panel.faults == 0)
  }

  @Test func aPhoneThatWasAwayGoesOnWhereItIsByThen() {
    it.advance(by: 500)
    it.setPhone(isNear: false)
    it.advance(by: 10_000)
    #expect(!it.takeEvents().contains("Ring"))
    it.setPhone(isNear: true)
    it.advance(by: 500)
    let events = it.takeEvents()
    expect(events.contains("Allee") && !events.contains("Ring"))
  }

  @Test func aPhoneThatIsForgottenIsPairedAnewByTheSameDigits() {
    it.advance(by: 500)
    it.hold(.b, for: 3_100)
    it.advance(by: 4_000)
    it.hold(.a, for: 100)
    it.advance(by: 2_000)
    let digits = String(1_000_000 + it.rider.security.digits).dropFirst()
    #expect(it.takeEvents().contains(#""state":"confirm","number":"\#(digits)""#))
    it.hold(.a, for: 100)
    it.advance(by: 500)
    #expect(it.takeEvents().contains(#""pairing","state":"done""#))
  }

  @Test func anotherBoardKeepsThePhoneAndTheRide() {
    it.advance(by: 2_000)
    it.removeEvents()
    var board = Board()
    board.panel = .ssd1306x72x40
    it.restart(board)
    it.advance(by: 500)
    #expect(it.takeEvents().contains("Ring"))
    expect(it.glass.size.width, 72)
  }

  @Test func portsThatAPageDoesNotHaveAreLeftOut() {
    var board = Board()
    board.panelReset = 25
    board.report = .file(Text("report"))
    it.restart(board)
    it.advance(by: 500)
    it.touch(.a, isPressed: true)
    it.hold(.b, for: 3_500)
    it.touch(.a, isPressed: false)
    it.advance(by: 500)
    expect(it.panel.isOn, true)
    #expect(it.takeEvents().contains("Ring"))
  }
}

extension Demonstration {
  /// What the events have said since the last look.
  func takeEvents() -> String {
    defer { removeEvents() }
    return String(decoding: events, as: UTF8.self)
  }

  func hold(_ button: Button, for milliseconds: Int64) {
    touch(button, isPressed: true)
    advance(by: milliseconds)
    touch(button, isPressed: false)
  }
}
