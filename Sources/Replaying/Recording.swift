package import BoardFile
import Bytes
import HCI
import Recording

/// What a run of the firmware left behind: its input and the packets that it sent, in their order.
package struct Recording {
  /// One thing that happened, at a time in milliseconds.
  package struct Entry: Equatable {
    package var time: Int64
    /// How many entries are missing before this one, since the beginning.
    package var dropped: UInt32
    package var content: Content
  }

  package enum Content: Equatable {
    /// An HCI packet, its H4 indicator first.
    case received([UInt8])
    case sent([UInt8])
    /// What the firmware noted beside packets, in words.
    case note([String])
  }

  /// The file's name in errors.
  package let name: String
  package var entries: [Entry] = []
  /// Whether it is a report, which has all input; else it is a capture of packets alone.
  package var isReport: Bool
  /// The settings of a report, `KEY=VALUE`.
  package var settings: [String] = []
  package var version: String?

  /// Reads a report, or a capture as `btsnoop = file:` has it.
  ///
  /// The times of a report count from the start of the program, those of a capture from its first packet.
  package init(_ file: [UInt8], named name: String) throws {
    self.name = name
    guard file.count >= BTSnoop.headerSize, file.starts(with: Array("btsnoop\0".utf8)) else {
      throw ReplayError.data(
        file.prefix(BTSnoop.headerSize).allSatisfy { $0 == 0 }
          ? "\(name): is empty, or a report that was not written to its end: make another one"
          : "\(name): is no btsnoop file: give a report, or what btsnoop = file:PATH has written")
    }
    switch (number(file[8..<12]), number(file[12..<16])) {
    case (1, Int64(BTSnoop.Datalink.h4.rawValue)): isReport = false
    case (1, Int64(BTSnoop.Datalink.monitor.rawValue)): isReport = true
    default:
      throw ReplayError.data(
        "\(name): is a btsnoop file of another kind: give a report or a capture of Lenker's")
    }
    var position = BTSnoop.headerSize
    while position < file.count {
      guard let record = Record(file, at: position) else {
        throw ReplayError.data("\(name): byte \(position): the record is cut off or damaged")
      }
      guard isReport ? add(monitor: record) : add(h4: record) else {
        throw ReplayError.data("\(name): byte \(position): this record is none of Lenker's")
      }
      if let last = entries.last,
        let words = last.impossibility(inReport: isReport, since: entries[0].time)
      {
        throw ReplayError.data("\(name): byte \(position): \(words)")
      }
      position = record.end
    }
    guard !isReport || version != nil else {
      throw ReplayError.data("\(name): is not of Lenker: the line of its version is missing")
    }
    if !isReport, let first = entries.first?.time {
      for index in entries.indices { entries[index].time -= first }
    }
  }

  private mutating func add(h4 record: Record) -> Bool {
    guard !record.bytes.isEmpty else { return false }
    append(record, record.flags & 1 != 0 ? .received(record.bytes) : .sent(record.bytes))
    return true
  }

  private mutating func add(monitor record: Record) -> Bool {
    switch BTSnoop.MonitorOpcode(rawValue: record.flags & 0xFFFF) {
    case .command: append(record, .sent([PacketIndicator.command] + record.bytes))
    case .event: append(record, .received([PacketIndicator.event] + record.bytes))
    case .aclSent: append(record, .sent([PacketIndicator.aclData] + record.bytes))
    case .aclReceived: append(record, .received([PacketIndicator.aclData] + record.bytes))
    case .userLogging: return add(log: record)
    case nil: return false
    }
    return true
  }

  private mutating func add(log record: Record) -> Bool {
    let bytes = record.bytes
    guard bytes.count > 2, bytes.count > 2 + Int(bytes[1]) else { return false }
    let name = bytes[2..<2 + Int(bytes[1])].prefix { $0 != 0 }
    let text = bytes.dropFirst(2 + Int(bytes[1])).prefix { $0 != 0 }
    // What other programs log is none of our business, and an empty line only fills the file.
    guard name.elementsEqual(ReportWords.program.utf8), !text.isEmpty else { return true }
    let line = String(decoding: text, as: UTF8.self)
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    switch words[0] {
    case ReportWords.version: version = words.dropFirst().joined(separator: " ")
    case ReportWords.setting:
      guard words.count > 3, words[2] == "=" else { return false }
      settings.append(words[1] + "=" + words[3...].joined(separator: " "))
    default: append(record, .note(words))
    }
    return true
  }

  private mutating func append(_ record: Record, _ content: Content) {
    // The device must not see times that go back.
    let time = max(entries.last?.time ?? record.milliseconds, record.milliseconds)
    entries.append(Entry(time: time, dropped: record.dropped, content: content))
  }
}

