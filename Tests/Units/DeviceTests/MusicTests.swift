import Bytes
import Expecting
import VirtualAir
import VirtualDevice

@testable import Device
@testable import DeviceState

/// What a paired iPhone plays, on a page of its own: Apple Media Service.
struct MusicTests {
  private static let title = "Wild Theme"
  private static let artist = "Mark Knopfler"

  /// A ride with a paired phone that plays something.
  private func riding(
    _ settings: [String] = ["music=on"], prepare: (World) -> Void = { _ in }
  ) throws -> World {
    let world = try World.paired(settings) {
      $0.phone.hasServiceChanged = true
      $0.phone.music.isThere = true
      prepare($0)
    }
    play(Self.title, Self.artist, world)
    return world
  }

  private func play(_ title: String, _ artist: String, _ world: World) {
    for (attribute, text) in [(0, artist), (2, title)] as [(UInt8, String)] {
      if let news = world.phone.music.news(attribute, Array(text.utf8)) { world.notify(news) }
    }
  }

  private func turnToMusic(_ world: World) {
    world.press("aa")
    world.pass(0)
  }

  // MARK: - The page

  @Test func itIsThePageBehindTheRideAndInNoEvent() throws {
    let world = try riding()
    turnToMusic(world)
    expect(world.shows(.music(Self.title, Self.artist)))
    play("Telegraph Road", "Dire Straits", world)
    expect(world.shows(.music("Telegraph Road", "Dire Straits")))
    let lines = world.events.map(\.line).joined()
    for text in [Self.title, Self.artist, "Road", "Dire"] { expect(!lines.contains(text)) }
    play("", "", world)
    expect(world.shows(.music("", "")), "nothing plays")
    world.press("a")
    world.pass(0)
    expect(!world.shows(.music("", "")))
  }

  @Test func aTurnThatIsDueHasThePanel() throws {
    let world = try riding()
    turnToMusic(world)
    world.tell(8, 20, "Hauptstraße")
    world.pass(2_000)
    expect(!world.shows(.music(Self.title, Self.artist)))
    expect(world.events("alert").last?["level"], "high")
  }

  /// Nor is Service Changed an end.
  @Test(arguments: [false, true]) func itIsThereAgainOnTheNextLink(_ isSameLink: Bool) throws {
    let world = try riding()
    if isSameLink {
      world.notify(VirtualPhone.serviceChanged)
    } else {
      world.loseLink()
      world.advertise()
    }
    world.pass(5_000)
    play("Telegraph Road", "Dire Straits", world)
    turnToMusic(world)
    expect(world.shows(.music("Telegraph Road", "Dire Straits")))
  }

  @Test(arguments: [false, true])
  func centralBehaviour87_withTheServiceOrTheLinkThePageGoes(_ isLinkLost: Bool) throws {
    let world = try riding()
    turnToMusic(world)
    world.phone.music.isThere = false
    if isLinkLost { world.loseLink() } else { world.notify(VirtualPhone.serviceChanged) }
    world.pass(2_000)
    expect(world.device.scene.page == .turn && world.events("error").isEmpty)
    world.press("aa")
    world.pass(0)
    expect(!world.shows(.music("", "")), "the page of the ride leads to another one")
  }

  // MARK: - The next title

  /// Short, or long as a byte.
  @Test(arguments: [("b", [3]), ("B", [2])] as [(String, [UInt8])])
  func unpairPlaysTheNextTitleThereOrPlaysAndPauses(_ press: String, _ command: [UInt8]) throws {
    let world = try riding()
    turnToMusic(world)
    world.press(press)
    world.pass(1_000)
    expect(world.phone.music.commands, [command])
    expect(world.shows(.music(Self.title, Self.artist)), "until the phone tells another one")
    #expect(world.events("bond").allSatisfy { $0["state"] != "erased" })
  }

  // MARK: - Phones without it

