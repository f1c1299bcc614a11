import BoardFile
import Bytes
import Expecting
import TestSupport

@testable import Recording

/// A report that is made piece by piece of a record that goes on, or that needs the most room.
@Suite struct ReportWriterTests {
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
    desk.record.advances(isDue: true, at: desk.now)
    desk.now = desk.now + gap
    desk.record.advances(isDue: true, at: desk.now)
    desk.begin()
    expect(try desk.finish().texts.filter { $0.hasPrefix("turns") }, told)
  }

  /// A replay would take what was received behind it for another turn's.
  @Test func betweenTwoPacketsOfOneTurnNoneIsTold() throws {
    var desk = Desk()
    for _ in 0..<2 {
      desk.add([0x04, 0x0F], isReceived: true)
      desk.add([0x04, 0x10], isReceived: true)
      desk.record.advances(isDue: false, at: desk.now)
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
        desk.record.advances(isDue: false, at: desk.now)
      case .idle:
        desk.now = desk.now + 180_000
        desk.record.advances(isDue: true, at: desk.now)
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
