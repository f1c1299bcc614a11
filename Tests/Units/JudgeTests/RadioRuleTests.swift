import Testing

@Suite struct RadioRuleTests {
  static let scanning: [Rule] = [
    Rule(
      "scan parameters while scanning is enabled", after: up + "\n> 01 0c 20 02 01 00",
      wrong: "< 04 0e 04 01 0c 20 00\n> \(parameters)",
      right: "< 04 0e 04 01 0c 20 0c\n> \(parameters)"),
    Rule(
      "a scan type that is none", after: up,
      wrong: "> 01 0b 20 07 02 60 00 60 00 00 00", right: "> 01 0b 20 07 00 60 00 60 00 00 00"),
    Rule(
      "a scan interval and window that do not go together", after: up,
      wrong: "> 01 0b 20 07 01 60 00 61 00 00 00", "> 01 0b 20 07 01 60 00 03 00 00 00",
      right: "> 01 0b 20 07 01 60 00 60 00 00 00", "> 01 0b 20 07 01 60 00 04 00 00 00"),
    Rule(
      "an own address that was not set", after: up,
      wrong: "> 01 0b 20 07 01 60 00 60 00 01 00", right: "> \(parameters)"),
    Rule(
      "a filter of what is searched for", after: up,
      wrong: "> 01 0b 20 07 01 60 00 60 00 00 01", right: "> \(parameters)"),
    Rule(
      "a switch beyond 1", after: up,
      wrong: "> 01 0c 20 02 01 02", right: "> 01 0c 20 02 01 01"),
    Rule(
      "scanning is enabled though it is",
      after: up + "\n> 01 0c 20 02 01 00\n< 04 0e 04 01 0c 20 00",
      wrong: "> 01 0c 20 02 01 00",
      right: "> 01 0c 20 02 00 00",
      // What is refused to be switched off is not on.
      "> 01 0c 20 02 00 00\n< 04 0e 04 01 0c 20 0c\n> 01 0c 20 02 01 00"),
    Rule(
      "scanning is ended though it is not enabled", after: up,
      wrong: "> 01 0c 20 02 00 00",
      "> 01 0c 20 02 01 00\n< 04 0e 04 01 0c 20 00\n> 01 0c 20 02 00 00\n< 04 0e 04 01 0c 20 00\n> 01 0c 20 02 00 00",
      right: "> 01 0c 20 02 01 00\n< 04 0e 04 01 0c 20 00\n> 01 0c 20 02 00 00"),
    // Bit 24 is for passive scanning beside a link, bit 25 for active.
    Rule(
      "scanning beside a link on a controller that cannot",
      after: "\(linked)\n> 01 0b 20 07 00 60 00 60 00 00 00\n< 04 0e 04 01 0b 20 00",
      wrong: "\(states("fe"))\n> 01 0c 20 02 01 00", right: "\(states("01"))\n> 01 0c 20 02 01 00"),
    Rule(
      "scanning beside a link on a controller that cannot",
      after: "\(linked)\n> \(parameters)\n< 04 0e 04 01 0b 20 00",
      wrong: "\(states("fd"))\n> 01 0c 20 02 01 00", right: "\(states("02"))\n> 01 0c 20 02 01 00"),
    Rule(
      "scanning beside a link on a controller that cannot",
      after: "\(linked)\n\(states("00"))", wrong: "> 01 0c 20 02 01 00",
      right: "< \(gone)\n> 01 0c 20 02 01 00"),
    Rule(
      "scanning is enabled while a connection is created", after: creating,
      wrong: "> 01 0c 20 02 01 00", right: "< \(connected)\n> 01 0c 20 02 01 00"),
    // What cannot be called back is not being created.
    Rule(
      "scanning is enabled while a connection is created", after: "\(creating)\n> 01 0e 20 00",
      wrong: "< 04 0e 04 01 0e 20 00\n> 01 0c 20 02 01 00",
      right: "< 04 0e 04 01 0e 20 0c\n> 01 0c 20 02 01 00"),
  ]

  static let parameters = "01 0b 20 07 01 60 00 60 00 00 00"

  static func create(
    window: String = "60 00", policy: String = "00", type: String = "01", own: String = "00",
    interval: String = interval
  ) -> String { "> 01 0d 20 19 60 00 \(window) \(policy) \(type) \(filler(6)) \(own) \(interval)" }

