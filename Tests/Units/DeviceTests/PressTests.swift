import Bytes
import Expecting
import TestSupport
import VirtualAir

@testable import Device
@testable import VirtualDevice

/// What a press asks for, a phone only on a screen that offers that, and what is seen then.
struct PressTests {
  private let turn = Shot.turn(.right, "350 m", "Hauptstraße")

  private func riding(_ settings: [String] = []) throws -> World {
    let world = try World.paired(settings)
    expect(world.shows(turn))
    return world
  }

  /// The key fails so often, each time on a link to another address.
  private func fail(_ times: Int, _ world: World) {
    for number in 1...times {
      world.deny(address: UInt8(10 + number))
      world.pass(2_000)
    }
  }

  private func questions(_ world: World) -> Int {
    world.events("pairing").count { $0["state"] == "confirm" || $0["state"] == "ask" }
  }

  @Test func centralBehaviour67_turningThePagesAsksForNoPhone() throws {
    let world = try riding()
    let before = questions(world)
    world.loseLink()
    world.pass(5_000)
    for number in 10..<20 as Range<UInt8> {
      world.deny(address: number)
      // Through the pages of ride and sensors; at the third failure the turn gets its mark.
      if number < 12 { world.press("aaa") }
      world.pass(1_700)
    }
    expect(questions(world), before)
    #expect(world.events("bond").count { $0["state"] == "rejected" } >= 3)
  }

  /// A turn with its mark is a turn; the page behind it says what A does there.
  @Test(arguments: [1, 2, 3], ["a", "aa", "ab", "abab"])
  func centralBehaviour121_onlyThePageThatSaysSoPairsAgainAfterTheThirdFailure(
    _ failures: Int, _ presses: String
  ) throws {
    let world = try riding()
    let before = questions(world)
    world.loseLink()
    fail(failures, world)
    for press in presses {
      world.press(String(press))
      world.pass(100)
    }
    if presses == "a" { expect(world.shows(.forgotten("Fairy")), failures == 3) }
    world.deny(address: 40)
    expect(questions(world) - before, failures == 3 && presses == "aa" ? 1 : 0)
  }

  /// It is a page like the others, and gives way.
  @Test func centralBehaviour121_theRingGoesOnBehindThePageOfThePairing() throws {
    let world = try riding()
    world.loseLink()
    fail(3, world)
    world.press("a")
    world.pass(19_900)
    expect(world.shows(.forgotten("Fairy")))
    world.pass(200)
    expect(!world.shows(.forgotten("Fairy")), "the turn again")
    world.press("ab")
    expect(world.shows(.ride("Fairy", figures(minutes: 0, tenths: 0), isConnected: false)))
    world.press("aaa")
    expect(world.shows(.forgotten("Fairy")), "once round")
    world.phone.address = world.security.privateAddress(2)
    world.advertise()
    world.pass(2_000)
    expect(world.shows(turn), "nothing to pair any more")
    world.press("a")
    expect(!world.shows(.forgotten("Fairy")))
  }

