import ATT
import Bytes
import HCI
import TestSupport
import Testing
import VirtualAir

@testable import Central
@testable import Controller
@testable import Exploring

/// What is asked and told is that of the Core Specification, Vol 3, Part G, 4.
@Suite struct ExplorerTests {
  private let inspection = Explorer.Wish.inspect(address: Expedition.address, reads: false)
  private let reading = Explorer.Wish.inspect(address: Expedition.address, reads: true)
  private let switchingOn = Explorer.Wish.write(
    255, to: UUID(0x24F3_0002_7D10_4805, 0xBFC1_7663_A01C_3BFF),
    of: UUID(0x24F3_0000_7D10_4805, 0xBFC1_7663_A01C_3BFF), address: Expedition.address)

  @Test func whoListensConnectsToNobody() {
    let expedition = Expedition(.listen(isActive: true))
    expedition.advertise()
    expedition.pass(600_000)
    #expect(expedition.told == ["listening"])
    #expect(expedition.controller.isScanning)
    #expect(expedition.controller.isScanActive)
    #expect(expedition.controller.initiations.isEmpty)
    expedition.leave()
    #expect(!expedition.controller.isScanning)
    #expect(expedition.isOver)
  }

  @Test func whoLeavesBeforeTheTransportIsOpenStaysAway() {
    var explorer = Explorer(.listen(isActive: true), boardAddress: nil)
    explorer.step(.leave, at: at(0))
    explorer.step(.start, at: at(1))
    let (isOver, isSilent) = (explorer.isOver, explorer.output.isEmpty)
    #expect(isOver)
    #expect(isSilent)
  }

  @Test func whoListensPassivelyAsksNobody() {
    let expedition = Expedition(.listen(isActive: false))
    #expect(expedition.controller.isScanning)
    #expect(!expedition.controller.isScanActive)
  }

