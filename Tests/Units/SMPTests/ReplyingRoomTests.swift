import SMP
import TestSupport
import Testing

private typealias C = Conversation
private typealias R = ReplyingConversation

/// A phone that asks many times, on a link that takes nothing of ours for a while.
@Suite struct ReplyingRoomTests {
  /// The lengths of commands: Core Specification, Vol 3, Part H, 3.5 and 3.6.
  private static let lengths = [
    "02": 7, "03": 17, "04": 17, "05": 2, "08": 17, "09": 8, "0b": 2, "0c": 65, "0d": 17,
  ]

  /// All of a pairing, of which we say nothing yet.
  private func pair(_ talk: inout R) {
    talk.accepts()
    talk.hears(C.phonesKey)
    talk.hears(C.phonesNonce)
    talk.hears(R.phonesCheck)
    _ = talk.answer(true)
    _ = talk.encrypted()
    talk.hears(C.phonesIRK)
    talk.hears(C.phonesAddress)
  }

  @Test(arguments: [0, 1, 4, 5, 100]) func aFloodOfRequestsLeavesRoomForAPairing(_ count: Int) {
    var talk = R()
    for _ in 0..<count {
      _ = talk.hears(R.request)
      talk.pairing.decline()
    }
    talk.pairing.requestSecurity(at: talk.now)
    pair(&talk)
    let said = talk.says()
    let failures = said.prefix { $0 == "0505" }
    #expect(failures.isEmpty == (count == 0))
    let rest = said.dropFirst(failures.count)
    #expect(rest.map { $0.prefix(2) } == ["0b", "02", "0c", "03", "04", "0d", "08", "09"])
    #expect(rest.allSatisfy { Self.lengths[String($0.prefix(2))] == $0.count / 2 })
  }

  @Test func whatFindsNoRoomIsLeftOutWhole() {
    var talk = R()
    for _ in 0..<3 { pair(&talk) }
    let said = talk.says()
    #expect(said.count >= 7)
    #expect(said.allSatisfy { Self.lengths[String($0.prefix(2))] == $0.count / 2 })
  }

  /// What one attempt has asked for is nothing to the next.
  @Test func aSecondAttemptIsAnsweredByWhatItAsksFor() {
    var talk = R()
    talk.accepts("01 04 00 2d 10 00 00")
    #expect(talk.says() == ["0201000d100000"])
    _ = talk.pairing.cancel()
    _ = talk.says()
    talk.accepts()
    #expect(talk.says() == [said(R.response)])
  }
}
