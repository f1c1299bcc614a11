import Buttons
import Bytes
import TestSupport
import Testing
import VirtualAir

@testable import Device
@testable import Replaying
@testable import VirtualDevice

/// A press counts for what was on the glass when the contact closed.
@Suite struct PictureMomentTests {
  private static let thumbs = [
    "pairing=preferred", "buttons=gpio:/dev/gpiochip0", "button-a=17", "button-b=27",
  ]

  /// The contact closes then, and what the kernel kept of it is read now.
  private func click(_ button: Button = .a, closing: Instant, _ world: World) {
    world.device.receive(Edge(button, isPressed: true, at: closing), at: world.now)
    let opening = max(closing + 50, world.now)
    world.pass(opening - world.now)
    world.device.receive(Edge(button, isPressed: false, at: opening), at: world.now)
    world.readEdges()
    world.pass(100)
  }

  /// Lets time pass until that is on the glass; returns when it came.
  private func wait(for shot: @autoclosure () -> Shot, _ world: World) -> Instant {
    for _ in 0..<2_000 {
      if world.shows(shot()) { return world.now }
      world.pass(1)
    }
    #expect(world.shows(shot()))
    return world.now
  }

  private func states(_ world: World) -> [String] {
    world.events("pairing").compactMap { $0["state"] }
  }

  private func asked(_ world: World) -> Instant {
    world.advertise()
    return wait(for: .comparison(world.security.digits, phone: "Fairy"), world)
  }

  @Test(arguments: [(-1, false), (1, false), (999, false), (1_000, true), (1_001, true)])
  func centralBehaviour74_theDigitsAreAgreedToFromASecondAfterTheirPictureOn(
    _ milliseconds: Int64, _ isYes: Bool
  ) throws {
    let world = try World(Self.thumbs, pairs: true)
    let appeared = asked(world)
    world.pass(max(0, milliseconds))
    click(closing: appeared + milliseconds, world)
    #expect(states(world) == (isYes ? ["confirm", "done"] : ["confirm"]))
  }

  @Test(arguments: [(-1, false), (1, false), (999, false), (1_000, true), (1_001, true)])
  func centralBehaviour74_aPhoneWithoutACodeIsAgreedToFromASecondAfterTheQuestionOn(
    _ milliseconds: Int64, _ isYes: Bool
  ) throws {
    let world = try World(Self.thumbs, pairs: true)
    world.security.manner = .refusal(0x05)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    let appeared = wait(for: .noCode("Fairy"), world)
    world.pass(max(0, milliseconds))
    click(closing: appeared + milliseconds, world)
    #expect(world.told.isEmpty != isYes)
  }

  @Test(arguments: [(-1, false), (1, false), (999, false), (1_000, true), (1_001, true)])
  func centralBehaviour74_aNoIsTakenFromASecondAfterTheQuestionOnToo(
    _ milliseconds: Int64, _ isNo: Bool
  ) throws {
    let world = try World(Self.thumbs, pairs: true)
    let appeared = asked(world)
    world.pass(max(0, milliseconds))
    click(.b, closing: appeared + milliseconds, world)
    #expect(states(world) == (isNo ? ["confirm", "failed"] : ["confirm"]))
  }

  /// The edges wait while a disk or a pipe is slow; the kernel has their times.
  @Test func centralBehaviour74_aPressThatIsReadLateCountsFromWhenItWasMade() throws {
    let world = try World(Self.thumbs, pairs: true)
    let appeared = asked(world)
    world.pass(1_300)
    world.device.receive(Edge(.a, isPressed: true, at: appeared + 150), at: world.now)
    world.device.receive(Edge(.a, isPressed: false, at: appeared + 250), at: world.now)
    world.readEdges()
    world.pass(100)
    #expect(states(world) == ["confirm"])
  }

  @Test func centralBehaviour74_aQuestionCountsFromWhenABusThatFailedHasBroughtItsPicture() throws {
    let world = try World(Self.thumbs, pairs: true)
    world.pass(500)
    world.faults[.panel] = .inputOutput
    world.fail(.panel, .inputOutput)
    world.advertise()
    world.pass(3_000)
    #expect(states(world) == ["confirm"])
    click(closing: world.now, world)
    #expect(states(world) == ["confirm"], "nobody can have read it")
    world.faults[.panel] = nil
    let appeared = wait(for: .comparison(world.security.digits, phone: "Fairy"), world)
    click(closing: appeared + 100, world)
    #expect(states(world) == ["confirm"])
    world.pass(1_000)
    click(closing: world.now, world)
    #expect(states(world) == ["confirm", "done"])
  }

