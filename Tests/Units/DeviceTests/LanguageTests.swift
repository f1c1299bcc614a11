import Navigation
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice
import Words

/// The board's language on the panel, from the search to the end of a ride.
@Suite struct LanguageTests {
  private func ride(_ settings: [String] = []) throws -> World {
    let world = try World(["language=de"] + settings)
    world.tell(8, 1_230, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    return world
  }

  /// What a screen would be in English, so that no word of it may be the same.
  private func isEnglish(_ world: World, _ shot: Shot) throws -> Bool {
    try World().drawn(shot) == world.glass
  }

  @Test func theSearchIsGerman() throws {
    let world = try World(["language=de", "pairing=preferred"])
    #expect(world.shows(.searching(secondsLeft: 30)))
    #expect(try !isEnglish(world, .searching(secondsLeft: 30)))
    world.pass(30_000)
    #expect(world.shows(.noPhone))
  }

  @Test func aCodeIsComparedInGerman() throws {
    let world = try World(["language=de", "pairing=preferred"], pairs: true)
    world.advertise()
    world.pass(1_000)
    let shot = Shot.comparison(world.security.digits, phone: "Fairy")
    #expect(try world.shows(shot) && !isEnglish(world, shot))
    world.press("b")
    world.pass(1_000)
    #expect(world.shows(.failed(.refusedHere)))
    #expect(world.events("pairing").last.map { $0["reason"] } == "refused here", "events are not")
  }

  @Test func aPhoneWithoutATourIsReadyInGerman() throws {
    let world = try World(["language=de"])
    world.advertise()
    world.pass(1_000)
    #expect(try world.shows(.ready("Fairy")) && !isEnglish(world, .ready("Fairy")))
  }

  @Test func aDistanceHasAComma() throws {
    #expect(try ride().shows(.turn(.right, "1,2 km", "Hauptstraße")))
    #expect(try ride(["units=imperial"]).shows(.turn(.right, "0,8 mi", "Hauptstraße")))
  }

  @Test func aTurnIsJetzt() throws {
    let world = try ride()
    world.tell(8, 3, "Hauptstraße", id: 2)
    world.pass(2_000)
    #expect(world.shows(.turn(.right, "Jetzt", "Hauptstraße", isMarked: true)))
  }

  @Test func offTheRouteItSaysSoInGerman() throws {
    let world = try ride()
    world.tell(30, 0, "", id: 2)
    world.pass(2_000)
    let shot = Shot.turn(.offRoute, "Jetzt", "", isMarked: true)
    #expect(try world.shows(shot) && !isEnglish(world, shot))
  }

  @Test func theFinishIsTheZiel() throws {
    let world = try ride()
    world.tell(3, 80, "Hauptstraße", id: 2)
    world.pass(2_000)
    let shot = Shot.turn(.finish, "80 m", "Hauptstraße")
    #expect(try world.shows(shot) && !isEnglish(world, shot))
  }

  @Test func aLinkThatIsLostIsToldInGerman() throws {
    let world = try ride()
    world.controller.connects = false
    world.loseLink()
    world.pass(9_000)
    let shot = Shot.turn(
      .right, "1,2 km", "Hauptstraße", age: Age(milliseconds: 9_000), isLinkLost: true)
    #expect(try world.shows(shot) && !isEnglish(world, shot))
  }

  /// What is done comes in German; what is wrong is what the log has.
  @Test func aRadioThatIsResetSaysSoInGerman() throws {
    let world = try World(["language=de"])
    world.pass(1_000)
    world.controller.isHanging = true
    for _ in 0..<39 { world.hears(bytes("04 10 01 00")) }
    world.pass(0)
    let cause = "the controller reports hardware error 0x00"
    #expect(world.shows(.noRadio("Bluetooth startet neu: " + cause)))
    #expect(world.events("error").last?["message"] == cause + ". Restarting Bluetooth")
  }
}
