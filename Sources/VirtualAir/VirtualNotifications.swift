import Hexadecimal

/// The Apple Notification Center Service of a phone, which answers on an encrypted link only.
package struct VirtualNotifications {
  /// What it answers about a notification.
  package struct Texts {
    package var title: [UInt8]
    package var message: [UInt8]
    /// The identifier of its app.
    package var app: [UInt8]

    package init(_ title: String, _ message: String = "", app: String = "") {
      (self.title, self.message) = (Array(title.utf8), Array(message.utf8))
      self.app = Array(app.utf8)
    }
  }

  package var isThere = false
  /// The error that a write to Control Point gets, if any.
  package var refusal: UInt8?
  /// The texts of the notifications by their UIDs; one that was removed has none.
  package var texts: [UInt8: Texts] = [:]
  /// The most bytes of an answer in one notification of Data Source.
  package var part = 100
  /// Whether questions are taken and never answered.
  package var isSilent = false
  package private(set) var written: [[UInt8]] = []
  /// What was written to its Client Characteristic Configurations: the handle, then the value.
  package private(set) var configured: [[UInt8]] = []
  /// How many requests for it came on a link that is not encrypted.
  package private(set) var openRequests = 0
  /// Notifications of Data Source that are still to be sent.
  private var answers: [[UInt8]] = []
  /// The Client Characteristic Configurations that are subscribed to.
  private var subscribed: Set<UInt16> = []
  /// Those that it has silently forgotten, and takes again only after the subscription was ended.
  private var forgotten: Set<UInt16> = []

  private static let (dataConfiguration, sourceConfiguration): (UInt16, UInt16) = (0x76, 0x79)

  private static let service = bytes("d0 00 2d 12 1e 4b 0f a4 99 4e ce b5 31 f4 05 79")
  private static let control = bytes("d9 d9 aa fd bd 9b 21 98 a8 49 e1 45 f3 d8 d1 69")
  private static let data = bytes("fb 7b 7c ce 6a b3 44 be b5 4b d6 24 e9 c6 ea 22")
  private static let source = bytes("bd 1d a2 99 e6 25 58 8c d9 42 01 63 0d 12 bf 9f")

  /// The notification of Notification Source during a subscription: what happened, flags, category, UID.
  package func news(_ kind: UInt8, flags: UInt8, category: UInt8, _ uid: UInt8) -> [UInt8]? {
    guard subscribed.contains(Self.sourceConfiguration) else { return nil }
    return bytes("1b 78 00") + [kind, flags, category, 1, uid, 0, 0, 0]
  }

  /// The next notification of Data Source, if there is one.
  package mutating func takeAnswer() -> [UInt8]? {
    guard subscribed.contains(Self.dataConfiguration), !answers.isEmpty else { return nil }
    return bytes("1b 75 00") + answers.removeFirst()
  }

  mutating func linkWasLost() { (subscribed, forgotten, answers) = ([], [], []) }

  /// Silently forgets the subscriptions: it takes each question, and answers none.
  package mutating func forgetSubscriptions() {
    linkWasLost()
    forgotten = [Self.dataConfiguration, Self.sourceConfiguration]
  }

  /// The answer to a request that is about notifications, `nil` if it is not.
  mutating func answer(_ request: [UInt8], isEncrypted: Bool) -> [UInt8]? {
    guard request.count >= 3 else { return nil }
    let handle = u16(request, 1)
    let isOurs = (0x0070...0x0079).contains(handle)
    func error(_ code: UInt8) -> [UInt8] { [0x01, request[0], request[1], request[2], code] }
    guard request[0] == 0x06 ? Array(request[7...]) == Self.service : isOurs else { return nil }
    guard isEncrypted else {
      openRequests += 1
      return error(0x05)
    }
    guard isThere else { return error(0x0A) }
    switch (request[0], handle) {
    case (0x06, _): return bytes("07 70 00 79 00")
    case (0x08, ...0x71): return bytes("09 15 71 00 08 72 00") + Self.control
    case (0x08, ...0x74): return bytes("09 15 74 00 10 75 00") + Self.data
    case (0x08, ...0x77): return bytes("09 15 77 00 10 78 00") + Self.source
    case (0x04, Self.dataConfiguration), (0x04, Self.sourceConfiguration):
      return [0x05, 1] + little(handle) + [0x02, 0x29]
    case (0x12, Self.dataConfiguration), (0x12, Self.sourceConfiguration):
      configured.append(Array(request[1...]))
      if request[3] == 0 { forgotten.remove(handle) }
      subscribed.remove(handle)
      if request[3] == 1, !forgotten.contains(handle) { subscribed.insert(handle) }
    case (0x12, 0x72):
      if let refusal { return error(refusal) }
      let value = Array(request[3...])
      written.append(value)
      guard value[0] == 0, forgotten.isEmpty else { return [0x13] }
      guard let texts = texts[value[1]] else { return error(0xA2) }
      if !isSilent { queue(texts, for: value) }
    default: return error(0x0A)
    }
    return [0x13]
  }

  /// What a question asks for; title, subtitle and message have their greatest length behind them.
  private static func attributes(_ question: [UInt8]) -> [UInt8] {
    var attributes: [UInt8] = []
    var index = 5
    while index < question.count {
      attributes.append(question[index])
      index += (1...3).contains(question[index]) ? 3 : 1
    }
    return attributes
  }

  private mutating func queue(_ texts: Texts, for question: [UInt8]) {
    var answer = Array(question[0..<5])
    for (attribute, text) in [(0, texts.app), (1, texts.title), (3, texts.message)]
      as [(UInt8, [UInt8])]
    where Self.attributes(question).contains(attribute) {
      answer += [attribute, UInt8(text.count % 256), UInt8(text.count / 256)] + text
    }
    answers += stride(from: 0, to: answer.count, by: part).map {
      Array(answer[$0..<min($0 + part, answer.count)])
    }
  }
}
