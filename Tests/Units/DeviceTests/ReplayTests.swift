import Bytes
import DeviceState
import Expecting
import TestSupport
import VirtualDevice

@testable import Device
@testable import Replaying

/// A report that is played to the device of today, and what the reader makes of files that are none.
struct ReplayTests {
  private static let settings = [
    "report=file:/tmp/report", "buttons=gpio:/dev/gpiochip0", "button-a=17",
  ]

  private func expectTheSame(_ world: World) throws {
    let player = try world.replaysTheSame()
    #expect(player.pictures.count > 2)
  }

  private func paired() throws -> World {
    let world = try World(Self.settings + ["pairing=required"], pairs: true)
    world.press("a")
    world.advertise()
    world.pass(1_000)
    world.press("a")
    world.pass(2_000)
    return world
  }

  // MARK: - The same

  @Test func aRideReplaysWithoutADivergence() throws {
    let world = try World(Self.settings)
    world.phone.battery = [80]
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    for distance in stride(from: UInt32(340), to: 0, by: -20) {
      world.tell(8, distance, "Hauptstraße")
      world.pass(1_700)
    }
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.touch(.a, isPressed: false)
    world.pass(5_000)
    world.press("a")
    try expectTheSame(world)
    #expect(try world.replay().comparison.matches > 40)
  }

  @Test func aRideWithAllThatCanFailReplaysWithoutADivergence() throws {
    let world = try World(Self.settings + ["alert=22", "panel-reset=25"])
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(3_000)
    for port in [Port.panel, .panelReset, .buttons, .alert] {
      world.fail(port, .remoteIO)
      world.pass(1_234)
    }
    world.faults[.panel] = .timedOut
    world.tell(8, 300, "Hauptstraße")
    world.pass(2_345)
    world.faults[.panel] = nil
    world.loseRadio()
    world.pass(5_000)
    world.advertise()
    world.pass(3_000)
    world.loseLink()
    world.pass(61_000)
    world.advertise()
    world.pass(3_000)
    let errors = world.events("error").map(\.line)
    let events = String(decoding: try world.replaysTheSame().events, as: UTF8.self)
    expect(errors.count > 3 && errors.allSatisfy(events.contains))
  }

  @Test func centralBehaviour61_aRadioBroughtBackByTheLadderReplaysWithoutADivergence() throws {
    let start = Instant(milliseconds: 1_000_000)
    let means = RecoveryMeans(canRebind: true, rebootTime: start + 70_000)
    let world = try World(Self.settings + ["hci=hci0"], at: start, means: means)
    world.onRebind = { if $0.rebinds.count == 2 { $0.controller.isHanging = false } }
    world.controller.isHanging = true
    world.receive(bytes("04 10 01 00"))
    world.pass(135_000)
    expect(world.rebinds.count, 2)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(3_000)
    try expectTheSame(world)
    let steps = world.events("recovery").map(\.line)
    let events = String(decoding: try world.replay().events, as: UTF8.self)
    expect(events.split(separator: "\n").filter { $0.contains("\"recovery\"") }.count, steps.count)
  }

  @Test func aReleaseThatTheKernelDroppedReplaysWithoutADivergence() throws {
    let world = try World.following(Self.settings)
    world.touch(.a, isPressed: true)
    world.pass(100)
    world.release(.a)
    world.pass(5_000)
    expect(world.events("button").map { $0["press"] }, ["short"])
    try expectTheSame(world)
  }

  /// Neither is released, which would be noted.
  @Test func twoButtonsThatAreStuckAreReplayedAtTheirTime() throws {
    let world = try World.following(Self.settings)
    world.touch(.a, isPressed: true)
    world.touch(.b, isPressed: true)
    world.pass(100_000)
    world.touch(.a, isPressed: false)
    world.touch(.b, isPressed: false)
    world.pass(1_000)
    let events = String(decoding: try world.replay().events, as: UTF8.self).split(separator: "\n")
    let errors = events.filter { $0.contains("\"error\"") }.map(String.init)
    expect(errors.count, 2)
    expect(errors, world.events("error").map(\.line))
  }

  /// Each draws a picture, and nothing else tells that there were two.
  @Test func twoTurnsOfTheLoopInOneMillisecondReplayWithoutADivergence() throws {
    let world = try World(phone: .android, Self.settings)
    world.advertise()
    world.pass(3_000)
    let count = world.messages.count
    world.tell(8, 350, "Hauptstraße")
    let first = world.messages.count
    world.tell(5, 90, "Am Markt", id: 2)
    expect(count < first && first < world.messages.count)
    world.fail(.panel, .remoteIO)
    world.tell(8, 40, "Hauptstraße", id: 3)
    world.pass(2_000)
    try expectTheSame(world)
  }

