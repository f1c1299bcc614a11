import Bytes
import Expecting
import Foundation
import Places
import ScanTool
import TestSupport
import VirtualAir

@Suite struct ScanToolTests {
  private static let strap = bytes("03 03 0d 18")
  private static let beacon = bytes("1a ff 4c000215 e20a39f473f54bc4a12f17d1ad07a961 0007 0203 c5")
  private static let crownstone = bytes("13 16 01c0 01000200ff801900102700009cffffff")

  private func names(_ lines: [String]) -> [String] {
    lines.compactMap { line in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return (object?["event"] as? String) ?? "no JSON: \(line)"
    }
  }

  // MARK: - Filters

  @Test(
    arguments: [
      ([], [true, true, true, true]),
      (["--sensors"], [true, false, false, false]),
      (["--beacons"], [false, true, false, false]),
      (["--beacons=E20A39F4-73F5-4BC4-A12F-17D1AD07A961"], [false, true, false, false]),
      (["--beacons=E20A39F4-73F5-4BC4-A12F-17D1AD07A962"], [false, false, false, false]),
      (["--crownstones"], [false, false, true, false]),
      (["--service", "180D"], [true, false, false, false]),
      (["--service", "C001"], [false, false, true, false]),
      (["--service", "180F"], [false, false, false, false]),
      (["--service", "180F", "--sensors", "--crownstones"], [true, false, true, false]),
    ] as [([String], [Bool])])
  func oneFilterOfSeveralIsEnough(arguments: [String], expected: [Bool]) throws {
    let told = try [Self.strap, Self.beacon, Self.crownstone, bytes("02 01 06")].map { data in
      let scanning = try Scanning(arguments)
      scanning.receive("C4:5D:83:00:00:01", data)
      return scanning.takeLines().count == 1
    }
    expect(told, expected)
  }

  // MARK: - Listening

  @Test func allAdvertisementsOfAnEventAreTold() throws {
    let scanning = try Scanning()
    let one: [UInt8] = [0, 1, 1, 2, 3, 4, 5, 6, 0, 0xC4]
    scanning.receive([0x04, 0x3E, 32, 0x02, 3] + one + one + one)
    expect(scanning.takeLines().count, 3)
  }

  @Test func passivelyNobodyIsAsked() throws {
    expect(try !Scanning("--passive").controller.isScanActive)
    expect(try Scanning().controller.isScanActive)
  }

  @Test func itEndsAfterItsSeconds() throws {
    let scanning = try Scanning("--seconds", "10")
    scanning.pass(9_999)
    expect(!scanning.isOver)
    scanning.pass(1)
    expect(scanning.isOver)
    expect(scanning.ending, .done)
    expect(!scanning.controller.isScanning)
    scanning.receive("C4:5D:83:00:00:01", Self.strap)
    #expect(scanning.takeLines().isEmpty)
  }

  @Test func withoutSecondsItGoesOn() throws {
    let scanning = try Scanning()
    scanning.pass(86_400_000)
    expect(!scanning.isOver)
  }