/// One record of a btsnoop file: 24 bytes of numbers in big-endian, then the packet.
private struct Record {
  var flags: UInt32
  var dropped: UInt32
  /// Since 1970.
  var milliseconds: Int64
  var bytes: [UInt8]
  var end: Int

  init?(_ file: [UInt8], at start: Int) {
    guard file.count - start >= BTSnoop.recordHeaderSize else { return nil }
    func field(_ offset: Int, _ count: Int) -> Int64 {
      number(file[start + offset..<start + offset + count])
    }
    let (whole, included) = (field(0, 4), field(4, 4))
    end = start + BTSnoop.recordHeaderSize + Int(included)
    guard whole == included, end <= file.count else { return nil }
    flags = UInt32(field(8, 4))
    dropped = UInt32(field(12, 4))
    milliseconds = field(16, 8).subtractingReportingOverflow(BTSnoop.epoch).partialValue / 1_000
    // No clock of a Pi is before 1970 or after the year 9999.
    guard (0..<253_402_300_800_000).contains(milliseconds) else { return nil }
    bytes = Array(file[start + BTSnoop.recordHeaderSize..<end])
  }
}

private func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
  bytes.reduce(0) { $0 << 8 | Int64($1) }
}

/// A copy that outlives the span.
func array(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }

/// What is wrong, and where.
package struct ReplayError: Error, CustomStringConvertible, Equatable {
  package let description: String
  package let exitStatus: Int32

  /// A file that is not what it should be: sysexits.h, EX_DATAERR.
  package static func data(_ text: String) -> Self { Self(description: text, exitStatus: 65) }

  /// A file that cannot be read: EX_NOINPUT.
  package static func input(_ text: String) -> Self { Self(description: text, exitStatus: 66) }
}

extension Recording {
  /// The recorded board, as far as the file has it; `settings` override the file.
  package func board(overriddenBy settings: [String] = []) throws -> Board {
    func key(_ setting: String) -> Substring { setting.prefix { $0 != "=" } }
    let given = Set(settings.map { key($0) })
    let told = self.settings.filter { !given.contains(key($0)) }
    var parser = BoardParser()
    do {
      for (index, setting) in (told + settings).enumerated() {
        let setting = Array(withHiddenApps(setting).utf8)
        try parser.override(setting.span, position: index + 1)
      }
      return try parser.finish()
    } catch {
      var text = FixedBuffer<1024>()
      error.write(file: Array(name.utf8).span, to: &text)
      let words = String(decoding: array(text.bytes), as: UTF8.self)
      throw ReplayError.data("\(name): its settings, and the arguments behind them: \(words)")
    }
  }
}

/// The setting with each app in a list of `notifications` as a recording has it, an x for each byte.
///
/// So the apps in the list show again. Another app shows, too, if its name is as long as one of theirs.
private func withHiddenApps(_ setting: String) -> String {
  let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2, parts[0] == "notifications", !["off", "calls", "all"].contains(parts[1])
  else { return setting }
  let apps = parts[1].split(separator: ",", omittingEmptySubsequences: false).map { app in
    let name = Array(app.utf8)
    return String(repeating: "x", count: trimmed(name.span).count)
  }
  return "notifications=" + apps.joined(separator: ",")
}

extension Recording.Entry {
  /// Milliseconds of a report: five bytes of the old record have them (`Record.Header`).
  private static var longestReport: Int64 { 1 << 40 }
  /// The longest capture in milliseconds, as each of its deadlines is met: a week.
  ///
  /// A longer capture was made while the clock was set, as a Pi does that has no clock of its own.
  private static var longestCapture: Int64 { 7 * 86_400_000 }
  /// Milliseconds between two turns of the loop: three bytes of the old record have them.
  private static var longestTurn: Int64 { 0xFF_FFFF }

  /// What the recorded device cannot have noted, in words; `nil` if all is possible.
  ///
  /// A replay of it would never end, or come to times that an `Instant` cannot have.
  func impossibility(inReport isReport: Bool, since start: Int64) -> String? {
    guard isReport else {
      return time - start <= Self.longestCapture
        ? nil : "is more than a week behind the first packet, as the clock was set: cut it off here"
    }
    guard time < Self.longestReport else {
      return "is 34 years behind the start of the program: make another report"
    }
    guard case .note(let words) = content else { return nil }
    let numbers = words.dropFirst()
    let limits: ClosedRange<Int64>
    switch Note.Name(of: words) {
    case .turns: limits = 0...Self.longestTurn
    case .recovery: limits = -Self.longestReport...Self.longestReport
    default: return nil
    }
    let arePossible = numbers.allSatisfy { Int64($0).map(limits.contains) ?? false }
    return arePossible
      ? nil
      : "\(told(words)): its numbers are milliseconds, \(limits.lowerBound) to \(limits.upperBound): make another report"
  }
}
