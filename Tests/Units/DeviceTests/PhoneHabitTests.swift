import Bytes
import Expecting
import Navigation
import TestSupport
import VirtualDevice

/// What the device makes of each kind of phone, and says is to be done on it.
struct PhoneHabitTests {
  @Test(arguments: PhoneKind.allCases)
  func everyInstructionOfARideIsToldInOrder(_ kind: PhoneKind) throws {
    let world = try World.meeting(kind)
    let rows = try OwnRide.rows()
    try world.ride(rows)
    world.pass(2_000)
    expect(world.told, toldApart(rows))
    #expect(world.events("error").isEmpty)
  }

  @Test(
    .enabled(if: RecordedRide.areThere, "the rides are not among the recordings"),
    arguments: PhoneKind.allCases)
  func everyInstructionOfARecordedRideIsToldInOrder(_ kind: PhoneKind) throws {
    let world = try World.meeting(kind)
    // Some come within a second, and nobody but the phone can know of what is over by the next read.
    let rows = try RecordedRide("potsdam-short").rows
    try world.ride(rows)
    world.pass(2_000)
    let (told, all) = (world.told, toldApart(rows))
    if kind == .android2019 {
      expect(told.count * 10 > all.count * 9 && told.last == all.last)
    } else {
      expect(told, all)
    }
  }

  @Test(arguments: PhoneKind.allCases)
  func theWayToAPhoneIsTold(_ kind: PhoneKind) throws {
    let world = try World(phone: kind)
    world.advertise()
    world.pass(300)
    let told = world.events.filter { $0.name != "frame" }
      .map { $0["state"] ?? $0["mode"] ?? $0.name }
    expect(told, ["controller", "fast", "phone", "off", "connecting", "connected", "ready"])
    let match = kind == .iosBackground ? "overflow" : "service"
    expect(world.events("phone").map { $0["match"] }, [match])
    expect(world.events("phone").map { $0[number: "rssi"] }, [-60])
  }

  /// An iPhone refuses with 0x0A, an Android phone has zeros.
  @Test(arguments: PhoneKind.allCases)
  func centralBehaviour27_aPhoneThatIsReadBeforeItsFirstInstructionIsReadAgain(
    _ kind: PhoneKind
  ) throws {
    let world = try World.meeting(kind)
    world.pass(10_000)
    #expect(world.phone.requests.count { $0 == 0x0A } >= 3)
    expect(world.events("instruction").isEmpty && world.events("error").isEmpty)
    expect(world.shows(.ready("Fairy")))
    world.tell(5, 110, "Voßstraße", id: 2)
    world.pass(3_000)
    expect(world.told, [Told(5, 110, "Voßstraße")])
    expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  // MARK: - An app that says nothing any more, but lets its value be read again and again

  private func ages(_ world: World) -> [Int] {
    world.events("stale").compactMap { $0[number: "age"] }
  }

  /// It has told this turn, and is paused, or hangs.
  private func silent(_ kind: PhoneKind, _ distance: UInt32, _ direction: UInt8 = 8) throws -> World
  {
    let world = try World.meeting(kind)
    world.tell(direction, distance, "A")
    return world
  }

  @Test(arguments: [PhoneKind.ios, .android])
  func centralBehaviour138_aTurnIsStaleAfter20SecondsThoughItIsReadAllTheTime(
    _ kind: PhoneKind
  ) throws {
    let world = try silent(kind, 120)
    let alerts = world.events("alert").count
    world.pass(19_900)
    expect(ages(world), [])
    expect(world.shows(.turn(.right, "120 m", "A")), "nobody concludes that the rider stands")
    world.pass(200)
    expect(ages(world), [20])
    expect(world.shows(.turn(.right, "120 m", "A", age: Age(milliseconds: 20_000))))
    let reads = world.phone.requests.count { $0 == 0x0A }
    world.pass(300_000)
    #expect(world.phone.requests.count { $0 == 0x0A } >= reads + 75)
    expect(ages(world).last, 300)
    expect(world.events("alert")[alerts...].map { $0["level"] }, ["none"])
    expect(world.connection, .ready)
    world.tell(8, 120, "A")
    expect(world.showsMoved(.turn(.right, "120 m", "A")), "it is as fresh as what is said again")
  }

  /// It has never notified on this link, so its reads are all that there is.
  @Test func centralBehaviour138_aPhoneThatNeverNotifiesIsJudgedByItsReads() throws {
    let world = try silent(.android2019, 120)
    world.pass(60_000)
    expect(ages(world), [])
  }

  /// The tour is over, and the app does not take its last value away.
  @Test(arguments: [5, 300] as [UInt32])
  func centralBehaviour138_aFinishOfWhichNothingIsSaidGoesAfterAMinute(_ distance: UInt32) throws {
    let world = try silent(.ios, distance, 3)
    world.pass(61_000)
    expect(world.shows(.ready("Fairy")))
    world.pass(600_000)
    expect(world.showsMoved(.ready("Fairy")), "nor does a read bring it back")
    world.tell(2, 0, "B", id: 2)
    expect(world.told.last, Told(2, 0, "B"))
  }

  // MARK: - A phone that asks its owner first

  /// As Android 13 and later do, by a notification, before they answer the request.
  @Test func centralBehaviour93_whilePhoneAndOwnerAreSilentThePanelSaysWhatToTap() throws {
    let world = try World(["pairing=preferred"], pairs: true)
    func isPhoneAsked() -> Bool {
      (1...30).contains { world.shows(.phoneAsked("Fairy", secondsLeft: $0)) }
    }
    world.security.manner = .silence
    world.advertise()
    world.pass(900)
    expect(!isPhoneAsked(), "a phone that needs nobody answers at once")
    world.pass(1_100)
    expect(isPhoneAsked())
    world.pass(25_000)
    expect(isPhoneAsked() && world.events("pairing").isEmpty)
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

  @Test func centralBehaviour96_otherEndsAndARideInBetweenBeginTheCountAgainAndNoTurnIsHidden()
    throws
  {
    let world = try paired()
    for reason in [0x08, 0x13, 0x3E, 0x08, 0x13] as [UInt8] { expect(!loseAndMeet(world, reason)) }
    expect(!loseAndMeet(world, 0x1F))
    world.phone.hasService = true
    expect(!loseAndMeet(world, 0x1F))
    world.phone.hasService = false
    expect(!loseAndMeet(world, 0x1F) && !loseAndMeet(world, 0x1F))
    expect(loseAndMeet(world, 0x1F))
    let guided = try paired(tellsTurn: true)
    for _ in 0..<5 { expect(!loseAndMeet(guided, 0x1F)) }
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
