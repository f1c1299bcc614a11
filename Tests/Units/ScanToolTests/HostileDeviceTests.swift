import Bytes
import Expecting
import Foundation
import ScanTool
import TestSupport
import VirtualAir

/// `inspect` and `switch` with a device that lies, falls silent or goes: they end in their time, with a status
/// and a sentence.
@Suite struct HostileDeviceTests {
  private static let address = "C4:00:52:50:5E:01"
  private static let inspecting = ["inspect", address, "--read"]
  private static let switching = ["switch", address, "on"]

  /// A tool at a device that it hears at once.
  private func looking(
    _ arguments: [String] = inspecting, _ change: (VirtualSensor) -> Void = { _ in },
    through prepare: (VirtualController) -> Void = { _ in }
  ) throws -> Scanning {
    let device = VirtualCrownstone.make(0xC4)
    change(device)
    let scanning = try Scanning(arguments) {
      $0.sensors = [device]
      prepare($0)
    }
    scanning.controller.advertise(scanning, device)
    return scanning
  }

  /// How it ends, if it does so in so many milliseconds and has a sentence where one is due.
  private func ending(_ scanning: Scanning, within time: Int64 = 0) -> ScanEnding? {
    scanning.pass(time)
    guard scanning.isOver, let ending = scanning.ending else { return nil }
    var sentence = FixedBuffer<200>()
    ending.write(to: &sentence)
    let isWhole = !sentence.isOverflown && sentence.isEmpty == (ending.status == 0)
    return isWhole ? ending : nil
  }

  private func lines(_ scanning: Scanning, _ event: String) throws -> [[String: Any]] {
    try scanning.takeLines().map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }.filter { $0["event"] as? String == event }
  }

  @Test func aDeviceThatIsNotThereOrTakesNoLinkIsSaidSo() throws {
    expect(ending(try Scanning(Self.inspecting), within: 5_000), .notHeard)
    let busy = try looking(through: { $0.connects = false })
    expect(ending(busy, within: 5_000), .noLink)
  }

  // MARK: - Lies

  /// Those that want a link which nobody has: 0x05, 0x0C, 0x0F.
  @Test(arguments: [0x01, 0x05, 0x06, 0x0C, 0x0F, 0x80] as [UInt8])
  func aDeviceThatRefusesAllIsToldOf(code: UInt8) throws {
    expect(ending(try looking { $0.madeUp = .error(code) }), .refused(code))
    expect(ending(try looking(Self.switching) { $0.madeUp = .error(code) }), .noSwitch)
  }

  @Test func aDeviceThatHasNothingIsSeenWhole() throws {
    expect(ending(try looking { $0.madeUp = .error(0x0A) }), .done)
  }

  @Test func aDeviceThatWantsToBePairedWithIsSaidToWantThat() {
    for (code, words) in [
      (0x05, "error 0x05: it wants to be paired with"), (0x06, "error 0x06: it may be busy"),
    ] as [(UInt8, String)] {
      var sentence = FixedBuffer<200>()
      ScanEnding.refused(code).write(to: &sentence)
      #expect(string(sentence.bytes).contains(words))
    }
  }

  /// There are no more than handles: each answer leads on.
  @Test(
    arguments: [
      (.services, "service", 65_535), (.characteristics, "characteristic", 32_767),
      (.descriptors, "descriptor", 65_532),
    ] as [(MadeUpServer, String, Int)])
  func aDeviceThatSeemsToHaveNoEndHasOne(_ server: MadeUpServer, event: String, count: Int) throws {
    let scanning = try looking(["inspect", Self.address, "topics=device"]) { $0.madeUp = server }
    expect(ending(scanning), .done)
    // One request for each, and one for the characteristics of a service.
    let requests = scanning.controller.sensors[0].requests.count
    expect(requests >= count && requests <= 2 * count + 4, "\(requests)")
  }

  /// Each answer leads on and comes just in time, which could go on for a day and a half.
  @Test func aDeviceThatIsSlowIsLeftAfterTwoMinutes() throws {
    let scanning = try looking { $0.withheld = [0x10] }
    let device = scanning.controller.sensors[0]
    for handle: UInt8 in 1...63 {
      scanning.pass(1_900)
      scanning.controller.send(
        channel: 0x04, bytes("11 06") + [handle, 0, handle, 0] + bytes("00 18"), from: device,
        scanning)
      expect(try lines(scanning, "service").count, 1)
    }
    scanning.pass(299)
    expect(!scanning.isOver)
    expect(ending(scanning, within: 1), .endless)
    #expect(scanning.controller.links.isEmpty)
  }

  // MARK: - Values

  @Test(arguments: Array(0...45) + [511, 512, 513, 600]) func aValueOfAnyLengthIsReadWhole(
    count: Int
  ) throws {
    let scanning = try looking { $0.madeUp = .value(count: count, changes: false) }
    expect(ending(scanning), .done)
    let read = try lines(scanning, "value").first?["bytes"] as? [Int]
    expect(read, (0..<min(count, 512)).map { $0 & 0x7F })
  }

  /// After three attempts the last one counts, as far as it came.
  @Test(arguments: [23, 44, 512]) func aValueThatChangesWithoutEndIsGivenUp(count: Int) throws {
    let scanning = try looking { $0.madeUp = .value(count: count, changes: true) }
    expect(ending(scanning), .done)
    expect(try lines(scanning, "value").count, 1)
    #expect(scanning.controller.sensors[0].requests.count < 120)
  }

  // MARK: - The controller

  @Test func aControllerThatGivesNoBufferBackLeavesTheRequestWithoutAnAnswer() throws {
    let scanning = try looking(through: {
      $0.completesPackets = false
      $0.leBuffers = (27, 1)
    })
    expect(ending(scanning, within: 2_000), .unanswered)
  }
}
