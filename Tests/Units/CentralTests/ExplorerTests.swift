import ATT
import Bytes
import Expecting
import HCI
import TestSupport
import VirtualAir

@testable import Central
@testable import Controller
@testable import Exploring

/// What is asked and told is that of the Core Specification, Vol 3, Part G, 4.
struct ExplorerTests {
  private let inspection = Explorer.Wish.inspect(address: Expedition.address, reads: false)
  private let reading = Explorer.Wish.inspect(address: Expedition.address, reads: true)
  private let switchingOn = Explorer.Wish.write(
    255, to: UUID(0x24F3_0002_7D10_4805, 0xBFC1_7663_A01C_3BFF),
    of: UUID(0x24F3_0000_7D10_4805, 0xBFC1_7663_A01C_3BFF), address: Expedition.address)

  @Test(arguments: [true, false])
  func whoListensConnectsToNobodyAndAsksOnlyIfItMay(_ isActive: Bool) {
    let expedition = Expedition(.listen(isActive: isActive))
    expedition.advertise()
    expedition.pass(600_000)
    expect(expedition.told, ["listening"])
    expect(expedition.controller.isScanning)
    expect(expedition.controller.isScanActive, isActive)
    #expect(expedition.controller.initiations.isEmpty)
    expedition.leave()
    expect(!expedition.controller.isScanning)
    expect(expedition.isOver)
  }

  @Test func allThatADeviceHasIsTold() {
    let expedition = Expedition(inspection)
    expedition.advertise()
    expect(
      expedition.told,
      [
        "listening", "connecting", "connected",
        "service 1800 1-7", "characteristic 2A00 2 3 2", "characteristic 2A01 4 5 2",
        "service 180D 32-47", "characteristic 2A37 33 34 16", "descriptor 2902 35",
        "characteristic 2A38 36 37 2", "finished",
      ])
    expect(expedition.isOver)
    expect(!expedition.controller.isConnected)
  }

  @Test func valuesAreReadWhereTheyMayBe() {
    let device = Expedition.strap()
    device.name = "A name of more than twenty-two letters, read in parts"
    let expedition = Expedition(reading, device: device)
    expedition.advertise()
    expect(
      expedition.told.dropFirst(3),
      [
        "service 1800 1-7", "characteristic 2A00 2 3 2",
        "value 3 \(hex(Array(device.name.utf8)))",
        "characteristic 2A01 4 5 2", "value 5 40 03",
        "service 180D 32-47", "characteristic 2A37 33 34 16", "descriptor 2902 35",
        "value 35 00 00", "characteristic 2A38 36 37 2", "value 37 01", "finished",
      ])
  }

  @Test func aRefusedValueEndsNothing() {
    let device = Expedition.strap()
    device.errors[0x0A] = 0x05  // Insufficient Authentication
    let expedition = Expedition(reading, device: device)
    expedition.advertise()
    expect(expedition.told.filter { $0.hasPrefix("refused") }.count, 4)
    #expect(expedition.told.contains("refused 3 5"))
    expect(expedition.told.last, "finished")
  }

  /// Attribute Not Found is how a device says that there are no more services; any other error is a refusal.
  ///
  /// What is refused of a service is passed over.
  @Test(
    arguments: [
      (0x10, 0x01, "refused 1"), (0x10, 0x05, "refused 5"), (0x10, 0x06, "refused 6"),
      (0x10, 0x0F, "refused 15"), (0x10, 0x0A, "finished"), (0x08, 0x06, "finished"),
      (0x04, 0x06, "finished"),
    ] as [(UInt8, UInt8, String)])
  func aDeviceThatDoesNotSayWhichServicesItHasIsToldOf(opcode: UInt8, code: UInt8, end: String) {
    let device = Expedition.strap()
    device.errors[opcode] = code
    let expedition = Expedition(inspection, device: device)
    expedition.advertise()
    expect(expedition.told.last, end)
    expect(expedition.isOver)
    expect(!expedition.controller.isConnected)
  }

  @Test func aSwitchIsWrittenWhereItIsAndMayBe() {
    for (isThere, code, end) in [
      (true, nil, "finished"), (true, 0x03, "writeRefused"), (false, nil, "characteristicMissing"),
    ] as [(Bool, UInt8?, String)] {
      let device = Expedition.strap()
      if isThere { device.switched = [0] }
      device.errors[0x12] = code
      let expedition = Expedition(switchingOn, device: device)
      expedition.advertise()
      expect(expedition.told.last?.hasPrefix(end), true)
      guard end == "finished" else { continue }
      expect(expedition.told, ["listening", "connecting", "connected", "written", "finished"])
      expect(device.switched, [255])
    }
  }

