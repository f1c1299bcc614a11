import Bytes
import Expecting
import Foundation
import TestSupport

/// What a terminal shows of who is heard.
@Suite struct DeviceTableTests {
  private static let address = "C4:5D:83:00:00:01"

  /// The columns of a device's row, by what is heard of it one after the other.
  private func row(_ heard: [(data: String, rssi: Int8)]) throws -> [String] {
    let scanning = try Scanning(isForPeople: true)
    for (data, rssi) in heard { scanning.receive(Self.address, bytes(data), rssi: rssi) }
    let line = scanning.table(rows: 24).dropFirst().first ?? ""
    return line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
  }

  @Test func theColumnsHaveTheirPlacesWhateverIsInFrontOfThem() throws {
    let scanning = try Scanning(isForPeople: true)
    scanning.receive(Self.address, bytes("04 09 41 42 43 03 03 0d 18"), rssi: -43)
    expect(
      scanning.drawnTable(rows: 24),
      "ADDRESS\u{1B}[K\u{1B}[20GNAME\u{1B}[41GSIGNAL\u{1B}[58GSERVICE\u{1B}[76GAGE\r\n"
        + "C4:5D:83:00:00:01\u{1B}[K\u{1B}[20GABC\u{1B}[41G#########. -43\u{1B}[58Gheart\u{1B}[76G0 s\r\n"
    )
  }

  @Test(
    arguments: [
      (-127, 0), (-100, 0), (-95, 0), (-94, 1), (-89, 1), (-88, 2), (-41, 9), (-40, 10), (-30, 10),
      (20, 10),
    ] as [(Int8, Int)])
  func theBarHasTenMarksFromMinus100ToMinus40(rssi: Int8, marks: Int) throws {
    let bar = String(repeating: "#", count: marks) + String(repeating: ".", count: 10 - marks)
    expect(try row([("", rssi)])[2], "\(bar) \(rssi)")
  }

  /// A quarter of the way to the new one; an unknown one changes nothing.
  @Test func theSignalIsSmoothed() throws {
    let levels: [Int8] = [-80, -60, 127, -60]
    let shown = try (1...4).map { try row(levels.prefix($0).map { ("", $0) })[2].suffix(3) }
    expect(shown, ["-80", "-75", "-75", "-71"])
    #expect(try row([("", 127), ("", -60)])[2].hasSuffix("-60"))
  }

  @Test(
    arguments: [
      ("03 03 0d 18 03 16 0f 18", "heart"),
      ("1a ff 4c000215 e20a39f473f54bc4a12f17d1ad07a961 0007 0203 c5", "iBeacon"),
      ("03 16 0f 18", "180F"), ("03 03 0f 18", "180F"), ("02 03 0f", ""),
      ("05 05 78 56 34 12", "12345678"),
      ("11 07 6c 43 b3 1d 17 0f b2 a2 a8 4f 2f d9 28 e1 c1 71", "71C1E128-D92F..."), ("", ""),
    ])
  func theServiceIsTheOneThatTellsMost(data: String, shown: String) throws {
    expect(try row([(data, -60)])[3], shown)
  }

  @Test func whatWasHeardOnceStays() throws {
    let shown = try row([("03 09 41 42", -60), ("03 03 0d 18", -60), ("", -60)])
    expect(shown[1], "AB")
    expect(shown[3], "heart")
    expect(try row([("03 09 41 42", -60), ("03 09 43 44", -60)])[1], "CD")
  }

  /// What is kept of a name, and what is shown of it: twenty columns are its own, three of them for the dots.
  @Test(arguments: [
    ("aaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaa"), ("aaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaa..."),
    ("aaaaaaaaaaaaaaaaaaaaaaaü", "aaaaaaaaaaaaaaaaa..."),
    ("aaaaaaaaaaaaaaaaüb", "aaaaaaaaaaaaaaaa..."),
    ("a\u{202E}b\u{9B}c\u{2028}d", "a?b?c?d"), ("üüüü", "üüüü"),
  ])
  func centralBehaviour76_aNameInTheTableIsCutBetweenLettersAndHasNoControls(
    _ name: String, _ shown: String
  ) throws {
    let bytes = Array(name.utf8)
    let data = ([UInt8(bytes.count + 1), 0x09] + bytes).map { String(format: "%02x", $0) }
    expect(try row([(data.joined(separator: " "), -60)])[1], shown)
  }

  @Test func ofMoreThan96DevicesTheOneThatWasSilentLongestMakesWay() throws {
    let scanning = try Scanning(isForPeople: true)
    for number in 0..<96 {
      scanning.receive(String(format: "C4:5D:83:00:00:%02X", number), [])
      scanning.pass(1)
    }
    scanning.receive("C4:5D:83:00:00:00", [])
    scanning.receive("C4:5D:83:00:01:00", [])
    let shown = scanning.table(rows: 200)
    expect(shown.count, 97)
    let isThere = ["00:00", "00:01", "00:02", "00:5F", "01:00"].map { end in
      shown.contains { $0.hasPrefix("C4:5D:83:00:\(end)") }
    }
    expect(isThere, [true, false, true, true, true])
  }

  /// One row for the head, one for the count, and one that the cursor is in.
  @Test(arguments: [(1, 1), (4, 1), (5, 2), (8, 5), (9, 5)]) func theTableFits(
    rows: Int, devices: Int
  ) throws {
    let scanning = try Scanning(isForPeople: true)
    for number in 0..<5 { scanning.receive("C4:5D:83:00:00:0\(number)", []) }
    expect(scanning.table(rows: rows).count, 1 + devices + (devices < 5 ? 1 : 0))
  }

  /// At most four times a second; once a second, if nobody is heard; and never while a terminal takes nothing.
  @Test func theTableIsDrawnWhenItHasChanged() throws {
    let scanning = try Scanning("--seconds", "60", isForPeople: true)
    expect(scanning.isTableDue)
    expect(scanning.timeLeft(drawsTable: false), 60_000)
    _ = scanning.table(rows: 24)
    expect(!scanning.isTableDue)
    expect(scanning.timeLeft(drawsTable: true), 1_000)
    scanning.pass(1_000)
    expect(scanning.isTableDue)
    _ = scanning.table(rows: 24)
    scanning.receive(Self.address, [])
    expect(scanning.timeLeft(drawsTable: true), 250)
    scanning.pass(250)
    expect(scanning.isTableDue)
    scanning.finish()
    expect(!scanning.isTableDue)
  }

  /// A reader of lines gets no table, and no other command has one.
  @Test func onlyAPersonWhoScansIsShownATable() throws {
    expect(try !Scanning().isTableDue)
    expect(
      try !Scanning("locate", "--group", "home=E20A39F4-73F5-4BC4-A12F-17D1AD07A961").isTableDue)
  }

  @Test func aPersonGetsNoLines() throws {
    let scanning = try Scanning("--beacons", isForPeople: true)
    scanning.receive(
      Self.address, bytes("1a ff 4c000215 e20a39f473f54bc4a12f17d1ad07a961 0007 0203 c5"), event: 3)
    scanning.pass(2_000)
    scanning.finish()
    #expect(scanning.takeLines().isEmpty)
  }
}
