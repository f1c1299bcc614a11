import BondFile
import Expecting
import TestSupport
import VirtualDevice

@testable import Device
@testable import Replaying

/// Notifications of the apps in the rider's list, and of others; all texts are invented.
struct AppListTests {
  private static let chat = "org.example.Chat"
  private static let mail = "org.example.PostOffice"
  private static let list = "notifications=com.example.other, \(chat)"
  private static let request: [UInt8] = [0, 8, 0, 0, 0, 0, 1, 128, 0, 3, 200, 0]
  private static let shot = Shot.notification("Anna Erfunden", "Ausgedacht")

  /// 8 is of the chat, 9 of the mail.
  private func riding(
    _ settings: [String] = [list], prepare: (World) -> Void = { _ in }
  ) throws -> World {
    try World.notifying(settings) {
      $0.phone.notifications.texts[8] = .init("Anna Erfunden", "Ausgedacht", app: Self.chat)
      $0.phone.notifications.texts[9] = .init("Post", "Nie geschrieben", app: Self.mail)
      prepare($0)
    }
  }

  private func notifies(_ uid: UInt8, _ world: World) { world.happens(category: 6, uid) }

  // MARK: - An iPhone

  @Test func anAppInTheListShowsAndAnotherDoesNot() throws {
    let world = try riding()
    let ride = world.glass
    notifies(9, world)
    expect(world.phone.notifications.written.count == 1 && world.glass == ride)
    notifies(8, world)
    expect(world.phone.notifications.written.last, Self.request)
    expect(world.shows(Self.shot))
    world.pass(5_000)
    expect(!world.shows(Self.shot))
  }

