import Buttons
import Bytes
import Navigation
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device

/// What the rider does with the buttons, and what is seen then.
@Suite struct ButtonTests {
  private let turn = Shot.turn(.right, "350 m", "Hauptstraße")

  private func riding(_ settings: [String] = []) throws -> World {
    let world = try World(settings)
    world.phone.battery = [80]
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    return world
  }

  @Test func pageLeadsToTheRideTheSensorsAndBack() throws {
    let world = try riding()
    world.press("a")
    world.pass(100)
    #expect(
      world.shows(
        .ride("Fairy", figures(minutes: 0, tenths: 0), isConnected: true, rssi: -60, battery: 80)))
    world.press("a")
    #expect(world.shows(.sensor(.page([:]))))
    world.press("a")
    #expect(world.shows(turn))
    #expect(world.events("button").map { $0["press"] } == ["short", "short", "short"])
  }

  @Test func aTurnThatIsDueTakesThePlaceOfTheRide() throws {
    let world = try riding()
    world.press("a")
    world.tell(8, 20, "Hauptstraße", id: 2)
    world.pass(2_000)
    #expect(world.shows(.turn(.right, "20 m", "Hauptstraße", isMarked: true)))
  }

  @Test func longPressesOfALeadFromBrightToDimToOffToBright() throws {
    let world = try riding()
    let bright = world.panel.contrast
    world.press("A")
    let dim = world.panel.contrast
    #expect(dim < bright && world.shows(turn))
    world.press("A")
    #expect(!world.glass.contains("#"))
    world.tell(5, 200, "Am Markt", id: 2)
    #expect(!world.glass.contains("#"), "off by hand it stays off")
    world.press("A")
    #expect(world.shows(.turn(.left, "200 m", "Am Markt")), "the ride went on meanwhile")
    let again = world.panel.contrast
    #expect(again == bright)
  }

  @Test func aShortPressLightsADarkPanelAndLeadsToNoOtherPage() throws {
    let world = try riding()
    world.press("AAa")
    #expect(world.shows(turn))
  }

  @Test func buttonsThatGoAwayWhileUnpairIsHeldForgetNobody() throws {
    let world = try riding(["buttons=gpio:/dev/gpiochip0", "button-b=27"])
    world.touch(.b, isPressed: true)
    world.pass(2_000)
    #expect(!world.shows(turn), "how long it is still to be held")
    world.fail(.buttons, .noSuchDevice)
    world.pass(0)
    #expect(world.shows(turn))
    world.pass(5_000)
    #expect(world.events("button").isEmpty)
  }

  @Test func aShortPressOfBIsAnsweredForThreeSeconds() throws {
    let world = try riding()
    world.press("b")
    #expect(world.shows(.phone("Fairy", .ride)))
    world.pass(2_999)
    #expect(world.shows(.phone("Fairy", .ride)))
    world.pass(1)
    #expect(world.shows(turn))
  }

  /// The bytes of a stand-in are whole gestures; a thumb takes its time.
  @Test func aThumbOnBSeesItsProgressAndForgetsAfterThreeSeconds() throws {
    let world = try riding(["buttons=gpio:/dev/gpiochip0", "button-b=27"])
    world.touch(.b, isPressed: true)
    world.pass(400)
    #expect(world.shows(turn), "most presses are short ones")
    world.pass(2_500)
    #expect(!world.shows(turn) && world.events("button").isEmpty)
    world.pass(150)
    #expect(world.events("button").map { $0["press"] } == ["long"])
    #expect(world.shows(.unpaired))
  }

  @Test func aThumbOnBLightsADarkPanel() throws {
    let world = try riding(["buttons=gpio:/dev/gpiochip0", "button-b=27"])
    world.press("AA")
    world.touch(.b, isPressed: true)
    world.pass(400)
    let isDark = !world.glass.contains("#")
    world.pass(1_000)
    #expect(isDark && world.glass.contains("#"))
    #expect(world.events("button").count == 2, "and nothing is done yet")
  }

  @Test func aThumbThatLetsGoInTimeForgetsNobody() throws {
    let world = try riding(["buttons=gpio:/dev/gpiochip0", "button-b=27"])
    world.touch(.b, isPressed: true)
    world.pass(2_900)
    world.touch(.b, isPressed: false)
    world.pass(1_000)
    #expect(world.events("button").map { $0["press"] } == ["short"])
    #expect(world.events("link").last.map { $0["state"] } == "ready")
  }

  /// The kernel's queue was full: the release is seen on the line itself.
  @Test func aReleaseThatTheKernelDroppedIsARelease() throws {
    let world = try riding(["buttons=gpio:/dev/gpiochip0", "button-b=27"])
    world.touch(.b, isPressed: true)
    world.pass(300)
    world.release(.b)
    world.pass(5_000)
    #expect(world.events("button").map { $0["press"] } == ["short"])
  }

  @Test func aButtonThatIsHeldForEverIsTold() throws {
    let world = try riding(["buttons=gpio:/dev/gpiochip0", "button-a=17"])
    world.touch(.a, isPressed: true)
    world.pass(31_000)
    #expect(world.events("error").map { $0["source"] } == ["gpio"])
  }

  /// A thumb that was already on its way must not agree to what nobody has read.
  @Test func centralBehaviour48_aPressWithinASecondOfTheNumberAgreesToNothing() throws {
    let settings = ["pairing=preferred", "buttons=gpio:/dev/gpiochip0", "button-a=17"]
    let world = try World(settings, pairs: true)
    world.advertise()
    world.pass(200)
    #expect(world.events("pairing").map { $0["state"] } == ["confirm"])
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.touch(.a, isPressed: false)
    world.pass(100)
    #expect(world.events("pairing").map { $0["state"] } == ["confirm"])
    world.pass(300)
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.touch(.a, isPressed: false)
    world.pass(100)
    #expect(world.events("pairing").map { $0["state"] } == ["confirm"], "not yet a second")
    world.pass(500)
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.touch(.a, isPressed: false)
    world.pass(500)
    #expect(world.events("pairing").map { $0["state"] } == ["confirm", "done"])
  }

  @Test(arguments: [(999, ["confirm"]), (1_000, ["confirm", "done"])] as [(Int64, [String])])
  func centralBehaviour48_theDigitsCanBeAgreedToFromOneSecondOn(
    _ milliseconds: Int64, _ states: [String]
  ) throws {
    let settings = ["pairing=preferred", "buttons=gpio:/dev/gpiochip0", "button-a=17"]
    let world = try World(settings, pairs: true)
    world.advertise()
    for _ in 0..<500 where world.events("pairing").isEmpty { world.pass(1) }
    world.pass(milliseconds)
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.touch(.a, isPressed: false)
    world.pass(500)
    #expect(world.events("pairing").map { $0["state"] } == states)
  }
}
