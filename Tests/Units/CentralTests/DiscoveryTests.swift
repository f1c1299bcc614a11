import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// The search for the characteristic, answer by answer, as the specification lets a phone answer.
///
/// Core Specification, Vol 3, Part G, 4.4.2, 4.6.2 and 4.7.1.
struct DiscoveryTests {
  /// What the host asks of a phone that answers as the test says.
  private struct Transcript: ~Copyable {
    let controller = VirtualController()
    let central: Central

    init() {
      controller.leBuffers = (251, 8)
      // The phone itself says nothing; each answer is the test's.
      (central, _) = LinkTests.connected(controller) { $0.withheld = Set(0...0xFF) }
      _ = central.takeSaid()
      receive("03 b9 00")
    }

    /// The attribute PDUs that the host has sent since.
    func said() -> [String] { central.takeAttributes() }

    func receive(_ answer: String) { controller.send(channel: 0x04, bytes(answer), central) }
  }

  private static let service = "6c 43 b3 1d 17 0f b2 a2 a8 4f 2f d9 28 e1 c1 71"
  private static let characteristic = "26 30 48 57 0a 27 35 b2 6e 4f cb 9b 05 d6 3d 50"
  private static let other = "00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff"

  @Test func centralBehaviour25_theServiceIsFoundByItsUUIDAndMayBeTheLastOfAll() {
    let phone = Transcript()
    expect(phone.said(), ["06 01 00 ff ff 00 28 " + Self.service])
    // Two services with this UUID; the first one counts, and it ends at the last handle there is.
    phone.receive("07 40 00 ff ff 50 00 5f 00")
    expect(phone.said(), ["08 40 00 ff ff 03 28"])
    phone.receive("09 15 41 00 12 42 00 " + Self.characteristic)
    expect(phone.said(), ["04 43 00 ff ff"])
    phone.receive("05 01 43 00 02 29")
    expect(phone.said(), ["12 43 00 01 00"])
  }

  @Test func centralBehaviour25_anAnswerOfSeveralEntriesIsReadToItsEnd() {
    let phone = Transcript()
    phone.receive("07 20 00 3f 00")
    _ = phone.said()
    // Two characteristics with short UUIDs, then two with long ones.
    phone.receive("09 07 21 00 02 22 00 19 2a 23 00 10 24 00 1a 2a")
    expect(phone.said(), ["08 24 00 3f 00 03 28"])
    phone.receive("09 15 25 00 12 26 00 " + Self.other + " 27 00 12 28 00 " + Self.characteristic)
    expect(phone.said(), ["04 29 00 3f 00"])
    // Descriptors in several answers; the long UUIDs come in answers of their own.
    phone.receive("05 01 29 00 01 29 2a 00 04 29")
    expect(phone.said(), ["04 2b 00 3f 00"])
    phone.receive("05 02 2b 00 " + Self.other)
    expect(phone.said(), ["04 2c 00 3f 00"])
    phone.receive("05 01 2c 00 08 29 2d 00 02 29")
    expect(phone.said(), ["12 2d 00 01 00"])
    phone.receive("13")
    #expect(phone.central.takeEvents().contains(.ready(isSubscribed: true)))
  }

  /// That of the next characteristic is not ours, and behind the last handle there is none.
  @Test(
    arguments: [
      [
        "07 20 00 3f 00", "09 15 21 00 12 22 00 " + characteristic, "05 01 23 00 03 28 25 00 02 29",
      ],
      ["07 fe ff ff ff", "09 15 fe ff 12 ff ff " + characteristic],
    ])
  func centralBehaviour25_aCharacteristicWithoutItsOwnDescriptorIsFound(_ answers: [String]) {
    let phone = Transcript()
    for answer in answers { phone.receive(answer) }
    #expect(phone.central.takeEvents().contains(.ready(isSubscribed: false)))
    expect(!phone.said().contains { $0.hasPrefix("12") })
  }

  /// Answers that would lead a search in circles, or out of the service.
  @Test(
    arguments: [
      ("a service that ends before it begins", ["07 30 00 20 00"]),
      ("a service at handle 0", ["07 00 00 20 00"]),
      ("a declaration before the range", ["07 20 00 3f 00", "09 07 1f 00 02 20 00 19 2a"]),
      ("a declaration behind the range", ["07 20 00 3f 00", "09 07 40 00 02 41 00 19 2a"]),
      ("a declaration of one byte", ["07 20 00 3f 00", "09 03 21 00 02"]),
      (
        "a declaration that is its own value",
        ["07 20 00 3f 00", "09 15 21 00 12 21 00 " + characteristic]
      ),
      (
        "a value behind the range", ["07 20 00 3f 00", "09 15 21 00 12 40 00 " + characteristic]
      ),
    ] as [(String, [String])])
  func centralBehaviour25_aSearchEndsAt(_ nonsense: String, _ answers: [String]) {
    let phone = Transcript()
    for answer in answers { phone.receive(answer) }
    expect(!phone.controller.isConnected, "at once, and the phone is left for others")
    let address = DeviceAddress(0xC605_0403_0201, .random)
    #expect(phone.central.takeEvents().contains(.serviceMissing(address, .service)))
  }

