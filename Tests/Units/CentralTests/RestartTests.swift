import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// From a failure, or an opening, to the end of the bring-up: what is heard and said meanwhile.
@Suite struct RestartTests {
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
  func centralBehaviour4_anAnswerThatLacksItsEndDoesNotEndTheBringUpForEver(
    _ number: Int, _ stub: Stub
  ) {
    let central = started(answering: number) { $0.hears(stub.answer(to: $1)) }
    central.pass(10_000)
    #expect(central.takeEvents().contains(.scan(.fast)))
    expect(central.controllerFacts?.aclPacketLength, 27)
  }

  /// Whichever side made it, its handle is gone with Reset: a controller would refuse to end it.
  @Test(arguments: [link, visit])
  func centralBehaviour4_aLinkThatComesUpBeforeResetIsThroughIsLeftToReset(_ made: String) {
    let controller = VirtualController()
    let central = started(answering: 1, on: controller) {
      $0.hears(made)
      controller.take($1, $0)
    }
    #expect(!controller.commands.contains(0x0406))
    expect(central.takeEvents().last, .scan(.fast))
  }

  @Test(arguments: [UInt8(0x00), 0x02])
  func centralBehaviour4_anAnswerCountsForItsOwnCommandOnly(_ status: UInt8) throws {
    let controller = VirtualController()
    controller.features = 1 << 1
    controller.supportedCommands[33] = 1 << 4 | 1 << 5
    controller.refused = [0x2021: status]
    let central = started(answering: 6, on: controller) {
      $0.hears(Self.wish)
      controller.take($1, $0)
    }
    #expect(controller.commands.contains(0x2021), "it is answered between two steps")
    expect(!central.takeEvents().contains { if case .failed = $0 { true } else { false } })
    let facts = try #require(central.controllerFacts)
    expect(facts.address, DeviceAddress(0x1122_3344_5566, .public))
    expect((facts.aclPacketLength, facts.aclPacketCount) == (27, 8))
  }

  @Test(arguments: [link, visit, wish])
  func centralBehaviour4_betweenAFailureAndResetNothingIsSaid(_ heard: String) {
    let controller = VirtualController()
    controller.supportedCommands[33] = 1 << 4 | 1 << 5
    let (central, _) = LinkTests.connected(controller) { _ in }
    central.hears("04 10 01 42")
    _ = central.takeSaid()
    central.hears(heard)
    central.pass(999)
    expect(central.takeSaid(), [])
    central.pass(1)
    expect(central.takeSaid().first, "01 03 0c 00")
  }

  /// The transport is open, and the store is still being read.
  @Test(arguments: [link, visit, wish, "04 10 01 42"])
  func centralBehaviour4_nothingIsSaidToAControllerThatIsNotYetAskedFor(_ heard: String) {
    let central = Central()
    central.hears(heard)
    central.pass(10_000)
    expect(central.takeSaid(), [])
    expect(central.takeEvents(), [])
  }

  /// A request on a link, and the command by which the scan slows down.
  @Test(arguments: [true, false])
  func centralBehaviour4_whatWasPreparedBeforeAnOpeningIsNotSaidAfterIt(_ isOnLink: Bool) {
    let central = isOnLink ? LinkTests.connected { _ in }.0 : BringUpTests.started().0
    _ = central.takeSaid()
    central.isTransportFull = true
    if isOnLink { central.read() } else { central.pass(30_500) }
    central.start()
    central.isTransportFull = false
    central.pass(0)
    expect(central.takeSaid().first, "01 03 0c 00")
  }

  /// The transport took nothing meanwhile: a command of the bring-up, and a request on a link.
  @Test(arguments: [false, true])
  func centralBehaviour4_whatWasPreparedBeforeAFailureIsNotSaidAfterIt(_ isOnLink: Bool) {
    let (central, _) = isOnLink ? LinkTests.connected { _ in } : (Central(), VirtualPhone())
    _ = central.takeSaid()
    central.isTransportFull = true
    if isOnLink { central.read() } else { central.start() }
    central.hears("04 10 01 42")
    central.isTransportFull = false
    central.pass(999)
    expect(central.takeSaid(), [])
  }
}