  /// The panel's bus failed when the question had been read: nobody knows what it shows.
  @Test func centralBehaviour74_whatThePanelLostIsReadOnceMore() throws {
    let world = try World(Self.thumbs, pairs: true)
    _ = asked(world)
    world.pass(2_000)
    world.fail(.panel, .inputOutput)
    click(closing: world.now, world)
    #expect(states(world) == ["confirm"])
    world.pass(2_000)
    click(closing: world.now, world)
    #expect(states(world) == ["confirm", "done"])
  }

  /// A press 900 ms behind the question, whose picture came half a second late, is none in the replay either.
  @Test(arguments: [900, 1_600] as [Int64])
  func centralBehaviour74_anAnswerByHandReplaysAsItWas(_ milliseconds: Int64) throws {
    let world = try World(Self.thumbs + ["report=file:/tmp/report"], pairs: true)
    world.tell(8, 350, "Hauptstraße")
    world.faults[.panel] = .inputOutput
    world.fail(.panel, .inputOutput)
    world.advertise()
    world.pass(500)
    world.faults[.panel] = nil
    let appeared = wait(for: .comparison(world.security.digits, phone: "Fairy"), world)
    world.pass(milliseconds)
    click(closing: appeared + milliseconds, world)
    world.pass(1_000)
    #expect(states(world) == (milliseconds < 1_000 ? ["confirm"] : ["confirm", "done"]))
    world.press("r")
    world.pass(100)
    let player = try replayed(try Recording(world.reportFile, named: "report"))
    #expect(player.comparison.divergences == [])
  }

  // MARK: - A sensor

  private func offered(_ world: World) -> (strap: VirtualSensor, since: Instant) {
    world.security.manner = .refusal(0x05)
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(2_000)
    let strap = VirtualSensor(.heart, number: 9)
    world.controller.sensors.append(strap)
    world.press("a")
    world.pass(500)
    world.press("aab")
    world.pass(300)
    world.advertise(strap, rssi: -40)
    for _ in 0..<2_000 where world.offeredSince == nil { world.pass(1) }
    return (strap, world.offeredSince ?? world.now)
  }

  private func isRemembered(_ world: World) -> Bool {
    world.events("sensor").contains { $0["state"] == "remembered" }
  }

  @Test(arguments: [(-1, false), (1, false), (999, false), (1_000, true), (1_001, true)])
  func centralBehaviour74_aSensorIsKeptFromASecondAfterItsPictureOn(
    _ milliseconds: Int64, _ isYes: Bool
  ) throws {
    let world = try World(Self.thumbs, pairs: true)
    let (_, appeared) = offered(world)
    world.pass(max(0, milliseconds))
    click(closing: appeared + milliseconds, world)
    #expect(isRemembered(world) == isYes)
  }

  // MARK: - A call

  @Test(arguments: [(-1, false), (1, false), (999, false), (1_000, true), (1_001, true)])
  func centralBehaviour74_aCallIsTakenFromASecondAfterItsPictureOn(
    _ milliseconds: Int64, _ isYes: Bool
  ) throws {
    let world = try World(Self.thumbs + ["notifications=all"], pairs: true)
    world.phone.hasServiceChanged = true
    world.phone.notifications.isThere = true
    world.phone.notifications.texts = [7: .init("Anna Erfunden")]
    world.tell(8, 3_000, "Hauptstraße")
    world.advertise()
    world.pass(1_500)
    world.press("a")
    world.pass(15_000)
    world.tell(8, 2_900, "Hauptstraße")
    let news = try #require(
      world.phone.notifications.news(0, flags: 0x18, category: 1, 7))
    world.notify(news)
    for _ in 0..<100 where !world.shows(.call("Anna Erfunden")) {
      while let answer = world.phone.notifications.takeAnswer() { world.notify(answer) }
      if !world.shows(.call("Anna Erfunden")) { world.pass(1) }
    }
    let appeared = world.now
    #expect(world.shows(.call("Anna Erfunden")))
    let before = world.phone.notifications.written
    world.pass(max(0, milliseconds))
    click(closing: appeared + milliseconds, world)
    let answers = world.phone.notifications.written.dropFirst(before.count)
    #expect(answers == (isYes ? [[2, 7, 0, 0, 0, 0]] : []))
  }
}

extension World {
  /// Since when a sensor is offered on the glass.
  fileprivate var offeredSince: Instant? {
    guard case .sensor = device.offer, device.display.hadShown(device.offer, at: now) else {
      return nil
    }
    return now
  }
}
