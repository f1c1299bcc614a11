import Bytes
import Expecting
import Foundation
import TestSupport

/// A published vector, public advertisements, and what the Core Specification (Vol 3, Part C, 11, and
/// its Supplement, Part A) says of AD structures.
@Suite struct AdvertisementTests {
  private static let address = "C4:5D:83:00:00:01"
  private static let crownstone = bytes(
    "0a0843726f776e73746f6e131601c001000200ff801900102700009cffffff")

  /// What is told of one advertisement.
  private func told(
    _ data: [UInt8], event: UInt8 = 0, rssi: Int8 = -60, _ arguments: [String] = []
  ) throws -> [String] {
    let scanning = try Scanning(arguments)
    scanning.receive(Self.address, data, event: event, rssi: rssi)
    return scanning.takeLines()
  }

  /// The fields of one advertisement, as an independent parser reads them.
  private func fields(
    _ text: String, event: UInt8 = 0, _ arguments: [String] = []
  ) throws -> [String: Any] {
    let lines = try told(bytes(text), event: event, arguments)
    let line = try #require(lines.first)
    return try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  @Test func aCrownstoneOf2016IsToldInEachOfItsFields() throws {
    let scanning = try Scanning()
    scanning.pass(1_204)
    scanning.receive(Self.address, Self.crownstone, event: 4, rssi: -63)
    expect(
      scanning.takeLines(),
      [
        #"{"t":1.204,"event":"advertisement","handle":"C4:5D:83:00:00:01","type":"random","#
          + #""kind":"scan-response","rssi":-63,"name":"Crownston","#
          + #""serviceData":{"C001":[1,0,2,0,255,128,25,0,16,39,0,0,156,255,255,255]},"#
          + #""crownstone":{"crownstoneId":1,"stateId":2,"switchState":255,"eventBitmask":128,"#
          + #""temperature":25,"powerUsage":10000,"accumulatedEnergy":-100},"#
          + #""raw":"0a0843726f776e73746f6e131601c001000200ff801900102700009cffffff"}"#
      ])
  }

  @Test func anEncryptedCrownstoneIsToldByItsBytesAlone() throws {
    let fields = try fields("14 16 01 c0" + .init(repeating: " 2a", count: 17), ["--crownstones"])
    expect((fields["serviceData"] as? [String: [Int]])?["C001"], .init(repeating: 42, count: 17))
    expect(fields["crownstone"] == nil)
  }

  @Test func anIBeaconIsTold() throws {
    let fields = try fields("0201061aff4c000215e20a39f473f54bc4a12f17d1ad07a96100070203c5")
    let beacon = try #require(fields["ibeacon"] as? [String: Any])
    expect(beacon["uuid"] as? String, "E20A39F4-73F5-4BC4-A12F-17D1AD07A961")
    expect(beacon["major"] as? Int, 7)
    expect(beacon["minor"] as? Int, 515)
    expect(beacon["power"] as? Int, -59)
    expect((fields["manufacturer"] as? [String: Any])?["company"] as? Int, 0x004C)
    expect(fields["malformed"] == nil)
  }

  @Test(
    arguments: [
      (0, "connectable"), (1, "directed"), (2, "scannable"), (3, "nonconnectable"),
      (4, "scan-response"),
    ] as [(UInt8, String)])
  func theKindIsThatOfTheReport(event: UInt8, kind: String) throws {
    expect(try fields("02 01 06", event: event)["kind"] as? String, kind)
  }

  @Test(
    arguments: [
      (0, "C4:5D:83:00:00:01", "public"), (1, "C4:5D:83:00:00:01", "random"),
      (1, "44:5D:83:00:00:01", "resolvable"), (0, "44:5D:83:00:00:01", "public"),
      (1, "04:5D:83:00:00:01", "random"), (3, "44:5D:83:00:00:01", "random"),
      (2, "44:5D:83:00:00:01", "public"),
    ] as [(UInt8, String, String)])
  func theTypeIsThatOfTheAddress(type: UInt8, address: String, name: String) throws {
    let scanning = try Scanning()
    scanning.receive(address, [], type: type)
    let line = scanning.takeLines().first ?? ""
    #expect(line.contains(#""handle":"\#(address)","type":"\#(name)""#))
  }

  @Test func aSignalThatTheControllerDoesNotKnowIsNull() throws {
    let line = try told([], rssi: 127).first ?? ""
    #expect(line.contains(#""rssi":null"#))
    #expect(line.hasSuffix(#""raw":""}"#))
  }

  @Test func servicesOfEachSizeAreListedAsTheyCome() throws {
    let fields = try fields(
      "05 03 0d 18 16 18  05 05 78 56 34 12"
        + " 11 07 6c 43 b3 1d 17 0f b2 a2 a8 4f 2f d9 28 e1 c1 71")
    expect(
      fields["services"] as? [String],
      ["180D", "1816", "12345678", "71C1E128-D92F-4FA8-A2B2-0F171DB3436C"])
  }

  @Test(arguments: [
    ("0c 02 0d 18", []), ("02 01 06 03 02 0d 18", ["180D"]), ("04 03 0d 18 16", ["180D"]),
    ("01 03", []),
  ])
  func aListMayEndInPartOfAService(text: String, services: [String]) throws {
    expect(try fields(text)["services"] as? [String] ?? [], services)
  }

  @Test func aSensorIsKnownByItsService() throws {
    expect(try fields("03 03 0d 18")["sensor"] as? String, "heart")
    expect(try fields("05 02 16 18 18 18")["sensor"] as? String, "power")
    expect(try fields("03 03 1f fe")["sensor"] as? String, "radar")
    expect(try fields("03 03 0f 18")["sensor"] == nil)
  }

  @Test func theCompleteNameCountsBeforeTheShortenedOne() throws {
    expect(try fields("03 08 41 42")["name"] as? String, "AB")
    expect(try fields("03 08 41 42 04 09 41 42 43")["name"] as? String, "ABC")
    expect(try fields("04 09 41 42 43 03 08 41 42")["name"] as? String, "ABC")
    expect(try fields("04 09 41 ff 43")["name"] as? String, "A\u{FFFD}C")
  }

  /// It clears the screen, sets the title of the window, and turns what follows around.
  @Test func centralBehaviour76_anAdvertisedNameCommandsNoTerminal() throws {
    let name = Array("A\u{9B}2J\u{1B}[H\u{9D}0;pwn\u{9C}\u{202E}B".utf8)
    let line = try told([UInt8(name.count + 1), 0x09] + name).first ?? ""
    #expect(line.contains(#""name":"A2J[H0;pwnB""#))
    expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
  }

  @Test func aManufacturerHasANumberOfTwoBytes() throws {
    expect(try fields("02 ff 4c")["manufacturer"] == nil)
    let alone = try #require(try fields("03 ff 4c 01")["manufacturer"] as? [String: Any])
    expect(alone["company"] as? Int, 0x014C)
    expect(alone["data"] as? [Int], [])
    let first = try #require(
      try fields("04 ff 4c 00 07 04 ff 01 00 08")["manufacturer"] as? [String: Any])
    expect(first["data"] as? [Int], [7])
  }

