import Expecting
import Recording
import VirtualDevice

@testable import Replaying

/// A report as btmon(1) reads it, written apart from the program's own writer.
///
/// BlueZ, doc/btsnoop.txt.
struct ReportFile {
  enum Content: Equatable {
    /// An HCI packet with the indicator that H4 would give it.
    case packet([UInt8], isReceived: Bool)
    /// What a program logged; empty for a line that fills the file.
    case log(priority: UInt8, program: String, text: String)
  }

  struct Record: Equatable {
    /// Microseconds since 1970.
    var time: Int64
    /// How many records are missing before this one.
    var dropped: Int
    var content: Content
  }

  var records: [Record] = []

  /// `nil` for anything that is not whole.
  init?(_ file: [UInt8]) {
    guard file.starts(with: Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x07, 0xD1]) else {
      return nil
    }
    var rest = file.dropFirst(16)
    func take(_ count: Int) -> [UInt8]? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    func number(_ count: Int) -> Int64? {
      take(count).map { $0.reduce(0) { $0 << 8 | Int64($1) } }
    }
    while !rest.isEmpty {
      guard let whole = number(4), let included = number(4), whole == included,
        let flags = number(4), let dropped = number(4), let time = number(8),
        let bytes = take(Int(included)), let content = Self.content(flags, bytes)
      else { return nil }
      // From the year 0, as libpcap and BlueZ count it.
      records.append(
        Record(time: time - 0x00DC_DDB3_0F2F_8000, dropped: Int(dropped), content: content))
    }
  }

  private static func content(_ opcode: Int64, _ bytes: [UInt8]) -> Content? {
    switch opcode {
    case 2: return .packet([1] + bytes, isReceived: false)
    case 3: return .packet([4] + bytes, isReceived: true)
    case 4: return .packet([2] + bytes, isReceived: false)
    case 5: return .packet([2] + bytes, isReceived: true)
    case 13:
      guard bytes.count >= 3, bytes.last == 0 else { return nil }
      let name = bytes.dropFirst(2).prefix(Int(bytes[1]))
      let text = bytes.dropFirst(2 + name.count).prefix { $0 != 0 }
      guard name.last == 0 else { return nil }
      return .log(
        priority: bytes[0], program: String(decoding: name.dropLast(), as: UTF8.self),
        text: String(decoding: text, as: UTF8.self))
    default: return nil
    }
  }

  /// What was logged, but for what fills the file.
  var texts: [String] {
    records.compactMap {
      if case .log(_, _, let text) = $0.content, !text.isEmpty { text } else { nil }
    }
  }

  /// The packets, in their order.
  var packets: [[UInt8]] {
    records.compactMap { if case .packet(let bytes, _) = $0.content { bytes } else { nil } }
  }
}

extension World {
  func askForReport() {
    press("r")
    pass(100)
  }

  /// The rider's report, as the reader of reports has it.
  func recording() throws -> Recording {
    askForReport()
    return try Recording(reportFile, named: "report")
  }

  /// The device of today, after it has heard what that of the rider's report heard.
  func replay() throws -> Player { try replayed(try recording()) }

  /// The report replays from its start on, message for message over the bus, too; returns what that makes.
  ///
  /// In virtual time many turns of the loop are in one millisecond.
  @discardableResult
  func replaysTheSame() throws -> Player {
    let count = messages.count
    let player = try replay()
    expect(player.comparison.divergences, [])
    expect(player.comparison.starts.count, 1)
    #expect(player.messages.count >= count)
    let isSame = messages.starts(with: player.messages.map(\.bytes))
    expect(isSame)
    return player
  }
}

/// The device of today, after it has heard what that of then heard.
func replayed(_ recording: Recording) throws -> Player {
  var player = Player(
    try recording.board(), version: recording.version ?? "", recording)
  try player.play(report: recording)
  return player
}
