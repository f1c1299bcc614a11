import BoardFile
import Bytes
import Expecting
import TestSupport

@testable import Device
@testable import Recording

/// A report that is made piece by piece of a record that goes on, or that needs the most room.
struct ReportWriterTests {
  /// A record, and the report that is made of it.
  private struct Desk: ~Copyable {
    var record = Record(isOn: true, start: Instant(milliseconds: 0))
    var now = Instant(milliseconds: 0)
    private(set) var packets: Set<[UInt8]> = []
    /// How many packets and notes there were.
    private(set) var count = 0
    private var writer = ReportWriter()
    private var file = [UInt8](repeating: 0, count: ReportWriter.size)

    mutating func add(_ packet: [UInt8], isReceived: Bool) {
      packets.insert(packet)
      count += 1
      record.add(packet.span, isReceived: isReceived, at: now)
    }

    /// LE Connection Complete and Disconnection Complete.
    mutating func connect() {
      let address = "00 01 02 03 04 05 c6 "
      add(bytes("04 3e 13 01 00 40 00 00 " + address + "18 00 00 00 48 00 00"), isReceived: true)
    }
    mutating func disconnect() { add(bytes("04 05 04 00 40 00 13"), isReceived: true) }

    mutating func search() { add(bytes("01 0c 20 02 01 00"), isReceived: false) }

    mutating func note(_ text: String) {
      count += 1
      record.note(.any, at: now) { $0.append(text) }
    }

    mutating func begin() { writer.begin(record) }

    /// Returns whether that was the last.
    mutating func writePiece() -> Bool {
      var piece = FixedBuffer<4_096>()
      let version = Array("0.2.0".utf8)
      let offset = writer.offset
      writer.write(record, Board(), version: version.span, into: &piece)
      file.replaceSubrange(offset..<offset + piece.count, with: array(piece.bytes))
      return writer.pieceWasWritten()
    }

    mutating func finish() throws -> ReportFile {
      while !writePiece() {}
      return try #require(ReportFile(file))
    }
  }

  /// Three bytes tell of 4.6 hours; what comes later has a time of its own.
  @Test(
    arguments: [
      (0x01_0203, ["turns 66051"]), (0xFF_FFFF, ["turns 16777215"]),
      (0x100_0000, ["turns", "turns"]),
    ] as [(Int64, [String])])
  func anAdvanceIsToldWithItsTime(_ gap: Int64, _ told: [String]) throws {
    var desk = Desk()
    desk.record.noteAdvance(isDue: true, at: desk.now)
    desk.now = desk.now + gap
    desk.record.noteAdvance(isDue: true, at: desk.now)
    desk.begin()
    expect(try desk.finish().texts.filter { $0.hasPrefix("turns") }, told)
  }

  /// A replay would take what was received behind it for another turn's.
  @Test func betweenTwoPacketsOfOneTurnNoneIsTold() throws {
    var desk = Desk()
    for _ in 0..<2 {
      desk.add([0x04, 0x0F], isReceived: true)
      desk.add([0x04, 0x10], isReceived: true)
      desk.record.noteAdvance(isDue: false, at: desk.now)
      desk.now = desk.now + 10
    }
    desk.begin()
    expect(try desk.finish().texts.filter { $0.hasPrefix("turns") }, [])
  }

  // MARK: - A link whose beginning has left the ring

  /// A link whose number is in its packets, made with so many bytes of them when the last one has ended, and so long
  /// a ride that all of that has left the ring.
  private func ride(
    _ link: UInt8, _ count: Int, madeWith size: Int = 3_600, on desk: inout Desk
  ) {
    func content(_ index: Int) -> [UInt8] {
      [link, UInt8(index)] + [UInt8](repeating: 0xFF, count: count - 4)
    }
    desk.disconnect()
    desk.search()
    desk.add(bytes("01 0d 20 00"), isReceived: false)
    desk.connect()
    for index in 0..<size / (8 + count) {
      desk.add([0x04, 0xFF, 0x02] + content(index), isReceived: true)
    }
    desk.note("ready")
    desk.now = desk.now + 1_000
    for index in 0..<17_000 / (8 + count) {
      desk.add([0x02, 0x40] + content(index & 0xFF), isReceived: false)
    }
  }

  /// The lengths differ, so that no entry of the second link begins where one of the first did.
  @Test func ofALinkThatBeginsAnewWhileItIsWrittenTheRestIsLeftOut() throws {
    var desk = Desk()
    ride(1, 30, on: &desk)
    desk.begin()
    _ = desk.writePiece()
    ride(2, 41, on: &desk)
    let report = try desk.finish()
    let written = report.packets.filter { $0.starts(with: [0x04, 0xFF]) }
    expect(written.count > 10 && written.count < 3_600 / 38)
    for (index, packet) in written.enumerated() {
      expect(packet.dropFirst(3).prefix(2), [1, UInt8(index)])
    }
    let packets = desk.packets
    #expect(report.packets.allSatisfy { packets.contains($0) }, "nothing that never was")
  }

