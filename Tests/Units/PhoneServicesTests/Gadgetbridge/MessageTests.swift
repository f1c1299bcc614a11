import Bytes
import Expecting
import TestSupport
import Turns

@testable import PhoneServices

/// What lines say: Boards/reference/turns.md, and Gadgetbridge's `BangleJSDeviceSupport`.
struct MessageTests {
  /// Vectors V22, V31 to V35 are among them.
  @Test(arguments: everyKind.indices) func aLineOfEachKindIsRead(_ index: Int) {
    expect(written(#"GB({"t":"nav"})"#), over, "V22 itself")
    expect(Heard(everyKind[index].0), everyKind[index].1)
  }

  /// Espruino clears its line by 0x03; Gadgetbridge writes that, too.
  @Test(arguments: everyKind.indices)
  func centralBehaviour116_controlsInFrontAndASemicolonBehindLoseNoLine(_ index: Int) {
    let (line, meaning) = everyKind[index]
    for controls in ["\u{3}", "\0\u{1F}", "\u{7F}\u{1B}\t"] {
      expect(heard([written(controls + line)]), [meaning])
      expect(heard([written(controls + line + ";")]), [meaning])
    }
  }

  // MARK: - Turns

  @Test(arguments: [
    ("continue", Maneuver.straight), ("left", .left), ("left_slight", .slightLeft),
    ("left_sharp", .sharpLeft), ("right", .right), ("right_slight", .slightRight),
    ("right_sharp", .sharpRight), ("keep_left", .forkLeft), ("keep_right", .forkRight),
    ("uturn_left", .uTurn), ("uturn_right", .uTurn),
    ("roundabout_right", .roundabout(.unknown, nil)),
    ("roundabout_left", .roundabout(.unknown, nil)), ("finish", .finish),
    ("roundabout_straight", .roundabout(.unknown, nil)),
    ("roundabout_uturn", .roundabout(.unknown, nil)),
  ])
  func anActionIsAManeuver(_ action: String, _ maneuver: Maneuver) {
    expect(
      Heard(#"GB({"t":"nav","instr":"A","distance":"7m","action":"\#(action)"})"#),
      .turn(maneuver, 7, "A"))
  }

  @Test(arguments: [#""Left""#, #""merge""#, #""""#, "1", "[]", #""left\0""#])
  func peripheralBehaviour41_anUnknownActionIsANeutralSign(_ action: String) {
    expect(
      Heard(#"GB({"t":"nav","distance":"7m","action":\#(action)})"#), .turn(.unknown(255), 7, ""))
  }

  @Test(arguments: [
    #"GB({"t":"weather","temp":288,"hum":60})"#, #"GB({"t":"Nav"})"#, #"GB({"t":1})"#, "GB({})",
    #"GB({"instr":"A"})"#, #"GB({"t":"nav "})"#, "load()", "Bangle.buzz()", "GB", "G", "a",
    #"E.showMessage("GB({\"t\":\"nav\"})")"#, #"{"t":"nav"}"#, #"GB ({"t":"nav"})"#,
    #"GB({"t":"notify-"})"#, #"GB({"t":"notify-","id":"1"})"#,
  ])
  func peripheralBehaviour41_anythingElseIsIgnored(_ line: String) {
    expect(Heard(line), .other)
  }

  @Test func peripheralBehaviour37_aLineWithoutFieldsIsTheEndAndOneWithoutDistanceAndTextIsNoTurn()
    throws
  {
    expect(heard([over]), [.over])
    expect(Heard(#"GB({"t":"nav","instr":null,"distance":undefined})"#), .over)
    for (line, isEmpty) in [
      (#"GB({"t":"nav","distance":"-1m"})"#, true), (#"GB({"t":"nav","action":"left"})"#, true),
      (#"GB({"t":"nav","instr":""})"#, true), (#"GB({"t":"nav","instr":"A"})"#, false),
      (#"GB({"t":"nav","distance":"0m"})"#, false),
      (#"GB({"t":"nav","action":"offroute"})"#, false),
    ] {
      let bytes = latin1(line)
      let message = try Gadgetbridge.Message(parsing: bytes.span)
      switch message {
      case .nextTurn(let turn):
        let found = turn.isEmpty
        expect(found, isEmpty, "\(line)")
      default: Issue.record("no turn: \(line)")
      }
    }
  }

  @Test(arguments: [#""35m""#, #""-1m""#, "7", #""12 km""#])
  func peripheralBehaviour40_offTheRouteTheDistanceIsNotCounted(_ distance: String) {
    expect(
      Heard(#"GB({"t":"nav","instr":"","distance":\#(distance),"action":"offroute"})"#),
      .turn(.offRoute, 0, ""))
  }

  // MARK: - The clock

  @Test(arguments: [
    ("2.0", 120), ("-3.5", -210), ("5.75", 345), ("0.0", 0), ("-0.0", 0), ("14.0", 840),
    ("12.75", 765), ("2", 120),
  ])
  func aZoneIsInHours(_ hours: String, _ minutes: Int16) {
    expect(Heard(clockLine(hours)), .clock(1_789_000_000, minutes: minutes))
  }

  @Test(arguments: [
    "setTime(", "setTime()", "setTime(1)", "setTime(1);", "setTime(1);E.setTimeZone(",
    "setTime(1);E.setTimeZone(2",
    "setTime(1);E.setTimeZone(19.0)", "setTime(-1);E.setTimeZone(0)",
    "setTime(1.5);E.setTimeZone(0)",
    "setTime(1e9);E.setTimeZone(0)", "setTime(18446744073709551617);E.setTimeZone(0)",
    "setTime(1)E.setTimeZone(0)",
    "setTime(253402300800);E.setTimeZone(0)", "setTime(-Infinity);E.setTimeZone(0)",
    "setTime(9223372036854775807);E.setTimeZone(0)", "setTime(1);E.setTimeZone(-Infinity)",
    "setTime(1);E.setTimeZone(1e9)",
    "setTime(-9223372036854775808);E.setTimeZone(0)", "setTime(0);E.setTimeZone(-1)",
    "setTime(\"1\");E.setTimeZone(0)",
  ])
  func whatIsNoTimeIsUnreadable(_ line: String) { expect(Heard(line), .unreadable) }

  /// Those of date(1).
  @Test(arguments: [
    (1_789_000_000, 120, "2026-09-10T02:26:40+02:00"), (0, 0, "1970-01-01T00:00:00+00:00"),
    (951_782_400, 0, "2000-02-29T00:00:00+00:00"), (951_868_800, -60, "2000-02-29T23:00:00-01:00"),
    (4_107_542_400, 0, "2100-03-01T00:00:00+00:00"),
    (1_798_761_599, 345, "2027-01-01T05:44:59+05:45"),
    (253_402_300_799, 0, "9999-12-31T23:59:59+00:00"),
    (1_709_164_800, -210, "2024-02-28T20:30:00-03:30"),
  ])
  func aTimeInUTCIsALocalTime(_ seconds: Int64, _ minutes: Int, _ expected: String) throws {
    let zone = try #require(Zone(minutes: minutes))
    let time = try #require(LocalTime(secondsSince1970: seconds, in: zone))
    var text = FixedBuffer<32>()
    time.write(in: zone, into: &text)
    expect(string(text.bytes), expected)
  }

  // MARK: - The phone

  @Test(arguments: [
    ("incoming", Gadgetbridge.Call.Stage.incoming), ("outgoing", .outgoing), ("accept", .accepted),
    ("start", .started), ("reject", .refused), ("end", .ended), ("undefined", .unknown),
    ("", .unknown),
  ])
  func aCallHasAStage(_ word: String, _ stage: Gadgetbridge.Call.Stage) {
    expect(
      Heard(#"GB({"t":"call","cmd":"\#(word)","name":"A","number":"1"})"#), .call(stage, "A"))
  }

  @Test(arguments: [
    (#""number":"+491""#, "+491"), (#""name":"","number":"+491""#, "+491"), (#""name":"A""#, "A"),
    (#""name":null"#, ""), (#""name":7"#, ""),
  ])
  func aCallerWithoutANameIsANumber(_ members: String, _ name: String) {
    expect(Heard("GB({\"t\":\"call\",\"cmd\":\"incoming\",\(members)})"), .call(.incoming, name))
  }

  @Test(arguments: [
    (#""id":1,"src":"Mail","title":"T","subject":"S","body":"B","sender":"A""#, 1, "T", "B"),
    (
      #""id":-2147483648,"src":"Mail","subject":"S","body":"","sender":"A""#, -2_147_483_648, "A",
      "S"
    ),
    (#""id":9223372036854775807,"src":"Mail""#, .max, "Mail", ""),
    (#""id":9223372036854775808"#, nil, "", ""),
    (#""id":-9223372036854775808,"body":"B""#, .min, "", "B"),
    (#""id":"7","title":7,"sender":"A""#, nil, "A", ""),
    (#""id":1.5"#, nil, "", ""),
  ])
  func aNoticeHasATitleAndAMessage(
    _ members: String, _ identifier: Int64?, _ title: String, _ message: String
  ) {
    expect(Heard("GB({\"t\":\"notify\",\(members)})"), .notice(identifier, title, message))
  }

  @Test(arguments: [
    (#""src":"Mail""#, "Mail"), (#""src":"Wh\u0061tsApp","title":"T""#, "WhatsApp"),
    (#""src":atob("QvxybyBQb3N0")"#, "Büro Post"), (#""src":7"#, ""), (#""title":"Mail""#, ""),
    (#""src":"a","src":"b""#, "b"), (#""src":"\#(String(repeating: "a", count: 300))""#, nil),
  ])
  func aNoticeHasItsApp(_ members: String, _ app: String?) {
    let expected = app ?? String(repeating: "a", count: 256)
    expect(noticeApp("GB({\"t\":\"notify\",\(members)})"), expected)
  }

  @Test(arguments: [
    ("play", Heard.player(.playing)), ("pause", .player(.paused)), ("stop", .player(.stopped)),
    ("", .other),
  ])
  func aPlayerHasAState(_ word: String, _ meaning: Heard) {
    expect(Heard(#"GB({"t":"musicstate","state":"\#(word)"})"#), meaning)
  }

  @Test func textsOfThePhoneAreCut() {
    let long = String(repeating: "\u{FC}", count: 300)
    func letters(_ bytes: Int) -> String { String(repeating: "ü", count: bytes / 2) }
    expect(Heard("GB({\"t\":\"call\",\"name\":\"\(long)\"})"), .call(.unknown, letters(128)))
    expect(
      Heard("GB({\"t\":\"notify\",\"title\":\"\(long)\",\"body\":\"\(long)\"})"),
      .notice(nil, letters(128), letters(200)))
    expect(
      Heard("GB({\"t\":\"musicinfo\",\"track\":\"\(long)\",\"artist\":\"\(long)\"})"),
      .track(letters(96), artist: letters(96)))
  }
}
