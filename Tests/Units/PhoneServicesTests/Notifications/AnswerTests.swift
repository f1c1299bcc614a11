import Bytes
import Expecting
import TestSupport

@testable import PhoneServices

/// Values of the Apple Notification Center Service, and answers however they are cut.
struct AnswerTests {
  private func event(_ text: String) -> SourceEvent? {
    let value = bytes(text)
    return try? SourceEvent(parsing: value.span)
  }

  @Test func aValueOfTheSourceSaysWhatCameOrWent() throws {
    let mail = try #require(event("00 18 06 02 01 02 03 04"))
    expect(mail.kind == .added && mail.uid == 0x0403_0201)
    expect(mail.canBeAccepted && mail.canBeRefused)
    expect(!mail.isCall && !mail.isSilent && !mail.isOlderThanLink)
    let post = try #require(event("00 10 04 09 37 00 00 00"))
    expect(post.uid == 0x37 && !post.canBeAccepted && post.canBeRefused)
    let call = try #require(event("02 05 01 01 FF FF FF FF"))
    expect(call.kind == .removed && call.isCall && call.isSilent && call.isOlderThanLink)
    expect(event("03 18 06 02 01 02 03 04"), nil)
    for count in 0..<8 {
      let prefix = Array(bytes("00 18 06 02 01 02 03 04")[..<count])
      let event = try? SourceEvent(parsing: prefix.span)
      expect(event, nil)
    }
  }

  // MARK: - Answers

  private static let title = bytes("01 03 00 6E 52 46")
  private static let message = bytes("03 02 00 35 32")
  private static let app = bytes("00 03 00 63 6F 6D")
  private static let header = bytes("00 01 02 03 04")

  /// What an answer that comes in these notifications says; `nil` while it is not complete.
  private static func said(
    _ parts: [[UInt8]], hasMessage: Bool = true, hasApp: Bool = false
  ) -> (title: String, message: String, app: String)? {
    var reader = AnswerReader(uid: 0x0403_0201, hasMessage: hasMessage, hasApp: hasApp)
    var (title, message, app): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    for part in parts {
      reader.beginNotification()
      for byte in part {
        switch reader.receive(byte) {
        case .text(.title?): title.append(byte)
        case .text(.message?): message.append(byte)
        case .text(.app?): app.append(byte)
        default: break
        }
      }
    }
    guard reader.isComplete else { return nil }
    return (
      String(decoding: title, as: UTF8.self), String(decoding: message, as: UTF8.self),
      String(decoding: app, as: UTF8.self)
    )
  }

  private static func cut(_ answer: [UInt8], each count: Int) -> [[UInt8]] {
    stride(from: 0, to: answer.count, by: count).map {
      Array(answer[$0..<min($0 + count, answer.count)])
    }
  }

  @Test func anAnswerMayBeCutAnywhereAndHaveItsAttributesInAnyOrder() {
    for attributes in [
      [Self.title, Self.message], [Self.message, Self.title], [Self.app, Self.title, Self.message],
      [Self.title, Self.app, Self.app, Self.message],
      [Self.title, Self.title, Self.message],
    ] {
      let answer = Self.header + attributes.joined()
      for first in 0...answer.count {
        for second in first...answer.count {
          let parts = [answer[..<first], answer[first..<second], answer[second...]].map(Array.init)
          let said = Self.said(parts)
          expect(said?.title == "nRF" && said?.message == "52" && said?.app == "")
          let all = Self.said(parts, hasApp: true)
          let hasApp = attributes.contains(Self.app)
          expect(all?.app == (hasApp ? "com" : nil) && all?.title == (hasApp ? "nRF" : nil))
        }
      }
      expect(Self.said(Self.cut(answer, each: 1))?.title, "nRF")
    }
  }

  @Test func itIsNotCompleteBeforeAllIsThere() {
    let answer = Self.header + Self.title + Self.message
    for count in answer.indices { expect(Self.said([Array(answer[..<count])]) == nil) }
    expect(Self.said([Self.header + Self.title], hasMessage: false)?.title, "nRF")
    expect(Self.said([Self.header + Self.message + Self.app]) == nil)
  }

  @Test func anEmptyTextIsOne() {
    let said = Self.said([Self.header + bytes("01 00 00 03 00 00")])
    expect(said?.title == "" && said?.message == "")
  }

  @Test func anotherAnswerIsPassedOver() {
    for other in ["00 02 02 03 04 01 01 00 41", "01 63 6F 6D 00", "02", ""] {
      let said = Self.said([bytes(other), Self.header + Self.title + Self.message])
      expect(said?.title, "nRF")
    }
  }

  @Test func everyBitFlipIsAnAnswerOrNone() {
    let answer = Self.header + Self.title + Self.message
    for bit in 0..<answer.count * 8 {
      var flipped = answer
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      let said = Self.said([flipped])
      #expect((said?.title.utf8.count ?? 0) + (said?.message.utf8.count ?? 0) <= 3 * answer.count)
    }
  }

  // MARK: - The queue

  private func entry(_ uid: UInt8, category: UInt8 = 6) -> SourceEvent {
    let value = [0, 0x18, category, 1, uid, 0, 0, 0]
    return (try? SourceEvent(parsing: value.span)) ?? .nothing
  }

  @Test func callsComeFirstAndThenTheOldest() {
    var queue = NotificationQueue()
    for uid in 1...3 { queue.add(entry(UInt8(uid))) }
    for uid in 11...12 { queue.add(entry(UInt8(uid), category: 1)) }
    queue.add(entry(2))
    queue.remove(1)
    expect((0..<5).map { _ in queue.take(callsOnly: false)?.uid }, [11, 12, 2, 3, nil])
  }

  @Test func ofMoreThanSixteenTheOldestThatIsNoCallGoes() {
    var queue = NotificationQueue()
    for uid in 1...20 { queue.add(entry(UInt8(uid))) }
    expect(queue.count == 16 && queue[0].uid == 5)
    for uid in 101...140 { queue.add(entry(UInt8(uid), category: 1)) }
    expect(queue.count == 16 && queue[0].uid == 101 && queue[15].uid == 116)
  }
}
