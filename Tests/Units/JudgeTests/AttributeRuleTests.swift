import Testing

@Suite struct AttributeRuleTests {
  static let requests: [Rule] = [
    Rule(
      "an attribute PDU with nothing in it", after: linked, wrong: "> att", right: "> att 0a 22 00"),
    Rule(
      "an attribute PDU longer than the MTU", after: linked,
      wrong: "> att 12 22 00 \(filler(21))", right: "> att 12 22 00 \(filler(20))"),
    // The smaller of both sides' MTU holds once it is told.
    Rule(
      "an attribute PDU longer than the MTU", after: linked + "\n> att 02 05 02",
      wrong: "< att 03 1e 00\n> att 12 22 00 \(filler(28))",
      right: "< att 03 1e 00\n> att 12 22 00 \(filler(27))"),
    Rule(
      "an attribute PDU longer than the MTU", after: linked + "\n< att 02 1e 00",
      wrong: "> att 12 22 00 \(filler(27))", right: "> att 03 05 02\n> att 12 22 00 \(filler(27))"),
    Rule(
      "a request that is malformed", after: linked,
      wrong: "> att 08 02 00 01 00 03 28", "> att 04 00 00 ff ff", "> att 0a 00 00",
      "> att 0c 22 00 01 02", "> att 02 16 00",
      right: "> att 08 02 00 02 00 03 28", "> att 04 01 00 ff ff", "> att 0a 01 00",
      "> att 0c 22 00 00 02", "> att 02 17 00"),
    Rule(
      "a request before the last one was answered", after: linked + "\n> att 0a 22 00",
      wrong: "> att 0a 22 00", "< att 01 08 22 00 0a\n> att 0a 22 00",
      "< att 1b 22 00 01\n> att 0a 22 00",
      right: "< att 0b 01\n> att 0a 22 00", "< att 01 0a 22 00 0a\n> att 0a 22 00",
      "< att 0b\n> att 0a 22 00"),
    Rule(
      "the MTU is exchanged twice", after: linked + "\n> att 02 05 02\n< att 03 17 00",
      wrong: "> att 02 05 02", right: "> att 0a 22 00"),
    Rule(
      "another MTU than before", after: linked + "\n> att 02 05 02\n< att 02 f0 00",
      wrong: "> att 03 06 02", right: "> att 03 05 02"),
    Rule(
      "a request while the encryption is only begun", after: linked + "\n> \(encrypt)",
      wrong: "> att 08 01 00 ff ff 19 2a", "> att 0a 22 00",
      right: "< 04 0f 04 00 01 19 20\n< 04 08 04 00 40 00 01\n> att 08 01 00 ff ff 19 2a",
      "> att 02 05 02"),
    // One that is half on its way cannot be called back.
    Rule(
      "a request while the encryption is only begun", after: linked,
      wrong: "> \(encrypt)\n> 02 40 00 04 00 03 00 04 00\n> 02 40 10 03 00 0a 22 00",
      right: "> 02 40 00 04 00 03 00 04 00\n> \(encrypt)\n> 02 40 10 03 00 0a 22 00"),
    Rule(
      "a request where the encryption failed", after: linked + "\n> \(encrypt)",
      wrong: "< 04 0f 04 00 01 19 20\n< 04 08 04 06 40 00 00\n> att 0a 22 00",
      "< 04 0f 04 0c 01 19 20\n> att 0a 22 00",
      right: "< 04 0f 04 00 01 19 20\n< 04 08 04 00 40 00 01\n> att 0a 22 00",
      "< 04 0f 04 0c 01 19 20\n> 01 06 04 03 40 00 05"),
    Rule(
      "a request where the encryption failed", after: encrypted,
      wrong: "< 04 08 04 00 40 00 00\n> att 0a 22 00", right: "> att 0a 22 00"),
    Rule(
      "an attribute opcode that is not ours", after: linked,
      wrong: "> att 1f 03 00 01", "> att 52 03 00 01",
      right: "< att 1d 03 00 01\n> att 1e", "> att 12 03 00 01"),
  ]

