import Testing

/// Supported Commands say that the controller can advertise and ask for keys.
let able = """
  \(up)
  > 01 02 10 00
  < 04 0e 44 01 02 10 00 \(zeros(25)) a0 03 00 06 \(zeros(35))
  """

/// The controller advertises.
let advertising = """
  \(able)
  > \(AdvertisingRuleTests.parameters())
  < 04 0e 04 01 06 20 00
  > \(AdvertisingRuleTests.data)
  < 04 0e 04 01 08 20 00
  > \(AdvertisingRuleTests.on)
  < 04 0e 04 01 0a 20 00
  """

/// A phone has come of it, by the link 0x0040.
let came = """
  \(advertising)
  < \(AdvertisingRuleTests.comes)
  """

@Suite struct AdvertisingRuleTests {
  static let on = "01 0a 20 01 01"
  static let off = "01 0a 20 01 00"
  static let comes = "04 3e 13 01 00 40 00 01 01 01 02 03 04 05 c6 18 00 00 00 48 00 01"
  /// Flags and a name.
  static let data = "01 08 20 20 0b 02 01 06 07 09 4c 65 6e 6b 65 72 \(zeros(20))"
  static let response = "01 09 20 20 04 03 19 81 04 \(zeros(27))"

  static func parameters(
    interval: String = "20 00 20 00", type: String = "00", own: String = "00",
    channels: String = "07", policy: String = "00"
  ) -> String { "01 06 20 0f \(interval) \(type) \(own) 00 \(zeros(6)) \(channels) \(policy)" }

  static let settings: [Rule] = [
    Rule(
      "advertising parameters while advertising is enabled", after: advertising,
      wrong: "> \(parameters())",
      // A link has ended it.
      "< \(connected)\n> \(parameters())",
      right: "> \(off)\n< 04 0e 04 01 0a 20 00\n> \(parameters())", "< \(comes)\n> \(parameters())",
      // What is refused to be switched off is not on.
      "> \(off)\n< 04 0e 04 01 0a 20 0c\n> \(parameters())"),
    Rule(
      "advertising is ended though it is not enabled", after: able, wrong: "> \(off)",
      right: String(advertising.dropFirst(able.count + 1)) + "\n> \(off)"),
    Rule(
      "an advertising interval that is none", after: able,
      wrong: "> \(parameters(interval: "1f 00 20 00"))", "> \(parameters(interval: "21 00 20 00"))",
      "> \(parameters(interval: "20 00 01 40"))",
      right: "> \(parameters(interval: "20 00 20 00"))", "> \(parameters(interval: "64 06 64 06"))",
      "> \(parameters(interval: "20 00 00 40"))"),
    Rule(
      "advertising of another kind", after: able,
      wrong: "> \(parameters(type: "02"))", "> \(parameters(policy: "02"))",
      right: "> \(parameters())"),
    Rule(
      "an own address that was not set", after: able, wrong: "> \(parameters(own: "01"))",
      right: "> \(parameters())"),
    Rule(
      "advertising on channels that there are not", after: able,
      wrong: "> \(parameters(channels: "08"))", "> \(parameters(channels: "00"))",
      right: "> \(parameters(channels: "01"))", "> \(parameters(channels: "07"))"),
    Rule(
      "a command that the controller does not support", after: up, wrong: "> \(parameters())",
      right: String(able.dropFirst(up.count + 1)) + "\n> \(parameters())"),
  ]

  static let contents: [Rule] = [
    Rule(
      "more advertising data than there is room for", after: able,
      wrong: "> 01 08 20 20 20 \(zeros(31))", right: "> 01 08 20 20 1f 1e 09 \(filler(29))"),
    Rule(
      "something behind the advertising data", after: able,
      wrong: "> 01 09 20 20 02 01 09 11 \(zeros(28))",
      right: "> 01 09 20 20 02 01 09 00 \(zeros(28))"),
    // A structure that is cut, and one with nothing in it.
    Rule(
      "advertising data that are no structures", after: able,
      wrong: "> 01 08 20 20 03 03 09 41 \(zeros(28))", "> 01 08 20 20 04 02 09 41 00 \(zeros(27))",
      right: "> 01 08 20 20 03 02 09 41 \(zeros(28))", "> 01 08 20 20 03 02 09 41 00 \(zeros(27))"),
    Rule(
      "flags where none may be", after: able,
      wrong: "> 01 09 20 20 03 02 01 06 \(zeros(28))",
      "> 01 08 20 20 06 02 01 06 02 01 04 \(zeros(25))",
      right: "> \(response)", "> \(data)"),
  ]

  /// The switch, with all that was set before.
  private static let set = String(
    advertising.split(separator: "\n").dropLast(2).joined(separator: "\n"))
  private static let reset = "> 01 03 0c 00\n< 04 0e 04 01 03 0c 00"

