import Testing

@Suite struct SecurityRuleTests {
  /// The steps of a pairing by comparison, in which both sides promise their identity.
  static let steps = [
    "> smp 01 01 00 0d 10 02 02", "< smp 02 01 00 0d 10 02 02", "> smp 0c \(filler(64))",
    "< smp 0c \(filler(64))", "< smp 03 \(filler(16))", "> smp 04 \(filler(16))",
    "< smp 04 \(filler(16))", "> smp 0d \(filler(16))", "< smp 0d \(filler(16))",
    "> \(encrypt)", "< 04 0f 04 00 01 19 20", "< 04 08 04 00 40 00 01",
    "< smp 08 \(filler(16))", "< smp 09 00 \(filler(6))",
    "> smp 08 \(zeros(16))", "> smp 09 00 \(filler(6))",
  ]

  /// A link whose pairing has come so far.
  static func after(_ count: Int) -> String {
    linked + "\n" + steps.prefix(count).joined(separator: "\n")
  }

  static let features: [Rule] = [
    Rule("a security command with nothing in it", after: linked, wrong: "> smp", right: steps[0]),
    Rule("a security command that is reserved", after: linked, wrong: "> smp 0f", right: steps[0]),
    Rule(
      "a security command of a wrong length", after: linked,
      wrong: "> smp 01 01 00 0d 10 02", right: steps[0]),
    Rule(
      "a pairing is begun within another", after: after(1), wrong: steps[0],
      right: "< smp 05 05\n" + steps[0]),
    Rule(
      "a pairing request with reserved values", after: linked,
      wrong: "> smp 01 05 00 0d 10 02 02", "> smp 01 01 00 4d 10 02 02",
      right: "> smp 01 04 00 0d 10 02 02", "> smp 01 01 00 2d 10 02 02"),
    Rule(
      "a key size beyond 7 to 16", after: linked, wrong: "> smp 01 01 00 0d 11 02 02",
      right: "> smp 01 01 00 0d 07 02 02"),
    Rule(
      "keys that nobody can hand out", after: linked,
      wrong: "> smp 01 01 00 0d 10 10 02", right: "> smp 01 01 00 0d 10 0f 02"),
    Rule(
      "a pairing without secure connections", after: linked,
      wrong: "> smp 01 01 00 05 10 02 02", right: steps[0]),
  ]

  static let order: [Rule] = [
    Rule(
      "a pairing command out of its order", after: after(1),
      wrong: steps[2],
      // A phone that knows legacy pairing only gets no public key.
      "< smp 02 01 00 05 10 02 02\n" + steps[2],
      right: steps[1] + "\n" + steps[2], "< smp 02 01 00 05 10 02 02\n> smp 05 03"),
    Rule("a public key of zero", after: after(2), wrong: "> smp 0c \(zeros(64))", right: steps[2]),
    Rule(
      "a pairing command out of its order", after: after(4), wrong: steps[5],
      right: steps[4] + "\n" + steps[5]),
    Rule(
      "a pairing command out of its order", after: after(6),
      wrong: steps[7], steps[5],
      right: steps[6] + "\n" + steps[7], "> smp 05 08"),
    Rule(
      "a pairing command out of its order", after: after(6) + "\n> smp 05 08",
      wrong: steps[6] + "\n" + steps[7], right: steps[0]),
    Rule(
      "a pairing command out of its order", after: after(2) + "\n< smp 05 08", wrong: steps[2],
      right: steps[0]),
    // One that is half on its way cannot be called back.
    Rule(
      "a pairing command out of its order", after: after(2),
      wrong:
        "< smp 05 08\n> 02 40 00 1b 00 41 00 06 00 0c \(filler(22))\n> 02 40 10 1b 00 \(filler(27))\n> 02 40 10 0f 00 \(filler(15))",
      right:
        "> 02 40 00 1b 00 41 00 06 00 0c \(filler(22))\n< smp 05 08\n> 02 40 10 1b 00 \(filler(27))\n> 02 40 10 0f 00 \(filler(15))"
    ),
    Rule(
      "encryption is begun with a key that nobody can have", after: after(8),
      wrong: steps[9], right: steps[8] + "\n" + steps[9]),
    Rule(
      "a failure with a reserved reason", after: after(2), wrong: "> smp 05 00",
      right: "> smp 05 0f"),
    Rule(
      "a failure of nothing", after: linked, wrong: "> smp 05 05", right: "< smp 0b 0d\n> smp 05 05"
    ),
    Rule(
      "a failure of nothing", after: after(2), wrong: "< smp 05 08\n> smp 05 08",
      right: "> smp 05 08"),
    Rule(
      "a security command that is not an initiator's", after: after(4),
      wrong: "> smp 03 \(filler(16))", right: steps[4] + "\n" + steps[5]),
    Rule(
      "a security command that is not an initiator's", after: linked, wrong: "> smp 0b 0d",
      right: steps[0]),
    Rule(
      "a security command that is not an initiator's", after: after(14),
      wrong: "> smp 06 \(filler(16))", right: steps[14]),
  ]

  /// The same, but we promise a key for signing, or none.
  static func after(_ count: Int, ours: String) -> String {
    after(count).replacing(steps[0], with: "> smp 01 01 00 0d 10 07 02")
      .replacing(steps[1], with: "< smp 02 01 00 0d 10 \(ours) 02")
  }

  static let keys: [Rule] = [
    Rule("a key outside the key distribution", after: after(9), wrong: steps[14], right: steps[9]),
    Rule(
      "a key outside the key distribution", after: after(16), wrong: steps[14],
      right: "> att 0a 22 00"),
    Rule(
      "a key that was not promised", after: after(13, ours: "00"), wrong: steps[14],
      right: "> smp 05 08"),
    Rule(
      "a key that was not promised", after: after(14), wrong: "> smp 0a \(filler(16))",
      right: steps[14]),
    Rule(
      "a key out of its order", after: after(14, ours: "06"),
      wrong: "> smp 0a \(filler(16))",
      right: "\(steps[14])\n\(steps[15])\n> smp 0a \(filler(16))"),
    Rule(
      "a key before the responder's", after: after(13), wrong: steps[14],
      right: steps[13] + "\n" + steps[14]),
    Rule(
      "a key out of its order", after: after(14), wrong: steps[15],
      right: steps[14] + "\n" + steps[15]),
    Rule("a key out of its order", after: after(15), wrong: steps[14], right: steps[15]),
    Rule(
      "an identity address that changes", after: after(15),
      wrong: "> smp 09 01 \(filler(5)) 7f", right: "> smp 09 01 \(filler(5)) c0"),
    Rule(
      "a key outside the key distribution", after: after(14),
      wrong: "< 04 08 04 00 40 00 00\n" + steps[14], right: steps[14]),
  ]

  @Test(arguments: features) func aPairingIsBegunAsItMayBe(_ rule: Rule) { rule.check() }

  @Test(arguments: order) func eachCommandHasItsStep(_ rule: Rule) { rule.check() }

  @Test(arguments: keys) func keysAreGivenAsPromisedOverAnEncryptedLink(_ rule: Rule) {
    rule.check()
  }

  static var everything: [Rule] { features + order + keys }
}
