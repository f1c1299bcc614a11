import ArgumentParser
import BoardFile
import Bytes
import Foundation
import Panel

/// Feeds what the firmware once heard to the device of today, and says where that one sends something else.
@main struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Plays a report or a capture of Lenker's to the device of today, in virtual time.")

  @Argument(help: "A report, or the capture of a run: btsnoop = file:…")
  var file: String

  @Argument(help: "The board's settings then, where the file does not tell them.")
  var settings: [String] = []

  @Option(help: "The folder for pictures, i2c.trace and events.jsonl of today.")
  var out: String?

  @Option(help: "The version of the firmware then, where the file does not tell it.")
  var firmwareVersion = ""

  @Option(help: "The messages that went over the panel's bus then: they tell when it drew.")
  var trace: String?

  @Option(help: "How long after the start the radio was open, in milliseconds; for a capture.")
  var lead: Int64 = 0

  func run() throws {
    do {
      let player = try play()
      if let out { try player.write(to: URL(fileURLWithPath: out)) }
      let comparison = player.comparison
      print(comparison.summary)
      guard comparison.matches > 0 else { throw ReplayError.data(nothingToCompare) }
      if !comparison.divergences.isEmpty { throw ExitCode(1) }
    } catch let error as ReplayError {
      FileHandle.standardError.write(Data("replay: \(error)\n".utf8))
      throw ExitCode(error.exitStatus)
    }
  }

  private var nothingToCompare: String {
    "\(file): the recording begins in the middle of something whose beginning is lost: nothing can be compared"
  }

  private func play() throws -> Player {
    let recording = try Recording(try contents(of: file), named: file)
    let board = try board(recording.settings)
    var player = Player(board, version: recording.version ?? firmwareVersion, recording)
    if recording.isReport {
      try player.play(report: recording)
    } else {
      player.play(capture: recording, lead: lead, moments: try trace.map(moments) ?? [])
    }
    return player
  }

  private func contents(of path: String) throws -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw ReplayError.input(
        "\(path): cannot be read: give a file that is there and that you may read")
    }
  }

  /// The arguments come before what the file tells.
  private func board(_ told: [String]) throws -> Board {
    func name(_ setting: String) -> Substring { setting.prefix { $0 != "=" } }
    let given = Set(settings.map { name($0) })
    var parser = BoardParser()
    do {
      for (index, setting) in (told.filter { !given.contains(name($0)) } + settings).enumerated() {
        let setting = Array(setting.utf8)
        try parser.override(setting.span, position: index + 1)
      }
      return try parser.finish()
    } catch {
      var text = FixedBuffer<1024>()
      error.write(file: Array(file.utf8).span, to: &text)
      throw ReplayError.data(String(decoding: array(text.bytes), as: UTF8.self))
    }
  }

  /// When messages were sent, in milliseconds.
  private func moments(of path: String) throws -> [Int64] {
    let lines = String(decoding: try contents(of: path), as: UTF8.self).split(separator: "\n")
    return try lines.enumerated().map { index, line in
      guard let seconds = line.split(separator: " ").first.flatMap({ Double($0) }) else {
        throw ReplayError.data("\(path):\(index + 1): is not a line of an I2C trace")
      }
      return Int64((seconds * 1000).rounded())
    }
  }
}

extension Player {
  /// Writes what the device of today did into a folder.
  fileprivate borrowing func write(to folder: URL) throws {
    var lines: [UInt8] = []
    for message in messages {
      var line = FixedBuffer<3328>()
      line.append(
        traceOf: message.bytes.span, to: device.panelPort.address, atMilliseconds: message.time)
      line.append("\n")
      lines += array(line.bytes)
    }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(lines).write(to: folder.appendingPathComponent("i2c.trace"))
    try Data(events).write(to: folder.appendingPathComponent("events.jsonl"))
    for (index, picture) in pictures.enumerated() {
      let number = String(repeating: "0", count: max(0, 6 - "\(index + 1)".count)) + "\(index + 1)"
      try Data(picture.pbm).write(to: folder.appendingPathComponent("frame-\(number).pbm"))
    }
  }
}

extension Comparison {
  /// How many divergences are told.
  private static var most: Int { 20 }

  /// What was compared, and each divergence: its time, what was expected, and what came instead.
  var summary: String {
    var lines = divergences.prefix(Self.most).map { divergence in
      "\(seconds(divergence.time)) s: expected \(hexadecimal(divergence.expected)), got \(hexadecimal(divergence.got))"
    }
    if divergences.count > Self.most { lines.append("… and \(divergences.count - Self.most) more") }
    let since = starts.map { "\(seconds($0)) s" }.joined(separator: ", ")
    lines.append(
      "\(matches) packets are the same, compared from \(since.isEmpty ? "nowhere" : since) on; "
        + (divergences.isEmpty ? "no divergence" : "\(divergences.count) divergences"))
    return lines.joined(separator: "\n")
  }

  private func seconds(_ time: Int64) -> String {
    "\(time / 1000)." + String("\(1000 + time % 1000)".dropFirst())
  }

  private func hexadecimal(_ packet: [UInt8]?) -> String {
    guard let packet else { return "nothing" }
    return packet.map { String(0x100 | Int($0), radix: 16).dropFirst() }.joined(separator: " ")
  }
}
