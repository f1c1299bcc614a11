import Testing

@Suite struct DataRuleTests {
  /// A link over a controller with two buffers of 27 bytes.
  static let small = linked.replacing("1b 00 40", with: "1b 00 02")
  /// One whose LE buffers are the shared ones: two of 30 bytes.
  static let shared =
    linked.replacing("1b 00 40", with: "00 00 00")
    + "\n> 01 05 10 00\n< 04 0e 0b 01 05 10 00 1e 00 00 02 00 00 00"
  /// Exchange MTU Request, and the two pieces of a write of 20 bytes.
  static let mtu = "02 40 00 07 00 03 00 04 00 02 05 02"
  static let first = "02 40 00 17 00 17 00 04 00 12 22 00 \(filler(16))"
  static let rest = "02 40 10 04 00 \(filler(4))"

  static let packets: [Rule] = [
    Rule(
      "a data packet without a whole header", after: linked, wrong: "> 02 40 00 00",
      right: "> \(mtu)"),
    Rule(
      "a data packet whose length is another", after: linked,
      wrong: "> 02 40 00 08 00 03 00 04 00 02 05 02", right: "> \(mtu)"),
    Rule(
      "data before Reset is through", after: linked,
      wrong: "> 01 03 0c 00\n> \(mtu)", right: "> 01 09 10 00\n> \(mtu)"),
    Rule(
      "data for a link that is not there", after: linked, wrong: "< \(gone)\n> \(mtu)",
      right: "> \(mtu)"),
    Rule(
      "flags that no LE data have", after: linked,
      wrong: "> 02 40 20 07 00 03 00 04 00 02 05 02", "> 02 40 40 07 00 03 00 04 00 02 05 02",
      right: "> \(mtu)"),
    Rule(
      "a data packet with nothing in it", after: linked, wrong: "> 02 40 00 00 00",
      right: "> \(mtu)"),
    Rule(
      "a data packet longer than the buffers", after: linked,
      wrong: "> 02 40 00 1c 00 \(filler(28))", right: "> \(first)"),
    Rule(
      "a data packet longer than the buffers", after: shared,
      wrong: "> 02 40 00 1f 00 50 00 04 00 \(filler(27))",
      right: "> 02 40 00 1e 00 50 00 04 00 \(filler(26))"),
    Rule(
      "a data packet without a free buffer", after: small + "\n> \(first)\n> \(rest)",
      wrong: "< 04 13 05 01 41 00 01 00\n> \(mtu)",
      right: "< 04 13 05 01 40 00 01 00\n< att 13\n> \(mtu)"),
    // More than there were, or a list without its end, give none.
    Rule(
      "a data packet without a free buffer", after: small + "\n> \(first)\n> \(rest)\n< att 13",
      wrong: "< 04 13 05 02 40 00 01 00\n> \(mtu)", right: "< 04 13 05 01 40 00 09 00\n> \(mtu)"),
    Rule(
      "a frame begins within another", after: linked + "\n> \(first)", wrong: "> \(mtu)",
      right: "> \(rest)"),
    Rule(
      "a frame goes on that did not begin", after: linked, wrong: "> \(rest)", right: "> \(first)"),
    Rule(
      "a frame goes on that did not begin", after: linked + "\n> \(first)\n> \(rest)",
      wrong: "> \(rest)", right: "< att 13\n> \(first)"),
    Rule(
      "a frame longer than any MTU",
      after: linked + "\n> 02 40 00 1b 00 00 08 04 00 \(filler(23))"
        + String(repeating: "\n> 02 40 10 1b 00 \(filler(27))", count: 21),
      wrong: "> 02 40 10 1b 00 \(filler(27))", right: "> 02 40 10 01 00 11"),
    Rule(
      "more data than the frame says", after: linked + "\n> \(first)",
      wrong: "> 02 40 10 05 00 \(filler(5))", right: "> \(rest)"),
    Rule(
      "a channel that no LE link has", after: linked,
      wrong: "> 02 40 00 05 00 01 00 3a 00 01", right: "> \(mtu)"),
  ]

  /// A wish for 30 to 50 ms.
  static let wish = "< sig 12 07 08 00 18 00 28 00 00 00 90 01"

  static let signaling: [Rule] = [
    Rule(
      "a signaling command beyond its MTU", after: linked + "\n\(wish)",
      wrong: "> sig 13 07 14 00 \(zeros(20))", right: "> sig 13 07 02 00 00 00"),
    Rule(
      "a signaling command whose length is another", after: linked + "\n\(wish)",
      wrong: "> sig 13 07 03 00 00 00", right: "> sig 13 07 02 00 00 00"),
    Rule(
      "an answer to parameters that is none", after: linked + "\n\(wish)",
      wrong: "> sig 13 07 02 00 02 00", right: "> sig 13 07 02 00 01 00"),
    Rule(
      "an answer to parameters that nobody asked for", after: linked + "\n\(wish)",
      wrong: "> sig 13 08 02 00 00 00", right: "> sig 13 07 02 00 00 00"),
    Rule(
      "an answer to parameters that nobody asked for",
      after: linked + "\n\(wish)\n> sig 13 07 02 00 00 00",
      wrong: "> sig 13 07 02 00 00 00", right: "\(wish)\n> sig 13 07 02 00 00 00"),
    Rule(
      "a rejection without its reason", after: linked + "\n< sig 14 09 00 00",
      wrong: "> sig 01 09 00 00", right: "> sig 01 09 02 00 00 00"),
    Rule(
      "a rejection of nothing", after: linked,
      wrong: "< sig 01 09 02 00 00 00\n> sig 01 09 02 00 00 00",
      right: "< sig 14 09 00 00\n> sig 01 09 02 00 00 00"),
    Rule(
      "a signaling command that is never sent", after: linked,
      wrong: "> sig 06 07 04 00 40 00 41 00",
      right: "\(wish)\n> sig 13 07 02 00 00 00"),
  ]

  @Test(arguments: packets) func dataFitTheBuffersAndTheFrames(_ rule: Rule) { rule.check() }

  @Test(arguments: signaling) func signalingAnswersWhatWasAsked(_ rule: Rule) { rule.check() }

  static var everything: [Rule] { packets + signaling }
}
