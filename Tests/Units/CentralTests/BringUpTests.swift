import Bytes
import Central
import Controller
import Expecting
import HCI
import Link
import TestSupport
import VirtualAir

/// The exchange between host and controller, byte by byte, from the specification.
@Suite struct BringUpTests {
  @Test func everyStepFollowsTheAnswerOfTheOneBefore() {
    let central = Central()
    central.start()
    let transcript: [(hears: String, says: [String])] = [
      ("04 0e 04 01 03 0c 00", ["01 01 10 00"]),
      ("04 0e 0c 01 01 10 00 09 00 00 09 0f 00 00 00", ["01 02 10 00"]),
      (
        "04 0e 44 01 02 10 00" + String(repeating: " 00", count: 64),
        ["01 09 10 00"]
      ),
      ("04 0e 0a 01 09 10 00 66 55 44 33 22 11", ["01 03 20 00"]),
      ("04 0e 0c 01 03 20 00 00 00 00 00 00 00 00 00", ["01 1c 20 00"]),
      ("04 0e 0c 01 1c 20 00 ff ff ff ff ff 03 00 00", ["01 02 20 00"]),
      // The LE buffers exist, so the shared ones are not asked for.
      ("04 0e 07 01 02 20 00 1b 00 08", ["01 01 0c 08 90 e0 04 02 00 80 00 20"]),
      ("04 0e 04 01 01 0c 00", ["01 01 20 08 1f 00 00 00 00 00 00 00"]),
      // Active, 60 ms of 60 ms, public address, everybody.
      ("04 0e 04 01 01 20 00", ["01 0b 20 07 01 60 00 60 00 00 00"]),
      ("04 0e 04 01 0b 20 00", ["01 0c 20 02 01 00"]),
      ("04 0e 04 01 0c 20 00", []),
    ]
    expect(central.takeSaid(), ["01 03 0c 00"])
    for step in transcript {
      central.hears(step.hears)
      let said = central.takeSaid()
      expect(said, step.says, "after \(step.hears)")
    }
    expect(
      central.takeEvents(),
      [
        .controller(
          address: DeviceAddress(0x1122_3344_5566, .public), version: 9, manufacturer: 15),
        .scan(.fast),
      ])
  }

  @Test func centralBehaviour1_everyOpenBeginsWithTheFullInitialisation() {
    let (central, controller) = Self.started()
    let first = controller.commands
    expect(
      first,
      [
        0x0C03, 0x1001, 0x1002, 0x1009, 0x2003, 0x201C, 0x2002, 0x0C01, 0x2001, 0x200B, 0x200C,
      ])
    central.stop()
    central.start()
    expect(Array(controller.commands.dropFirst(first.count)), first)
  }

  /// Of whichever of the two numbers.
  @Test(arguments: [(0, 0), (27, 0), (0, 8)] as [(UInt16, UInt8)])
  func centralBehaviour2_anLEBufferSizeOfZeroMeansTheSharedBuffers(
    _ length: UInt16, _ count: UInt8
  ) throws {
    let controller = VirtualController()
    controller.leBuffers = (length, count)
    let (central, _) = Self.started(controller)
    let facts = try #require(central.controllerFacts)
    expect((facts.aclPacketLength, facts.aclPacketCount) == (1_021, 8))
  }

  @Test func whatTheControllerCanDoIsKnownAfterwards() throws {
    let controller = VirtualController()
    controller.leBuffers = (251, 12)
    controller.features = 0x0121  // LE Encryption, Data Packet Length Extension, LE 2M PHY
    let facts = try #require(Self.started(controller).0.controllerFacts)
    expect((facts.aclPacketLength, facts.aclPacketCount) == (251, 12))
    expect(facts.features.encryption && facts.features.dataPacketLengthExtension)
    expect(facts.features.le2MPHY && !facts.features.connectionParametersRequest)
    controller.features = 0x0002
    let poor = try #require(Self.started(controller).0.controllerFacts).features
    expect(!poor.encryption && poor.connectionParametersRequest)
  }

  @Test func centralBehaviour3_numberOfCompletedPacketsStaysUnmasked() {
    let (central, _) = Self.started()
    let mask = central.takeSaid().first { $0.hasPrefix("01 01 0c 08") }
    let octets = bytes(mask ?? "")
    // Bit 18 of the mask: octet 2, bit 2.
    expect(octets.count == 12 && octets[4 + 2] & 0x04 != 0)
  }