  /// No deduplication.
  @Test func sixtyFourLinesWaitAndTheOthersAreCounted() throws {
    let scanning = try Scanning()
    for _ in 0..<100 { scanning.receive("C4:5D:83:00:00:01", Self.strap) }
    expect(scanning.takeLines().count, 64)
    scanning.receive("C4:5D:83:00:00:01", Self.strap)
    scanning.finish()
    let lines = scanning.takeLines()
    expect(names(lines), ["advertisement", "summary"])
    expect(lines.last, #"{"t":0.000,"event":"summary","lost":36}"#)
  }

  /// The last line waits for room, too; else nobody would know what is missing.
  @Test func theLastLineIsNotLostThoughAllTheRoomIsTaken() throws {
    let scanning = try Scanning()
    for _ in 0..<100 { scanning.receive("C4:5D:83:00:00:01", Self.strap) }
    scanning.finish()
    expect(names(scanning.takeLines()), .init(repeating: "advertisement", count: 64))
    scanning.finish()
    expect(scanning.takeLines(), [#"{"t":0.000,"event":"summary","lost":36}"#])
    scanning.finish()
    #expect(scanning.takeLines().isEmpty)
  }

  @Test func aControllerThatFailsIsToldOf() throws {
    let scanning = try Scanning { $0.refused[0x200C] = 0x01 }
    guard case .controller(.commandFailed)? = scanning.ending else {
      Issue.record("another ending: \(String(describing: scanning.ending))")
      return
    }
    expect(scanning.ending?.status, 69)
  }

  // MARK: - One device

  @Test func whatADeviceHasIsToldInJSON() throws {
    let scanning = try Scanning("inspect", "C4:00:52:50:5E:01", "--read") {
      $0.sensors = [VirtualCrownstone.make(0xC4)]
    }
    scanning.controller.advertise(scanning, scanning.controller.sensors[0])
    let lines = scanning.takeLines()
    expect(names(lines).filter { $0 == "service" }.count, 3)
    #expect(
      lines.contains(
        #"{"t":0.000,"event":"characteristic","service":"180D","uuid":"2A37","#
          + #""attribute":34,"properties":["notify"]}"#))
    #expect(
      lines.contains(
        #"{"t":0.000,"event":"descriptor","characteristic":"2A37","uuid":"2902","attribute":35}"#))
    #expect(
      lines.contains(
        #"{"t":0.000,"event":"value","attribute":3,"bytes":[80,111,108,97,114,32,72,49,48,32,"#
          + #"49,50,51,52,53,54,55,56],"text":"Polar H10 12345678"}"#))
    expect(scanning.isOver)
    expect(scanning.ending, .done)
  }

  @Test func aValueThatIsRefusedHasItsError() throws {
    let device = VirtualCrownstone.make(0xC4)
    device.errors[0x0A] = 0x05
    let scanning = try Scanning("inspect", "C4:00:52:50:5E:01", "--read") { $0.sensors = [device] }
    scanning.controller.advertise(scanning, device)
    #expect(
      scanning.takeLines().contains(#"{"t":0.000,"event":"value","attribute":3,"error":5}"#))
    expect(scanning.ending, .done)
  }

  // MARK: - The table

  @Test func theStrongestIsAtTheTop() throws {
    let scanning = try Scanning(isForPeople: true)
    scanning.receive("C4:5D:83:00:00:01", bytes("04 09 41 42 43"), rssi: -80)
    scanning.receive("C4:5D:83:00:00:02", Self.strap, rssi: -43)
    scanning.receive("C4:5D:83:00:00:03", Self.beacon, rssi: -101)
    scanning.receive("C4:5D:83:00:00:04", Self.crownstone, rssi: 127)
    scanning.pass(3_500)
    #expect(scanning.takeLines().isEmpty)
    expect(
      scanning.table(rows: 24),
      [
        "ADDRESS|NAME|SIGNAL|SERVICE|AGE",
        "C4:5D:83:00:00:02||#########. -43|heart|3 s",
        "C4:5D:83:00:00:01|ABC|###....... -80||3 s",
        "C4:5D:83:00:00:03||.......... -101|iBeacon|3 s",
        "C4:5D:83:00:00:04||?|C001|3 s",
      ])
  }

  /// Names, services and signals of other lengths, as the strongest is at the top.
  @Test(arguments: [80, 40]) func ofALineThatChangesNothingStays(_ columns: Int) throws {
    let scanning = try Scanning(isForPeople: true)
    scanning.receive(
      "C4:5D:83:00:00:01", bytes("11 09") + Array("Sixteen letters.".utf8), rssi: -50)
    scanning.receive("C4:5D:83:00:00:02", Self.strap, rssi: -60)
    var terminal = Terminal(rows: 24, columns: columns)
    terminal.show(scanning.drawnTable(rows: 24, columns: columns))
    for _ in 0..<20 { scanning.receive("C4:5D:83:00:00:02", Self.strap, rssi: -5) }
    terminal.show(scanning.drawnTable(rows: 5, columns: columns))
    scanning.receive("C4:5D:83:00:00:03", Self.strap, rssi: -70)
    terminal.show(scanning.drawnTable(rows: 5, columns: columns))
    terminal.show(scanning.drawnTable(rows: 24, columns: columns))
    var other = Terminal(rows: 24, columns: columns)
    other.show(scanning.drawnTable(rows: 24, columns: columns))
    expect(terminal.text, other.text)
  }

  @Test func aNarrowTerminalHasTheNumberAlone() throws {
    let scanning = try Scanning(isForPeople: true)
    scanning.receive("C4:5D:83:00:00:01", bytes("0c 09") + Array("Long name x".utf8), rssi: -101)
    scanning.pass(999_000)
    var terminal = Terminal(rows: 12, columns: 40)
    terminal.show(scanning.drawnTable(rows: 12, columns: 40))
    expect(
      terminal.text.prefix(2),
      [
        "ADDRESS           NAME       dBm  AGE",
        "C4:5D:83:00:00:01 Long na... -101 999 s",
      ])
  }

  @Test(arguments: 30..<90) func noLineIsLongerThanTheTerminal(_ columns: Int) throws {
    let scanning = try Scanning(isForPeople: true)
    scanning.receive(
      "C4:5D:83:00:00:01", bytes("17 09") + Array("A name of 22 letters..".utf8), rssi: -101)
    scanning.receive("C4:5D:83:00:00:02", bytes("11 07") + Array(1...16), rssi: -102)
    for seconds: Int64 in [0, 999, 1, 34_999, 1, 500_000] {
      scanning.pass(seconds * 1_000)
      var terminal = Terminal(rows: 24, columns: columns)
      terminal.show(scanning.drawnTable(rows: 24, columns: columns))
      expect(!terminal.isOverrun)
    }
  }
}
