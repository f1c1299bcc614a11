import Testing

@Suite struct CommandRuleTests {
  static let headers: [Rule] = [
    Rule("an empty packet", wrong: "> ", right: "> 01 03 0c 00"),
    Rule(
      "an H4 indicator that is neither a command's nor data's",
      wrong: "> 04 0e 04 01 03 0c 00", right: "> 01 03 0c 00"),
    Rule("a command without a whole header", wrong: "> 01 03 0c", right: "> 01 03 0c 00"),
    Rule("a command whose length is another", wrong: "> 01 03 0c 01", right: "> 01 03 0c 00"),
    Rule(
      "a command that is not needed", after: up, wrong: "> 01 03 04 00", right: "> 01 09 10 00"),
    Rule(
      "a command with too few or too many parameters", after: up,
      wrong: "> 01 0c 20 01 00", right: "> 01 0c 20 02 01 00"),
  ]

  static let order: [Rule] = [
    Rule("a command before Reset is through", wrong: "> 01 09 10 00", right: "> 01 03 0c 00"),
    // An answer that says no, or nothing, is none; neither is another's.
    Rule(
      "a command before Reset is through", after: "> 01 03 0c 00",
      wrong: "< 04 0e 04 01 03 0c 01\n> 01 09 10 00", "< 04 0e 04 01 09 10 00\n> 01 09 10 00",
      right: "< 04 0e 04 01 03 0c 00\n> 01 09 10 00", "> 01 03 0c 00"),
    Rule(
      "a command before the last one was answered", after: up + "\n> 01 09 10 00",
      wrong: "< 04 0e 04 01 03 20 00\n> 01 03 20 00",
      right: "< 04 0e 0a 01 09 10 00 66 55 44 33 22 11\n> 01 03 20 00"),
    Rule(
      "a command without a credit",
      after: up + "\n> 01 09 10 00\n< 04 0e 0a 00 09 10 00 \(filler(6))",
      wrong: "> 01 03 20 00", right: "< 04 0f 04 00 01 00 00\n> 01 03 20 00"),
    // Reset needs neither; but it takes all that there was.
    Rule(
      "a command before Reset is through", after: up + "\n> 01 09 10 00",
      wrong: "> 01 03 0c 00\n< 04 0e 0a 01 09 10 00 \(filler(6))\n> 01 03 20 00",
      right: "> 01 03 0c 00\n< 04 0e 04 01 03 0c 00\n> 01 03 20 00"),
    // All is as it was before the first Reset.
    Rule(
      "a command before Reset is through", after: linked, wrong: "< 04 10 01 42\n> 01 09 10 00",
      right: "< 04 10 01 42\n> 01 03 0c 00"),
    Rule(
      "a command for a link that is not there", after: linked + "\n> 01 03 0c 00",
      wrong: "< 04 0e 04 01 03 0c 00\n> 01 06 04 03 40 00 13",
      right: "< 04 0e 04 01 03 0c 00\n< \(connected)\n> 01 06 04 03 40 00 13"),
  ]

  /// What is supported: bit 6 of octet 24, bits 4 to 6 of octet 33, bit 6 of octet 35.
  static let commands = "01 02 10 00\n< 04 0e 44 01 02 10 00"
  static let all = "\(zeros(24)) 40 \(zeros(8)) 70 00 40 \(zeros(28))"
  /// The features 1, 5 and 8.
  static let features = "> 01 03 20 00\n< 04 0e 0c 01 03 20 00 22 01 00 00 00 00 00 00"
  static let asked = "< 04 3e 0b 06 40 00 18 00 28 00 00 00 90 01"

