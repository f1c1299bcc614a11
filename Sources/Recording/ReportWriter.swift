import BoardFile
import Bytes
import HCI

/// Makes a btsnoop file of the record, piece by piece, each as large as a page of the kernel's cache.
///
/// The file always has the same size, so that it stays where it is on the disk, and the file system has
/// nothing to note: each piece ends in an empty log line that fills it. The first bytes are written
/// last, so that a file that is written in part is no btsnoop file.
struct ReportWriter: ~Copyable {
  private enum Source {
    case settings, start, store, link, ring, end
  }

  /// Bytes of the whole file: the notes of the settings, and the entries.
  ///
  /// The entries grow to at most 63/16 of their size. An entry without content has 8 bytes: a packet
  /// becomes 24 bytes, and `turns` 39, but only in turn with others. All others, and each further
  /// `advance`, triple at most.
  package static var size: Int { 98_304 }
  static var pieceSize: Int { 4_096 }
  /// Bytes of a log line beside its text.
  private static var lineSize: Int { BTSnoop.recordHeaderSize + 2 + nameSize + 1 + 1 }
  private static var nameSize: Int {
    let utf8 = ReportWords.program.utf8
    return utf8.span.count
  }
  /// The priorities of log lines: syslog(3), LOG_INFO and LOG_DEBUG.
  private static var information: UInt8 { 6 }
  private static var debug: UInt8 { 7 }

  private var source = Source.end
  /// The next setting, or the next entry of the source.
  private var index: Int64 = 0
  /// Where the entries end that belong to the report.
  private var end: Int64 = 0
  /// How much of the file has been written, except its first bytes.
  private var count = ReportWriter.size
  private(set) var isRunning = false
  /// The number of the link that is being written.
  private var linkNumber: Int64 = 0

  /// A record of the file while it is made.
  private typealias Line = FixedBuffer<1_228>

  /// Begins with all that is in the record now.
  package mutating func begin(_ record: borrowing Record) {
    isRunning = true
    source = .settings
    index = 0
    count = 0
    end = record.head
  }

  /// Gives the report up.
  package mutating func abandon() { isRunning = false }

  /// Whether the first piece is on the disk.
  package var isBegun: Bool { count > 0 }

  /// Where the next piece belongs.
  package var offset: Int { count < Self.size ? count : 0 }

  /// Notes that the piece is on the disk; returns whether it was the last.
  package mutating func pieceWasWritten() -> Bool {
    if count < Self.size {
      count += Self.pieceSize
    } else {
      isRunning = false
    }
    return !isRunning
  }

  /// Makes the next piece.
  package mutating func write(
    _ record: borrowing Record, _ board: borrowing Board, version: Span<UInt8>,
    into piece: inout FixedBuffer<4_096>
  ) {
    piece.removeAll()
    guard count < Self.size else { return BTSnoop.writeHeader(.monitor, into: &piece) }
    if count == 0 { for _ in 0..<BTSnoop.headerSize { piece.append(0) } }
    while source != .end {
      var line = Line()
      if index == 0 { linkNumber = record.kept.linkNumber }
      let next = prepare(record, board, version, into: &line)
      // The rest of the piece must be empty, or have room for the line that fills it.
      let rest = piece.free - line.count
      guard rest == 0 || rest >= Self.lineSize else { break }
      piece.append(line.bytes)
      (source, index) = next
    }
    fill(&piece)
  }

  private func fill(_ piece: inout FixedBuffer<4_096>) {
    guard piece.free > 0 else { return }
    var text = FixedBuffer<4_096>()
    for _ in 0..<piece.free - Self.lineSize { text.append(0) }
    Self.log(text.bytes, priority: Self.debug, dropped: 0, at: 0, into: &piece)
  }

  // MARK: - What is in it

