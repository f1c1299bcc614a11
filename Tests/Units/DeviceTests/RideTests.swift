import Bytes
import Expecting
import Navigation
import PhoneServices
import Screens
import TestSupport
import Turns
import VirtualAir
import VirtualDevice

/// A ride from the first advertisement to the last picture, in virtual time.
@Suite struct RideTests {
  @Test func aTurnGoesFromThePhoneToTheGlass() throws {
    let world = try World.following()
    expect(world.shows(.turn(.right, "350 m", "Hauptstraße")))
    expect(
      world.events("link").compactMap { $0["state"] }, ["connecting", "connected", "ready"])
    expect(world.events("instruction").map { $0[number: "distance"] }, [350])
  }

  @Test func theAnswerToThePhoneGoesBeforeThePicture() throws {
    let world = try World.following()
    _ = world.takeOrder()
    world.tell(8, 340, "Hauptstraße", id: 2)
    let order = world.takeOrder()
    expect(order.first, "packet", "the read of the value that was notified")
    expect(order.last, "picture")
  }

  @Test func whatIsKnownAgainIsNotDrawnAgain() throws {
    let world = try World.following()
    let count = world.messages.count
    for number in 2...10 as ClosedRange<UInt32> {
      world.tell(8, 352, "Hauptstraße", id: number)
      world.pass(2_000)
    }
    expect(world.messages.count, count, "352 m are shown as 350 m, too")
  }

  @Test func aTurnThatNobodyConfirmsGetsOldAndGoesAfterTenMinutes() throws {
    let world = try World()
    world.tell(5, 120, "Am Markt")
    world.advertise()
    world.pass(1_000)
    world.controller.connects = false
    world.loseLink()
    world.pass(12_000)
    expect(world.events("stale").compactMap { $0[number: "age"] }, [8, 9, 10])
    world.pass(600_000)
    expect(world.events("stale").last.map { $0[number: "age"] }, 600)
    expect(world.events("scan").last.map { $0["mode"] }, "slow")
  }

  /// 341 turns at the times of the ride; the picture of each new turn is compared with what is
  /// drawn of it, and the panel's bytes with what a picture may cost.
  ///
  /// Upright, digits stand across all pages of the RAM.
  @Test(
    .enabled(if: RecordedRide.areThere, "the rides are not among the recordings"),
    arguments: [("0", 115), ("90", 150)])
  func everyTurnOfALongRideIsShown(_ rotation: String, _ limit: Int) throws {
    let world = try World(["rotation=\(rotation)"])
    world.advertise()
    world.pass(1_000)
    let (start, sent) = (world.now, world.messages.count)
    var last: RecordedRide.Row?
    var compared = 0
    for (index, row) in try RecordedRide("potsdam-long").rows.enumerated() {
      world.pass(max(0, start + row.time - world.now))
      world.tell(row.direction, row.distance, row.street, id: UInt32(index))
      // A street that goes on may have scrolled.
      if last?.street != row.street {
        expect(isShown(row, world), "row \(index)")
        compared += 1
      }
      last = row
    }
    expect(compared, 10)
    expect(world.events("instruction").count, 341)
    expect(!world.events.contains { $0.name == "error" })
    let bytes = world.messages.dropFirst(sent).reduce(0) { $0 + 1 + $1.count }
    let pictures = world.events("frame").count
    // The digits of a near turn lie in five pages: some 100 bytes for each of its last 100 m, which
    // are drawn every 10 m, between two readings too.
    #expect(bytes / pictures < limit, "bytes a picture")
  }

  /// The first minute of our own ride; `PanelModel` has the glass of each.
  @Test(
    arguments: [
      "ssd1306-128x64", "ssd1306-128x32", "ssd1306-64x48", "ssd1306-72x40", "sh1106-128x64",
      "ssd1309-128x64", "sh1107-128x128",
    ], ["0", "90", "180", "270"])
  func eachPanelShowsTheRideHoweverItIsMounted(_ panel: String, _ rotation: String) throws {
    let world = try World.meeting(.ios, ["panel=\(panel)", "rotation=\(rotation)"])
    var street = ""
    try world.ride(OwnRide.rows().filter { $0.time < 60_000 }) { index, row in
      defer { street = row.street }
      guard street != row.street else { return }  // one that goes on may have scrolled
      expect(isShown(row, world), "row \(index)")
    }
    #expect(world.events("error").isEmpty)
  }

  /// Whether the glass has the turn of a row, whether or not it is due.
  private func isShown(_ row: RecordedRide.Row, _ world: World) -> Bool {
    let maneuver = Maneuver(direction: row.direction)
    let distance = string(RoundedDistance(metres: row.distance, units: .metric).text().bytes)
    return world.showsMoved(.turn(maneuver, distance, row.street))
      || world.showsMoved(.turn(maneuver, distance, row.street, isInverted: true))
      || world.showsMoved(.turn(maneuver, distance, row.street, isMarked: true))
  }
}
