import Bytes
import Expecting
import HCI
import TestSupport
import VirtualAir

@testable import Central
@testable import Controller
@testable import Exploring

/// What the controller and the device may say beside the answers that are waited for.
struct ExplorerLinkTests {
  private let inspection = Explorer.Wish.inspect(address: Expedition.address, reads: false)

  /// One whose device answers nothing from the link on.
  private func linked(prepare: (VirtualController) -> Void = { _ in }) -> Expedition {
    let device = Expedition.strap()
    device.withheld = [0x10]
    let expedition = Expedition(inspection, device: device, prepare: prepare)
    expedition.advertise()
    return expedition
  }

  private func count(_ opcode: UInt16, _ expedition: Expedition) -> Int {
    expedition.controller.commands.count { $0 == opcode }
  }

  // MARK: - Who is connected to

  @Test(arguments: [(0, true), (1, true), (2, false), (3, false), (4, false)] as [(UInt8, Bool)])
  func onlyWhoTakesLinksIsConnectedTo(kind: UInt8, isConnectable: Bool) {
    let expedition = Expedition(inspection)
    expedition.controller.report(expedition.device.address, [], type: kind, expedition)
    expect(expedition.controller.initiations.isEmpty, !isConnectable)
  }

  /// Among others' in one event, or in an extended one.
  @Test(arguments: [false, true]) func oneOfSeveralReportsIsEnough(_ isExtended: Bool) {
    let expedition = Expedition(inspection)
    let address = expedition.device.address
    let other: [UInt8] = [0, 1, 1, 2, 3, 4, 5, 6, 0, 0xC4]
    let legacy = [0x04, 0x3E, 32, 0x02, 3] + other + [0] + address + [0, 0xC4] + other
    let extended = [0x13, 0] + address + bytes("01 00 ff 7f c4 00 00 00 00 00 00 00 00 00 00")
    expedition.receive(isExtended ? [0x04, 0x3E, 26, 0x0D, 1] + extended : legacy)
    #expect(expedition.told.contains("connected"))
    expect(expedition.controller.initiations.count, 1)
  }

  /// Scanning ends before the attempt; and a link that a controller does not end is gone already.
  @Test(arguments: [true, false])
  func aControllerThatRefusesWhatMakesNoSenseIsNoTrouble(_ refusesToConnect: Bool) {
    let expedition = Expedition(inspection) {
      $0.refusesToConnectWhileScanning = refusesToConnect
      if !refusesToConnect { $0.refused = [0x0406: 0x02] }
    }
    expedition.advertise()
    expect(expedition.told.last == "finished" && expedition.isOver)
  }

  // MARK: - Links that come about otherwise

  /// To somebody else, or to nobody.
  @Test(
    arguments: [("01 09 00 00 00 00 C0", 0x00), (nil, 0x3E)] as [(String?, UInt8)])
  func aLinkThatIsNotTheOneIsEndedAndTold(_ peer: String?, _ status: UInt8) {
    let expedition = Expedition(inspection) { $0.connects = false }
    expedition.advertise()
    expedition.controller.connect(expedition, to: peer.map(bytes), status: status)
    expect(expedition.told.last, "noLink \(status)")
    expect(expedition.isOver && expedition.controller.links.isEmpty)
  }

  @Test func aLinkThatComesWhenItIsCancelledIsEnded() {
    let expedition = Expedition(inspection) {
      $0.connects = false
      $0.withheld = [0x200E]
    }
    expedition.advertise()
    expedition.pass(3_000)
    expedition.controller.connect(expedition)
    expect(expedition.told.last, "noLink 0")
    expect(expedition.controller.links.isEmpty, false)
    expedition.controller.commandComplete(0x200E, [0x0C], expedition)
    #expect(expedition.controller.links.isEmpty)
    expect(expedition.isOver)
  }

  /// Unless it leaves meanwhile.
  @Test(arguments: [false, true])
  func aBurstOfHardwareErrorsIsOneFailureAndOneSecondLaterItListensAgain(_ leaves: Bool) {
    let expedition = Expedition(.listen(isActive: true))
    for _ in 0..<3 { expedition.receive(bytes("04 10 01 2a")) }
    if leaves { expedition.leave() }
    expect(expedition.isOver, leaves)
    expect(expedition.told, ["listening", "failed(Controller.HostFailure.hardwareError(42))"])
    expedition.pass(999)
    expect(expedition.told.count, 2)
    expedition.pass(1)
    expect(expedition.told.count == 3 && expedition.told[2] == "listening", !leaves)
    expect(leaves || expedition.controller.isScanning)
    expect(count(0x0C03, expedition), leaves ? 1 : 2)
  }

  /// And who leaves before that stays away.
  @Test(arguments: [false, true])
  func whatIsSaidBeforeTheTransportIsOpenIsNoFailure(_ leaves: Bool) {
    var explorer = Explorer(.listen(isActive: true), boardAddress: nil)
    explorer.step(.packet(bytes("04 10 01 2a").span), at: at(0))
    expect(explorer.takeEvent(), nil)
    if leaves { explorer.step(.leave, at: at(0)) }
    explorer.step(.start, at: at(1))
    expect(array(explorer.output), leaves ? [] : bytes("01 03 0c 00"), "Reset")
    let isOver = explorer.isOver
    expect(isOver, leaves)
  }

