import Bytes
import Expecting
import Foundation
import Places
import ScanTool
import TestSupport

/// `train`, `locate` and the beacons of a scan, second by second.
@Suite struct PlaceToolTests {
  private static let uuid = "E20A39F4-73F5-4BC4-A12F-17D1AD07A961"
  private static let group = "home=\(uuid)"

  private func training(seconds: Int = 60) throws -> Scanning {
    try Scanning(
      "train", "--group", Self.group, "--location", "garage", "--out", "x", "--seconds",
      "\(seconds)")
  }

  /// Hears beacons 1 to `count` of the group once.
  private func hear(_ scanning: Scanning, _ count: Int, rssi: Int8 = -60, of uuid: String = uuid) {
    for minor in 1...count {
      let octets = bytes(uuid.replacing("-", with: ""))
      scanning.receive(
        "C4:5D:83:00:00:01", bytes("1a ff 4c00 0215") + octets + [0, 1, 0, UInt8(minor), 0xC5],
        event: 3, rssi: rssi - Int8(minor))
    }
  }

  private func stand(_ scanning: Scanning, seconds: Int, _ count: Int, rssi: Int8 = -60) {
    for _ in 0..<seconds {
      hear(scanning, count, rssi: rssi)
      scanning.pass(1_000)
    }
  }

  private func events(_ scanning: Scanning) throws -> [[String: Any]] {
    try scanning.takeLines().map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  // MARK: - train

  @Test func aPlaceIsLearnedInItsSeconds() throws {
    let scanning = try training(seconds: 12)
    stand(scanning, seconds: 12, 3)
    expect(scanning.ending, .done)
    expect(scanning.isFileDue)
    let file = try #require(
      try JSONSerialization.jsonObject(with: Data(scanning.file.utf8)) as? [String: Any])
    expect(file["seconds"] as? Int, 12)
    expect(
      file["\(Self.uuid).Maj:1.Min:2"] as? [Int], Array(repeating: -62, count: 12))
    expect(file.count, 4)
  }

  @Test func eachSecondIsToldOf() throws {
    let scanning = try training()
    stand(scanning, seconds: 3, 4)
    let told = try events(scanning).filter { $0["event"] as? String == "training" }
    expect(told.map { $0["seconds"] as? Int }, [1, 2, 3])
    expect(told.last?["beacons"] as? Int, 4)
  }

  @Test func finalizeEndsItEarly() throws {
    let scanning = try training()
    stand(scanning, seconds: 10, 3)
    expect(scanning.types(" finalize\r\n"))
    expect(scanning.ending, .done)
    expect(scanning.isFileDue)
  }

  /// Whose controller failed hears nothing until it is up again, and a pause lasts until somebody ends it.
  @Test func noSecondCountsInWhichTheControllerDoesNotListen() throws {
    let hardwareError = bytes("04 10 01 05")
    let scanning = try training(seconds: 12)
    stand(scanning, seconds: 6, 3)
    scanning.receive(hardwareError)
    scanning.pass(1_000)
    expect(scanning.controller.isScanning)
    expect(scanning.types("pause\n"))
    scanning.receive(hardwareError)
    stand(scanning, seconds: 20, 3)
    expect(scanning.controller.isScanning)
    expect(scanning.ending, nil)
    scanning.receive(hardwareError)
    expect(scanning.types("resume\n"))
    scanning.pass(1_000)
    stand(scanning, seconds: 5, 3)
    expect(scanning.ending, nil)
    stand(scanning, seconds: 1, 3)
    expect(scanning.ending, .done)
    #expect(scanning.file.contains(#""seconds":12}"#))
  }

  @Test func abortWritesNothing() throws {
    let scanning = try training()
    stand(scanning, seconds: 20, 3)
    expect(scanning.types("abort\n"))
    expect(scanning.ending, .training(.aborted))
    _ = scanning.takeLines()
    scanning.pass(2_000)
    #expect(!scanning.takeLines().contains { $0.contains("training") })
    expect(scanning.ending?.status, 0)
    expect(!scanning.isFileDue)
  }

