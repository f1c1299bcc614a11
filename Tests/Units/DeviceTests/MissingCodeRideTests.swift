import Bytes
import Device
import Screens
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// A phone that was paired without a code where one is required, and one that has to wait for its pairing.
@Suite struct MissingCodeRideTests {
  private static let buttons = [
    "buttons=gpio:/dev/gpiochip0", "button-a=17", "button-b=27",
  ]

  /// It was paired without a code; what is on the disk then.
  private func paired() throws -> World {
    let world = try World(["pairing=preferred"], pairs: true)
    world.security.manner = .justWorks
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    world.press("a")
    world.pass(5_000)
    #expect(world.events("bond").compactMap { $0["state"] } == ["saved"])
    return world
  }

  /// The device is switched on again with another policy, near the same phone.
  private func restarted(
    _ world: World, _ pairing: String, _ settings: [String] = []
  ) throws -> World {
    let again = try World(["pairing=\(pairing)"] + settings, boots: false)
    again.disk = world.disk
    again.meet(world)
    again.tell(5, 110, "Voßstraße", id: 9)
    again.pass(0)
    return again
  }

  private func states(_ world: World) -> [String] {
    world.events("pairing").compactMap { $0["state"] }
  }

  @Test func centralBehaviour71_aPhoneWithoutACodeIsNotFollowedAndThePanelSaysWhy() throws {
    let world = try restarted(paired(), "required")
    let before = world.disk
    for _ in 0..<30 {
      world.advertise()
      world.pass(1_000)
    }
    #expect(world.shows(.codeMissing))
    #expect(world.told.isEmpty && world.events("link").isEmpty)
    #expect(world.events("bond").isEmpty && world.disk == before)
    let errors = world.events("error")
    #expect(errors.compactMap { $0["source"] } == ["phone"])
    #expect(
      errors.last?["message"]
        == "the phone was paired without a code, which pairing = required does not take: press A to pair it again"
    )
    world.press("b")
    #expect(world.shows(.codeMissing), "which phone it is")
  }

  @Test func centralBehaviour71_afterAPressItIsPairedWithACodeAndFollowed() throws {
    let world = try restarted(paired(), "required")
    world.pass(1_000)
    world.security.manner = .comparison
    world.press("a")
    #expect(world.connection == .searching)
    world.advertise()
    world.pass(1_500)
    #expect(world.shows(.comparison(world.security.digits, phone: "")))
    world.press("a")
    world.pass(5_000)
    #expect(states(world) == ["confirm", "done"])
    #expect(world.told.last == Told(5, 110, "Voßstraße"))
    let again = try restarted(world, "required")
    #expect(again.events("bond").compactMap { $0["state"] } == ["loaded"])
    #expect(again.events("error").isEmpty)
  }

  /// The choice of a rider who was not pleased with it.
  @Test func centralBehaviour71_whereNoneIsRequiredAnyMoreItIsFollowedAsBefore() throws {
    let world = try restarted(restarted(paired(), "required"), "preferred")
    world.advertise()
    world.pass(1_000)
    #expect(world.events("bond").compactMap { $0["state"] } == ["loaded"])
    #expect(world.events("link").compactMap { $0["state"] }.last == "ready")
    #expect(world.told.last == Told(5, 110, "Voßstraße"))
  }

  /// What is kept beside it is written with it.
  @Test func centralBehaviour71_itStaysOnTheDiskWhenTheBrightnessIsWritten() throws {
    let world = try restarted(paired(), "required")
    let before = world.disk
    world.pass(1_000)
    world.press("A")
    world.pass(60_000)
    #expect(world.disk != before)
    let again = try restarted(world, "preferred")
    #expect(again.events("bond").compactMap { $0["state"] } == ["loaded"])
  }

  @Test func centralBehaviour71_itIsForgottenLikeAnyOther() throws {
    let world = try restarted(paired(), "required")
    world.pass(1_000)
    world.press("B")
    world.pass(5_000)
    #expect(world.events("bond").compactMap { $0["state"] } == ["erased"])
    #expect(world.shows(.noPhone))
    let again = try restarted(world, "preferred")
    #expect(again.events("bond").isEmpty)
  }

  // MARK: - A phone that has to wait

  /// It went while the number showed, and is back; returns until when it has to wait.
  private func delayed(_ settings: [String] = []) throws -> (World, Instant) {
    let world = try World(["pairing=required"] + settings, pairs: true)
    world.advertise()
    world.pass(1_500)
    #expect(states(world) == ["confirm"])
    for _ in 0..<3 {
      world.loseLink()
      world.pass(6_000)
      world.advertise()
      world.pass(1_500)
    }
    world.loseLink()
    let end = world.now + 8_000
    world.pass(5_000)
    world.advertise()
    world.pass(500)
    return (world, end)
  }

  @Test func centralBehaviour73_aPhoneThatHasToWaitIsToldOfAndAskedWhenTheWaitIsOver() throws {
    let (world, end) = try delayed()
    #expect(states(world).last == "delayed")
    #expect(world.events("pairing").last?[number: "seconds"] == 3)
    #expect(world.shows(.pairingDelayed(secondsLeft: 3)))
    world.pass(end - world.now - 1_000)
    #expect(world.shows(.pairingDelayed(secondsLeft: 1)))
    world.pass(1_000)
    #expect(world.shows(.comparison(world.security.digits, phone: "")))
    world.pass(1_000)
    world.press("a")
    world.pass(1_000)
    #expect(states(world).suffix(3) == ["delayed", "confirm", "done"])
  }

  /// A thumb that comes a moment before the number, or a moment behind it, was meant for something else.
  @Test(arguments: [(-1, false), (1, false), (1_000, true)] as [(Int64, Bool)])
  func centralBehaviour73_aPressAtTheEndOfTheWaitIsNoYesToAQuestionNobodyHasRead(
    _ time: Int64, _ isYes: Bool
  ) throws {
    let (world, end) = try delayed(Self.buttons)
    world.pass(end - world.now + time)
    world.touch(.a, isPressed: true)
    world.pass(50)
    world.touch(.a, isPressed: false)
    world.pass(500)
    #expect(states(world).last == (isYes ? "done" : "confirm"))
  }
}
