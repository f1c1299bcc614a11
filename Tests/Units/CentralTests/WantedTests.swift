import ATT
import Bytes
import Expecting
import TestSupport

@testable import Link

/// The table of what is wanted, with lines that the ride does not have.
struct WantedTests {
  private static let ride = UUID(short: 0xA001)
  private static let heartRate = UUID(short: 0x2A37)

  /// A client of a phone whose answers are the test's.
  private struct Client: ~Copyable {
    private var client: GATTClient<4>
    private let now = Instant(milliseconds: 0)

    /// The table begins with a characteristic that is needed, and has the name behind these two.
    init(_ second: Wanted, _ third: Wanted, security: Wanted.Security = .unasked) {
      let first = Wanted(
        ride, by: .discovery(in: UUID(short: 0xA000), .notifications), need: .found,
        security: security)
      client = GATTClient(
        [first, second, third, Wanted(.deviceName, by: .type, isRead: true)],
        isServiceExpected: false)
      client.begin(at: now)
    }

    /// The request that it sends, in hexadecimal digits.
    mutating func said() -> String? {
      guard let request = client.takeRequest() else { return nil }
      var pdu = FixedBuffer<64>()
      request.write(into: &pdu)
      return hex(array(pdu.bytes))
    }

    /// Expects that it sends this, or nothing.
    mutating func says(
      _ expected: String?, _ comment: Comment? = nil,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let said = said()
      #expect(said == expected, comment, sourceLocation: sourceLocation)
    }

    mutating func hear(_ answers: String...) throws {
      for answer in answers { try receive(answer) }
    }

    @discardableResult
    mutating func receive(_ text: String) throws -> ClientOutcome {
      let pdu = bytes(text)
      return client.receive(try ServerPDU(parsing: pdu.span), at: now)
    }

    /// Answers until what is needed is found, at the handles 0x10 to 0x1F.
    mutating func becomeReady() throws -> ClientOutcome {
      for answer in [
        "07 10 00 1f 00", "09 07 11 00 12 12 00 01 a0", "05 01 13 00 02 29",
      ] {
        try receive(answer)
      }
      return try receive("13")
    }

    mutating func secured() { _ = client.secured(at: now) }
    mutating func fallSilent() { client.fallSilent() }
    mutating func read(_ characteristic: UUID) { client.read(characteristic, at: now) }
    var value: [UInt8] { array(client.reading.value.bytes) }
  }

  private static func subscribed(
    isRead: Bool = false, security: Wanted.Security = .unasked
  ) -> Wanted {
    Wanted(
      heartRate, by: .discovery(in: UUID(short: 0x180D), .notifications), isRead: isRead,
      security: security)
  }

  private static let none = Wanted(UUID(short: 0xA002), by: .type)

  @Test func anotherServiceIsOneMoreLine() throws {
    var client = Client(Self.subscribed(), Self.none)
    expect(try client.becomeReady(), .ready)
    client.says("06 01 00 ff ff 00 28 0d 18")
    try client.receive("07 20 00 2f 00")
    client.says("08 20 00 2f 00 03 28")
    try client.receive("09 07 21 00 10 22 00 37 2a")
    client.says("04 23 00 2f 00")
    try client.receive("05 01 23 00 02 29")
    client.says("12 23 00 01 00")
    expect(try client.receive("13"), .found(Self.heartRate), "what is needed was there before")
    expect(try client.receive("1b 22 00 00 48"), .notification(Self.heartRate))
    expect(try client.receive("1d 22 00 00 48"), .nothing, "it was not subscribed to that way")
    client.says("08 01 00 ff ff 00 2a", "and then the next line")
  }

  @Test func aServiceThatIsNotNeededMayBeMissing() throws {
    var client = Client(Self.subscribed(), Self.none)
    _ = try client.becomeReady()
    expect(try client.receive("01 06 01 00 0a"), .nothing)
    client.says("08 01 00 ff ff 00 2a")
  }

  @Test func aValueIsReadAsSoonAsItIsFoundAndWhenItIsAskedFor() throws {
    var client = Client(Self.subscribed(isRead: true), Self.none)
    _ = try client.becomeReady()
    try client.hear("07 20 00 2f 00", "09 07 21 00 12 22 00 37 2a", "01 04 23 00 0a")
    client.says("0a 22 00")
    expect(try client.receive("0b 07"), .value(Self.heartRate))
    _ = client.said()
    try client.receive("01 08 01 00 0a")
    client.read(Self.heartRate)
    client.says("0a 22 00")
    expect(try client.receive("01 0a 22 00 0a"), .readRefused(Self.heartRate, .attributeNotFound))
  }

  @Test func aValueIsReadByItsTypeInOneRequest() throws {
    let location = UUID(short: 0x2A38)
    var client = Client(Wanted(location, by: .type, isRead: true), Self.none)
    _ = try client.becomeReady()
    client.says("08 01 00 ff ff 38 2a")
    expect(try client.receive("09 04 41 00 ea 07"), .value(location))
    let value = client.value
    expect(value, [0xEA, 0x07])
  }