  /// Dark, nothing was offered: the first press lights "No phone", the second asks for one.
  @Test func centralBehaviour67_aPressThatLightsThePanelAsksForNoPhone() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.pass(3_600_000)
    expect(!world.glass.contains("#") && world.connection == .noPhone)
    world.press("a")
    expect(world.shows(.noPhone))
    expect(world.connection, .noPhone)
    world.press("a")
    world.pass(0)
    expect(world.connection, .searching)
  }

  /// The contact closes a millisecond before, or just when, "No phone" is on the glass.
  @Test(arguments: [-1, 0, 1] as [Int64])
  func centralBehaviour67_aPressAsksForAPhoneFromWhenTheGlassSaysThatThereIsNone(
    _ milliseconds: Int64
  ) throws {
    let settings = ["pairing=preferred", "buttons=gpio:/dev/gpiochip0", "button-a=17"]
    let world = try World(settings, pairs: true)
    var end = world.now
    while world.connection != .noPhone, end < world.now + 60_000 {
      end = world.now
      world.pass(1)
    }
    expect(world.shows(.noPhone))
    let appeared = world.now
    world.pass(100)
    world.device.receive(.init(.a, isPressed: true, at: appeared + milliseconds), at: world.now)
    world.device.receive(.init(.a, isPressed: false, at: world.now), at: world.now)
    world.pass(100)
    expect((world.connection == .searching), (milliseconds >= 0))
  }

  @Test func centralBehaviour67_aPressOfAnyPageMakesASlowSearchFastForAWhile() throws {
    let world = try riding()
    world.loseLink()
    world.pass(700_000)
    expect(world.events("scan").last.map { $0["mode"] }, "slow")
    world.press("a")  // the panel is dark
    world.pass(0)
    expect(world.events("scan").last.map { $0["mode"] }, "fast")
    world.pass(30_000)
    expect(world.events("scan").last.map { $0["mode"] }, "slow")
  }

  /// Behaviour 58: found with its next advertisement, for ten minutes.
  @Test(arguments: ["a", "aa", "aaa"])
  func centralBehaviour80_aPressLeavesTheSearchForALostRideAsLongAsItWas(_ presses: String) throws {
    let world = try riding()
    world.loseLink()
    let lost = world.now
    fail(3, world)
    world.press(presses)
    world.pass(lost + 599_000 - world.now)
    expect(world.events("scan").last.map { $0["mode"] }, "fast")
    world.pass(2_000)
    expect(world.events("scan").last.map { $0["mode"] }, "slow")
  }

  // MARK: - What covers something

  @Test func centralBehaviour74_aPressOnANoticeTakesAwayTheNoticeAndNothingElse() throws {
    let world = try riding()
    world.press("b")
    expect(world.shows(.phone("Fairy", .paired)))
    world.press("a")
    expect(world.shows(turn), "no page was turned")
  }

  // MARK: - Bytes

  /// Those of 0.2 as well; a stream of them tells nothing more.
  @Test func aByteThatIsNoGestureIsAnErrorThatNamesThoseThatAre() throws {
    for byte in Array("pPuU xé".utf8) {
      let world = try World()
      for _ in 0..<3 { world.device.receive(byte, at: world.now) }
      world.pass(100)
      let messages = world.events("error").compactMap { $0["message"] }
      expect(messages, ["byte 0x\(String(byte, radix: 16)) is no gesture: send a, A, b, B or r"])
      #expect(world.events("button").isEmpty)
    }
  }

  // MARK: - What is seen then

  @Test func pageLeadsToTheRideTheSensorsAndBack() throws {
    let world = try World.following()
    world.press("a")
    world.pass(100)
    expect(
      world.shows(
        .ride("Fairy", figures(minutes: 0, tenths: 0), isConnected: true, rssi: -60)))
    world.press("a")
    expect(world.shows(.sensor(.page([:]))))
    world.press("a")
    expect(world.shows(turn))
    expect(world.events("button").map { $0["press"] }, ["short", "short", "short"])
  }

  @Test func aTurnThatIsDueTakesThePlaceOfTheRide() throws {
    let world = try World.following()
    world.press("a")
    world.tell(8, 20, "Hauptstraße", id: 2)
    world.pass(2_000)
    expect(world.shows(.turn(.right, "20 m", "Hauptstraße", isMarked: true)))
  }

  @Test func buttonsThatGoAwayWhileUnpairIsHeldForgetNobody() throws {
    let world = try World.following(["buttons=gpio:/dev/gpiochip0", "button-b=27"])
    world.touch(.b, isPressed: true)
    world.pass(2_000)
    expect(!world.shows(turn), "how long it is still to be held")
    world.fail(.buttons, .noSuchDevice)
    world.pass(0)
    expect(world.shows(turn))
    world.pass(5_000)
    #expect(world.events("button").isEmpty)
  }

  @Test func aShortPressOfBIsAnsweredForThreeSeconds() throws {
    let world = try World.following()
    world.press("b")
    expect(world.shows(.phone("Fairy", .ride)))
    world.pass(2_999)
    expect(world.shows(.phone("Fairy", .ride)))
    world.pass(1)
    expect(world.shows(turn))
  }

  /// The bytes of a stand-in are whole gestures; a thumb takes its time.
  @Test func aThumbOnBSeesItsProgressAndForgetsAfterThreeSeconds() throws {
    let world = try World.following(["buttons=gpio:/dev/gpiochip0", "button-b=27"])
    world.touch(.b, isPressed: true)
    world.pass(400)
    expect(world.shows(turn), "most presses are short ones")
    world.pass(2_500)
    expect(!world.shows(turn) && world.events("button").isEmpty)
    world.pass(150)
    expect(world.events("button").map { $0["press"] }, ["long"])
    expect(world.shows(.unpaired))
  }

  /// A short press leads to no other page then.
  @Test func aThumbLightsADarkPanelAndDoesNothingElse() throws {
    let world = try World.following(["buttons=gpio:/dev/gpiochip0", "button-b=27"])
    world.press("AAa")
    expect(world.shows(turn))
    world.press("AA")
    world.touch(.b, isPressed: true)
    world.pass(400)
    let isDark = !world.glass.contains("#")
    world.pass(1_000)
    expect(isDark && world.glass.contains("#"))
    expect(world.events("button").count, 5, "and nothing is done yet")
  }
}
