import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

@testable import Controller

/// Optional commands that get no answer: a second chance, and then a ride without them.
struct SilentCommandTests {
  /// A controller that takes an optional command, and says nothing; each is sent at some time of a ride.
  private static let optional: [UInt16] = [0x0C6D, 0x1001, 0x1002, 0x2003, 0x2013, 0x2022, 0x2032]

  private func scene(withholding opcode: UInt16) -> Encounter {
    let controller = VirtualController()
    controller.supportedCommands = [UInt8](repeating: 0xFF, count: 64)
    controller.features = 0xFFFF
    controller.withheld = [opcode]
    return Encounter(.off, on: controller)
  }

  private func count(_ opcode: UInt16, _ scene: Encounter) -> Int {
    scene.controller.commands.count { $0 == opcode }
  }

  private func ride(_ scene: Encounter, seconds: Int) {
    for _ in 0..<seconds {
      scene.controller.advertise(scene.central)
      scene.central.pass(1_000)
    }
  }

  /// It has a second chance, and no third.
  @Test(arguments: optional)
  func centralBehaviour59_theRideGoesOnWithoutAnOptionalCommandThatHasNoAnswer(_ opcode: UInt16) {
    let scene = scene(withholding: opcode)
    ride(scene, seconds: 60)
    #expect(scene.central.takeEvents().failures.count <= 2)
    ride(scene, seconds: 600)
    expect(count(opcode, scene), 2)
    expect(scene.central.takeEvents().failures == [] && scene.phone.isSubscribed)
    #expect(count(0x0C03, scene) <= 3, "two beside the first")
  }

  /// The first silence was the wire's.
  @Test func centralBehaviour79_aCommandThatIsAnsweredTheSecondTimeIsOfUse() {
    let scene = scene(withholding: 0x2013)
    ride(scene, seconds: 14)
    expect(count(0x2013, scene), 1)
    scene.controller.withheld = []
    ride(scene, seconds: 60)
    expect(count(0x2013, scene), 2)
    expect(scene.controller.links.first?.parameters.interval, 100, "relaxed")
    expect(scene.central.takeEvents().failures.count, 1)
  }

  /// What a peer asks for by the link layer, and what that is answered with: a yes and a no.
  static let wishes: [(wish: String, answer: UInt16)] = [
    ("04 3e 0b 06 40 00 18 00 28 00 00 00 90 01", 0x2020),
    ("04 3e 0b 06 40 00 28 00 18 00 00 00 90 01", 0x2021),
  ]

  /// From the second silence on it refuses such requests itself, as we do not want to hear of them.
  @Test(arguments: wishes)
  func centralBehaviour79_anAnswerToAPeerIsSentTwice(_ wish: String, _ answer: UInt16) {
    let scene = scene(withholding: answer)
    func masksTheWish() -> Bool {
      let mask = scene.central.takeSaid().last { $0.hasPrefix("01 01 20 08") }
      return mask.map { bytes($0)[4] & 1 << 5 == 0 } ?? false
    }
    let failure = HostEvent.failed(.commandTimeout(Opcode(rawValue: answer)))
    for chance in 1...2 {
      _ = scene.meet()
      scene.central.receive(wish)
      scene.central.pass(2_000)
      #expect(scene.central.takeEvents().contains(failure))
      _ = scene.central.takeSaid()
      scene.central.pass(6_000)
      expect(masksTheWish(), (chance == 2))
    }
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    scene.central.receive(wish)
    scene.central.pass(60_000)
    expect(count(answer, scene), 2)
    expect(scene.controller.isConnected && count(0x0C03, scene) == 3)
  }

  // MARK: - What cannot be sent

  /// By L2CAP, to the phone and to a sensor.
  @Test func centralBehaviour79_aPeerIsRefusedWhatCannotBeSentToTheController() {
    let scene = scene(withholding: 0x2013)
    ride(scene, seconds: 60)
    expect(count(0x2013, scene) == 2 && scene.phone.isSubscribed)
    let strap = VirtualSensor(.heart, number: 1)
    scene.controller.sensors.append(strap)
    scene.central.follow(strap)
    expect(scene.central.ask { $0.sensors.isReady(.heart) })
    strap.forgetRequests()
    let wish = bytes("12 01 08 00 18 00 28 00 00 00 90 01")
    scene.controller.send(channel: 0x05, wish, scene.central)
    scene.controller.send(channel: 0x05, wish, from: strap, scene.central)
    expect(scene.phone.answers.last, bytes("05 13 01 02 00 01 00"))
    expect(strap.parameterResult, 1)
    expect(count(0x2013, scene) == 2 && scene.controller.isConnected)
  }
}

/// What is known of the commands that wait for the controller.
struct CommandQueueTests {
  private static let now = Instant(milliseconds: 0)

  private func send(_ command: Command, _ queue: inout CommandQueue) {
    queue.append(command)
    let opcode = queue.next(at: Self.now)?.opcode
    _ = queue.settle(opcode ?? .none, credits: 1)
  }

  /// The commands of before may have filled the places of the queue but for the last.
  @Test(arguments: [0, 1, 22, 23, 24])
  func eachCommandThatWaitsIsFoundWhereverTheQueueBegins(_ countBefore: Int) {
    var queue = CommandQueue()
    for _ in 0..<countBefore { send(.reset, &queue) }
    queue.append(.leSetScanEnable(false))
    queue.append(.leCreateConnectionCancel)
    let found = (
      queue.isWaiting(.leSetScanEnable), queue.isWaiting(.leCreateConnectionCancel),
      queue.isWaiting(.reset)
    )
    expect(found == (true, true, false))
  }
}