  /// So that who has the pictures knows from the events when each was shown.
  @Test func eachPictureHasTheNumberAndTheTimeOfTheEventThatTellsOfIt() throws {
    let world = try World.following(Self.settings)
    world.pass(130_000)
    world.tell(8, 340, "Hauptstraße", id: 2)
    let player = try world.replay()
    let events = String(decoding: player.events, as: UTF8.self).split(separator: "\n")
      .map { Event(String($0)) }.filter { $0.name == "frame" }
    // The refresh of each minute changes nothing; the last turn does.
    expect(events.count > player.pictures.count && player.pictures.count > 2)
    for picture in player.pictures {
      let told = try #require(events.first { $0[number: "number"] == picture.number })
      let thousandths = String(1_000 + picture.time % 1_000).dropFirst()
      #expect(told.line.hasPrefix("{\"t\":\(picture.time / 1_000).\(thousandths),"))
    }
  }

  @Test func aPairingReplaysWithoutADivergenceThoughItsKeysAreBlank() throws {
    let world = try World(Self.settings + ["pairing=required"], pairs: true)
    world.press("a")
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(1_000)
    let digits = world.security.digits
    world.press("a")
    world.pass(2_000)
    world.loseLink()
    world.phone.address = world.security.privateAddress(2)
    world.advertise()
    world.pass(2_000)
    expect(world.events("link").filter { $0["state"] == "encrypted" }.count, 2)
    let player = try world.replay()
    expect(player.comparison.divergences, [])
    // The number was compared then, and is seen again.
    let events = String(decoding: player.events, as: UTF8.self)
    let number = String(String(1_000_000 + digits).dropFirst())
    #expect(events.contains("\"number\":\"\(number)\""))
    expect(events.split(separator: "\"state\":\"encrypted\"").count, 3)
  }

  // MARK: - The ring has lost its beginning

  @Test(arguments: [PhoneKind.ios, .android])
  func ofALongRideTheEndReplays(_ kind: PhoneKind) throws {
    let world = try World(phone: kind, Self.settings)
    world.advertise()
    for index in 0..<1_500 {
      world.tell(8, UInt32(20_000 - 10 * index), "Straße \(index / 10)")
      world.pass(900)
    }
    // Each report begins behind the part that is missing at another place, perhaps in the middle of a read.
    for _ in 0..<10 {
      let player = try world.replay()
      expect(player.comparison.divergences, [])
      // From the start on, and again behind that part.
      expect(player.comparison.starts.count, 2)
      let events = String(decoding: player.events, as: UTF8.self)
      #expect(events.contains("Straße 149"))
    }
  }

  @Test func theNextLinkAfterALongSearchReplaysWithoutADivergence() throws {
    let world = try paired()
    world.loseLink()
    world.pass(10_000)  // what the phone has shown of itself is written
    // A chip gives back buffers of nobody's link; unlike what strangers advertise, that is in the report.
    for _ in 0..<2_000 { world.receive(bytes("04 13 05 01 ff 0e 05 00")) }
    world.pass(40_000)
    world.advertise()
    world.pass(4_000)
    world.tell(8, 350, "Hauptstraße")
    world.pass(4_000)
    let player = try world.replay()
    expect(player.comparison.divergences, [])
    expect(player.comparison.starts.count, 2)
    #expect(String(decoding: player.events, as: UTF8.self).contains("Hauptstraße"))
  }

  // MARK: - Not the same

  @Test func whatTodaysDeviceSendsOtherwiseIsTold() throws {
    let world = try World.following(Self.settings)
    world.pass(10_000)
    var recording = try world.recording()
    let index = try #require(
      recording.entries.lastIndex {
        if case .sent(let packet) = $0.content {
          packet.count > 9 && packet[9] == 0x0A
        } else {
          false
        }
      }, "a Read Request")
    guard case .sent(var packet) = recording.entries[index].content else { return }
    let was = packet
    packet[10] ^= 0x40
    recording.entries[index].content = .sent(packet)
    let comparison = try replayed(recording).comparison
    expect(
      comparison.divergences,
      [
        .init(time: recording.entries[index].time, expected: packet, got: was)
      ])
    #expect(comparison.summary.contains(" s: expected 02 "))
  }

  @Test func aPacketThatTodaysDeviceDoesNotSendIsTold() throws {
    let world = try World(Self.settings)
    world.advertise()
    world.pass(10_000)
    var recording = try world.recording()
    let last = try #require(recording.entries.last?.time)
    let more: [UInt8] = [0x01, 0x0C, 0x20, 2, 1, 0]
    recording.entries.append(.init(time: last + 5, dropped: 0, content: .sent(more)))
    let divergences = try replayed(recording).comparison.divergences
    expect(divergences, [.init(time: last + 5, expected: more, got: nil)])
  }
}
