import Expecting

/// A link that a phone has made.
@Suite struct PeripheralRuleTests {
  static let asked = "< 04 3e 0d 05 40 00 \(zeros(10))"
  static let reply = "> 01 1a 20 12 40 00 \(filler(16))"
  static let refusal = "> 01 1b 20 02 40 00"
  private static let replied = "< 04 0e 06 01 1a 20 00 40 00"
  static let encrypts = "\(asked)\n\(reply)\n\(replied)\n< 04 08 04 00 40 00 01"

  static let keys: [Rule] = [
    Rule(
      "an answer to a key that nobody asked for", after: came,
      wrong: reply, refusal,
      // Another link's.
      "< 04 3e 0d 05 41 00 \(zeros(10))\n\(reply)",
      right: "\(asked)\n\(reply)", "\(asked)\n\(refusal)"),
    Rule(
      "an answer to a key that nobody asked for", after: came + "\n" + asked,
      wrong: "\(reply)\n\(replied)\n\(reply)", "\(reply)\n\(replied)\n\(refusal)",
      right: "\(reply)\n\(replied)\n\(asked)\n\(reply)", refusal),
    // One that is not there may be told no, and no more than once.
    Rule(
      "a command for a link that is not there", after: able,
      wrong: "\(asked)\n\(reply)", "\(asked)\n\(refusal)\n< 04 0e 06 01 1b 20 02 40 00\n\(refusal)",
      right: "\(asked)\n\(refusal)",
      "\(asked)\n\(refusal)\n< 04 0e 06 01 1b 20 02 40 00\n\(asked)\n\(refusal)"),
    Rule(
      "a command for a link that is not there", after: came + "\n" + asked,
      wrong: "< \(gone)\n\(reply)", right: reply),
    Rule(
      "a key where only others fit", after: came,
      wrong: "< 04 3e 0d 05 40 00 \(zeros(8)) 01 00\n\(reply)",
      right: "< 04 3e 0d 05 40 00 \(zeros(8)) 01 00\n\(refusal)"),
    Rule(
      "a key where only others fit", after: linked, wrong: "\(asked)\n\(reply)",
      right: "\(asked)\n\(refusal)"),
    Rule(
      "a long-term key of zero", after: came + "\n" + asked,
      wrong: "> 01 1a 20 12 40 00 \(zeros(16))", right: reply),
    Rule(
      "encryption is begun by a peripheral", after: came, wrong: "> \(encrypt)",
      right: "\(asked)\n\(reply)"),
    Rule(
      "connection parameters that are a central's to change", after: came,
      wrong: update, "\(features("21"))\n\(update)",
      right: "\(features("02"))\n\(update)", "\(features("22"))\n\(update)"),
  ]

  private static let update = "> 01 13 20 0e 40 00 18 00 24 00 03 00 58 02 00 00 00 00"

  private static func features(_ octet: String) -> String {
    "> 01 03 20 00\n< 04 0e 0c 01 03 20 00 \(octet) \(zeros(7))"
  }

  /// It asks for 30 to 45 ms, three events that may be left out, and 6 s, with this identifier.
  private static func wish(_ identifier: String = "01") -> String {
    "> sig 12 \(identifier) 08 00 18 00 24 00 03 00 58 02"
  }

  static let parameters: [Rule] = [
    Rule(
      "connection parameters that a central asks for", after: linked, wrong: wish(),
      right: "\(DataRuleTests.wish)\n> sig 13 07 02 00 00 00"),
    Rule(
      "a request for parameters that is none", after: came,
      wrong: "> sig 12 01 06 00 18 00 24 00 03 00", right: wish()),
    // 45 ms and a latency of 3 are 360 ms in all, which the timeout must exceed.
    Rule(
      "connection parameters that do not go together", after: came,
      wrong: "> sig 12 01 08 00 18 00 24 00 03 00 24 00",
      right: "> sig 12 01 08 00 18 00 24 00 03 00 25 00"),
    Rule("an identifier that is not free", after: came, wrong: wish("00"), right: wish("ff")),
    Rule(
      "an identifier that is not free", after: came + "\n" + wish(),
      wrong: wish(), "< sig 13 02 02 00 00 00\n" + wish(),
      right: wish("02"), "< sig 13 01 02 00 01 00\n" + wish(), "< sig 01 01 02 00 00 00\n" + wish()),
    // A central does not ask for them: it changes them.
    Rule(
      "an answer to parameters that nobody asked for", after: came + "\n" + DataRuleTests.wish,
      wrong: "> sig 13 07 02 00 00 00", right: "> sig 01 07 02 00 00 00"),
  ]