  static let told: [Rule] = [
    Rule(
      "something told on an open link", after: linked,
      wrong: "> att 1b 0e 00 41", "> att 1d 08 00 01 00 ff ff",
      right: "> att 0a 22 00",
      "> \(encrypt)\n< 04 0f 04 00 01 19 20\n< 04 08 04 00 40 00 01\n> att 1b 0e 00 41"),
    Rule(
      "a notification of what does not notify", after: encrypted,
      wrong: "> att 1b 0c 00 41", right: "> att 1b 0e 00 41"),
    Rule(
      "a notification of what does not notify",
      after: encrypted + "\n> att 02 05 02\n< att 03 b9 00",
      wrong: "> att 1b 0e 00 \(filler(21))", right: "> att 1b 0e 00 \(filler(20))"),
    Rule(
      "an indication of what does not indicate", after: encrypted,
      wrong: "> att 1d 0e 00 41", "> att 1d 08 00 01 00 ff",
      right: "> att 1d 08 00 01 00 ff ff"),
    Rule(
      "an indication before the last one was confirmed",
      after: encrypted + "\n> att 1d 08 00 01 00 ff ff",
      wrong: "< att 1e 00\n> att 1d 08 00 01 00 ff ff", right: "> att 1b 0e 00 41"),
    Rule(
      "an indication that was confirmed already",
      after: encrypted + "\n> att 1d 08 00 01 00 ff ff\n< att 1e",
      wrong: "> att 1d 08 00 01 00 ff ff", right: "> att 1b 0e 00 41"),
  ]

  static let answers: [Rule] = [
    Rule(
      "a confirmation of nothing", after: linked, wrong: "< att 1b 03 00\n> att 1e",
      right: "< att 1d 03 00\n> att 1e"),
    Rule(
      "a confirmation of nothing", after: linked + "\n< att 1d 03 00\n> att 1e",
      wrong: "> att 1e", right: "< att 1d 03 00\n> att 1e"),
    Rule(
      "a confirmation that is malformed", after: linked + "\n< att 1d 03 00", wrong: "> att 1e 00",
      right: "> att 1e"),
    Rule(
      "a response that answers nothing", after: linked,
      wrong: "< att 0a 03 00\n> att 0d 4c", right: "< att 0a 03 00\n> att 0b 4c"),
    Rule(
      "a response that answers nothing", after: linked + "\n< att 0a 03 00\n> att 0b 4c",
      wrong: "> att 0b 4c", right: "< att 0a 03 00\n> att 0b 4c"),
    Rule(
      "a response that is malformed", after: linked + "\n< att 08 01 00 ff ff 03 28",
      wrong: "> att 09 07 02 00 02 03 00 00", right: "> att 09 07 02 00 02 03 00 00 2a"),
    Rule(
      "a response that is malformed", after: linked + "\n< att 04 01 00 ff ff",
      wrong: "> att 05 01 02 00 03 28 01 00 00 28", right: "> att 05 01 01 00 00 28 02 00 03 28"),
    Rule(
      "a response that is malformed", after: linked + "\n< att 10 01 00 ff ff 00 28",
      wrong: "> att 11 06 01 00 05 00 00", right: "> att 11 06 01 00 05 00 00 18"),
    Rule(
      "an error that answers nothing", after: linked,
      wrong: "< att 52 03 00 01\n> att 01 52 03 00 03",
      right: "< att 12 03 00 01\n> att 01 12 03 00 03"),
    Rule(
      "an error that is malformed", after: linked + "\n< att 12 03 00 01",
      wrong: "> att 01 12 03 00", right: "> att 01 12 03 00 03"),
    Rule(
      "an error code that is reserved", after: linked + "\n< att 12 03 00 01",
      wrong: "> att 01 12 03 00 00", right: "> att 01 12 03 00 80"),
  ]

  @Test(arguments: requests) func aClientAsksOneThingAtATime(_ rule: Rule) { rule.check() }

  @Test(arguments: told) func aServerTellsWhatIsSubscribedTo(_ rule: Rule) { rule.check() }

  @Test(arguments: answers) func aServerAnswersWhatWasAskedOnce(_ rule: Rule) { rule.check() }

  static var everything: [Rule] { requests + told + answers }
}
