import BoardFile
import Buttons
import Bytes
import Expecting
import TestSupport
import VirtualAir

@testable import Browser

/// The page's phone that connects by itself, with OsmAnd and Gadgetbridge.
struct GadgetbridgeTests {
  private static let ride = [
    RideStep(milliseconds: 0, direction: 2, distance: 0, street: Array("Weg".utf8)),
    RideStep(milliseconds: 1_500, direction: 8, distance: 90, street: Array("Große Straße".utf8)),
    RideStep(milliseconds: 4_500, direction: 8, distance: 60, street: Array("Große Straße".utf8)),
    RideStep(milliseconds: 9_500, direction: 3, distance: 0, street: Array("Allee".utf8)),
  ]

  static var board: Board {
    var board = Board()
    board.advertises = true
    return board
  }

  private let it: Demonstration

  init() {
    it = .meeting(Self.board, .osmAnd)
    it.withRider { rider, now in rider.begin(Self.ride, at: now) }
  }

  @Test func itHasMetItsPhoneBefore_whichComesByItself() throws {
    it.advance(by: 1_000)
    let events = it.takeEvents()
    #expect(events.contains(#""state":"loaded""#))
    expect(events.contains(#""state":"encrypted""#) && !events.contains("pairing"))
    #expect(events.contains(#""event":"clock""#))
    let central = try #require(it.rider.central)
    expect(central.pairingCount == 1 && central.linkCount >= 2)
  }

  @Test func itRidesByTheSentenceThatWasSpokenLast() {
    it.advance(by: 5_000)
    let events = it.takeEvents()
    #expect(events.contains(#""distance":90,"street":"","text":"Continue for 300 meters to  Weg""#))
    #expect(events.contains(#""distance":90,"street":"Große Straße","text":"after 300 meters"#))
    #expect(events.contains("gadgetbridge"))
    expect(it.panel.isOn && it.panel.faults == 0)
  }

  @Test func aLineIsWrittenOnceASecond() throws {
    it.advance(by: 1_000)
    let central = try #require(it.rider.central)
    let before = lineCount(central)
    it.advance(by: 6_000)
    expect(lineCount(central) - before, 6)
    it.withRider { rider, now in rider.pause(true, at: now) }
    it.advance(by: 5_000)
    expect(lineCount(central) - before, 11, "it stands, and has fixes")
    it.withRider { rider, now in
      rider.pause(false, at: now)
      rider.isInTunnel = true
    }
    it.advance(by: 1_000)
    let inTunnel = lineCount(central)
    it.advance(by: 2_000)
    expect(lineCount(central), inTunnel, "without a fix it says nothing")
  }

  @Test func afterTheEndNothingIsSaid() throws {
    it.advance(by: 12_000)
    let central = try #require(it.rider.central)
    let before = lineCount(central)
    it.advance(by: 10_000)
    expect(lineCount(central) == before && before > 0)
  }

  /// Values that end a line.
  private func lineCount(_ central: VirtualCentral) -> Int {
    central.exchanges.count { $0.request.starts(with: [0x12, 0x0C, 0]) && $0.request.last == 0x0A }
  }

  @Test func aPhoneThatWasAwayComesBackWhereItIsByThen() throws {
    it.advance(by: 1_000)
    it.setPhone(isNear: false)
    it.advance(by: 6_000)
    #expect(!it.takeEvents().contains("Straße"))
    let central = try #require(it.rider.central)
    let count = central.linkCount
    it.setPhone(isNear: true)
    it.advance(by: 2_500)
    #expect(it.takeEvents().contains(#""distance":60"#))
    expect(central.linkCount == count + 1 && central.pairingCount == 1)
  }

  /// Forgotten, and found again after a press: both show six digits.
  private func compare() {
    it.advance(by: 1_000)
    it.hold(.b, for: 3_100)
    it.advance(by: 4_000)
    it.removeEvents()
    it.hold(.a, for: 100)
    it.advance(by: 2_000)
  }

  /// Says yes to the digits.
  private func agree() throws {
    it.hold(.a, for: 100)
    it.advance(by: 2_000)
    #expect(it.takeEvents().contains(#""pairing","state":"done""#))
    expect(try #require(it.rider.central).pairingCount, 2)
  }

  @Test func aPhoneThatIsForgottenIsPairedAgainByTheSameDigits() throws {
    compare()
    let digits = String(1_000_000 + it.rider.security.digits).dropFirst()
    #expect(it.takeEvents().contains(#""state":"confirm","number":"\#(digits)""#))
    try agree()
  }

  @Test func aPhoneThatIsRefusedIsNotLetInBeforeAnotherPress() throws {
    compare()
    it.removeEvents()
    let central = try #require(it.rider.central)
    let (links, attempts) = (central.linkCount, central.pairingAttempts)
    it.hold(.b, for: 100)
    it.advance(by: 4_000)
    let failed = it.takeEvents()
    #expect(failed.contains(#""event":"pairing","state":"failed""#), "\(failed)")
    expect(central.linkCount == links && central.pairingAttempts == attempts, "\(failed)")
    it.advance(by: 60_000)
    expect(central.pairingCount == 1 && central.pairingAttempts == attempts, "\(it.takeEvents())")
    it.hold(.a, for: 100)
    it.advance(by: 10_000)
    let events = it.takeEvents()
    #expect(events.contains(#""state":"confirm""#), "\(events)")
    try agree()
  }

  @Test func withoutPairingOrAdvertisingItDoesNotCome() {
    var board = Self.board
    board.pairing = .off
    let other = Demonstration.meeting(board, .osmAnd)
    other.advance(by: 60_000)
    it.hold(.a, for: 100)
    other.advance(by: 40_000)
    expect(other.rider.central?.linkCount, 0)
    let events = other.takeEvents()
    #expect(!events.contains("pairing"), "\(events)")
    let unadvertised = Demonstration.meeting(Board(), .osmAnd)
    unadvertised.advance(by: 5_000)
    expect(unadvertised.rider.central?.linkCount, 0)
  }

  @Test func anotherPhoneHasTheSameRide() {
    it.withRider { rider, now in rider.ride.setSpeed(4, at: now) }
    let other = it.withAnotherPhone(.komoot, Board())
    expect(other.rider.app == .komoot && other.rider.central == nil)
    expect(other.rider.ride.steps.count == Self.ride.count && other.rider.ride.speed == 4)
    other.advance(by: 1_000)
    #expect(other.takeEvents().contains("Große Straße"))
  }

  // MARK: - Lines

  @Test(
    arguments: [
      (1, "continue"), (3, "continue"), (4, "left_slight"), (7, "right_sharp"),
      (10, "keep_right"), (12, "uturn_left"), (14, "roundabout_right"), (15, "roundabout_left"),
      (23, "roundabout_left"), (29, "roundabout_right"), (30, "offroute"),
    ] as [(UInt8, String)])
  func eachDirectionHasItsAction(_ direction: UInt8, _ action: String) {
    var osmAnd = OsmAnd()
    let step = RideStep(milliseconds: 0, direction: direction, distance: 7, street: [])
    expect(
      text(osmAnd.line(step)), #"GB({"t":"nav","instr":"","distance":"7m","action":"\#(action)"})"#)
  }

  @Test func aDirectionWithoutAWordHasNoAction() {
    var osmAnd = OsmAnd()
    let step = RideStep(milliseconds: 0, direction: 13, distance: 7, street: Array("A".utf8))
    expect(text(osmAnd.line(step)), #"GB({"t":"nav","instr":"","distance":"7m"})"#)
    let sentence = "Continue for 300 meters to  A"
    expect(text(osmAnd.line(step)), #"GB({"t":"nav","instr":"\#(sentence)","distance":"7m"})"#)
  }

  /// `ü` is raw, `ß` and `é` are escaped, and what is not of ISO 8859-1 has four digits or two times four.
  @Test func aStreetIsEscapedAsGadgetbridgeDoes() {
    let escaped = OsmAnd.escaped(Array("ü ß é \"\\ Ł 🚲\u{7F}".utf8))
    let expected = [0xFC] + Array(#" \xdf \xe9 \"\\ \u0141 \ud83d\udeb2\x7f"#.utf8)
    expect(escaped, expected)
  }

  private func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }
}
