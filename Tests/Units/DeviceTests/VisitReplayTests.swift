import Expecting
import VirtualAir
import VirtualDevice

@testable import Replaying

/// A report of rides on which the phone made the link itself.
@Suite struct VisitReplayTests {
  private static let settings = ["report=file:/tmp/report", "advertise=on"]

  /// A phone that was paired with and lost, and has komoot no more.
  private func lost() throws -> World {
    let world = try World.paired(Self.settings)
    world.phone.hasService = false
    world.loseLink()
    world.pass(15_000)
    return world
  }

  /// The phone comes by itself under a private address of this number.
  @discardableResult
  private func come(_ phone: VirtualCentral, _ number: UInt8, _ world: World) -> VirtualCentral {
    phone.ownAddress = world.security.privateAddress(number)
    expect(world.comes(phone))
    return phone
  }

  /// OsmAnd says so many lines by Gadgetbridge.
  private func guide(_ lines: Int, every milliseconds: Int64, _ world: World) {
    let phone = come(.gadgetbridge(world.phone), 7, world)
    world.pass(6_000)
    for index in 0..<lines {
      let distance = 3_000 - 20 * (index % 150)
      let text = "after 200 meters turn left onto  Nebenweg \(index / 150)"
      let line = #"GB({"t":"nav","instr":"\#(text)","distance":"\#(distance)m","action":"left"})"#
      world.goOn(phone, with: [VirtualCentral.line(line)])
      world.pass(milliseconds)
    }
    expect(phone.isEncrypted && phone.linkCount == 1)
  }

  @Test func centralBehaviour123_aRideOnALinkThatThePhoneMadeReplaysMessageForMessage() throws {
    let world = try lost()
    guide(5, every: 2_000, world)
    try world.replaysTheSame()
  }

  /// Of an hour the report has the last minutes, and how the link was made.
  @Test func centralBehaviour123_aRideOfAnHourOnALinkThatThePhoneMadeReplays() throws {
    let world = try lost()
    guide(360, every: 10_000, world)
    let player = try world.replay()
    expect(player.comparison.divergences, [])
    #expect(player.comparison.matches > 200)
    #expect(player.comparison.starts.count > 1)
    let events = String(decoding: player.events, as: UTF8.self)
    #expect(events.contains("Nebenweg 2"), "the lines at its end were heard")
  }

  /// Strangers come before the phone does, and the phone without its key.
  @Test func centralBehaviour123_whoIsLetInAndWhoIsNotReplays() throws {
    let world = try lost()
    for number in 1...3 as ClosedRange<UInt8> {
      let stranger = VirtualCentral.stranger(VirtualPhone())
      stranger.ownAddress = VirtualSecurity(number: 7).privateAddress(number)
      world.comes(stranger)
      world.pass(1_200)
    }
    let silent = come(VirtualCentral(world.phone), 3, world)
    world.pass(500)
    world.loseLink(of: silent)
    world.pass(1_100)  // the search listens first
    let wrong = VirtualCentral.iPhone(world.phone)
    wrong.wrongKey = [UInt8](repeating: 7, count: 16)
    come(wrong, 4, world)
    world.pass(2_000)
    guide(3, every: 2_000, world)
    try world.replaysTheSame()
  }

  /// Whose owners say yes or no, or one of which goes away in its middle.
  @Test(arguments: [VirtualCentral.Owner.agrees, .declines, .waits])
  func centralBehaviour123_aPairingThatThePhoneBeganReplays(_ owner: VirtualCentral.Owner) throws {
    let world = try World(Self.settings + ["pairing=required"], pairs: true)
    for step in [[], [.ask([0x02, 0x05, 0x02]), .pair], nil] as [[VirtualCentral.Step]?] {
      world.press("a")
      world.pass(1_500)
      let phone = VirtualCentral.pairing(world.phone)
      phone.owner = step == nil ? .agrees : owner
      if let step { phone.steps = step + [.wait(100)] }
      come(phone, 5, world)
      world.pass(1_500)
      if step == nil { world.press("a") }
      world.pass(1_000)
      if step != nil { world.loseLink(of: phone) }
      world.pass(61_000)
    }
    try world.replaysTheSame()
  }
}