  static let optional: [Rule] = [
    Rule(
      "a command that the controller does not support", after: up,
      wrong: "> 01 6d 0c 02 01 00", right: "> \(commands) \(all)\n> 01 6d 0c 02 01 00"),
    Rule(
      "a command that the controller does not support",
      after: linked + "\n> \(commands) \(all)",
      wrong: "> 01 22 20 06 40 00 fb 00 48 08",
      right: "\(features)\n> 01 22 20 06 40 00 fb 00 48 08"),
    Rule(
      "a command that the controller does not support",
      after: linked + "\n" + features,
      wrong: "> \(commands) \(zeros(64))\n> 01 32 20 07 40 00 00 02 02 00 00",
      right: "> \(commands) \(all)\n> 01 32 20 07 40 00 00 02 02 00 00"),
    Rule(
      "a data length beyond the link layer's",
      after: linked + "\n> \(commands) \(all)\n\(features)",
      wrong: "> 01 22 20 06 40 00 fc 00 48 08", right: "> 01 22 20 06 40 00 fb 00 48 08"),
    Rule(
      "a wish for PHYs that is none", after: linked + "\n> \(commands) \(all)\n\(features)",
      wrong: "> 01 32 20 07 40 00 00 00 02 00 00", right: "> 01 32 20 07 40 00 01 00 02 00 00"),
    Rule(
      "a reply to parameters that nobody asked for",
      after: linked + "\n> \(commands) \(all)\n\(features)",
      wrong: "> 01 20 20 0e 40 00 \(interval)",
      right: "\(asked)\n> 01 20 20 0e 40 00 \(interval)"),
    // A lie gets a no for an answer, once.
    Rule(
      "a command for a link that is not there",
      after: up + "\n> \(commands) \(all)\n\(features)",
      wrong: "\(asked)\n> 01 20 20 0e 40 00 \(interval)",
      right: "\(asked)\n> 01 21 20 03 40 00 3b"),
    Rule(
      "a refusal that says success",
      after: linked + "\n> \(commands) \(all)\n\(features)\n\(asked)",
      wrong: "> 01 21 20 03 40 00 00", right: "> 01 21 20 03 40 00 3b"),
    Rule(
      "a vendor's command for another vendor's chip", after: up + "\n> 01 01 10 00",
      wrong: "< 04 0e 0c 01 01 10 00 07 00 00 07 0a 00 09 22\n> 01 01 fc 06 \(filler(6))",
      right: "< 04 0e 0c 01 01 10 00 07 00 00 07 0f 00 09 22\n> 01 01 fc 06 \(filler(6))"),
    Rule(
      "an address of zero",
      after: up + "\n> 01 01 10 00\n< 04 0e 0c 01 01 10 00 07 00 00 07 31 01 09 22",
      wrong: "> 01 01 fc 06 \(zeros(6))", right: "> 01 01 fc 06 \(filler(6))"),
  ]

  static let settings: [Rule] = [
    Rule(
      "a switch beyond its range", after: up + "\n> \(commands) \(all)",
      wrong: "> 01 6d 0c 02 01 01", right: "> 01 6d 0c 02 01 00"),
    Rule(
      "a mask hides what is waited for", after: up,
      wrong: "> 01 01 20 08 1d 00 00 00 00 00 00 00", "> 01 01 0c 08 90 00 00 00 00 80 00 00",
      right: "> 01 01 20 08 1f 00 00 00 00 00 00 00", "> 01 01 0c 08 90 00 00 00 00 80 00 20"),
  ]

  static let links: [Rule] = [
    Rule(
      "a command for a link that is not there", after: linked,
      wrong: "< \(gone)\n> 01 06 04 03 40 00 13", "> 01 06 04 03 41 00 13",
      right: "> 01 06 04 03 40 00 13", "< 04 05 04 0c 40 00 13\n> 01 06 04 03 40 00 13"),
    Rule(
      "a reason that ends no link", after: linked,
      wrong: "> 01 06 04 03 40 00 08", right: "> 01 06 04 03 40 00 05"),
    Rule(
      "encryption is begun while it is being begun", after: linked,
      wrong: "> \(encrypt)\n< 04 0f 04 00 01 19 20\n> \(encrypt)", right: "> \(encrypt)"),
    Rule(
      "a random number or diversifier that is not 0", after: linked,
      wrong: "> 01 19 20 1c 40 00 \(zeros(9)) 01 \(filler(16))", right: "> \(encrypt)"),
    Rule(
      "a long-term key of zero", after: linked,
      wrong: "> 01 19 20 1c 40 00 \(zeros(26))", right: "> \(encrypt)"),
    Rule(
      "encryption is begun with a key that nobody can have", after: linked,
      wrong: "> att 0a 22 00\n> \(encrypt)", right: "> att 02 05 02\n> \(encrypt)"),
    Rule(
      "encryption is begun with a key that nobody can have", after: encrypted,
      wrong: "> \(encrypt)", right: "< \(gone)\n\(again)\n> \(encrypt)"),
    Rule(
      "encryption is begun with a key that nobody can have", after: encrypted,
      wrong: "< smp 0b 0d\n> \(encrypt)\n< 04 0f 04 00 01 19 20\n< 04 30 03 00 40 00\n> \(encrypt)",
      right: "< smp 0b 0d\n> \(encrypt)"),
    Rule(
      "encryption is begun with a key that nobody can have",
      after: linked + "\n> \(encrypt)\n< 04 0f 04 00 01 19 20",
      wrong: "< 04 08 04 06 40 00 00\n> \(encrypt)", right: "> 01 06 04 03 40 00 05"),
  ]

  /// The same once more.
  static let again = RadioRuleTests.create() + "\n< 04 0f 04 00 01 0d 20\n< \(connected)"

  @Test(arguments: headers + order) func aCommandIsWholeAndHasItsTurn(_ rule: Rule) { rule.check() }

  @Test(arguments: optional) func whatIsOptionalIsSupported(_ rule: Rule) { rule.check() }

  @Test(arguments: settings) func aSettingIsInItsRange(_ rule: Rule) { rule.check() }

  @Test(arguments: links) func aCommandIsForALinkAsItIs(_ rule: Rule) { rule.check() }

  static var everything: [Rule] { headers + order + optional + settings + links }
}