  static let requests: [Rule] = [
    Rule(
      "a request to a phone that has shown no key", after: came,
      wrong: "> att 0a 22 00", "> att 02 05 02", "\(asked)\n> att 0a 22 00",
      "\(asked)\n\(reply)\n\(replied)\n> att 0a 22 00",
      // Nobody asked us for a key.
      "< 04 08 04 00 40 00 01\n> att 0a 22 00",
      right: "\(encrypts)\n> att 0a 22 00", "< att 02 05 02\n> att 03 05 02",
      // A link that is encrypted once more is encrypted all the time.
      "\(encrypts)\n\(asked)\n\(reply)\n\(replied)\n> att 0a 22 00"),
    Rule(
      "a request to a phone that has shown no key", after: "\(came)\n\(encrypts)",
      wrong: "< 04 08 04 00 40 00 00\n> att 0a 22 00", right: "> att 0a 22 00"),
    Rule(
      "something told on an open link", after: came, wrong: "> att 1b 0e 00 7b",
      right: "\(encrypts)\n> att 1b 0e 00 7b"),
  ]

  // MARK: - Pairing

  /// The steps of a pairing by comparison that the phone begins.
  static let steps = [
    "< smp 01 04 00 0d 10 03 03", "> smp 02 01 00 0d 10 02 02", "< smp 0c \(filler(64))",
    "> smp 0c \(filler(64))", "> smp 03 \(filler(16))", "< smp 04 \(filler(16))",
    "> smp 04 \(filler(16))", "< smp 0d \(filler(16))", "> smp 0d \(filler(16))", asked, reply,
    replied, "< 04 08 04 00 40 00 01", "> smp 08 \(zeros(16))", "> smp 09 00 \(filler(6))",
    "< smp 08 \(filler(16))", "< smp 09 00 \(filler(6))",
  ]

  /// A link whose pairing has come so far.
  static func after(_ count: Int) -> String {
    came + "\n" + steps.prefix(count).joined(separator: "\n")
  }

  static let order: [Rule] =
    [
      Rule(
        "a pairing command out of its order", after: came, wrong: steps[1],
        right: steps[0] + "\n" + steps[1]),
      Rule(
        "a pairing command out of its order", after: after(2), wrong: steps[3],
        right: steps[2] + "\n" + steps[3]),
      // The confirm value comes behind the key, and once.
      Rule(
        "a pairing command out of its order", after: after(3), wrong: steps[4],
        right: steps[3] + "\n" + steps[4]),
      Rule(
        "a pairing command out of its order", after: after(5), wrong: steps[6],
        right: steps[5] + "\n" + steps[6]),
      Rule(
        "a pairing command out of its order", after: after(7), wrong: steps[8],
        right: steps[7] + "\n" + steps[8]),
      Rule(
        "a pairing command out of its order", after: after(6) + "\n< smp 05 0c", wrong: steps[6],
        right: steps[0] + "\n" + steps[1]),
      Rule(
        "encryption is begun with a key that nobody can have", after: after(8),
        wrong: "\(asked)\n\(reply)", right: "\(steps[8])\n\(asked)\n\(reply)"),
      Rule(
        "a public key of zero", after: after(3), wrong: "> smp 0c \(zeros(64))", right: steps[3]),
      Rule(
        "a security command that is not a responder's", after: came,
        wrong: "> smp 01 01 00 0d 10 02 02", right: "> smp 0b 0d"),
      Rule(
        "a security command that is not a responder's", after: after(13),
        wrong: "> smp 06 \(filler(16))", right: steps[13]),
      Rule(
        "a security command that is not an initiator's", after: linked + "\n" + steps[0],
        wrong: steps[1], right: "> smp 05 07"),
      Rule(
        "a failure of nothing", after: came, wrong: "> smp 05 05", right: steps[0] + "\n> smp 05 05"
      ),
    ]

