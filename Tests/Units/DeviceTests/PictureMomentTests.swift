import Buttons
import Bytes
import Expecting
import TestSupport
import VirtualAir

@testable import Device
@testable import Replaying
@testable import VirtualDevice

/// A press counts for what was on the glass when the contact closed.
struct PictureMomentTests {
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
    expect(world.shows(shot()))
    return world.now
  }

  private func asked(_ world: World) -> Instant {
    world.advertise()
    return wait(for: digits(world), world)
  }

  /// What the rider says to which question.
  enum Answer: CaseIterable { case sameDigits, otherDigits, followWithoutCode }

  @Test(
    arguments: Answer.allCases,
    [(-1, false), (1, false), (999, false), (1_000, true), (1_001, true)] as [(Int64, Bool)])
  func centralBehaviour74_aQuestionIsAnsweredFromASecondAfterItsPictureOn(
    _ answer: Answer, _ moment: (milliseconds: Int64, counts: Bool)
  ) throws {
    let world = try World(Self.thumbs, pairs: true)
    if answer == .followWithoutCode { world.security.manner = .refusal(0x05) }
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    let question = { answer == .followWithoutCode ? Shot.noCode("Fairy") : self.digits(world) }
    let appeared = wait(for: question(), world)
    world.pass(max(0, moment.milliseconds))
    let button = answer == .otherDigits ? Button.b : .a
    click(button, closing: appeared + moment.milliseconds, world)
    let before = answer == .followWithoutCode ? ["failed", "ask"] : ["confirm"]
    let end = answer == .otherDigits ? "failed" : "done"
    expect(world.pairings, before + (moment.counts ? [end] : []))
    if answer == .followWithoutCode { #expect(world.told.isEmpty != moment.counts) }
  }

  private func digits(_ world: World) -> Shot {
    .comparison(world.security.digits, phone: "Fairy")
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
    expect(world.pairings, ["confirm"])
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
    let appeared = wait(for: digits(world), world)
    world.pass(milliseconds)
    click(closing: appeared + milliseconds, world)
    world.pass(1_000)
    expect(world.pairings, milliseconds < 1_000 ? ["confirm"] : ["confirm", "done"])
    let player = try world.replay()
    expect(player.comparison.divergences, [])
  }

  // MARK: - A call

  @Test(arguments: [(-1, false), (1, false), (999, false), (1_000, true), (1_001, true)])
  func centralBehaviour74_aCallIsTakenFromASecondAfterItsPictureOn(
    _ milliseconds: Int64, _ isYes: Bool
  ) throws {
    let world = try World.paired(Self.thumbs + ["notifications=all"], metres: 3_000) {
      $0.phone.hasServiceChanged = true
      $0.phone.notifications.isThere = true
      $0.phone.notifications.texts = [7: .init("Anna Erfunden")]
    }
    world.pass(11_000)
    world.tell(8, 2_900, "Hauptstraße")
    let news = try #require(
      world.phone.notifications.news(0, flags: 0x18, category: 1, 7))
    world.notify(news)
    for _ in 0..<100 where !world.shows(.call("Anna Erfunden")) {
      while let answer = world.phone.notifications.takeAnswer() { world.notify(answer) }
      if !world.shows(.call("Anna Erfunden")) { world.pass(1) }
    }
    let appeared = world.now
    expect(world.shows(.call("Anna Erfunden")))
    let before = world.phone.notifications.written
    world.pass(max(0, milliseconds))
    click(closing: appeared + milliseconds, world)
    let answers = world.phone.notifications.written.dropFirst(before.count)
    expect(answers, isYes ? [[2, 7, 0, 0, 0, 0]] : [])
  }
}
