import Bytes
import Expecting
import TestSupport
import VirtualAir
import VirtualDevice

/// Values that no good phone sends: what is told of them, and what the rider sees.
struct ValueTests {
  private static let longest = 503
  private static let safe = instruction(5, 4_321, Array("Lennéstraße".utf8), id: 900)

  /// The device on a link with this ATT_MTU, whose phone has this value.
  private func hearing(_ value: [UInt8], mtu: UInt16 = 185) throws -> World {
    let world = try World()
    world.phone.mtu = mtu
    world.phone.value = value
    world.advertise()
    world.pass(1_000)
    return world
  }

  /// The next good value is told and shown, and nothing failed.
  private func expectGoingOn(_ world: World) {
    world.say(Self.safe)
    expect(world.told.last, Told(5, 4_321, "Lennéstraße"))
    expect(world.shows(.turn(.left, "4.3 km", "Lennéstraße")))
    expect(world.events("error").isEmpty && world.events("link").count == 3)
    expect(!world.events.contains { $0.name == "" }, "each line is JSON")
  }

  static let streets: [(what: String, street: [UInt8], told: String)] = [
    ("empty", [], ""),
    ("503 bytes", a(503), String(repeating: "a", count: 503)),
    ("600 bytes", a(600), String(repeating: "a", count: 503)),
    ("cut within a letter", Array("Straß".utf8.dropLast()), "Stra\u{FFFD}"),
    (
      "cut by its length", a(502) + Array("ß".utf8), String(repeating: "a", count: 502)
    ),
    ("Latin beyond Latin-1", Array("Šaltinių".utf8), "Šaltinių"),
    ("beyond the basic plane", Array("🚲 Weg 🚴".utf8), "🚲 Weg 🚴"),
    ("terminal commands", Array("\u{9B}2J\u{9D}0;x".utf8), "2J0;x"),
    ("right to left", Array("شارع الملك فيصل".utf8), "شارع الملك فيصل"),
    ("direction marks", Array("\u{202E}egatniv\u{202C}".utf8), "egatniv"),
    ("quotes and backslashes", Array(#""},{"event":"x\"#.utf8), #""},{"event":"x\"#),
    ("escapes", Array(#"\u0041\n"#.utf8), #"\u0041\n"#),
    ("separators", Array("\u{2028}\u{2029}\u{FEFF}".utf8), "  \u{FEFF}"),
    ("never UTF-8", [0xFF, 0xFE, 0xFD], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("overlong", [0xC0, 0xAF], "\u{FFFD}\u{FFFD}"),
    ("a surrogate", [0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("beyond Unicode", [0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    (
      "continuations", [UInt8](repeating: 0x80, count: 503),
      String(repeating: "\u{FFFD}", count: 503)
    ),
    (
      "many cut ones", (0..<167).flatMap { _ in [0xF0, 0x9F, 0x9A] as [UInt8] },
      String(repeating: "\u{FFFD}", count: 167)
    ),
  ]

  private static func a(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x61, count: count) }

  /// With the smallest MTU it is read in parts of 22 bytes.
  @Test(arguments: streets.indices, [23, 517] as [UInt16])
  func aStreetIsToldWithoutControlsAndShownAsItIs(_ index: Int, _ mtu: UInt16) throws {
    let (what, street, told) = Self.streets[index]
    let world = try hearing(instruction(5, 100, street), mtu: mtu)
    expect(world.told, [Told(5, 100, told)], "\(what)")
    let shown = street.count > 503 ? told : String(decoding: street, as: UTF8.self)
    expect(world.shows(.turn(.left, "100 m", shown)), "\(what)")
    expectGoingOn(world)
  }

  @Test func aValueThatIsNoInstructionIsPassedOver() throws {
    let world = try hearing([])
    for value in (0..<9).map({ Array(Self.safe.prefix($0)) }) + [
      Array("Hello, world".utf8), instruction(5, 100, Array("\u{1B}[2J".utf8)),
    ] {
      world.say(value)
      world.pass(10_000)
      #expect(world.events("instruction").isEmpty)
      expect(world.shows(.ready("Fairy")) || world.showsMoved(.ready("Fairy")))
    }
    expectGoingOn(world)
    expect(world.told.count, 1)
  }

  @Test func aNotificationOfAnyLengthDoesNoHarm() throws {
    let world = try hearing(instruction(8, 350, Array("Hauptstraße".utf8)))
    for count in [0, 1, 3, 4, 5, 8, 9, 19, 20, 182, 600] {
      world.notify(VirtualPhone.notification([UInt8](repeating: 0xFF, count: count)))
      world.pass(1_000)
    }
    expectGoingOn(world)
  }

  /// An app that thinks of the smallest MTU cuts what it notifies and what is read, whatever was agreed on.
  @Test(arguments: [20, 22], [nil, 0x07, 0x0B] as [UInt8?])
  func centralBehaviour56_ofANotificationThatMayBeCutTheRiderSeesTheWholeStreet(
    _ cut: Int, _ blobErrorAtEnd: UInt8?
  ) throws {
    let world = try hearing(instruction(8, 350, Array("Hauptstraße".utf8)))
    world.phone.cut = cut
    world.phone.blobErrorAtEnd = blobErrorAtEnd
    let whole = String("Schopenhauerstraße".prefix(cut - 9))
    for street in [whole, "Schopenhauerstraße"] {
      world.phone.value = instruction(5, 200, Array(street.utf8))
      world.notify(VirtualPhone.notification(Array(world.phone.value?.prefix(cut) ?? [])))
      expect(world.shows(.turn(.left, "200 m", street)))
    }
    expect(world.told.map(\.street), ["Hauptstraße", whole, "Schopenhauerstraße"])
  }

  @Test(arguments: [23, 100, 517] as [UInt16])
  func aValueThatNeverEndsIsCutAndTheLinkStaysOfUse(_ mtu: UInt16) throws {
    let world = try hearing(
      instruction(5, 100, [UInt8](repeating: 0x78, count: 9_000)), mtu: mtu)
    expect(world.told, [Told(5, 100, String(repeating: "x", count: Self.longest))])
    // At MTU 23 a part is 22 bytes: 512 bytes take 24, and one more to see that the first is the same.
    let reads = world.phone.requests.count { $0 == 0x0A }
    #expect(world.phone.requests.count { $0 == 0x0A || $0 == 0x0C } <= 25 * reads)
    #expect(reads <= 6)
    expectGoingOn(world)
  }
}

/// Names of phones and sensors: told and shown without half letters and controls.
struct ForeignNameTests {
  @Test(arguments: [
    (String(repeating: "a", count: 31) + "ü von Anna", String(repeating: "a", count: 31)),
    (String(repeating: "a", count: 28) + "👩\u{200D}🔧 von Anna", String(repeating: "a", count: 28)),
    ("Annas\u{202E} iPhone\u{9B}2J", "Annas iPhone2J"),
    ("Pair? \u{E041} Yes", "Pair?  Yes"),
  ])
  func centralBehaviour76_aPhonesNameIsToldWithoutHalfLettersAndControls(
    _ name: String, _ told: String
  ) throws {
    expect(try World.paired { $0.phone.name = name }.events("bond").last?["name"], told)
  }

  /// A stranger's street asks nothing with a button of Lenker's, and says nothing of the phone; nor does a caller.
  @Test func centralBehaviour76_noStreetAndNoCallerShowASignOfLenkersOwn() throws {
    func glass(_ street: String) throws -> String {
      let world = try World()
      world.tell(8, 350, street)
      world.advertise()
      world.pass(1_000)
      return world.glass
    }
    for sign in ["\u{E041}", "\u{E042}", "\u{E043}"] {
      expect(try glass("\(sign)Weg"), try glass("Weg"))
      let world = try World.notifying(["notifications=calls"]) {
        $0.phone.notifications.texts[7] = .init("\(sign) Mum\(sign)")
      }
      world.happens(7)
      expect(world.shows(.call(" Mum")))
    }
  }

  /// With the smallest MTU a sensor cuts its name to 19 bytes, wherever that is.
  @Test func centralBehaviour76_whatASensorCutsInMidLetterIsToldWithoutTheHalf() throws {
    let strap = VirtualSensor(.heart, number: 1)
    strap.name = String(repeating: "a", count: 18) + "üx"
    let world = try World.searching(for: strap)
    world.notify(bytes("00 48"), from: strap)
    world.pass(1_000)
    world.press("a")
    world.pass(1_000)
    let told = world.events("sensor").last { $0["state"] == "remembered" }?["name"]
    expect(told, String(repeating: "a", count: 18))
  }
}
