import Bytes
import TestSupport
import Testing

@testable import PhoneServices

/// What the device says to Gadgetbridge.
@Suite struct AnswerQueueTests {
  private typealias Answer = Gadgetbridge.Answer

  private static let version = Answer.version(
    firmware: ShortBytes { $0.append("Lenker") }, board: ShortBytes { $0.append("Pi") })

  /// All pieces of what waits.
  private func pieces(_ queue: inout Gadgetbridge.AnswerQueue) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    while !queue.isEmpty {
      pieces.append(array(queue.piece))
      queue.pieceWasSent()
    }
    return pieces
  }

  /// Vector V36.
  @Test func theVersionIsTwoNotifications() {
    var queue = Gadgetbridge.AnswerQueue()
    queue.append(Self.version)
    #expect(
      pieces(&queue) == [
        bytes("7B 22 74 22 3A 22 76 65 72 22 2C 22 66 77 22 3A 22 4C 65 6E"),
        bytes("6B 65 72 22 2C 22 68 77 22 3A 22 50 69 22 7D 0D 0A"),
      ])
  }

  @Test(arguments: [
    (Answer.battery(percent: 87, isCharging: true), #"{"t":"status","bat":87,"chg":1}"#),
    (.battery(percent: nil, isCharging: false), #"{"t":"status","chg":0}"#),
    (.music(.play), #"{"t":"music","n":"play"}"#), (.music(.pause), #"{"t":"music","n":"pause"}"#),
    (.music(.next), #"{"t":"music","n":"next"}"#),
    (.music(.previous), #"{"t":"music","n":"previous"}"#),
    (.music(.volumeUp), #"{"t":"music","n":"volumeup"}"#),
    (.music(.volumeDown), #"{"t":"music","n":"volumedown"}"#),
    (.call(.accept), #"{"t":"call","n":"ACCEPT"}"#),
    (.call(.refuse), #"{"t":"call","n":"REJECT"}"#),
    (.dismiss(-1_592_721_712), #"{"t":"notify","n":"DISMISS","id":-1592721712}"#),
    (.noPosition, #"{"t":"gps_power","status":false}"#),
  ])
  func anAnswerIsALineOfJSON(_ answer: Gadgetbridge.Answer, _ line: String) {
    var queue = Gadgetbridge.AnswerQueue()
    queue.append(answer)
    #expect(pieces(&queue).flatMap { $0 } == Array((line + "\r\n").utf8))
  }

  @Test func peripheralBehaviour44_noNotificationIsLongerThan20Bytes() {
    var queue = Gadgetbridge.AnswerQueue()
    let long = ShortBytes<20> { $0.append("\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"") }
    queue.append(.version(firmware: long, board: long))
    queue.append(.noPosition)
    queue.append(.dismiss(.min))
    let sent = pieces(&queue)
    #expect(sent.allSatisfy { (1...20).contains($0.count) })
    #expect(sent.flatMap { $0 }.count { $0 == 0x0A } == 3)
  }

  /// A byte 0x13 would stop the app's queue.
  @Test func anAnswerHasNoControlsInside() {
    var queue = Gadgetbridge.AnswerQueue()
    let strange = ShortBytes<20> { for byte in UInt8(0x0C)...0x1F { $0.append(byte) } }
    queue.append(.version(firmware: strange, board: strange))
    let sent = pieces(&queue).flatMap { $0 }
    #expect(sent.dropLast(2).allSatisfy { $0 >= 0x20 } && sent.suffix(2) == [0x0D, 0x0A])
  }

  @Test func anAnswerThatFindsNoRoomIsLostAndCounted() {
    var queue = Gadgetbridge.AnswerQueue()
    for _ in 0..<20 { queue.append(.music(.next)) }
    let lost = queue.lostCount
    #expect(lost == 12)
    let sent = pieces(&queue).flatMap { $0 }
    let line = Array("{\"t\":\"music\",\"n\":\"next\"}\r\n".utf8)
    #expect(sent == (0..<8).flatMap { _ in line })
  }

  @Test func answersEndWithTheLink() {
    var queue = Gadgetbridge.AnswerQueue()
    queue.append(.music(.next))
    queue.pieceWasSent()
    queue.linkWasLost()
    let isEmpty = queue.isEmpty
    #expect(isEmpty)
    queue.append(.noPosition)
    #expect(pieces(&queue).first?.first == 0x7B)
  }
}
