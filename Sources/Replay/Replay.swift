import ArgumentParser
import BoardFile
import Bytes
import Foundation
import Panel

/// Feeds what the firmware once received to the device of today, and writes down what that one does.
@main struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays a recorded ride to the device in virtual time.")

  @Argument(help: "The capture of HCI packets: btsnoop = file:…")
  var capture: String

  @Argument(help: "The messages that went over the panel's bus: i2c-trace = file:…")
  var trace: String

  @Option(help: "The version of the firmware then; the panel shows it.")
  var firmwareVersion = ""

  @Option(help: "How long after the start the radio was open, in milliseconds.")
  var lead: Int64 = 0

  @Option(help: "The folder for i2c.trace and events.jsonl of today.")
  var out: String

  @Argument(help: "The board's settings then.")
  var settings: [String] = []

  func run() throws {
    let recording = try Recording(capture: capture, trace: trace)
    var parser = BoardParser()
    for (index, setting) in settings.enumerated() {
      let setting = Array(setting.utf8)
      try parser.override(setting.span, position: index + 1)
    }
    let board = try parser.finish()
    var player = Player(board, version: firmwareVersion)
    player.play(recording, lead: lead)
    var lines: [UInt8] = []
    for message in player.messages {
      var line = FixedBuffer<3328>()
      line.append(
        traceOf: message.bytes.span, to: board.display.address, atMilliseconds: message.time)
      line.append("\n")
      lines += array(line.bytes)
    }
    let folder = URL(fileURLWithPath: out)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(lines).write(to: folder.appendingPathComponent("i2c.trace"))
    try Data(player.events).write(to: folder.appendingPathComponent("events.jsonl"))
  }
}
