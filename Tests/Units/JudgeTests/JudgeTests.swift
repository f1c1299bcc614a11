import Expecting
import Foundation
import Judging
import TestSupport

struct JudgeTests {
  /// All that the sources can say of a packet.
  private var texts: Set<String> {
    get throws {
      let tests = URL(filePath: #filePath).deletingLastPathComponent()
      let folder = tests.appending(path: "../../Support/Judge")
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      let sources = try files.filter { $0.pathExtension == "c" }
        .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
      let verdict = /wrong\([^;"]*"([^"]+)"\)/
      return Set(sources.matches(of: verdict).map { String($0.output.1) })
    }
  }

  private static let condemned = [
    AdvertisingRules.rules, RadioRules.rules, CommandRules.rules, DataRules.rules,
    AttributeRules.rules, LinkRules.rules, SecurityRules.rules, PeripheralRules.rules,
  ].flatMap { $0.map { (verdict: $0.key, transcripts: $0.value) } }

  @Test(arguments: condemned) func whatIsWrongIsCondemned(
    _ verdict: String, _ transcripts: [String]
  ) {
    for transcript in transcripts { expect(verdictOf(transcript), verdict, "\(transcript)") }
  }

  @Test func whereTheSettingsForbidItNothingIsSaidOfAdvertising() {
    typealias A = AdvertisingRules
    let verdict = "advertising that the settings forbid"
    for command in [A.parameters(), A.data, A.response, A.on, A.off] {
      expect(verdictOf("\(able)\n> \(command)", mayAdvertise: false), verdict)
    }
  }

  @Test func eachVerdictHasACase() throws {
    let verdicts = Self.condemned.map(\.verdict) + ["advertising that the settings forbid"]
    expect(Set(verdicts), (try texts))
  }

  /// Whole pairings, from Reset to the last key, and a ride or another pairing after it.
  @Test func aPairingThatGoesByTheSpecificationPasses() {
    let next = PeripheralRules.steps.prefix(2).joined(separator: "\n")
    for pairing in [
      SecurityRules.after(16) + "\n> att 12 24 00 01 00",
      PeripheralRules.after(17) + "\n> att 12 24 00 01 00", PeripheralRules.after(17) + "\n" + next,
    ] { expect(verdictOf(pairing), nil) }
  }

  /// By USB the phone's keys may be there before the word that the link is encrypted.
  @Test func keysThatComeEarlyCount() {
    let steps = PeripheralRules.steps
    let early = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 12, 13, 14, 13].map { steps[$0] }
    let paired = came + "\n" + early.joined(separator: "\n")
    expect(verdictOf(paired), "a key outside the key distribution")
  }

  /// The link ends while the transport takes nothing: the packet that waits is as right as it was.
  @Test func aPacketThatWaitsIsJudgedOnce() {
    let judge = judge(after: linked)
    let disconnect = bytes("01 06 04 03 40 00 13")
    expect(judge.verdict(onReady: disconnect), nil)
    judge.received(bytes(gone))
    expect(judge.verdict(onReady: disconnect), nil)
    judge.readyWasSent()
    expect(judge.verdict(onReady: disconnect), "a command before the last one was answered")
  }

  /// The link is gone before the transport took what was to be said of it.
  @Test(arguments: [true, false]) func aCommandThatIsTakenBackIsNotWaitedFor(_ isTakenBack: Bool) {
    let judge = judge(after: linked)
    expect(judge.verdict(onReady: bytes("01 06 04 03 40 00 13")), nil)
    if !isTakenBack { judge.readyWasSent() }
    judge.received(bytes(gone))
    let expected = isTakenBack ? nil : "a command before the last one was answered"
    expect(judge.verdict(onReady: bytes("01 03 20 00")), expected)
  }

  /// A strap without its key is as good as any; a phone without it may be somebody else.
  @Test(arguments: [true, false]) func onlyASensorIsAskedWhereTheEncryptionFailed(_ isSensors: Bool)
  {
    let judge = judge(after: linked + "\n> \(encrypt)\n< 04 0f 04 00 01 19 20")
    if isSensors { judge.isSensors(0x0040) }
    judge.received(bytes("04 08 04 06 40 00 00"))
    let expected = isSensors ? nil : "a request where the encryption failed"
    expect(judge.verdict(on: bytes("02 40 00 07 00 03 00 04 00 0a 22 00")), expected)
  }

  /// The controller tells of it, or the host.
  @Test(arguments: [true, false]) func afterAFailureNothingMayBeSaidBeforeReset(_ isHardwares: Bool)
  {
    let judge = judge(after: linked)
    let disconnect = bytes("01 06 04 03 40 00 13")
    expect(judge.verdict(onReady: disconnect), nil)
    if isHardwares { judge.received(bytes("04 10 01 42")) } else { judge.hostFailed() }
    expect(judge.verdict(onReady: disconnect), "a command before Reset is through")
  }

  @Test func afterTheOpeningOfTheTransportNothingMayBeSaidBeforeReset() {
    let judge = judge(after: up)
    let command = bytes("01 09 10 00")
    expect(judge.verdict(onReady: command), nil)
    judge.transportWasOpened()
    expect(judge.verdict(onReady: command), "a command before Reset is through")
  }

  private func judge(after transcript: String) -> PacketJudge {
    let judge = PacketJudge()
    for line in transcript.split(separator: "\n") {
      let packet = bytes(String(line.dropFirst(2)))
      if line.hasPrefix(">") { judge.sent(packet) } else { judge.received(packet) }
    }
    return judge
  }
}
