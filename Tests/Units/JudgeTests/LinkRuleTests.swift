import Testing

/// What links share, and what each has for itself.
@Suite struct LinkRuleTests {
  /// Two links over two buffers.
  static let small = linkedTwice.replacing("1b 00 40", with: "1b 00 02")
  /// Two packets: the halves of a write of 20 bytes.
  static let write = DataRuleTests.first + "\n> " + DataRuleTests.rest
  static let write2 = first2 + "\n> " + rest2
  static let first2 = DataRuleTests.first.replacing("02 40", with: "02 41")
  static let rest2 = DataRuleTests.rest.replacing("02 40", with: "02 41")
  static let encrypt2 = "01 19 20 1c 41 00 \(zeros(10)) \(filler(16))"

  static let buffers: [Rule] = [
    Rule(
      "a data packet without a free buffer", after: small + "\n> \(write)",
      wrong: "> att2 0a 22 00",
      // The buffers of a link that ends are free, those of the others are not.
      "< \(goneSecond)\n< att 13\n> att 0a 22 00",
      right: "< 04 13 05 01 40 00 01 00\n> att2 0a 22 00", "< \(gone)\n> \(write2)"),
    // One event speaks of several links.
    Rule(
      "a data packet without a free buffer", after: small + "\n> att 0a 22 00\n> att2 0a 22 00",
      wrong: "< att2 0b\n< 04 13 09 02 40 00 01 00 42 00 01 00\n> \(write2)",
      right: "< att2 0b\n< 04 13 09 02 40 00 01 00 41 00 01 00\n> \(write2)"),
    Rule(
      "a data packet without a free buffer", after: small + "\n> \(write)\n< \(gone)\n> \(write2)",
      wrong: "< 04 13 05 01 40 00 02 00\n< att2 13\n> att2 0a 22 00",
      right: "< 04 13 05 01 41 00 02 00\n< att2 13\n> att2 0a 22 00"),
  ]

  static let own: [Rule] = [
    Rule(
      "a request before the last one was answered", after: linkedTwice + "\n> att 0a 22 00",
      wrong: "< att2 0b\n> att 0a 22 00", right: "> att2 0a 22 00"),
    Rule(
      "a response that answers nothing", after: linkedTwice,
      wrong: "< att 0a 03 00\n> att2 0b 4c", right: "< att2 0a 03 00\n> att2 0b 4c"),
    Rule(
      "a frame begins within another", after: linkedTwice + "\n> \(DataRuleTests.first)",
      wrong: "> \(DataRuleTests.mtu)", right: "> att2 02 05 02"),
    // The two halves of an indication, and something of the other link in between.
    Rule(
      "a confirmation of nothing",
      after: linkedTwice + "\n< 02 40 20 05 00 04 00 04 00 1d",
      wrong: "< 02 41 10 03 00 03 00 11\n> att 1e",
      right: "< 02 41 20 05 00 01 00 04 00 0b\n< 02 40 10 03 00 03 00 11\n> att 1e"),
    Rule(
      "an attribute PDU longer than the MTU",
      after: linkedTwice + "\n> att 02 05 02\n< att 03 1e 00",
      wrong: "> att2 12 22 00 \(filler(21))", right: "> att 12 22 00 \(filler(21))"),
    Rule(
      "a request where the encryption failed",
      after: linkedTwice + "\n> \(encrypt2)\n< 04 0f 04 00 01 19 20\n< 04 08 04 06 41 00 00",
      wrong: "> att2 0a 22 00", right: "> att 0a 22 00"),
    Rule(
      "encryption is begun while it is being begun",
      after: linkedTwice + "\n> \(encrypt2)\n< 04 0f 04 00 01 19 20",
      wrong: "> \(encrypt2)", right: "> \(encrypt)"),
    Rule(
      "a pairing is begun within another",
      after: linkedTwice + "\n> smp 01 01 00 0d 10 02 02",
      wrong: "< smp2 05 05\n> smp 01 01 00 0d 10 02 02", right: "> smp2 01 03 00 09 10 02 02"),
    Rule(
      "a command for a link that is not there", after: linkedTwice,
      wrong: "< \(goneSecond)\n> 01 06 04 03 41 00 13", right: "< \(gone)\n> 01 06 04 03 41 00 13"),
  ]

  @Test(arguments: buffers) func theBuffersAreEverybodys(_ rule: Rule) { rule.check() }

  @Test(arguments: own) func allElseIsALinksOwn(_ rule: Rule) { rule.check() }

  static var everything: [Rule] { buffers + own }
}