  @Test func thePowerIsANumberOfOneByte() throws {
    expect(try fields("02 0a f4")["power"] as? Int, -12)
    expect(try fields("03 0a f4 00")["power"] as? Int, -12, "what is behind it is ignored")
  }

  /// JSON with one key twice is not read alike by everybody.
  @Test func dataOfAServiceIsToldOnceEvenIfItComesTwice() throws {
    let fields = try fields("04 16 9f fe 01 04 16 9f fe 02 06 20 78 56 34 12 03")
    expect(fields["serviceData"] as? [String: [Int]], ["FE9F": [1], "12345678": [3]])
  }

  /// What ends early, as zeros end the data, is well-formed.
  @Test func zerosEndTheData() throws {
    expect(try fields("02 01 06 00 00")["malformed"] == nil)
  }

  @Test(arguments: [
    "02 01 06 05 09 41", "02 01 06 ff", "02 01 06 1a ff 4c 00 02 15", "02 01 06 03 03 0d",
  ])
  func fieldsBeforeTheBadStructureStay(text: String) throws {
    let fields = try fields("03 09 4f 4b" + text)
    expect(fields["name"] as? String, "OK")
    expect(fields["malformed"] as? Bool, true)
    expect(fields["raw"] as? String, hex(bytes("03 09 4f 4b" + text), separator: ""))
  }
}