  @Test func thereIsNoPageWithoutTheKeyOrTheService() throws {
    for world in [
      try riding([]), try riding { $0.phone.music.isThere = false },
      try riding { $0.phone.music.refusal = 0x05 },
    ] {
      let before = world.glass
      turnToMusic(world)
      expect(!world.shows(.music("", "")) && !world.shows(.music(Self.title, Self.artist)))
      world.press("a")
      world.pass(0)
      expect(world.glass, before, "the page of the sensors was the last")
    }
  }

  @Test func aPhoneThatRefusesIsToldOfOnceALink() throws {
    let world = try riding { $0.phone.music.refusal = 0x05 }
    expect(
      world.events("error").map { $0["message"] },
      ["the phone does not let its music be seen: error 0x05"])
    world.notify(VirtualPhone.serviceChanged)
    world.pass(2_000)
    expect(world.events("error").count, 1)
    expect(world.told.last, Told(8, 350, "Hauptstraße"))
    world.loseLink()
    world.advertise()
    world.pass(2_000)
    expect(world.events("error").count, 2, "the next link")
  }

  // MARK: - Play and pause

  private static let byHand = ["music=on", "buttons=gpio:/dev/gpiochip0", "button-b=27"]

  private func hold(_ milliseconds: Int64, _ world: World) {
    world.pass(500)
    world.touch(.b, isPressed: true)
    world.pass(milliseconds)
    world.touch(.b, isPressed: false)
    world.pass(1_000)
  }

  /// AMS, Remote Command: 2 is toggle play and pause, 3 the next track.
  @Test(arguments: [(900, [3]), (1_100, [2]), (8_000, [2])] as [(Int64, [UInt8])])
  func heldForASecondItPlaysOrPauses(_ milliseconds: Int64, _ command: [UInt8]) throws {
    let world = try riding(Self.byHand)
    turnToMusic(world)
    hold(milliseconds, world)
    expect(world.phone.music.commands, [command])
    expect(world.shows(.music(Self.title, Self.artist)), "without a bar that forgets a phone")
    #expect(world.events("bond").allSatisfy { $0["state"] != "erased" })
    hold(1_100, world)
    expect(world.phone.music.commands, [command, [2]])
  }

  /// The turn takes the panel while it is held.
  @Test func aPageThatIsLeftMeanwhileForgetsNothing() throws {
    let world = try riding(Self.byHand)
    turnToMusic(world)
    world.pass(500)
    world.touch(.b, isPressed: true)
    world.pass(700)
    world.tell(8, 20, "Hauptstraße")
    world.pass(9_000)
    world.touch(.b, isPressed: false)
    world.pass(1_000)
    #expect(world.phone.music.commands.isEmpty)
    #expect(world.events("bond").allSatisfy { $0["state"] != "erased" })
  }

  /// On every other page, and where the panel is dark, the time is the three seconds of old.
  @Test func elsewhereASecondDoesNothing() throws {
    let world = try riding(Self.byHand)
    hold(1_100, world)
    world.press("b")
    world.pass(4_000)
    turnToMusic(world)
    world.press("AA")
    world.pass(500)
    hold(1_100, world)
    #expect(world.phone.music.commands.isEmpty)
    #expect(world.events("bond").allSatisfy { $0["state"] != "erased" })
  }

  /// Nobody could read what it shows, though the bar of the hold lights it before the release.
  @Test(arguments: [100, 500, 1_100, 2_900] as [Int64])
  func aPressThatBeganOnADarkPanelOnlyLightsIt(_ milliseconds: Int64) throws {
    let world = try riding(Self.byHand)
    turnToMusic(world)
    world.press("AA")
    let wasOn = world.isLit
    hold(milliseconds, world)
    expect(!wasOn && world.isLit && world.phone.music.commands.isEmpty)
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
  }

  /// The bar that the rider saw says that the phone is forgotten.
  @Test func heldForThreeSecondsFromADarkPanelOnItForgetsThePhone() throws {
    let world = try riding(Self.byHand)
    turnToMusic(world)
    world.press("AA")
    hold(3_100, world)
    #expect(world.phone.music.commands.isEmpty)
    expect(world.states("bond").last, "erased")
  }
}