  /// Nor need the turn be seen for 10 s behind one that did not show.
  @Test func oneThatDoesNotShowTakesNoTimeOfTheNext() throws {
    let world = try riding()
    for uid: UInt8 in [9, 8] {
      let news = world.phone.notifications.news(0, flags: 0x18, category: 6, uid)
      world.notify(try #require(news))
    }
    world.answer(for: 200)
    expect(world.phone.notifications.written.count == 2 && world.shows(Self.shot))
  }

  /// Capitals and blanks mean nothing; nor is one in the list that the phone does not name.
  @Test func anAppIsInTheListByItsWholeName() throws {
    for list in ["ORG.EXAMPLE.chat", "a,b , \torg.example.Chat\t,c", "org.example.Chat,a"] {
      let world = try riding(["notifications=" + list])
      notifies(8, world)
      expect(world.shows(Self.shot), "\(list)")
    }
    for app in ["org.example.Cha", "org.example.Chats", "example", "org.example Chat", "a", ""] {
      let world = try riding {
        $0.phone.notifications.texts[8] = .init("Anna Erfunden", "Ausgedacht", app: app)
      }
      notifies(8, world)
      expect(world.phone.notifications.written.last, Self.request)
      expect(!world.shows(Self.shot) && world.events("error").isEmpty, "\(app)")
    }
  }

  @Test func withAllNoAppIsAskedFor() throws {
    let world = try riding(["notifications=all"])
    notifies(9, world)
    expect(world.phone.notifications.written, [[0, 9, 0, 0, 0, 1, 128, 0, 3, 200, 0]])
    expect(world.shows(.notification("Post", "Nie geschrieben")))
  }

  // MARK: - Gadgetbridge

  private func notify(_ members: String, _ world: World) {
    world.bridge(#"{"t":"notify","id":1,"title":"Anna Erfunden","body":"Ausgedacht"\#(members)}"#)
    world.pass(100)
  }

  @Test(arguments: [
    (#","src":"Chat""#, true), (#","src":"CHAT""#, true), (#","src":"Büro Post""#, true),
    (#","src":"Chats""#, false), (#","src":"""#, false), (#","src":7"#, false), ("", false),
  ])
  func ofGadgetbridgesNoticesThoseInTheListShow(_ source: String, _ isShown: Bool) throws {
    let world = try World.bridged(["notifications=Chat, Büro Post"])
    notify(source, world)
    expect(world.shows(Self.shot), isShown)
    world.bridge(#"{"t":"call","cmd":"incoming","name":"Anna Erfunden"}"#)
    world.pass(100)
    expect(world.shows(.call("Anna Erfunden")))
  }

  @Test func aNoticeThatWaitsIsNotReplacedByOneOfAnotherApp() throws {
    let world = try World.bridged(["notifications=Chat"])
    world.bridge("left", "20m", "Kirchweg")
    notify(#","src":"Chat""#, world)
    world.bridge(#"{"t":"notify","id":2,"src":"Post","title":"Post","body":"Neu"}"#)
    world.bridge("right", "3000m", "Am Markt")
    world.pass(100)
    expect(world.shows(Self.shot))
  }

  // MARK: - What is kept

  @Test func theReportHidesTheAppOfEachAndReplays() throws {
    let world = try riding([Self.list, "music=on", "report=file:/tmp/report"]) {
      $0.phone.music.isThere = true
      $0.phone.notifications.part = 7
    }
    world.press("aa")
    notifies(9, world)
    notifies(8, world)
    expect(world.shows(Self.shot))
    world.press("b")  // takes it away, and is not for the music
    world.pass(20_000)
    notifies(8, world)
    world.pass(1_000)
    let player = try world.replay()
    func has(_ text: String) -> Bool { world.reportFile.ranges(of: Array(text.utf8)).count > 0 }
    expect(has(Self.chat), "in its settings")
    expect(world.reportFile.ranges(of: Array(Self.chat.utf8)).count, 1)
    expect(!has(Self.mail) && !has("PostOff") && !has("Anna Erfunden"))
    expect(player.comparison.divergences == [] && player.comparison.matches > 50)
    #expect(world.phone.music.commands.isEmpty)
  }

  // MARK: - The apps that have notified

  private func kept(_ disk: [UInt8]) -> [String] {
    let store = BondStore(disk.span)
    let apps = store.apps
    var (names, start) = ([String](), 0)
    while let name = SeenApps.name(in: apps.bytes, at: &start) { names.append(string(name)) }
    return names
  }

  /// What is kept once the phone is lost, and the disk has it.
  private func keptAfter(_ world: World) -> [String] {
    world.loseAllLinks()
    world.pass(10_000)
    return kept(world.disk)
  }

  /// What is not written yet when the rider stops it for the check is written at its end.
  @Test(arguments: [false, true])
  func thoseInTheListAndOthersAreKeptTheLastFirst(_ leaves: Bool) throws {
    let world = try riding()
    let bonds = world.events("bond").count
    notifies(9, world)
    notifies(8, world)
    #expect(kept(world.disk).isEmpty, "the link is not over")
    if leaves { world.leave() }
    expect(leaves ? kept(world.disk) : keptAfter(world), [Self.chat, Self.mail])
    expect(world.events("bond").count == bonds && world.events("error").isEmpty)
  }

  @Test func theyAreThereAfterARestartAndGoWithThePhone() throws {
    let world = try riding()
    notifies(9, world)
    expect(keptAfter(world), [Self.mail])
    let again = try World(["pairing=preferred", Self.list], boots: false)
    again.disk = world.disk
    again.pass(100)
    again.onStore = { _, _ in Issue.record("a write") }
    again.pass(1_000)
    expect(kept(again.disk), [Self.mail])
    again.onStore = { _, _ in }
    again.press("B")
    again.pass(1_000)
    #expect(kept(again.disk).isEmpty)
    #expect(again.disk.ranges(of: Array(Self.mail.utf8)).isEmpty)
  }

  /// An iPhone is not asked for them where no list is set.
  @Test func appsAreKeptWhereTheirNoticesShow() throws {
    for (value, apps) in [
      ("off", []), ("calls", []), ("all", ["Post"]), ("Chat", ["Post"]), ("Post", ["Post"]),
    ] {
      let world = try World.bridged(["notifications=" + value])
      notify(#","src":"Post""#, world)
      expect(keptAfter(world), apps, "\(value)")
    }
    for value in ["off", "calls", "all"] {
      let world = try riding(["notifications=" + value])
      world.onStore = { _, _ in Issue.record("a write") }
      notifies(8, world)
      world.happens(7)
      expect(keptAfter(world), [], "\(value)")
    }
  }

  @Test func aDiskThatFailsCostsTheRideNothing() throws {
    let world = try riding()
    world.faults[.store] = .noSpace
    notifies(9, world)
    notifies(8, world)
    expect(world.shows(Self.shot))
    world.pass(60_000)
    world.faults[.store] = nil
    world.pass(60_000)
    #expect(kept(world.disk).isEmpty)
  }
}
