import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

/// What the panel says is to be done on the phone.
@Suite struct PhoneAdviceTests {
  // MARK: - A phone that asks its owner first

  private func isPhoneAsked(_ world: World) -> Bool {
    (1...30).contains { world.shows(.phoneAsked("Fairy", secondsLeft: $0)) }
  }

  /// As Android 13 and later do, by a notification, before they answer the request.
  @Test func centralBehaviour93_whilePhoneAndOwnerAreSilentThePanelSaysWhatToTap() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    world.security.manner = .silence
    world.advertise()
    world.pass(900)
    expect(!isPhoneAsked(world), "a phone that needs nobody answers at once")
    world.pass(1_100)
    expect(isPhoneAsked(world))
    world.pass(25_000)
    expect(isPhoneAsked(world) && world.events("pairing").isEmpty)
    world.pass(4_000)
    expect(world.shows(.failed(.noAnswer)), "and is not asked about either: behaviour 145")
    expect(world.events("pairing").map { $0["reason"] }, ["no answer"])
  }

  // MARK: - A phone whose Bluetooth has lost its way

  /// A phone that was paired with and has komoot no more; without a turn unless it told one before.
  private func paired(tellsTurn: Bool = false) throws -> World {
    let world = try World(["pairing=preferred"], pairs: true)
    if tellsTurn { world.tell(8, 350, "Hauptstraße") }
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(5_000)
    world.phone.hasService = false
    return world
  }

  private func loseAndMeet(_ world: World, _ reason: UInt8) -> Bool {
    world.loseLink(reason: reason)
    defer {
      world.pass(10_000)
      world.advertise()
      world.pass(1_000)
    }
    return world.shows(.switchBluetooth)
  }

  @Test(arguments: [0x1F, 0x3D] as [UInt8])
  func centralBehaviour96_afterTheThirdSuchEndThePanelSaysOnceWhatHelps(_ reason: UInt8) throws {
    let world = try paired()
    expect(
      (0..<6).map { _ in loseAndMeet(world, reason) }, [false, false, true, false, false, false])
    expect(world.events("error").map { $0["source"] }, ["phone"])
  }

  /// It is a sentence, and tells the rider to do something elsewhere.
  @Test func centralBehaviour96_whatHelpsStaysForTenSeconds() throws {
    let world = try paired()
    for _ in 0..<2 { expect(!loseAndMeet(world, 0x1F)) }
    world.loseLink(reason: 0x1F)
    world.pass(9_999)
    expect(world.shows(.switchBluetooth))
    world.pass(1)
    expect(!world.shows(.switchBluetooth))
  }

  @Test func centralBehaviour96_otherEndsAreUsual() throws {
    let world = try paired()
    for reason in [0x08, 0x13, 0x3E, 0x08, 0x13] as [UInt8] { expect(!loseAndMeet(world, reason)) }
  }

  @Test func centralBehaviour96_aRideInBetweenBeginsTheCountAgain() throws {
    let world = try paired()
    expect(!loseAndMeet(world, 0x1F))
    world.phone.hasService = true
    expect(!loseAndMeet(world, 0x1F))
    world.phone.hasService = false
    expect(!loseAndMeet(world, 0x1F) && !loseAndMeet(world, 0x1F))
    expect(loseAndMeet(world, 0x1F))
  }

  @Test func centralBehaviour96_theAdviceHidesNoTurn() throws {
    let world = try paired(tellsTurn: true)
    for _ in 0..<5 { expect(!loseAndMeet(world, 0x1F)) }
  }

  @Test func centralBehaviour96_ofAStrangerNothingIsSaid() throws {
    let world = try World()
    world.phone.hasService = true
    world.advertise()
    world.pass(1_000)
    for _ in 0..<5 {
      expect(!loseAndMeet(world, 0x1F))
      world.pass(60_000)
    }
  }
}