  /// The end of a link, or an answer: of others first, and then of ours.
  @Test(arguments: [
    (["04 05 04 00 41 00 13", "04 05 04 02 40 00 13"], "04 05 04 00 40 00 13", "lost 19"),
    (
      ["02 41 20 09 00 05 00 04 00 01 10 01 00 0a"], "02 40 20 09 00 05 00 04 00 01 10 01 00 0a",
      "finished"
    ),
  ])
  func whatIsOfAnotherLinkIsNotOurs(_ others: [String], _ ours: String, _ end: String) {
    let expedition = linked()
    for packet in others { expedition.receive(bytes(packet)) }
    expect(expedition.told.last, "connected")
    expedition.receive(bytes(ours))
    expect(expedition.told.last, end)
  }

  // MARK: - Leaving

  /// Once, however often it leaves, and for two seconds at most.
  @Test func whoLeavesCancelsTheAttemptOrEndsTheLink() {
    let attempt = Expedition(inspection) { $0.connects = false }
    attempt.advertise()
    for (expedition, opcode, told) in [
      (attempt, 0x200E, "connecting"), (linked(), 0x0406, "connected"),
    ] as [(Expedition, UInt16, String)] {
      expedition.leave()
      expect(count(opcode, expedition), 1)
      expect(expedition.isOver && expedition.told.last == told)
    }
    let stuck = linked { $0.withheld = [0x0406] }
    for _ in 0..<2 { stuck.leave() }
    expect(count(0x0406, stuck), 1)
    stuck.pass(1_999)
    expect(!stuck.isOver)
    stuck.pass(1)
    expect(stuck.isOver && stuck.told.last == "connected")
  }

  /// A controller that fails again before it listens does so for ever; and of one device nothing is known any more.
  @Test func aControllerThatFailsTwiceInARowOrAtTheLookAtADeviceEndsIt() {
    let listening = Expedition(.listen(isActive: true))
    listening.receive(bytes("04 10 01 05"))
    listening.controller.refused = [0x200C: 0x0C]
    listening.pass(1_000)
    expect(listening.isOver)
    expect(listening.told.count, 4)
    let looking = linked()
    looking.receive(bytes("04 10 01 05"))
    expect(looking.told.last?.hasPrefix("failed"), true)
    expect(looking.isOver)
  }

  // MARK: - A transport that is stuck

  @Test func aPacketThatTheTransportDoesNotTakeIsDroppedAfter2Seconds() {
    let expedition = linked()
    expedition.isTransportFull = true
    expedition.controller.send(
      channel: 0x04, bytes("1d 22 00 01"), from: expedition.device, expedition)
    expedition.controller.disconnect(expedition.device, reason: 0x08, expedition)
    expect(!expedition.isOver)
    expect(expedition.timeLeft, 2_000)
    expedition.pass(2_000)
    expect(expedition.isOver)
    expect(expedition.told.last, "lost 8")
  }

  // MARK: - Parameters

  /// Vol 4, Part E, 7.7.65.6; where the controller knows the replies.
  @Test(
    arguments: [
      ("40 00 18 00 28 00 00 00 90 01", true, 0x2020),
      ("41 00 18 00 28 00 00 00 90 01", true, 0x2021),
      ("40 00 18 00 28 00 f4 01 0a 00", true, 0x2021),
      ("40 00 18 00 28 00 00 00 90 01", false, nil),
    ] as [(String, Bool, UInt16?)])
  func aWishForParametersIsAnswered(wish: String, isKnown: Bool, opcode: UInt16?) {
    let expedition = linked {
      guard isKnown else { return }
      $0.features = 0x02
      $0.supportedCommands = [UInt8](repeating: 0xFF, count: 64)
    }
    let before = expedition.controller.commands.count
    expedition.receive(bytes("04 3e 0b 06 \(wish)"))
    expect(expedition.controller.commands.dropFirst(before).last, opcode)
  }

  /// Vol 3, Part A, 4.20.
  @Test func aWishByL2CAPIsFulfilled() {
    let expedition = linked()
    expedition.controller.send(
      channel: 0x05, bytes("12 01 08 00 18 00 28 00 00 00 90 01"), from: expedition.device,
      expedition)
    expect(expedition.controller.commands.last, 0x2013)
    expect(expedition.device.parameterResult, 0)
  }

  /// Vol 3, Part H, 3.5.5: Pairing Failed, as nobody is paired with.
  @Test func aWishForSecurityIsDeclined() {
    let device = Expedition.strap()
    device.requestsSecurity = true
    let expedition = Expedition(inspection, device: device)
    expedition.advertise()
    #expect(device.answers.contains([0x06, 0x05, 0x05]))
    expect(expedition.told.last, "finished")
  }
}