  /// Makes the next record, or none where a source ends; returns what follows.
  private func prepare(
    _ record: borrowing Record, _ board: borrowing Board, _ version: Span<UInt8>,
    into line: inout Line
  ) -> (Source, Int64) {
    let position = Int(truncatingIfNeeded: index)
    switch source {
    case .settings:
      guard prepareSetting(board, version, into: &line) else { return (.start, 0) }
      return (.settings, index + 1)
    case .start:
      guard position < record.kept.start.count else { return (.store, 0) }
      return (.start, prepare(record.kept.start.bytes, dropped: 0, into: &line))
    case .store:
      // The store is one entry, which may have been replaced meanwhile.
      guard position == 0, !record.kept.store.isEmpty else { return (.link, 0) }
      let dropped = record.kept.droppedBeforeLink
      return (.store, prepare(record.kept.store.bytes, dropped: dropped, into: &line))
    case .link:
      guard position < record.kept.link.count, linkNumber == record.kept.linkNumber
      else { return (.ring, record.tail) }
      let dropped = record.kept.droppedBeforeLink
      return (.link, prepare(record.kept.link.bytes, dropped: dropped, into: &line))
    case .ring:
      // New entries may have replaced those that were to come next.
      let first = max(index, record.tail)
      guard first < end else { return (.end, 0) }
      var entry = Record.Entry()
      record.copyEntry(at: first, into: &entry)
      Self.write(entry.bytes, dropped: record.kept.dropped, into: &line)
      return (.ring, first + Int64(widening: entry.count))
    case .end: return (.end, 0)
    }
  }

  /// The version first, then each setting.
  private func prepareSetting(
    _ board: borrowing Board, _ version: Span<UInt8>, into line: inout Line
  ) -> Bool {
    var text = Record.Line()
    if index == 0 {
      text.append(ReportWords.version)
      text.append(" ")
      text.append(version)
    } else if let key = Key(rawValue: Int(truncatingIfNeeded: index) - 1) {
      text.append(ReportWords.setting)
      text.append(" ")
      text.append(key.name)
      text.append(" = ")
      let count = text.count
      board.write(key, to: &text)
      guard text.count > count else { return true }
    } else {
      return false
    }
    Self.log(text.bytes, priority: Self.information, dropped: 0, at: 0, into: &line)
    return true
  }

  /// Makes a record of the entry at `index`; returns where the next one begins.
  private func prepare(
    _ entries: Span<UInt8>, dropped: Int64, into line: inout Line
  ) -> Int64 {
    let rest = entries.extracting(droppingFirst: Int(truncatingIfNeeded: index))
    let size = Record.Header.size + Record.Header(rest).count
    Self.write(rest.extracting(first: size), dropped: dropped, into: &line)
    return index + Int64(widening: size)
  }

  private static func write(_ entry: Span<UInt8>, dropped: Int64, into line: inout Line) {
    let header = Record.Header(entry)
    let content = entry.extracting(droppingFirst: Record.Header.size)
    let opcode: BTSnoop.MonitorOpcode
    switch header.kind {
    case .command: opcode = .command
    case .event: opcode = .event
    case .aclSent: opcode = .aclSent
    case .aclReceived: opcode = .aclReceived
    case .note:
      return log(content, priority: information, dropped: dropped, at: header.time, into: &line)
    case .turns: return log(turns: content, dropped: dropped, at: header.time, into: &line)
    }
    BTSnoop.write(
      opcode, content, dropped: UInt32(truncatingIfNeeded: dropped), at: 1_000 * header.time,
      into: &line)
  }

  private static func log(
    turns: Span<UInt8>, dropped: Int64, at time: Int64, into line: inout Line
  ) {
    var text = Record.Line()
    Note.turns.write(into: &text)
    var index = 0
    while index + 2 < turns.count {
      text.append(" ")
      let high = UInt32(turns[index + 1]) << 8 | UInt32(turns[index + 2]) << 16
      text.append(decimal: Int64(widening: UInt32(turns[index]) | high))
      index += 3
    }
    log(text.bytes, priority: debug, dropped: dropped, at: time, into: &line)
  }

  /// BlueZ, doc/btsnoop.txt, User Logging: the name and the text each end in a zero.
  private static func log<Writer: ByteWriter & ~Copyable>(
    _ text: Span<UInt8>, priority: UInt8, dropped: Int64, at time: Int64,
    into writer: inout Writer
  ) {
    var content = FixedBuffer<4_096>()
    content.append(priority)
    content.append(UInt8(truncatingIfNeeded: nameSize + 1))
    content.append(ReportWords.program)
    content.append(0)
    content.append(text)
    content.append(0)
    BTSnoop.write(
      .userLogging, content.bytes, dropped: UInt32(truncatingIfNeeded: dropped), at: 1_000 * time,
      into: &writer)
  }
}

/// The words of a report's lines that are no notes.
package enum ReportWords {
  /// The program that logs them, and the notes.
  package static var program: String { "lenker" }
  /// The version of the firmware follows.
  package static var version: String { "version" }
  /// A setting follows as a board file has it.
  package static var setting: String { "setting" }
}