  @Test(arguments: ["09 00 21 00", "09 07 21 00 02 22", "07", "05 03 21 00"])
  func centralBehaviour25_aMalformedAnswerIsDroppedAndAWholeOneStillCounts(_ answer: String) {
    let phone = Transcript()
    phone.receive("07 20 00 3f 00")
    let count = phone.central.droppedCount
    phone.receive(answer)
    expect(phone.central.droppedCount, count + 1)
    _ = phone.said()
    phone.receive("09 15 21 00 12 22 00 " + Self.characteristic)
    expect(phone.said(), ["04 23 00 3f 00"])
  }
}

/// Phones whose services come and go.
struct ServiceChangeTests {
  private let controller = VirtualController()

  @Test func centralBehaviour28_afterServiceChangedAllIsDiscoveredAndSubscribedAnew() {
    let (central, phone) = LinkTests.connected(controller) {
      $0.hasServiceChanged = true
      $0.value = VirtualPhone.turn
    }
    expect(phone.isServiceChangedSubscribed && phone.isSubscribed, "in a pause")
    _ = central.takeEvents()
    let count = phone.requests.count
    phone.linkWasLost()  // forgets the subscriptions, the link stays
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    expect(phone.answers.last, bytes("04 1e"), "confirmed")
    expect(phone.isSubscribed && phone.isServiceChangedSubscribed)
    expect(central.takeEvents(), [.ready(isSubscribed: true), .value])
    #expect(!phone.requests[count...].contains(0x02), "the MTU is exchanged once in a link")
  }

  @Test func centralBehaviour28_aServiceThatVanishesIsWaitedForWithoutSpinning() {
    let (central, phone) = LinkTests.connected(controller) { $0.hasServiceChanged = true }
    phone.hasService = false
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    let count = phone.requests.count
    _ = central.takeEvents()
    central.pass(120_000)
    expect(controller.isConnected)
    expect(central.takeEvents(), [], "it is told once that the service is gone")
    // After 2, 4, 8, 16 and then every 30 seconds.
    expect(phone.requests.count - count, 7)
    phone.hasService = true
    _ = central.takeEvents()
    central.pass(30_000)
    expect(central.takeEvents().first, .ready(isSubscribed: true))
    central.pass(60_000)
    expect(controller.isConnected, "it is not waited for any more")
  }

  /// The service is looked for in 2 s: also where the link is relaxed in 1 s.
  @Test(arguments: [0, 9_000] as [Int64])
  func centralBehaviour28_withoutServiceChangedAnInvalidHandleTells(_ time: Int64) {
    let (central, phone) = LinkTests.connected(controller)
    central.pass(time)
    phone.value = VirtualPhone.turn
    phone.hasService = false
    central.read()
    _ = central.takeEvents()
    central.pass(1_500)
    expect(controller.isConnected)
    phone.hasService = true
    central.pass(500)
    expect(central.takeEvents(), [.ready(isSubscribed: true), .value])
    expect(central.values.last, phone.value)
  }

  @Test func aHandleThatIsInvalidAgainAndAgainDoesNotSpin() {
    let (central, phone) = LinkTests.connected()
    phone.readError = 0x01
    let count = phone.requests.count
    for _ in 0..<60 {
      central.read()
      central.pass(1_000)
    }
    // Six searches in a minute, of four requests and a read each.
    #expect(phone.requests.count - count <= 6 * 6)
  }

  @Test func anAnswerToASearchThatWasBegunAnewIsNotTakenForTheNewOne() {
    let (central, phone) = LinkTests.connected(controller) { $0.hasServiceChanged = true }
    phone.withheld = [0x04]
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    controller.send(channel: 0x04, VirtualPhone.serviceChanged, central)
    phone.withheld = []
    _ = central.takeEvents()
    controller.send(channel: 0x04, bytes("05 01 24 00 02 29"), central)
    expect(central.takeEvents().first, .ready(isSubscribed: true))
  }

  @Test func aPhoneThatHadTheServiceIsWaitedForWhenItComesBackWithoutIt() {
    let (central, phone) = LinkTests.connected(controller)
    controller.disconnect(reason: 0x08, central)
    phone.hasService = false
    _ = central.takeEvents()
    controller.advertise(central)
    central.pass(1_000)
    expect(controller.isConnected)
    expect(central.takeEvents().last, .waiting)
    phone.hasService = true
    central.pass(2_000)
    expect(central.takeEvents().first, .ready(isSubscribed: true))
  }

  /// Unless its phone has a wish, on each way that a phone can ask.
  @Test(arguments: [nil, true, false])
  func centralBehaviour17_theLinkIsRelaxedOnceTheRideIsUnderWay(_ isByL2CAP: Bool?) {
    let controller = VirtualController.hearingWishes()
    let (central, _) = LinkTests.connected(controller)
    switch isByL2CAP {
    case nil: break
    case true?:
      controller.send(channel: 0x05, bytes("12 01 08 00 18 00 28 00 00 00 90 01"), central)
    case false?: central.receive("04 3e 0b 06 40 00 18 00 28 00 00 00 90 01")
    }
    _ = central.takeSaid()
    central.pass(9_999)
    expect(central.takeSaid(), [])
    central.pass(1)
    // 100 to 125 ms, no latency, a timeout of 4 s.
    let relaxed = ["01 13 20 0e 40 00 50 00 64 00 00 00 90 01 00 00 00 00"]
    expect(central.takeSaid(), isByL2CAP == nil ? relaxed : [])
    central.pass(50_000)
    expect(central.takeSaid(), [])
    expect(central.deadline, nil, "and then nobody is woken")
  }
}