  @Test func whatIsNoWordIsRefusedAndNothingElseHappens() throws {
    let scanning = try training()
    expect(!scanning.types("finalise\n"))
    expect(!scanning.types(String(repeating: "x", count: 1_000) + "\n"))
    expect(scanning.types("\n  \n"))
    expect(scanning.ending, nil)
  }

  @Test func tooFewBeaconsAreNamed() throws {
    let scanning = try training(seconds: 12)
    stand(scanning, seconds: 12, 2)
    expect(scanning.ending?.status, 65)
    expect(!scanning.isFileDue)
    #expect(scanning.heard.contains("\(Self.uuid).Maj:1.Min:2: 12 readings, -62 dBm"))
  }

  // MARK: - locate

  private func locating() throws -> Scanning {
    let scanning = try Scanning("locate", "--group", Self.group)
    for (name, level) in [("garage", Int8(-50)), ("kitchen", -80)] {
      let trained = try training(seconds: 12)
      stand(trained, seconds: 12, 3, rssi: level)
      try scanning.add(name, trained.file)
    }
    return scanning
  }

  @Test func thePlaceIsToldOnceASecond() throws {
    let scanning = try locating()
    stand(scanning, seconds: 5, 3, rssi: -51)
    let told = try events(scanning)
    let names = told.map { $0["event"] as? String ?? "" }
    expect(names.first, "enterRegion")
    expect(told.first?["group"] as? String, "home")
    expect(names.filter { $0 == "ibeacons" }.count, 5)
    expect(names.filter { $0 == "currentLocation" }.count, 5)
    expect(names.filter { $0 == "enterLocation" }.count, 1)
    let entered = told.first { $0["event"] as? String == "enterLocation" }
    expect(entered?["group"] as? String, "home")
    expect(entered?["location"] as? String, "garage")
    let current = told.last { $0["event"] as? String == "currentLocation" }
    #expect((current?["margin"] as? Int ?? 0) > 256)
  }

  @Test func theBeaconsOfASecondAreTold() throws {
    let scanning = try Scanning("locate", "--group", Self.group)
    hear(scanning, 2)
    scanning.pass(1_000)
    expect(
      scanning.takeLines().last,
      #"{"t":1.000,"event":"ibeacons","beacons":[{"uuid":"\#(Self.uuid)","major":1,"#
        + #""minor":1,"rssi":-61,"power":-59},{"uuid":"\#(Self.uuid)","major":1,"minor":2,"#
        + #""rssi":-62,"power":-59}]}"#)
  }

  // MARK: - Topics

  @Test func standardOutputGetsTheTopicsThatItWants() throws {
    let scanning = try Scanning("--beacons", "topics=beacons")
    hear(scanning, 2)
    scanning.pass(1_000)
    scanning.finish()
    let names = try events(scanning).map { $0["event"] as? String }
    expect(names, ["ibeacons", "summary"])
  }

  @Test func otherReadersGetTheirs() throws {
    let scanning = try Scanning("--beacons", "topics=beacons")
    hear(scanning, 2)
    #expect(scanning.takeEvents(wanted: .advertisementData).isEmpty)
    hear(scanning, 2)
    scanning.pass(1_000)
    let told = scanning.takeEvents(wanted: .beacons)
    expect(told.count, 2)
    #expect(told.allSatisfy { $0.contains(#""event":"advertisement""#) })
  }

  // MARK: - Beacons of a scan

  @Test func onlyAScanForBeaconsTellsThemOnceASecond() throws {
    let other = try Scanning()
    hear(other, 2)
    other.pass(5_000)
    expect(other.takeLines().count, 2)
    let scanning = try Scanning("--beacons")
    hear(scanning, 2)
    scanning.pass(1_000)
    let names = try events(scanning).map { $0["event"] as? String }
    expect(names, ["advertisement", "advertisement", "ibeacons"])
    scanning.pass(60_000)
    #expect(try events(scanning).count <= 3)
  }
}
