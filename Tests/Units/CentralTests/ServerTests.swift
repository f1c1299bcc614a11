import Bytes
import Expecting
import TestSupport
import VirtualAir

/// What the phone, as a client, gets from our small server.
///
/// Core Specification, Vol 3, Part F, 3.4.
struct ServerTests {
  /// Requests and answers, byte by byte; attributes 1 to 5 are Generic Access, 6 to 9 Generic Attribute.
  @Test(arguments: [
    ("10 02 00 05 00 00 28", "01 10 02 00 0a"),
    // A service by its UUID.
    ("06 01 00 ff ff 00 28 0f 18", "01 06 01 00 0a"),
    ("06 01 00 ff ff 03 28 01 18", "01 06 01 00 0a"),
    // Characteristics; the two declarations are of one length.
    ("08 01 00 05 00 03 28", "09 07 02 00 02 03 00 00 2a 04 00 02 05 00 01 2a"),
    // The name by its type, as iPhones ask, and by its handle.
    ("0a 03 00", "0b 4c 65 6e 6b 65 72"), ("0c 03 00 04 00", "0d 65 72"), ("0c 03 00 06 00", "0d"),
    ("0c 03 00 07 00", "01 0c 03 00 07"),
    // The appearance: cycling computer.
    ("0a 05 00", "0b 81 04"),
    // Types of attributes, as many as fit into 23 bytes.
    ("04 01 00 ff ff", "05 01 01 00 00 28 02 00 03 28 03 00 00 2a 04 00 03 28 05 00 01 2a"),
    ("04 06 00 ff ff", "05 01 06 00 00 28 07 00 03 28 08 00 05 2a 09 00 02 29 0a 00 00 28"),
    ("04 10 00 ff ff", "01 04 10 00 0a"),
    // A range that begins at 0, or ends before it begins.
    ("04 00 00 ff ff", "01 04 00 00 01"), ("08 05 00 01 00 03 28", "01 08 05 00 01"),
    // No such handle; writes to what is not written, and prepared ones.
    ("0a 10 00", "01 0a 10 00 01"), ("0c 10 00 00 00", "01 0c 10 00 01"),
    ("12 03 00 41", "01 12 03 00 03"), ("12 77 00 41", "01 12 77 00 01"),
    ("16 03 00 00 00 41", "01 16 03 00 06"),
    // Another size; a type has 2 or 16 octets.
    ("0a 03", "01 0a 00 00 04"), ("10 01 00 ff ff 00 28 00 00", "01 10 00 00 04"),
    ("08 01 00 ff ff 00 2a 00 00", "01 08 00 00 04"),
    ("10 01 00 ff ff fb 34 9b 5f 80 00 00 80 00 10 00 00 01 28 00 00", "01 10 01 00 0a"),
    // Several at once, and what is no command and known to nobody: a request, whatever its opcode.
    ("0e 03 00 05 00", "01 0e 00 00 06"), ("20 03 00 05 00", "01 20 00 00 06"),
    ("18 01", "01 18 00 00 06"), ("3f", "01 3f 00 00 06"), ("15 01", "01 15 00 00 06"),
    ("1f", "01 1f 00 00 06"), ("25", "01 25 00 00 06"), ("bf 00", "01 bf 00 00 06"),
    ("3e", "01 3e 00 00 06"),
    // A response, a notification, an indication, a command or a confirmation.
    ("0f 00", ""), ("17 03 00 00 00", ""), ("19", ""), ("21 00", ""), ("23 03 00 00 00", ""),
    ("53 03 00", ""), ("7f", ""), ("ff", ""), ("52 03 00 41", ""), ("d2 03 00 41", ""), ("52", ""),
    ("40", ""), ("1e", ""), ("1e 00", ""),
  ])
  func centralBehaviour22_theServerAnswers(_ request: String, _ answer: String) {
    expect(Self.answers(to: request), answer.isEmpty ? [] : [answer])
  }

  /// On the link of a sensor, which has nothing to look for here.
  @Test(arguments: [
    ("3f", "3f 00 00 06"), ("16 03 00 00 00 41", "16 00 00 06"),
    ("10 01 00 ff ff 00 28 00 00", "10 00 00 04"), ("0a 03", "0a 00 00 04"),
    ("10 01 00 ff ff 00 28", "10 00 00 0a"), ("53 03 00", ""), ("1e", ""),
    ("0a 03 00", "0a 00 00 0a"), ("0a 0f 00", "0a 00 00 0a"), ("12 0f 00 01 00", "12 00 00 0a"),
    ("12 0c 00 41", "12 00 00 0a"), ("08 01 00 ff ff 03 28", "08 00 00 0a"),
  ])
  func centralBehaviour144_aSensorHearsTheSame(_ request: String, _ error: String) {
    let controller = VirtualController()
    let (central, _) = LinkTests.connected(controller)
    let strap = VirtualSensor(.heart, number: 1)
    controller.sensors.append(strap)
    central.follow(strap)
    strap.forgetRequests()
    controller.send(channel: 0x04, bytes(request), from: strap, central)
    expect(strap.answers, error.isEmpty ? [] : [bytes("04 01 " + error)])
    expect(central.written, [])
  }

  /// A type of attributes, and how many of its errors do not depend on the table.
  struct Row: Sendable {
    let type: String
    /// What Read By Type, Read By Group Type, and Find By Type Value for `value` say of all handles.
    let byType, byGroup: String
    var value = ""
    var found = "0a"
  }

