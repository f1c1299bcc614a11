import Expecting
import Navigation
import Screens
import TestSupport
import Turns
import VirtualAir
import VirtualDevice

/// A phone whose app says nothing any more, but lets its value be read again and again.
@Suite struct SilentAppTests {
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

  @Test func centralBehaviour138_anotherIdentifierIsNewsWithoutANotification() throws {
    let world = try silent(.ios, 120)
    for number in 2...12 as ClosedRange<UInt32> {
      world.phone.value = instruction(8, 120, Array("A".utf8), id: number)
      world.pass(4_000)
    }
    expect(ages(world), [])
  }

  /// It has never notified on this link, so its reads are all that there is.
  @Test func centralBehaviour138_aPhoneThatNeverNotifiesIsJudgedByItsReads() throws {
    let world = try silent(.android2019, 120)
    world.pass(60_000)
    expect(ages(world), [])
  }

  @Test func centralBehaviour138_whatWasNotifiedOnALostLinkIsStaleAsSoonAsEver() throws {
    let world = try silent(.ios, 120)
    world.pass(5_000)
    world.controller.connects = false
    world.loseLink()
    world.pass(3_100)
    expect(ages(world), [8])
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
}
