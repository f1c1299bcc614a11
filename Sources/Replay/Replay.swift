import ArgumentParser
import Foundation
import Replaying

/// Feeds recorded input to today's device, and says where that sends something else.
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

  /// The milliseconds after the start that a recording may have: a week.
  private static let times: ClosedRange<Int64> = 0...604_800_000

  @Option(help: "How long after the start the radio was open, in milliseconds; for a capture.")
  var lead: Int64 = 0

  func validate() throws {
    guard Self.times.contains(lead) else {
      throw ValidationError("--lead \(lead): give 0 to \(Self.times.upperBound) milliseconds")
    }
  }

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
    let board = try recording.board(overriddenBy: settings)
    let version = recording.version ?? firmwareVersion
    if recording.isReport {
      var player = Player(board, version: version, recording)
      try player.play(report: recording)
      return player
    }
    let moments = try trace.map(moments)
    var late: Set<Int64> = []
    while true {
      var player = Player(board, version: version, recording)
      let time = player.play(capture: recording, lead: lead, moments: moments, late: late)
      guard let time else { return player }
      late.insert(time)
    }
  }

  private func contents(of path: String) throws -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw ReplayError.input(
        "\(path): cannot be read: give a file that is there and that you may read")
    }
  }

  /// When messages were sent, in milliseconds.
  private func moments(of path: String) throws -> [Int64] {
    let lines = String(decoding: try contents(of: path), as: UTF8.self).split(separator: "\n")
    return try lines.enumerated().map { index, line in
      let seconds = line.split(separator: " ").first.flatMap { Double($0) }
      guard let seconds, let time = Int64(exactly: (seconds * 1000).rounded()),
        Self.times.contains(time)
      else {
        throw ReplayError.data("\(path):\(index + 1): is not a line of an I2C trace")
      }
      return time
    }
  }
}

extension Player {
  fileprivate borrowing func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(trace).write(to: folder.appendingPathComponent("i2c.trace"))
    try Data(events).write(to: folder.appendingPathComponent("events.jsonl"))
    for picture in pictures {
      let digits = "\(picture.number)"
      let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
      try Data(picture.pbm).write(to: folder.appendingPathComponent("frame-\(number).pbm"))
    }
  }
}