  @Test func allThatADeviceHasIsTold() {
    let expedition = Expedition(inspection)
    expedition.advertise()
    #expect(
      expedition.told == [
        "listening", "connecting", "connected",
        "service 1800 1-7", "characteristic 2A00 2 3 2", "characteristic 2A01 4 5 2",
        "service 180D 32-47", "characteristic 2A37 33 34 16", "descriptor 2902 35",
        "characteristic 2A38 36 37 2", "finished",
      ])
    #expect(expedition.isOver)
    #expect(!expedition.controller.isConnected)
  }

  @Test func valuesAreReadWhereTheyMayBe() {
    let device = Expedition.strap()
    device.name = "A name of more than twenty-two letters, read in parts"
    let expedition = Expedition(reading, device: device)
    expedition.advertise()
    #expect(
      expedition.told.dropFirst(3) == [
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
    #expect(expedition.told.filter { $0.hasPrefix("refused") }.count == 4)
    #expect(expedition.told.contains("refused 3 5"))
    #expect(expedition.told.last == "finished")
  }

  @Test func whatIsRefusedOfAServiceIsPassedOver() {
    for opcode: UInt8 in [0x08, 0x04] {
      let device = Expedition.strap()
      device.errors[opcode] = 0x06
      let expedition = Expedition(inspection, device: device)
      expedition.advertise()
      #expect(expedition.told.last == "finished", "\(opcode)")
      #expect(expedition.isOver)
    }
  }

  /// Attribute Not Found is how a device says that there are no more services; any other error is a refusal.
  @Test(arguments: [0x01, 0x05, 0x06, 0x0F, 0x0A] as [UInt8])
  func aDeviceThatDoesNotSayWhichServicesItHasIsToldOf(code: UInt8) {
    let device = Expedition.strap()
    device.errors[0x10] = code
    let expedition = Expedition(inspection, device: device)
    expedition.advertise()
    #expect(expedition.told.last == (code == 0x0A ? "finished" : "refused \(code)"))
    #expect(expedition.isOver)
    #expect(!expedition.controller.isConnected)
  }

  @Test func aSwitchIsWritten() {
    let device = Expedition.strap()
    device.switched = [0]
    let expedition = Expedition(switchingOn, device: device)
    expedition.advertise()
    #expect(expedition.told == ["listening", "connecting", "connected", "written", "finished"])
    #expect(device.switched == [255])
  }

  @Test func aDeviceWithoutTheSwitchIsLeft() {
    let expedition = Expedition(switchingOn)
    expedition.advertise()
    #expect(expedition.told.last == "characteristicMissing")
    #expect(expedition.isOver)
  }

  @Test func aRefusedWriteIsTold() {
    let device = Expedition.strap()
    device.switched = [0]
    device.errors[0x12] = 0x03
    let expedition = Expedition(switchingOn, device: device)
    expedition.advertise()
    #expect(expedition.told.last?.hasPrefix("writeRefused") == true)
  }

  // MARK: - What does not go as it should

  @Test func whoIsNotHeardFor5SecondsIsNotThere() {
    let expedition = Expedition(inspection)
    expedition.pass(4_999)
    #expect(!expedition.isOver)
    expedition.pass(1)
    #expect(expedition.told == ["listening", "notHeard"])
    #expect(expedition.isOver)
    #expect(!expedition.controller.isScanning)
  }

  @Test func anotherDeviceIsNotConnectedTo() {
    let expedition = Expedition(.inspect(address: Expedition.address ^ 1, reads: false))
    expedition.advertise()
    #expect(expedition.controller.initiations.isEmpty)
  }

  @Test func anAttemptEndsAfter3Seconds() {
    let expedition = Expedition(inspection) { $0.connects = false }
    expedition.advertise()
    expedition.pass(2_999)
    #expect(expedition.told == ["listening", "connecting"])
    expedition.pass(1)
    #expect(expedition.told.last == "noLink 2")
    #expect(expedition.isOver)
  }

  @Test(arguments: [UInt8(0x10), 0x08, 0x04, 0x0A])
  func anAnswerIsWaitedForFor2Seconds(opcode: UInt8) {
    let device = Expedition.strap()
    device.withheld = [opcode]
    let expedition = Expedition(reading, device: device)
    expedition.advertise()
    expedition.pass(1_999)
    #expect(expedition.told.last != "unanswered")
    expedition.pass(1)
    #expect(expedition.told.last == "unanswered")
    #expect(expedition.isOver)
    #expect(!expedition.controller.isConnected)
  }

  @Test func aWriteIsWaitedForFor4Seconds() {
    let device = Expedition.strap()
    device.switched = [0]
    device.withheld = [0x12]
    let expedition = Expedition(switchingOn, device: device)
    expedition.advertise()
    expedition.pass(3_999)
    #expect(expedition.told.last == "connected")
    expedition.pass(1)
    #expect(expedition.told.last == "unanswered")
  }

  @Test func aLostLinkIsTold() {
    let device = Expedition.strap()
    device.withheld = [0x08]
    let expedition = Expedition(inspection, device: device)
    expedition.advertise()
    expedition.controller.disconnect(device, reason: 0x08, expedition)
    #expect(expedition.told.last == "lost 8")
    #expect(expedition.isOver)
  }

  @Test func aControllerThatNeverComesUpEndsIt() {
    let expedition = Expedition(.listen(isActive: true)) { $0.refused[0x200C] = 0x01 }
    #expect(expedition.told.count == 2)
    #expect(expedition.told.last?.hasPrefix("failed") == true)
    #expect(expedition.isOver)
    let silent = Expedition(.listen(isActive: true)) { $0.withheld = [0x0C03] }
    silent.pass(1_999)
    #expect(silent.told.isEmpty)
    silent.pass(1)
    #expect(silent.told.count == 1)
    #expect(silent.isOver)
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
    #expect(expedition.isOver)
    #expect(expedition.told.last == end)
  }
}
