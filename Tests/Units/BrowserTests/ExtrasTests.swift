import BoardFile
import Buttons
import Bytes
import Expecting
import Graphics
import TestSupport
import VirtualAir

@testable import Browser

/// Calls, notifications and songs on the page's phones; `Tests/Browser` reads what the panel says.
struct ExtrasTests {
  /// Two phones, on a board that shows all of it; the ride has no turn near.
  private static func riding(_ app: RidingApp) -> Demonstration {
    var board = Board()
    board.advertises = app == .osmAnd
    board.notifications = .all
    board.hasMusic = true
    let demonstration = Demonstration.meeting(board, app)
    demonstration.withRider { rider, now in
      rider.begin(
        [
          RideStep(milliseconds: 0, direction: 8, distance: 3_000, street: Array("Weg".utf8)),
          RideStep(milliseconds: 900_000, direction: 3, distance: 0, street: []),
        ], at: now)
    }
    demonstration.advance(by: 5_000)
    demonstration.removeEvents()
    return demonstration
  }

  private func press(_ button: Button, _ it: Demonstration) {
    it.hold(button, for: 100)
    it.advance(by: 400)
  }

  private func happens(_ it: Demonstration, _ change: (inout Extras) -> Void) {
    it.withRider { rider, _ in change(&rider.extras) }
    it.advance(by: 1_500)
  }

  private func glass(_ it: Demonstration) -> [UInt8] {
    var pages = InlineArray<2048, UInt8>(repeating: 0)
    it.glass.copy(to: &pages)
    return pages.indices.map { pages[$0] }
  }

  private static let phones: [RidingApp] = [.komoot, .osmAnd]

  @Test(arguments: phones, [(Button.a, Extras.Call.taken), (.b, .refused)])
  func aCallIsTakenByAAndRefusedByB(
    _ app: RidingApp, _ answer: (button: Button, call: Extras.Call)
  ) {
    let it = Self.riding(app)
    let before = glass(it)
    happens(it) { $0.ring(from: Array("Anna".utf8)) }
    expect(it.rider.extras.call == .ringing && glass(it) != before)
    press(answer.button, it)
    expect(it.rider.extras.call, answer.call)
    expect(glass(it), before, "the turn has the panel again")
  }

  @Test(arguments: phones) func aCallerThatGivesUpIsGone(_ app: RidingApp) {
    let it = Self.riding(app)
    let before = glass(it)
    happens(it) { $0.ring(from: Array("Anna".utf8)) }
    happens(it) { $0.endRinging(.none) }
    expect(it.rider.extras.call == .none && glass(it) == before)
    press(.b, it)
    expect(it.rider.extras.call, .none, "nothing is left to be refused")
  }

  @Test(arguments: phones) func aSecondCallerHasThePlaceOfTheFirst(_ app: RidingApp) {
    let it = Self.riding(app)
    happens(it) { $0.ring(from: Array("Anna".utf8)) }
    let first = glass(it)
    happens(it) { $0.ring(from: Array("Berta".utf8)) }
    expect(it.rider.extras.call == .ringing && glass(it) != first)
    press(.a, it)
    expect(it.rider.extras.call, .taken)
  }

  @Test(arguments: phones) func aNotificationShowsForAWhile(_ app: RidingApp) {
    let it = Self.riding(app)
    let before = glass(it)
    happens(it) { $0.notify(Array("Bäckerei „Ä“".utf8), Array("Brot 🍞".utf8)) }
    #expect(glass(it) != before)
    it.advance(by: 6_000)
    expect(glass(it), before)
  }

  @Test(arguments: phones) func bPlaysTheNextSongOnThePageOfTheMusic(_ app: RidingApp) throws {
    let it = Self.riding(app)
    happens(it) { $0.play(true) }
    let first = try #require(it.rider.extras.song)
    press(.a, it)
    press(.a, it)
    let page = glass(it)
    press(.b, it)
    it.advance(by: 1_000)
    let second = try #require(it.rider.extras.song)
    expect(second != first && glass(it) != page)
    happens(it) { $0.playNext() }
    #expect(it.rider.extras.song != second)
    happens(it) { $0.play(false) }
    expect(it.rider.extras.song, nil)
  }

  @Test(arguments: phones) func bHeldForASecondPausesAndGoesOn(_ app: RidingApp) {
    let it = Self.riding(app)
    happens(it) { $0.play(true) }
    press(.a, it)
    press(.a, it)
    let page = glass(it)
    for isPaused in [true, false] {
      it.hold(.b, for: 1_500)
      it.advance(by: 1_500)
      expect(it.rider.extras.isPaused, isPaused)
      expect(it.rider.extras.isPlaying && glass(it) == page)
    }
  }

  @Test func whatAnIPhonePlaysIsToldOnTheNextLinkToo() {
    let it = Self.riding(.komoot)
    happens(it) { $0.play(true) }
    press(.a, it)
    press(.a, it)
    let page = glass(it)
    it.setPhone(isNear: false)
    it.advance(by: 1_000)
    #expect(glass(it) != page)
    it.setPhone(isNear: true)
    it.advance(by: 3_000)
    press(.a, it)
    press(.a, it)
    expect(glass(it), page)
  }

  @Test func anIPhoneSaysWhatTimeItIs() {
    let it = Demonstration.meeting(Board())
    it.advance(by: 1_000)
    let events = it.takeEvents()
    #expect(events.contains(#""event":"clock","time":"2026-09-10T09:46:4"#), "\(events)")
    it.advance(by: 3_600_000)
    #expect(it.takeEvents().contains("T10:00:"), "asked at the full hour")
  }

  @Test func withoutTheKeysNothingIsShown() {
    let it = Demonstration.meeting(Board())
    it.advance(by: 5_000)
    let before = glass(it)
    happens(it) {
      $0.ring(from: Array("Anna".utf8))
      $0.notify([0x41], [0x42])
    }
    expect(glass(it) == before && it.rider.extras.call == .ringing)
  }

  @Test func whatIsNotHeardIsNotSaidLater() {
    let it = Self.riding(.osmAnd)
    it.setPhone(isNear: false)
    it.advance(by: 1_000)
    happens(it) { $0.notify([0x41], [0x42]) }
    it.setPhone(isNear: true)
    it.advance(by: 3_000)
    let before = glass(it)
    it.advance(by: 1_000)
    expect(glass(it), before)
  }

  // MARK: - Lines

  @Test func linesAreEscapedAsGadgetbridgeDoes() {
    var extras = Extras()
    var gadgetbridge = GadgetbridgeExtras()
    extras.ring(from: Array("\"É\"".utf8))
    extras.endRinging(.taken)
    extras.notify(Array("ß".utf8), [])
    let lines = gadgetbridge.say(&extras).map { String(decoding: $0, as: UTF8.self) }
    expect(
      lines,
      [
        #"GB({"t":"call","cmd":"incoming","name":"\"\xc9\""})"#,
        #"GB({"t":"call","cmd":"start","name":"\"\xc9\""})"#,
        #"GB({"t":"notify","id":1789000001,"src":"Chat","title":"\xdf","body":""})"#,
      ])
    #expect(gadgetbridge.say(&extras).isEmpty)
  }
}
