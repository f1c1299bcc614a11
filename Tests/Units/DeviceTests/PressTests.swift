import Bytes
import TestSupport
import Testing
import VirtualAir

@testable import VirtualDevice

/// What a press asks for: a phone only on a screen that offers that.
@Suite struct PressTests {
  private func riding(_ settings: [String] = []) throws -> World {
    let world = try World(["pairing=preferred"] + settings, pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(2_000)
    world.press("a")
    world.pass(4_000)
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    return world
  }

  /// Somebody sends an address of the phone, and has no key.
  private func deny(_ world: World, address number: UInt8 = 1) {
    let key = world.security.longTermKey
    world.security.longTermKey = nil
    world.phone.address = world.security.privateAddress(number)
    world.advertise()
    world.pass(500)
    world.security.longTermKey = key
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
      deny(world, address: number)
      // Through the pages of ride and sensors; at the third failure the turn gets its mark.
      if number < 12 { world.press("aaa") }
      world.pass(1_700)
    }
    #expect(questions(world) == before)
    #expect(world.events("bond").count { $0["state"] == "rejected" } >= 3)
  }

  /// A thief with two recorded addresses of the phone, a pairing of its own, and a wrong turn.
  @Test func centralBehaviour67_aPressForTheNextPageHandsTheDisplayToNobody() throws {
    let world = try riding()
    let own = world.phone
    let thief = VirtualPhone()
    thief.security = VirtualSecurity(number: 66)
    thief.value = instruction(5, 20, Array("Wrong way".utf8), id: 7)
    func come(_ number: UInt8) {
      thief.address = world.security.privateAddress(number)
      world.controller.phone = thief
      world.controller.advertise(world)
      world.pass(500)
    }
    world.loseLink()
    world.pass(5_000)
    come(200)
    world.pass(1_000)
    world.press("a")
    world.pass(500)
    come(201)
    world.pass(1_500)
    world.press("a")
    world.pass(4_000)
    #expect(!world.told.contains(Told(5, 20, "Wrong way")))
    #expect(world.events("bond").count { $0["state"] == "saved" } == 1)
    world.controller.phone = own
    own.address = world.security.privateAddress(3)
    for _ in 0..<30 where world.events("link").last?["state"] != "ready" {
      world.advertise()
      world.pass(1_000)
    }
    #expect(world.events("link").last.map { $0["state"] } == "ready", "it still has its key")
  }

  /// The press is on the page of the turn each time; after the third failure that has its mark.
  @Test(arguments: [1, 2, 3])
  func centralBehaviour67_onlyAPressBehindTheThirdFailurePairsAgain(_ failures: Int) throws {
    let world = try riding()
    let before = questions(world)
    world.loseLink()
    for number in 1...failures {
      deny(world, address: UInt8(10 + number))
      world.pass(2_000)
    }
    world.press("a")
    deny(world, address: 40)
    #expect(questions(world) - before == (failures < 3 ? 0 : 1))
  }

  @Test func centralBehaviour67_aPressBeforeTheThirdFailureDoesNotCountForIt() throws {
    let world = try riding()
    let before = questions(world)
    world.loseLink()
    for number in 11...12 as ClosedRange<UInt8> {
      deny(world, address: number)
      world.pass(2_000)
    }
    world.press("aaaa")
    for number in 13...14 as ClosedRange<UInt8> {
      deny(world, address: number)
      world.pass(2_000)
    }
    #expect(questions(world) == before)
    world.press("a")
    deny(world, address: 15)
    #expect(questions(world) == before + 1)
  }

  /// Dark, nothing was offered: the first press lights "No phone", the second asks for one.
  @Test func centralBehaviour67_aPressThatLightsThePanelAsksForNoPhone() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.pass(3_600_000)
    #expect(!world.glass.contains("#") && world.connection == .noPhone)
    world.press("a")
    #expect(world.shows(.noPhone))
    #expect(world.connection == .noPhone)
    world.press("a")
    world.pass(0)
    #expect(world.connection == .searching)
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
    #expect(world.shows(.noPhone))
    let appeared = world.now
    world.pass(100)
    world.device.receive(.init(.a, isPressed: true, at: appeared + milliseconds), at: world.now)
    world.device.receive(.init(.a, isPressed: false, at: world.now), at: world.now)
    world.pass(100)
    #expect((world.connection == .searching) == (milliseconds >= 0))
  }

  @Test func centralBehaviour67_aPressOfAnyPageMakesASlowSearchFastForAWhile() throws {
    let world = try riding()
    world.loseLink()
    world.pass(700_000)
    #expect(world.events("scan").last.map { $0["mode"] } == "slow")
    world.press("a")  // the panel is dark
    world.pass(0)
    #expect(world.events("scan").last.map { $0["mode"] } == "fast")
    world.pass(30_000)
    #expect(world.events("scan").last.map { $0["mode"] } == "slow")
  }

  /// Behaviour 58: found with its next advertisement, for ten minutes.
  @Test(arguments: ["a", "aa", "aaa"])
  func centralBehaviour80_aPressLeavesTheSearchForALostRideAsLongAsItWas(_ presses: String) throws {
    let world = try riding()
    world.loseLink()
    let lost = world.now
    for number in 11...13 as ClosedRange<UInt8> {
      deny(world, address: number)
      world.pass(2_000)
    }
    world.press(presses)
    world.pass(lost + 599_000 - world.now)
    #expect(world.events("scan").last.map { $0["mode"] } == "fast")
    world.pass(2_000)
    #expect(world.events("scan").last.map { $0["mode"] } == "slow")
  }

  // MARK: - What covers something

  @Test func centralBehaviour74_aPressOnANoticeTakesAwayTheNoticeAndNothingElse() throws {
    let world = try riding()
    world.press("b")
    #expect(world.shows(.phone("Fairy", .paired)))
    world.press("a")
    #expect(world.shows(.turn(.right, "350 m", "Hauptstraße")), "no page was turned")
  }

  @Test func centralBehaviour74_holdingTheButtonOnThePageOfTheSensorsForgetsThemAndNotThePhone()
    throws
  {
    let world = try riding()
    world.press("aa")
    world.press("B")
    #expect(world.events("bond").last.map { $0["state"] } == "saved")
  }

  // MARK: - Bytes

  /// Those of 0.2 as well; a stream of them tells nothing more.
  @Test(arguments: Array("pPuU xé".utf8))
  func aByteThatIsNoGestureIsAnErrorThatNamesThoseThatAre(_ byte: UInt8) throws {
    let world = try World()
    for _ in 0..<3 { world.device.receive(byte, at: world.now) }
    world.pass(100)
    let messages = world.events("error").compactMap { $0["message"] }
    #expect(messages == ["byte 0x\(String(byte, radix: 16)) is no gesture: send a, A, b, B or r"])
    #expect(world.events("button").isEmpty)
  }
}