  static let switching: [Rule] = [
    Rule(
      "a switch beyond 1", after: set, wrong: "> 01 0a 20 01 02", right: "> \(on)"),
    Rule(
      "advertising is enabled though it is", after: advertising, wrong: "> \(on)",
      right: "> \(data)"),
    Rule(
      "advertising is enabled though it is", after: set,
      wrong: "> \(on)\n< 04 0e 04 01 0a 20 00\n> \(on)",
      right: "> \(on)\n< 04 0e 04 01 0a 20 0c\n> \(on)"),
    Rule(
      "advertising is enabled before it is known what", after: able,
      wrong: "> \(parameters())\n< 04 0e 04 01 06 20 00\n> \(on)",
      "> \(parameters())\n< 04 0e 04 01 06 20 12\n> \(data)\n< 04 0e 04 01 08 20 00\n> \(on)",
      right: "> \(parameters())\n< 04 0e 04 01 06 20 00\n> \(data)\n< 04 0e 04 01 08 20 00\n> \(on)"
    ),
    // Reset forgets what was set.
    Rule(
      "a command that the controller does not support", after: advertising,
      wrong: "\(reset)\n> \(on)", right: "> \(off)"),
    Rule(
      "advertising is enabled before it is known what", after: advertising,
      wrong: reset + String(able.dropFirst(up.count)) + "\n> \(on)", right: "> \(off)"),
    Rule(
      "advertising is enabled while a connection is created", after: set,
      wrong: "> \(create)\n< 04 0f 04 00 01 0d 20\n> \(on)",
      right: "> \(create)\n< 04 0f 04 0c 01 0d 20\n> \(on)"),
    Rule(
      "a connection is created while advertising is enabled", after: advertising,
      wrong: "> \(create)", right: "> \(off)\n< 04 0e 04 01 0a 20 00\n> \(create)"),
    Rule(
      "advertising is enabled though a phone has come", after: came, wrong: "> \(on)",
      right: "< \(gone)\n> \(on)"),
    // The attempt of before goes on.
    Rule(
      "a connection is created while another one is",
      after: set + "\n> \(create)\n< 04 0f 04 00 01 0d 20",
      wrong: "< \(comes)\n> \(createSecond)", right: "< \(connected)\n> \(createSecond)"),
    Rule(
      "a connection is created to a peer that has one", after: came,
      wrong: "> \(RadioRuleTests.same)", right: "> \(createSecond)"),
  ]

  /// LE States without a bit.
  private static func without(_ bit: UInt64) -> String {
    let states = UInt64(0x3FF_FFFF_FFFF) & ~(1 << bit)
    let octets = (0..<8).map { "0" + String(states >> ($0 * 8) & 0xFF, radix: 16) }
    return "> 01 1c 20 00\n< 04 0e 0c 01 1c 20 00 "
      + octets.map { $0.suffix(2) }.joined(separator: " ")
  }

  private static let scanning = "> 01 0c 20 02 01 00\n< 04 0e 04 01 0c 20 00"
  private static let active = "> \(RadioRuleTests.parameters)\n< 04 0e 04 01 0b 20 00\n\(scanning)"

  static let company: [Rule] = [
    Rule(
      "advertising beside scanning on a controller that cannot", after: "\(set)\n\(scanning)",
      wrong: "\(without(10))\n> \(on)", right: "\(without(14))\n> \(on)"),
    Rule(
      "advertising beside scanning on a controller that cannot", after: "\(set)\n\(active)",
      wrong: "\(without(14))\n> \(on)", right: "\(without(10))\n> \(on)"),
    // 26 and 27 are for scanning beside a peripheral's link, 41 for connecting.
    Rule(
      "scanning beside a link on a controller that cannot", after: came,
      wrong: "\(without(26))\n> 01 0c 20 02 01 00", right: "\(without(24))\n> 01 0c 20 02 01 00"),
    Rule(
      "a connection beside a link on a controller that cannot", after: came,
      wrong: "\(without(41))\n> \(createSecond)", right: "\(without(28))\n> \(createSecond)"),
  ]

  static let forbidden: [Rule] = [parameters(), data, response, on, off].map {
    Rule(
      "advertising that the settings forbid", after: able, mayAdvertise: false, wrong: "> \($0)",
      right: "> 01 0c 20 02 01 00")
  }

  @Test(arguments: settings + contents) func whatIsAdvertisedIsWellFormed(_ rule: Rule) {
    rule.check()
  }

  @Test(arguments: switching + company) func itIsAdvertisedWhereThatMayBe(_ rule: Rule) {
    rule.check()
  }

  @Test(arguments: forbidden) func whereTheSettingsForbidItNothingIsSaidOfIt(_ rule: Rule) {
    rule.check()
  }

  static var everything: [Rule] { settings + contents + switching + company + forbidden }
}
