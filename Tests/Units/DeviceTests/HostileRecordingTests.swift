import Bytes
import Expecting
import HCI
import TestSupport

@testable import Replaying

/// Recordings with numbers that no device wrote: each is refused in words, before it is played.
@Suite struct HostileRecordingTests {
  /// A report with the line of its version and these at so many milliseconds.
  private func report(_ lines: [(time: Int64, text: String)]) -> [UInt8] {
    var file = FixedBuffer<4096>()
    BTSnoop.writeHeader(.monitor, into: &file)
    for line in [(time: 0, text: "version 1")] + lines {
      let content: [UInt8] = [6, 7] + Array("lenker\0".utf8) + Array(line.text.utf8) + [0]
      BTSnoop.write(
        .userLogging, content.span, dropped: 0, at: 1_000 * line.time, into: &file)
    }
    return TestSupport.array(file.bytes)
  }

  private func complaint(about file: [UInt8]) -> String {
    do {
      _ = try Recording(file, named: "x")
      return "nothing"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    "turns 16777216", "turns 1000000000", "turns 0 -1", "turns x", "turns 9223372036854775808",
    "turns ", "recovery 9223372036854775807", "recovery -9223372036854775808", "recovery soon",
  ])
  func aNumberThatNoDeviceNotesIsToldWithItsPlace(_ line: String) {
    let told = complaint(about: report([(5, line)]))
    #expect(told.hasPrefix("x: byte 59: \(line): "), "\(told)")
    #expect(told.hasSuffix(": make another report"))
  }

  @Test(arguments: ["turns", "turns 0 16777215", "recovery", "recovery 60000", "recovery -1"])
  func oneThatADeviceNotesIsTaken(_ line: String) throws {
    expect(try Recording(report([(5, line)]), named: "x").entries.count, 1)
  }

  @Test(arguments: [
    ("panel opening", "panel opening"), ("edge a 1", "edge a 1"),
    ("no\u{1B}[2J\nw", "no?[2J?w"),
    ("store open 0 1 0 xx", "xx"),
  ])
  func aLineThatIsNotKnownIsToldWithItsTime(_ line: String, _ told: String) throws {
    let recording = try Recording(report([(1_005, line)]), named: "x")
    let words =
      "x: 1.005 s: this version does not know the line “\(told)”: replay it with the version that made it"
    #expect(throws: ReplayError.data(words)) { _ = try replayed(recording) }
  }

  @Test func aSettingThatIsWrongIsToldWithTheFile() throws {
    let recording = try Recording(report([(0, "setting panel = none")]), named: "x")
    #expect {
      try recording.board()
    } throws: { error in
      "\(error)".hasPrefix("x: its settings, and the arguments behind them: argument:1: ")
    }
  }

  @Test func aReportOfThirtyFiveYearsIsToldFromOneThatIsShorter() {
    let most: Int64 = 1 << 40
    expect(complaint(about: report([(most - 1, "leave")])), "nothing")
    let told = complaint(about: report([(5, "leave"), (most, "leave")]))
    #expect(told.hasPrefix("x: byte 98: "), "\(told)")
  }

  /// Each deadline of a capture is met, also of the time in which nothing was heard.
  @Test func aCaptureWhoseClockWasSetIsToldInsteadOfPlayedForYears() throws {
    func capture(of duration: Int64) -> [UInt8] {
      var file = FixedBuffer<256>()
      BTSnoop.writeHeader(.h4, into: &file)
      let packet = bytes("01 03 0c 00")
      for time in [1_000, 1_000 + duration] {
        BTSnoop.write(packet.span, isReceived: false, at: 1_000 * time, into: &file)
      }
      return TestSupport.array(file.bytes)
    }
    let week: Int64 = 7 * 86_400_000
    expect(complaint(about: capture(of: week)), "nothing")
    let told = complaint(about: capture(of: week + 1))
    #expect(told.hasPrefix("x: byte 44: "), "\(told)")
    let recording = try Recording(capture(of: week), named: "x")
    var player = Player(try recording.board(), version: "", recording)
    player.play(capture: recording, lead: 0)
    #expect(player.comparison.matches > 0)
  }
}
