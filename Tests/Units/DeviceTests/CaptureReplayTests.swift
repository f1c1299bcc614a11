import BoardFile
import Recording
import TestSupport
import Testing
import VirtualAir
import VirtualDevice

@testable import Device
@testable import Replaying

/// A capture that is played to the device of today: it has the packets, and not the turns of the loop.
@Suite struct CaptureReplayTests {
  /// What a capture has of a ride to its first turn, and when the radio was opened.
  private func rideToTheFirstTurn() throws -> (Recording, lead: Int64) {
    let world = try World(["report=file:/tmp/report"])
    world.tell(8, 350, "Hauptstraße")
    world.advertise()
    world.pass(3_000)
    world.press("r")
    world.pass(100)
    var recording = try Recording(world.reportFile, named: "report")
    recording.isReport = false
    recording.entries.removeAll { if case .note = $0.content { true } else { false } }
    let lead = try #require(recording.entries.first).time
    for index in recording.entries.indices { recording.entries[index].time -= lead }
    return (recording, lead)
  }

  /// A deadline has a packet sent, and the answer comes within the same millisecond.
  @Test func aCaptureOfAControllerThatAnswersAtOnceReplaysWithoutADivergence() throws {
    let (recording, lead) = try rideToTheFirstTurn()
    var player = Player(try recording.board(), version: "", recording)
    player.play(capture: recording, lead: lead)
    #expect(player.comparison.divergences == [])
    #expect(player.comparison.matches > 20)
  }

  /// A busy machine had the program wait: the panel was due after 100 ms, and its bus had the first message at 171.
  @Test func aTurnThatWasLateIsReplayedWhenItWas() throws {
    let (recording, _) = try rideToTheFirstTurn()
    var inTime = Player(try recording.board(), version: "", recording)
    inTime.play(capture: recording, lead: 171)
    #expect(inTime.messages.first?.time == 100)

    let moments = inTime.messages.map { max($0.time, 171) }
    var early = Player(try recording.board(), version: "", recording)
    #expect(early.play(capture: recording, lead: 171, moments: moments) == 100)
    var late = Player(try recording.board(), version: "", recording)
    #expect(late.play(capture: recording, lead: 171, moments: moments, late: [100]) == nil)
    #expect(late.messages.map(\.time) == moments)
    #expect(late.messages.map(\.bytes).elementsEqual(inTime.messages.map(\.bytes)))
    #expect(late.comparison.divergences == [])
  }
}