  static let features: [Rule] = [
    Rule(
      "a pairing request with reserved values", after: after(1),
      wrong: "> smp 02 05 00 0d 10 02 02", right: steps[1]),
    Rule(
      "a key size beyond 7 to 16", after: after(1), wrong: "> smp 02 01 00 0d 06 02 02",
      right: steps[1]),
    Rule(
      "a pairing without secure connections", after: after(1),
      wrong: "> smp 02 01 00 05 10 02 02", right: steps[1]),
    Rule(
      "a pairing without secure connections", after: came,
      wrong: "< smp 01 04 00 05 10 03 03\n" + steps[1],
      right: "< smp 01 04 00 05 10 03 03\n> smp 05 03"),
    Rule(
      "keys that the initiator does not want", after: came,
      wrong: "< smp 01 04 00 0d 10 02 00\n" + steps[1], "< smp 01 04 00 0d 10 00 02\n" + steps[1],
      right: "< smp 01 04 00 0d 10 02 00\n> smp 02 01 00 0d 10 02 00",
      "< smp 01 04 00 0d 10 00 02\n> smp 02 01 00 0d 10 00 02"),
    Rule(
      "a security request with reserved values", after: came,
      wrong: "> smp 0b 4d", "> smp 0b 0e",
      right: "> smp 0b 2d", "> smp 0b 0d"),
    Rule(
      "security is requested though it is coming", after: came,
      wrong: steps[0] + "\n> smp 0b 0d", "\(asked)\n> smp 0b 0d", "\(encrypts)\n> smp 0b 0d",
      right: "> smp 0b 0d", "\(asked)\n\(refusal)\n< 04 0e 06 01 1b 20 00 40 00\n> smp 0b 0d"),
  ]

  static let distribution: [Rule] = [
    Rule("a key outside the key distribution", after: after(9), wrong: steps[13], right: reply2),
    Rule(
      "a key out of its order", after: after(13), wrong: steps[14],
      right: steps[13] + "\n" + steps[14]),
    Rule(
      "a key that was not promised", after: after(13), wrong: "> smp 0a \(filler(16))",
      right: steps[13]),
    Rule(
      "a key outside the key distribution", after: after(17), wrong: steps[13],
      right: "> att 0a 22 00"),
  ]
  private static let reply2 = "\(asked)\n\(reply)"

  /// A pairing from the first packet to the last key, then another one.
  @Test func aPairingThatThePhoneBeginsPasses() {
    expect(verdictOf(Self.after(17) + "\n> att 12 24 00 01 00"), nil)
    expect(
      verdictOf(Self.after(17) + "\n" + Self.steps.prefix(2).joined(separator: "\n")), nil)
  }

  /// By USB the phone's keys may be there before the word that the link is encrypted.
  @Test func keysThatComeEarlyCount() {
    let early = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 15, 16, 12, 13, 14].map { Self.steps[$0] }
    let paired = came + "\n" + early.joined(separator: "\n")
    expect(verdictOf(paired + "\n" + Self.steps[13]), "a key outside the key distribution")
  }

  @Test(arguments: keys) func keysAreForThoseWhoAsk(_ rule: Rule) { rule.check() }

  @Test(arguments: parameters) func aPeripheralAsksForParameters(_ rule: Rule) { rule.check() }

  @Test(arguments: requests) func aPhoneThatCameIsAskedOnceItHasShownItsKey(_ rule: Rule) {
    rule.check()
  }

  @Test(arguments: features + order + distribution)
  func aResponderAnswersStepByStep(_ rule: Rule) { rule.check() }

  static var everything: [Rule] {
    keys + parameters + requests + features + order + distribution
  }
}