  /// Each type that GATT and GAP name: Core Specification, Vol 3, Part C, 12, Part F, 3.4.3 and 3.4.4, and Part G, 2.5.3,
  /// 3 and 7; Assigned Numbers, 3.4 to 3.8.
  ///
  /// A service and a characteristic are groups; of the three grouping types a client asks for services alone by group.
  @Test(
    arguments: [
      Row(
        type: "00 28", byType: "09 04 01 00 00 18 06 00 01 18",
        byGroup: "11 06 01 00 05 00 00 18 06 00 09 00 01 18", value: "01 18", found: "06 00 09 00"),
      Row(type: "01 28", byType: "0a", byGroup: "0a", value: "01 18"),
      Row(type: "02 28", byType: "0a", byGroup: "10"),
      Row(
        type: "03 28",
        byType: "09 07 02 00 02 03 00 00 2a 04 00 02 05 00 01 2a 07 00 20 08 00 05 2a",
        byGroup: "10", value: "20 08 00 05 2a", found: "07 00 09 00"),
      Row(
        type: "03 28",
        byType: "09 07 02 00 02 03 00 00 2a 04 00 02 05 00 01 2a 07 00 20 08 00 05 2a",
        byGroup: "10", value: "02 03 00 00 2a", found: "02 00 03 00"),
      Row(type: "02 29", byType: "01 08 09 00 05", byGroup: "10", value: "00 00"),
      Row(
        type: "00 2a", byType: "09 08 03 00 4c 65 6e 6b 65 72", byGroup: "10",
        value: "4c 65 6e 6b 65 72", found: "03 00 03 00"),
      Row(
        type: "01 2a", byType: "09 04 05 00 81 04", byGroup: "10", value: "81 04",
        found: "05 00 05 00"),
      Row(type: "05 2a", byType: "01 08 08 00 02", byGroup: "10"),
    ]
      + ["00", "01", "03", "04", "05"].map { Row(type: $0 + " 29", byType: "0a", byGroup: "10") }
      + ["04 2a", "a6 2a", "c9 2a", "29 2b", "2a 2b", "3a 2b", "88 2b", "f5 2b"].map {
        Row(type: $0, byType: "0a", byGroup: "10")
      })
  func centralBehaviour135_eachTypeThatGATTNamesIsAnsweredByTheTable(_ row: Row) {
    func answer(_ opcode: String, _ expected: String) -> String {
      expected.count == 2 ? "01 \(opcode) 01 00 \(expected)" : expected
    }
    let all = " 01 00 ff ff " + row.type
    expect(Self.answers(to: "08" + all), [answer("08", row.byType)])
    expect(Self.answers(to: "10" + all), [answer("10", row.byGroup)])
    let found = row.found.count == 2 ? answer("06", row.found) : "07 " + row.found
    expect(Self.answers(to: "06\(all) \(row.value)"), [found])
  }

  @Test func centralBehaviour21_requestsAreAnsweredInMidTransaction() {
    let controller = VirtualController()
    let (central, phone) = LinkTests.connected(controller) { $0.withheld = [0x06] }
    controller.send(channel: 0x04, bytes("0a 03 00"), central)
    expect(phone.answers, [bytes("04 0b 4c 65 6e 6b 65 72")])
    controller.send(channel: 0x04, bytes("07 20 00 2f 00"), central)
    #expect(central.takeEvents().contains(.ready(isSubscribed: true)))
  }

  @Test func noRequestEverGetsMoreThanTheMTU() {
    var answers = 0
    for opcode in UInt8(0)...0xFF {
      for tail in ["", " 01 00", " 01 00 ff ff", " 01 00 ff ff 00 28", " 01 00 ff ff 03 28"] {
        let request = hex([opcode]) + tail
        for answer in Self.answers(to: request) {
          #expect(bytes(answer).count <= 23, "\(request)")
          answers += 1
        }
      }
    }
    #expect(answers > 100)
  }

  /// What the server says at an MTU of 23, the channel left out.
  private static func answers(to request: String) -> [String] {
    ServedTableTests.scene(.stranger).answers(to: request)
  }
}

/// Answers to questions that nobody asked.
struct UnaskedAnswerTests: RidingSuite {
  let ride = FollowedRide()

  /// Each response of Vol 3, Part A, table 4.2, of the phone and of a sensor.
  @Test(arguments: [
    "01", "03", "05", "07", "09", "0b", "0d", "0f", "11", "13", "15", "18", "1a",
  ])
  func centralBehaviour77_aSignalingResponseThatNobodyAskedForIsIgnored(_ code: String) {
    let (count, response) = (phone.answers.count, bytes(code + " 07 02 00 00 00"))
    controller.send(channel: 0x05, response, central)
    expect(phone.answers.count == count && controller.isConnected)
    let strap = linked()
    strap.forgetRequests()
    controller.send(channel: 0x05, response, from: strap, central)
    expect(strap.answers == [] && controller.link(strap) != nil)
  }

  /// Requests of all channels, and an indication of credits: none of them is known here; then wishes for parameters of
  /// another length.
  @Test(
    arguments: ["02", "04", "06", "08", "0a", "14", "16", "17", "19"].map { $0 + " 07 02 00 aa bb" }
      + [
        "12 07 08 00 18 00 28 00 00 00 90", "12 07 09 00 18 00 28 00 00 00 90 01 00",
        "12 07 07 00 18 00 28 00 00 00 90 01",
      ])
  func centralBehaviour31_anUnknownCommandIsRejectedAndAnUnknownChannelSilent(_ command: String) {
    controller.send(channel: 0x05, bytes(command), central)
    expect(phone.answers.last, bytes("05 01 07 02 00 00 00"))
    let count = phone.answers.count
    controller.send(channel: 0x3A, bytes(command), central)
    expect(phone.answers.count, count)
  }
}
