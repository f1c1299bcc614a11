import Bytes
import Central
import Controller
import Expecting
import HCI
import Link
import TestSupport
import VirtualAir

/// The exchange between host and controller, byte by byte, from the specification.
struct BringUpTests {
  @Test func centralBehaviour10_everyStepFollowsTheAnswerOfTheOneBeforeAndDuplicatesAreReported() {
    let central = Central()
    central.start()
    let transcript: [(hears: String, says: [String])] = [
      ("04 0e 04 01 03 0c 00", ["01 01 10 00"]),
      ("04 0e 0c 01 01 10 00 09 00 00 09 0f 00 00 00", ["01 02 10 00"]),
      ("04 0e 44 01 02 10 00" + String(repeating: " 00", count: 64), ["01 09 10 00"]),
      ("04 0e 0a 01 09 10 00 66 55 44 33 22 11", ["01 03 20 00"]),
      ("04 0e 0c 01 03 20 00 00 00 00 00 00 00 00 00", ["01 1c 20 00"]),
      ("04 0e 0c 01 1c 20 00 ff ff ff ff ff 03 00 00", ["01 02 20 00"]),
      // The LE buffers exist, so the shared ones are not asked for; of the mask Number Of Completed Packets, bit 18, is set.
      ("04 0e 07 01 02 20 00 1b 00 08", ["01 01 0c 08 90 e0 04 02 00 80 00 20"]),
      ("04 0e 04 01 01 0c 00", ["01 01 20 08 1f 00 00 00 00 00 00 00"]),
      // Active, 60 ms of 60 ms, public address, everybody.
      ("04 0e 04 01 01 20 00", ["01 0b 20 07 01 60 00 60 00 00 00"]),
      // On, Filter_Duplicates off.
      ("04 0e 04 01 0b 20 00", ["01 0c 20 02 01 00"]), ("04 0e 04 01 0c 20 00", []),
    ]
    expect(central.takeSaid(), ["01 03 0c 00"])
    for step in transcript {
      central.receive(step.hears)
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
      [0x0C03, 0x1001, 0x1002, 0x1009, 0x2003, 0x201C, 0x2002, 0x0C01, 0x2001, 0x200B, 0x200C])
    central.stop()
    central.start()
    expect(Array(controller.commands.dropFirst(first.count)), first)
  }

