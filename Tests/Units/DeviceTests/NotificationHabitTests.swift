import Bytes
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

/// What iPhones do with notifications that makes it hard: numbers that move, silence, subscriptions that die.
@Suite struct NotificationHabitTests {
  private var call: Shot { .call(World.caller) }

  // MARK: - Calls

  @Test func centralBehaviour89_aCallThatComesAgainByAnotherNumberIsOneCall() throws {
    let world = try World.notifying(["notifications=calls"]) {
      $0.phone.notifications.texts[5] = .init(World.caller)
    }
    world.happens(5)
    #expect(world.shows(call))
    world.notify(VirtualPhone.serviceChanged)
    world.answer(for: 2_000)
    world.happens(flags: 0x1C, 6)
    #expect(world.shows(call))
    #expect(world.phone.notifications.written.count == 1, "who it is, is known")
    world.press("a")
    world.pass(100)
    #expect(world.phone.notifications.written.last == [2, 6, 0, 0, 0, 0])
    world.happens(kind: 2, 6)
    #expect(!world.shows(call) && world.phone.notifications.written.count == 2)
  }

  @Test(arguments: ["calls", "all"])
  func centralBehaviour90_aSilentCallDoesNotTakeThePanel(_ wish: String) throws {
    let world = try World.notifying(["notifications=" + wish])
    let ride = world.glass
    world.happens(flags: 0x19, 7)
    #expect(world.glass == ride && world.phone.notifications.written.isEmpty)
  }

  // MARK: - Subscriptions

  private static let renewal = ["76 00 00 00", "76 00 01 00", "79 00 00 00", "79 00 01 00"]

  private func configured(_ world: World) -> [String] {
    world.phone.notifications.configured.map { hex($0) }
  }

  @Test func centralBehaviour91_onTheFirstLinkBothAreSubscribedToOnceMoreAfter30Seconds() throws {
    let world = try World.notifying()
    #expect(configured(world) == ["76 00 01 00", "79 00 01 00"])
    // The rider allows it only now.
    world.phone.notifications.forgetSubscriptions()
    world.happens(7)
    #expect(!world.shows(call))
    world.pass(15_000)
    #expect(configured(world).dropFirst(2) == Self.renewal[...])
    world.happens(7)
    #expect(world.shows(call))
    world.pass(60_000)
    #expect(configured(world).count == 6 && world.events("error").isEmpty, "once")
  }

  @Test func centralBehaviour91_aSubscriptionThatDiedIsRenewedAfter15Minutes() throws {
    let world = try World.notifying()
    world.happens(7)
    world.happens(kind: 2, 7)
    world.phone.notifications.forgetSubscriptions()
    world.pass(899_000)
    let asked = world.phone.notifications.written.count
    world.pass(1_000)
    #expect(
      world.phone.notifications.written.dropFirst(asked).map { hex($0) }
        == ["00 ff ff ff ff 01 80 00"])
    #expect(configured(world).count == 2)
    world.pass(10_000)
    #expect(configured(world).dropFirst(2) == Self.renewal[...])
    world.happens(7)
    #expect(world.showsMoved(call) && world.events("error").isEmpty)
  }

  @Test func centralBehaviour91_thatThereIsNoSuchNotificationIsLife() throws {
    let world = try World.notifying()
    world.happens(7)
    world.happens(kind: 2, 7)
    world.pass(3_700_000)
    #expect(configured(world).count == 2)
    #expect(
      world.phone.notifications.written.count == 5, "one question, and four probes in an hour")
    #expect(world.events("error").isEmpty)
  }

  /// Nobody but an iPhone has the service: it is looked for once more, and that is all.
  @Test func centralBehaviour91_aPhoneWithoutTheServiceIsAskedForItOnceMore() throws {
    let world = try World.notifying { $0.phone.notifications.isThere = false }
    let searches = { world.phone.requests.count { $0 == 0x06 } }
    let before = searches()
    world.pass(3_600_000)
    #expect(searches() - before == 3 && world.events("error").isEmpty)
  }

  /// An iPhone shows the service to no one before the rider has allowed it.
  @Test func centralBehaviour91_aServiceThatComesWithThePermissionIsFoundWhole() throws {
    let world = try World.notifying { $0.phone.notifications.isThere = false }
    world.pass(10_000)
    world.phone.notifications.isThere = true
    world.pass(20_000)
    world.happens(7)
    #expect(world.shows(call), "the question for the name is answered")
  }
}