  @Test func whatAwaitsSecurityIsAskedOnceMoreOnTheSecuredLink() throws {
    var client = Client(Self.subscribed(security: .awaited), Self.none)
    _ = try client.becomeReady()
    try client.hear("07 20 00 2f 00", "09 07 21 00 10 22 00 37 2a", "05 01 23 00 02 29")
    expect(
      try client.receive("01 12 23 00 05"), .refused(Self.heartRate, .insufficientAuthentication),
      "nobody is paired with for its sake")
    _ = client.said()
    try client.receive("01 08 01 00 0a")
    client.says(nil)
    client.secured()
    client.says("06 01 00 ff ff 00 28 0d 18")
    try client.hear("07 20 00 2f 00", "09 07 21 00 10 22 00 37 2a", "05 01 23 00 02 29", "13")
    client.secured()
    client.says(nil, "it has been granted")
  }

  /// Neither found nor read nor asked whether it is there.
  @Test func whatIsConfidentialIsAskedForOnTheSecuredLinkOnly() throws {
    let location = UUID(short: 0x2A38)
    var client = Client(
      Self.subscribed(isRead: true, security: .confidential),
      Wanted(location, by: .type, isRead: true, security: .confidential))
    _ = try client.becomeReady()
    client.says("08 01 00 ff ff 00 2a", "the next line")
    try client.receive("01 08 01 00 0a")
    client.read(Self.heartRate)
    client.read(location)
    client.says(nil)
    client.secured()
    client.says("06 01 00 ff ff 00 28 0d 18")
    try client.hear("07 20 00 2f 00", "09 07 21 00 10 22 00 37 2a", "05 01 23 00 02 29", "13")
    client.says("0a 22 00")
    expect(try client.receive("0b 07"), .value(Self.heartRate))
    client.says("08 01 00 ff ff 38 2a")
  }

  @Test func afterServiceChangedAllIsFoundAnewAndServiceChangedIsNot() throws {
    var client = Client(
      Wanted(.serviceChanged, by: .discovery(in: .genericAttribute, .indications)),
      Self.subscribed())
    _ = try client.becomeReady()
    try client.hear(
      "07 01 00 05 00", "09 07 02 00 20 03 00 05 2a", "05 01 04 00 02 29", "13",
      "01 06 01 00 0a", "01 08 01 00 0a")
    client.says(nil)
    expect(try client.receive("1d 03 00 01 00 ff ff"), .handlesChanged(.all))
    client.says("06 01 00 ff ff 00 28 00 a0")
    try client.hear("07 10 00 1f 00", "09 07 11 00 12 12 00 01 a0", "05 01 13 00 02 29")
    expect(try client.receive("13"), .ready)
    client.says("06 01 00 ff ff 00 28 0d 18", "the heart rate may be there now")
  }
}

/// A refusal for want of security that crosses what secures the link.
extension WantedTests {
  /// The peer asks for security itself, or another request of ours has done that, while this one is on its way.
  @Test(arguments: [true, false])
  func aRefusalThatCrossesThePairingIsAskedOnceMoreAndThenCounts(_ isLate: Bool) throws {
    var client = Client(Self.none, Self.none, security: .demanded)
    try client.hear("07 10 00 1f 00", "09 07 11 00 12 12 00 01 a0", "05 01 13 00 02 29")
    client.says("12 13 00 01 00")
    client.fallSilent()
    if isLate { client.secured() }
    expect(try client.receive("01 12 13 00 05"), .nothing)
    if !isLate {
      client.says(nil, "the pairing is under way")
      client.secured()
    }
    client.says("12 13 00 01 00")
    expect(try client.receive("01 12 13 00 05"), .ready, "it can be read, and is refused for good")
  }

  @Test(arguments: [true, false])
  func aValueThatIsReadByItsTypeIsAskedOnceMoreLikewise(_ isLate: Bool) throws {
    let level = Wanted(.batteryLevel, by: .type, isRead: true, security: .preferred)
    let news = Wanted(.batteryLevel, by: .typed(.notifications))
    var client = Client(level, news)
    _ = try client.becomeReady()
    client.says("08 01 00 ff ff 19 2a")
    client.fallSilent()
    if isLate { client.secured() }
    expect(try client.receive("01 08 01 00 0f"), .nothing)
    if !isLate { client.secured() }
    client.says("08 01 00 ff ff 19 2a")
    expect(try client.receive("09 03 42 00 57"), .value(.batteryLevel))
  }
}

/// The table in the comment of `Standing`.
struct ClientStandingTests {
  @Test(
    arguments: [
      (.silent, false), (.open, true), (.held(3, .insufficientEncryption), false), (.secure, true),
      (.insecure, true),
    ] as [(Standing, Bool)])
  func onlyWhoIsNeitherSilentNorHeldMayAsk(_ standing: Standing, mayAsk: Bool) {
    expect(standing.mayAsk, mayAsk)
  }

  @Test(arguments: [Standing.secure, .insecure])
  func aHeldLineIsGivenBackOnceTheSecurityIsKnown(_ next: Standing) {
    var standing = Standing.held(3, .insufficientEncryption)
    let held = standing.become(next)
    expect(held?.line == 3 && held?.refusal == .insufficientEncryption)
    let heldNext = standing.become(next)
    expect(heldNext == nil && standing == next)
  }
}