  @Test(arguments: [UInt16(0x0C03), 0x1009, 0x2002, 0x0C01, 0x2001, 0x200B, 0x200C])
  func centralBehaviour4_aCommandWithoutAnAnswerIsAnErrorAndEverythingStartsOver(
    _ opcode: UInt16
  ) {
    let controller = VirtualController()
    controller.withheld = [opcode]
    let (central, _) = Self.started(controller)
    central.pass(1_999)
    expect(!central.takeEvents().contains { if case .failed = $0 { true } else { false } })
    central.pass(1)
    expect(central.takeEvents(), [.failed(.commandTimeout(Opcode(rawValue: opcode)))])
    controller.withheld = []
    central.pass(1_000)
    expect(central.takeEvents().last, .scan(.fast))
  }

  @Test func centralBehaviour4_aCommandWaitsForCredits() {
    let central = Central()
    central.start()
    _ = central.takeSaid()
    central.hears("04 0e 04 00 03 0c 00")  // done, but no credit for another
    expect(central.takeSaid(), [])
    central.hears("04 0e 03 01 00 00")  // the credit comes by itself
    expect(central.takeSaid(), ["01 01 10 00"])
  }

  @Test func centralBehaviour4_aControllerThatGrantsNoCreditsStartsEverythingOver() {
    let central = Central()
    central.start()
    central.hears("04 0e 04 00 03 0c 00")
    central.pass(2_000)
    expect(central.takeEvents(), [.failed(.commandTimeout(Opcode(rawValue: 0x1001)))])
    _ = central.takeSaid()
    central.pass(1_000)
    expect(central.takeSaid(), ["01 03 0c 00"])
  }

  @Test func aQuarterOfASecondAfterATimeOutTheControllerIsReset() {
    let central = Central()
    central.start()
    central.pass(2_000)
    _ = central.takeSaid()
    central.pass(249)
    expect(central.takeSaid(), [])
    central.pass(1)
    expect(central.takeSaid(), ["01 03 0c 00"])
  }

  @Test(arguments: [UInt16(0x1001), 0x1002, 0x2003])
  func centralBehaviour5_anOptionalCommandMayBeUnknown(_ opcode: UInt16) {
    let controller = VirtualController()
    controller.refused[opcode] = 0x01
    let (central, _) = Self.started(controller)
    expect(central.takeEvents().last, .scan(.fast))
  }

  @Test func centralBehaviour5_optionalCommandsAreSentWhereTheyAreSupported() {
    let controller = VirtualController()
    controller.supportedCommands[24] = 1 << 6  // Write LE Host Support
    _ = Self.started(controller)
    #expect(controller.commands.contains(0x0C6D))
  }

  /// Connection Parameters Request Procedure with no answer, a yes alone, and a no, too; then Data Length
  /// Change and PHY Update Complete.
  @Test(
    arguments: [
      (1 << 1, 0, "01 01 20 08 1f 00 00 00 00 00 00 00"),
      (1 << 1, 1 << 4, "01 01 20 08 1f 00 00 00 00 00 00 00"),
      (1 << 1, 1 << 4 | 1 << 5, "01 01 20 08 3f 00 00 00 00 00 00 00"),
      (1 << 5, 0, "01 01 20 08 5f 00 00 00 00 00 00 00"),
      (1 << 8, 0, "01 01 20 08 1f 08 00 00 00 00 00 00"),
    ] as [(UInt64, UInt8, String)])
  func centralBehaviour17_whatAPeerAsksForIsHeardWhereItIsKnownAndCanBeAnswered(
    _ features: UInt64, _ replies: UInt8, _ mask: String
  ) {
    let controller = VirtualController()
    controller.features = features
    controller.supportedCommands[33] = replies
    let (central, _) = Self.started(controller)
    let said = central.takeSaid()
    #expect(said.contains(mask))
  }

  @Test(arguments: [UInt16(0x1009), 0x0C01, 0x2001, 0x200B, 0x200C])
  func anIndispensableCommandThatIsRefusedIsTriedAgain(_ opcode: UInt16) {
    let controller = VirtualController()
    controller.refused[opcode] = 0x0C
    let (central, _) = Self.started(controller)
    let failure = HostFailure.commandFailed(Opcode(rawValue: opcode), ErrorCode(rawValue: 0x0C))
    #expect(central.takeEvents().contains(.failed(failure)))
    controller.refused = [:]
    central.pass(1_000)
    expect(central.takeEvents().last, .scan(.fast))
  }

  static func started(
    _ controller: VirtualController = VirtualController(), pairing: PairingPolicy = .off
  ) -> (Central, VirtualController) {
    let central = Central(pairing: pairing)
    controller.attach(to: central)
    central.start()
    return (central, controller)
  }
}