  // MARK: - What does not go as it should

  /// The explorer scans all the time, as a device may advertise once in ten seconds.
  @Test func whoIsNotHeardFor5SecondsIsNotThere() {
    let expedition = Expedition(.inspect(address: Expedition.address ^ 1, reads: false))
    let timing = expedition.controller.scanTiming
    expect(timing.interval == 0x60 && timing.window == 0x60)
    expect(!expedition.controller.isScanActive)
    expedition.advertise()  // as another one
    #expect(expedition.controller.initiations.isEmpty)
    expedition.pass(4_999)
    expect(!expedition.isOver)
    expedition.pass(1)
    expect(expedition.told, ["listening", "notHeard"])
    expect(expedition.isOver)
    expect(!expedition.controller.isScanning)
  }

  /// Or, where it cannot be cancelled, 2 s later by a failure.
  @Test(
    arguments: [
      (nil, 3_000, "noLink 2"), (0x0C, 5_000, "failed(Controller.HostFailure.attemptStuck)"),
    ] as [(UInt8?, Int64, String)])
  func centralBehaviour159_anAttemptEndsAfter3Seconds(refusal: UInt8?, time: Int64, end: String) {
    let expedition = Expedition(inspection) {
      $0.connects = false
      $0.refused[0x200E] = refusal
    }
    expedition.advertise()
    expedition.pass(time - 1)
    expect(expedition.told, ["listening", "connecting"])
    expedition.pass(1)
    expect(expedition.told.last, end)
    expect(expedition.isOver)
  }

  @Test(
    arguments: [(0x10, 2_000), (0x08, 2_000), (0x04, 2_000), (0x0A, 2_000), (0x12, 4_000)]
      as [(UInt8, Int64)])
  func anAnswerIsWaitedForFor2SecondsAndThatToAWriteFor4(opcode: UInt8, time: Int64) {
    let device = Expedition.strap()
    if opcode == 0x12 { device.switched = [0] }
    device.withheld = [opcode]
    let expedition = Expedition(opcode == 0x12 ? switchingOn : reading, device: device)
    expedition.advertise()
    expedition.pass(time - 1)
    #expect(expedition.told.last != "unanswered")
    expedition.pass(1)
    expect(expedition.told.last == "unanswered" && expedition.isOver)
    expect(!expedition.controller.isConnected)
  }

  /// It refuses to listen, or does not answer.
  @Test func aControllerThatNeverComesUpEndsIt() {
    let expedition = Expedition(.listen(isActive: true)) { $0.refused[0x200C] = 0x01 }
    expect(expedition.told.count, 2)
    expect(expedition.told.last?.hasPrefix("failed"), true)
    expect(expedition.isOver)
    for opcode: UInt16 in [0x0C03, 0x200C] {
      let silent = Expedition(.listen(isActive: true)) { $0.withheld = [opcode] }
      silent.pass(1_999)
      expect(!silent.isOver)
      silent.pass(1)
      expect(silent.told.last?.hasPrefix("failed(Controller.HostFailure.commandTimeout"), true)
      expect(silent.isOver)
    }
  }

  /// The peer is a stranger: whatever it says, it ends.
  @Test(
    arguments: [
      ("11 06 01 00 00 00 00 18", "refused 4"), ("11 06 05 00 02 00 00 18", "refused 4"),
      ("11 07 01 00 07 00 00 18 00", "refused 4"), ("11 06", "unanswered"),
      ("01 10 01 00 0a", "finished"), ("09 03 01 00 00", "unanswered"), ("0b", "unanswered"),
      ("13", "unanswered"),
    ])
  func aLieEndsTheWayOrIsNoAnswer(pdu: String, end: String) {
    let device = Expedition.strap()
    device.withheld = [0x10]
    let expedition = Expedition(inspection, device: device)
    expedition.advertise()
    expedition.controller.send(channel: 0x04, bytes(pdu), from: device, expedition)
    expedition.pass(2_000)
    expect(expedition.isOver)
    expect(expedition.told.last, end)
  }
}