  static let creation: [Rule] = [
    Rule(
      "a connection is created while another one is", after: creating,
      wrong: create(), right: "< \(connected)\n" + create()),
    Rule(
      "a connection is created while another one is", after: up + "\n" + create(),
      wrong: "< 04 0f 04 00 01 0d 20\n" + create(), right: "< 04 0f 04 0d 01 0d 20\n" + create()),
    Rule(
      "a connection is created while scanning is enabled",
      after: up + "\n> 01 0c 20 02 01 00\n< 04 0e 04 01 0c 20 00",
      wrong: create(), right: "> 01 0c 20 02 00 00\n< 04 0e 04 01 0c 20 00\n" + create()),
    Rule(
      "a scan interval and window that do not go together", after: up,
      wrong: create(window: "61 00"), right: create(window: "5f 00")),
    Rule(
      "a filter policy that is none", after: listed,
      wrong: create(policy: "02"), right: create(policy: "01")),
    Rule(
      "a filter policy without its list", after: up,
      wrong: create(policy: "01"),
      // One that was refused, or thrown out again, is not on it.
      "> 01 11 20 07 01 \(filler(6))\n< 04 0e 04 01 11 20 07\n" + create(policy: "01"),
      right: "\(add("01"))\n" + create(policy: "01")),
    Rule(
      "a filter policy without its list", after: listed,
      wrong: "> \(clear)\n< 04 0e 04 01 10 20 00\n" + create(policy: "01"),
      right: "> \(clear)\n< 04 0e 04 01 10 20 0c\n" + create(policy: "01")),
    Rule(
      "a connection is created to a peer that has one", after: linked,
      wrong: "> \(RadioRuleTests.same)", "< 04 05 04 00 41 00 13\n> \(RadioRuleTests.same)",
      right: "> \(createSecond)", "< \(gone)\n> \(RadioRuleTests.same)"),
    Rule(
      "a connection beside a link on a controller that cannot",
      after: linked, wrong: "\(states("ef"))\n> \(createSecond)",
      right: "\(states("10"))\n> \(createSecond)"),
    Rule(
      "a connection beside a link on a controller that cannot",
      after: linked + "\n" + states("ef"), wrong: "> \(createSecond)",
      right: "< \(gone)\n> \(createSecond)"),
    Rule(
      "a peer's address of no type", after: up, wrong: create(type: "04"), right: create(type: "03")
    ),
    Rule(
      "an own address that was not set", after: up, wrong: create(own: "01"), right: create()),
    Rule(
      "connection parameters that do not go together", after: up,
      wrong: create(interval: "0d 00 0c 00 00 00 90 01 00 00 00 00"),
      // 100 ms and a latency of 1 are 400 ms in all, which the timeout must exceed.
      create(interval: "50 00 50 00 01 00 28 00 00 00 00 00"),
      right: create(interval: "0c 00 0c 00 00 00 90 01 00 00 00 00"),
      create(interval: "50 00 50 00 01 00 29 00 00 00 00 00")),
    Rule(
      "connection parameters that do not go together", after: linked,
      wrong: "> 01 13 20 0e 40 00 05 00 0c 00 00 00 90 01 00 00 00 00",
      right: "> 01 13 20 0e 40 00 06 00 0c 00 00 00 90 01 00 00 00 00"),
    Rule(
      "a connection is called back that is not being created", after: up,
      wrong: "> 01 0e 20 00", right: create() + "\n< 04 0f 04 00 01 0d 20\n> 01 0e 20 00"),
    Rule(
      "a connection is called back that is not being created", after: creating,
      wrong: "< \(connected)\n> 01 0e 20 00",
      right: "> 01 0e 20 00",
      // A role that is none: that event ends no attempt.
      "< 04 3e 13 01 00 40 00 02 01 01 02 03 04 05 c6 18 00 00 00 90 01 00\n> 01 0e 20 00"),
    Rule(
      "a connection is called back that is not being created",
      after: creating + "\n> 01 0e 20 00",
      wrong: "< 04 0e 04 01 0e 20 00\n> 01 0e 20 00",
      right: "< 04 0e 04 01 0e 20 00\n< 04 3e 13 01 02 \(zeros(17))\n" + create()),
  ]

  /// LE States, of which the octet with the bits 24 to 31 is this.
  static func states(_ octet: String) -> String {
    "> 01 1c 20 00\n< 04 0e 0c 01 1c 20 00 00 00 00 \(octet) 00 00 00 00"
  }

  /// A device is put on the accept list.
  static func add(_ type: String, _ address: String = filler(6)) -> String {
    "> 01 11 20 07 \(type) \(address)\n< 04 0e 04 01 11 20 00"
  }

  static let clear = "01 10 20 00"
  static let listed = up + "\n" + add("01")
  /// To whom the first link is.
  static let same = "01 0d 20 19 60 00 60 00 00 01 01 02 03 04 05 c6 00 \(interval)"
  /// Room for two.
  static let size = "> 01 0f 20 00\n< 04 0e 05 01 0f 20 00 02"
  static let byList = create(policy: "01") + "\n< 04 0f 04 00 01 0d 20"

  static let acceptList: [Rule] = [
    Rule(
      "the accept list is changed while a connection is created by it", after: listed,
      wrong: "\(byList)\n> \(clear)", right: create() + "\n< 04 0f 04 00 01 0d 20\n> \(clear)"),
    Rule(
      "the accept list is changed while a connection is created by it",
      after: "\(listed)\n\(byList)\n> 01 0e 20 00\n< 04 0e 04 01 0e 20 00",
      wrong: add("00"), right: "< 04 3e 13 01 02 \(zeros(17))\n" + add("00")),
    Rule(
      "the accept list is changed while a connection is created by it",
      after: "\(listed)\n" + create(policy: "01"),
      wrong: "< 04 0f 04 00 01 0d 20\n> \(clear)", right: "< 04 0f 04 0d 01 0d 20\n> \(clear)"),
    Rule("a listed address of no type", after: up, wrong: add("02"), right: add("01")),
    Rule(
      "more devices than the accept list holds", after: "\(listed)\n\(add("00"))",
      wrong: "\(size)\n\(add("01", zeros(6)))", right: add("01", zeros(6))),
    Rule(
      "more devices than the accept list holds", after: "\(listed)\n\(size)\n\(add("00"))",
      wrong: add("01", zeros(6)),
      right: add("01"), "> \(clear)\n< 04 0e 04 01 10 20 00\n\(add("01", zeros(6)))"),
  ]

  @Test(arguments: scanning + creation) func aSearchGoesByTheSpecification(_ rule: Rule) {
    rule.check()
  }

  @Test(arguments: acceptList) func theAcceptListIsLeftAloneWhileItIsInUse(_ rule: Rule) {
    rule.check()
  }

  static var everything: [Rule] { scanning + creation + acceptList }
}