  /// Of whichever of the two numbers.
  @Test(arguments: [(0, 0), (27, 0), (0, 8)] as [(UInt16, UInt8)])
  func centralBehaviour2_noLEBuffersMeanTheSharedOnes(_ length: UInt16, _ count: UInt8) throws {
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

  @Test(arguments: [UInt16(0x0C03), 0x1009, 0x2002, 0x0C01, 0x2001, 0x200B, 0x200C])
  func centralBehaviour4_withoutAnAnswerEverythingStartsOverAQuarterSecondLater(_ opcode: UInt16) {
    let controller = VirtualController()
    controller.withheld = [opcode]
    let (central, _) = Self.started(controller)
    central.pass(1_999)
    expect(central.takeEvents().failures, [])
    central.pass(1)
    expect(central.takeEvents(), [.failed(.commandTimeout(Opcode(rawValue: opcode)))])
    controller.withheld = []
    _ = central.takeSaid()
    central.pass(249)
    expect(central.takeSaid(), [])
    central.pass(1)
    expect(central.takeSaid().first, "01 03 0c 00")
    expect(central.takeEvents().last, .scan(.fast))
  }

  @Test(arguments: [true, false])
  func centralBehaviour4_aCommandWaitsForCreditsAndWithoutAnyEverythingStartsOver(_ comes: Bool) {
    let central = Central()
    central.start()
    _ = central.takeSaid()
    central.receive("04 0e 04 00 03 0c 00")  // done, but no credit for another
    expect(central.takeSaid(), [])
    if comes {
      central.receive("04 0e 03 01 00 00")  // the credit comes by itself
      expect(central.takeSaid(), ["01 01 10 00"])
    } else {
      central.pass(2_000)
      expect(central.takeEvents(), [.failed(.commandTimeout(Opcode(rawValue: 0x1001)))])
      central.pass(1_000)
      expect(central.takeSaid().last, "01 03 0c 00")
    }
  }

  /// One is sent only where it is supported: Write LE Host Support.
  @Test(arguments: [UInt16(0x1001), 0x1002, 0x2003, 0x0C6D])
  func centralBehaviour5_anOptionalCommandMayBeUnknown(_ opcode: UInt16) {
    let controller = VirtualController()
    controller.supportedCommands[24] = 1 << 6
    controller.refused[opcode] = 0x01
    let (central, _) = Self.started(controller)
    #expect(controller.commands.contains(opcode))
    expect(central.takeEvents().last, .scan(.fast))
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

/// From a failure, or an opening, to the end of the bring-up: what is heard and said meanwhile.
struct RestartTests {
  /// A link to the phone, as LE Connection Complete tells it.
  private static let link = "04 3e 13 01 00 40 00 00 01 01 02 03 04 05 c6 18 00 00 00 90 01 00"
  /// The same from a phone that has made it.
  private static let visit = "04 3e 13 01 00 40 00 01 01 01 02 03 04 05 c6 18 00 00 00 90 01 00"
  /// A wish of a peer's link layer for other parameters, which are answered by a command.
  private static let wish = "04 3e 0b 06 40 00 18 00 28 00 00 00 90 01"

  /// A controller whose answer to the command of this number is the test's, in the bring-up only.
  private func started(
    answering number: Int, on controller: VirtualController = VirtualController(),
    _ answer: @escaping (Central, [UInt8]) -> Void
  ) -> Central {
    let central = Central()
    var count = 0
    central.controller = { central, packet in
      count += 1
      if count == number { answer(central, packet) } else { controller.take(packet, central) }
    }
    central.start()
    return central
  }

  /// What ends the wait for a step's Command Complete and does not give what it gives.
  enum Stub: CaseIterable {
    case completeWithoutStatus
    case statusOfSuccess

    func answer(to command: [UInt8]) -> [UInt8] {
      switch self {
      case .completeWithoutStatus: [0x04, 0x0E, 3, 1] + command[1...2]
      case .statusOfSuccess: [0x04, 0x0F, 4, 0, 1] + command[1...2]
      }
    }
  }

  /// Ten commands: eight of the bring-up, and two of the scan.
  @Test(arguments: 1...10, Stub.allCases)
  func centralBehaviour4_anAnswerWithoutItsEndEndsNoBringUpForEver(_ number: Int, _ stub: Stub) {
    let central = started(answering: number) { $0.receive(stub.answer(to: $1)) }
    central.pass(10_000)
    #expect(central.takeEvents().contains(.scan(.fast)))
    expect(central.controllerFacts?.aclPacketLength, 27)
  }

  /// Whichever side made it, its handle is gone with Reset: a controller would refuse to end it.
  @Test(arguments: [link, visit])
  func centralBehaviour4_aLinkThatComesUpBeforeResetIsThroughIsLeftToReset(_ made: String) {
    let controller = VirtualController()
    let central = started(answering: 1, on: controller) {
      $0.receive(made)
      controller.take($1, $0)
    }
    #expect(!controller.commands.contains(0x0406))
    expect(central.takeEvents().last, .scan(.fast))
  }

  @Test(arguments: [UInt8(0x00), 0x02])
  func centralBehaviour4_anAnswerCountsForItsOwnCommandOnly(_ status: UInt8) throws {
    let controller = VirtualController.hearingWishes()
    controller.refused = [0x2021: status]
    let central = started(answering: 6, on: controller) {
      $0.receive(Self.wish)
      controller.take($1, $0)
    }
    #expect(controller.commands.contains(0x2021), "it is answered between two steps")
    expect(central.takeEvents().failures, [])
    let facts = try #require(central.controllerFacts)
    expect(facts.address, DeviceAddress(0x1122_3344_5566, .public))
    expect((facts.aclPacketLength, facts.aclPacketCount) == (27, 8))
  }

  /// Between a failure and Reset, or while the transport is open and the store is still being read.
  @Test(arguments: [link, visit, wish, "04 10 01 42"], [false, true])
  func centralBehaviour4_beforeResetNothingIsSaid(_ heard: String, _ hasFailed: Bool) {
    let controller = VirtualController.hearingWishes()
    let central = hasFailed ? LinkTests.connected(controller).0 : Central()
    if hasFailed { central.receive("04 10 01 42") }
    _ = (central.takeSaid(), central.takeEvents())
    central.receive(heard)
    central.pass(999)
    expect(central.takeSaid() == [] && central.takeEvents() == [])
    central.pass(9_001)
    expect(central.takeSaid().first, hasFailed ? "01 03 0c 00" : nil)
    expect(hasFailed || central.takeEvents() == [])
  }

  /// The transport took nothing meanwhile: a request on a link, and a command by which the scan slows down, or of the
  /// bring-up.
  @Test(arguments: [true, false], [true, false])
  func centralBehaviour4_whatWasPreparedBeforeIsNotSaidAfterIt(_ isOnLink: Bool, _ isOpened: Bool) {
    let central = isOnLink ? LinkTests.connected().0 : BringUpTests.started().0
    _ = central.takeSaid()
    central.isTransportFull = true
    switch (isOnLink, isOpened) {
    case (true, _): central.read()
    case (false, true): central.pass(30_500)
    case (false, false): central.start()
    }
    if isOpened { central.start() } else { central.receive("04 10 01 42") }
    central.isTransportFull = false
    central.pass(isOpened ? 0 : 999)
    expect(central.takeSaid().first, isOpened ? "01 03 0c 00" : nil)
  }
}