  /// By the controller, or with its transport.
  @Test(arguments: [true, false])
  func ofALinkThatHasEndedNothingIsKept(_ isTold: Bool) throws {
    var desk = Desk()
    ride(1, 30, on: &desk)
    if isTold {
      desk.disconnect()
    } else {
      desk.note("radio failed 104")
    }
    for _ in 0..<1_500 { desk.note("and so on") }
    desk.begin()
    let report = try desk.finish()
    expect(!report.packets.contains { $0.starts(with: [0x04, 0xFF, 0x02, 1]) })
  }

  /// The beginning of the second link is too long to be kept.
  @Test func eachEntryIsThereOrCountedAsMissing() throws {
    var desk = Desk()
    for (link, size) in [(1, 3_600), (2, 5_000), (3, 3_600)] as [(UInt8, Int)] {
      ride(link, 30, madeWith: size, on: &desk)
    }
    desk.begin()
    let report = try desk.finish()
    let notes = report.texts.filter { !$0.hasPrefix("setting ") && !$0.hasPrefix("version ") }
    let missing = report.records.map(\.dropped).max() ?? 0
    expect(missing > 0 && report.packets.count + notes.count + missing == desk.count)
  }

  // MARK: - Room

  /// What fills the record with the shortest entries.
  enum Mix: CaseIterable {
    /// Packets without content, and an `advance` behind each that no entry implies.
    case packets
    /// Nothing comes in, and the device advances every three minutes.
    case idle
  }

  private func fill(_ count: Int, with mix: Mix, _ desk: inout Desk) {
    for _ in 0..<count {
      switch mix {
      case .packets:
        desk.add([0x04], isReceived: true)
        desk.record.noteAdvance(isDue: false, at: desk.now)
      case .idle:
        desk.now = desk.now + 180_000
        desk.record.noteAdvance(isDue: true, at: desk.now)
      }
    }
  }

  @Test(arguments: Mix.allCases) func theFileHasRoomForTheWorstMix(_ mix: Mix) throws {
    var desk = Desk()
    fill(2_000, with: mix, &desk)
    desk.search()
    fill(12_000, with: mix, &desk)
    desk.note("the last")
    desk.begin()
    let report = try desk.finish()
    expect(report.texts.last, "the last")
  }
}

/// Notes of the record: what one of them writes is read as the same.
struct NoteTests {
  @Test(arguments: [
    "radio opening", "radio open", "radio failed errno 104", "radio failed indicator 7",
    "radio failed oversize 1027", "radio failed stalled", "radio failed unanswered",
    "panel open", "panel failed 121 3", "panel-reset failed 5",
    "buttons open 0 1", "buttons open 1 0", "buttons failed 19", "alert open", "alert failed 16",
    "store open 1 0 0", "store open 0 1 1", "store aside 1", "store written 512",
    "store failed 30", "report saved", "report failed 28",
    "gesture a", "gesture B", "edge a 1 12", "edge b 0 -3", "release a",
    "release b", "seen", "leave", "home here", "home away", "deaf", "deafened", "ready", "error",
    "mistake", "board-address 0 b827eb010203", "recovery", "recovery -1", "recovery 60000", "turns",
    "gauge read 02 c300", "gauge read 2a 57", "gauge read 00 0000", "gauge failed 121",
    "update",
  ])
  func aNoteIsWrittenAsItIsRead(_ line: String) throws {
    let line = Array(line.utf8)
    var reader = NoteReader(line.span)
    let read = Note(&reader)
    let note = try #require(read)
    let rest = array(reader.rest)
    #expect(rest.isEmpty)
    var text = Record.Line()
    note.write(into: &text)
    let written = array(text.bytes)
    expect(written, line)
  }

  /// What is behind a note is left.
  @Test func aLineIsANoteByItsBeginning() {
    for (line, behind) in [
      ("mistake board.conf:12: unknown key", " board.conf:12: unknown key"),
      ("error i2c nobody answers", " i2c nobody answers"), ("store written 512 blank", " blank"),
      ("store open 0 1 0 blank damaged", " blank damaged"), ("turns 0 16", " 0 16"),
    ] {
      let line = Array(line.utf8)
      var reader = NoteReader(line.span)
      let isNote = Note(&reader) != nil
      expect(isNote && string(reader.rest) == behind, "\(behind)")
    }
    for line in [
      "", " ", "radio", "radio opened", "radio openings", "panel failed", "panel failed x",
      "panel failed 2147483648", "radio failed", "radio failed 104", "radio failed errno",
      "store open 0 1", "gesture", "gesture x", "edge a 1", "edge a 1 2 3",
      "edge both 1 2", "edge a 1 2147483648", "edge a 1 9223372036854775808", "release",
      "release both", "board-address 4 b827eb010203", "board-address 0", "board-address 0 xx",
      "gauge", "gauge read", "gauge read 02", "gauge read 02 c", "gauge read 02 c3001",
      "gauge read 100 57", "gauge read 02 xx", "gauge failed",
    ] {
      let text = Array(line.utf8)
      var reader = NoteReader(text.span)
      let isNote = Note(&reader) != nil
      expect(!isNote, "\(line)")
    }
  }

  @Test func eachNameOfANoteIsAnotherOne() {
    for number in 0..<Note.Name.count {
      let name = Note.Name(rawValue: UInt8(number))
      let text = Array((name?.text ?? "").utf8)
      let found = Note.Name(beginning: text.span)
      expect(name != nil && found == name)
    }
    expect(Note.Name(rawValue: UInt8(Note.Name.count)), nil)
  }
}
