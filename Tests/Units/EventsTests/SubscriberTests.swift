import Bytes
import Events
import Expecting
import TestSupport

/// What a reader of events says, and what it gets.
struct SubscriberTests {
  @Test func aSubscriptionIsAnsweredByItsNumber() {
    let reader = Conversation()
    reader.say("on navigation\non radio\n")
    expect(reader.lines(), [subscribed(1), subscribed(2)])
    expect(reader.wanted, Topics(.navigation) | Topics(.radio))
  }

  @Test(
    arguments: [
      ("navigation", .navigation), ("sensors", .sensors), ("radio", .radio), ("device", .device),
    ] as [(String, Topic)])
  func eachTopicBringsItsEventsAndNoOthers(_ name: String, _ topic: Topic) {
    let reader = Conversation()
    reader.say("on \(name)\n")
    _ = reader.lines()
    for other in [Topic.navigation, .sensors, .radio, .device] {
      reader.tell(other, "{\(other)}")
    }
    expect(reader.lines(), ["{\(topic)}"])
  }

  @Test func nobodyGetsWhatHappenedBeforeOrIsOfNoInterest() {
    let reader = Conversation()
    reader.tell(.radio, "{1}")
    reader.say("on radio\n")
    reader.tell(.device, "{2}")
    expect(reader.lines(), [subscribed(1)])
  }

  @Test func allAreTheTopicsOfTheProgram() {
    let reader = Conversation()
    reader.say("on all\n")
    expect(reader.wanted, .ofDevice)
    let scanner = Conversation(offering: Topics(.beacons) | Topics(.advertisementData))
    scanner.say("on all\non advertisementData\n")
    expect(scanner.wanted, Topics(.beacons) | Topics(.advertisementData))
    expect(scanner.lines(), [subscribed(1), subscribed(2)])
  }

  @Test func anEventComesOnceHoweverManySubscriptionsItMeets() {
    let reader = Conversation()
    reader.say("on radio\non all\non radio\n")
    _ = reader.lines()
    reader.tell(.radio, "{1}")
    reader.tell(.device, "{2}")
    expect(reader.lines(), ["{1}", "{2}"])
  }

  @Test func offEndsOneSubscriptionAndTheOthersStay() {
    let reader = Conversation()
    reader.say("on radio\non all\noff 2\n")
    expect(reader.lines(), [subscribed(1), subscribed(2), unsubscribed(2)])
    expect(reader.wanted, Topics(.radio))
    reader.tell(.device, "{1}")
    reader.tell(.radio, "{2}")
    expect(reader.lines(), ["{2}"])
  }

  @Test func offTwiceIsNoMistake() {
    let reader = Conversation()
    reader.say("on radio\noff 1\noff 1\noff 7\noff 4294967295\n")
    expect(
      reader.lines(),
      [
        subscribed(1), unsubscribed(1), unsubscribed(1), unsubscribed(7),
        unsubscribed(4_294_967_295),
      ])
    #expect(reader.wanted.isEmpty)
  }

  /// Who says `off 1` twice must not end what it has begun since.
  @Test func aNumberIsNotGivenAgain() {
    let reader = Conversation()
    reader.say("on radio\noff 1\non device\noff 1\n")
    expect(reader.lines(), [subscribed(1), unsubscribed(1), subscribed(2), unsubscribed(1)])
    expect(reader.wanted, Topics(.device))
  }

  @Test func eightSubscriptionsAreTheMostAndOneThatEndsMakesRoom() {
    let reader = Conversation()
    for id in 1...8 {
      reader.say("on radio\n")
      reader.pass(100)
      expect(reader.lines(), [subscribed(id)])
    }
    reader.say("on all\n")
    expect(
      reader.lines(),
      [
        #"{"event":"error","message":"8 subscriptions are the most: end one by off and its id"}"#
      ])
    expect(reader.wanted, Topics(.radio))
    reader.pass(100)
    reader.say("off 3\non device\n")
    expect(reader.lines(), [unsubscribed(3), subscribed(9)])
    expect(reader.wanted, Topics(.radio) | Topics(.device))
  }

  @Test(
    arguments: [
      "", " ", "on", "on ", "off", "off ", "navigation", "on  radio", " on radio", "on radio ",
      "ON radio", "on Radio", "on al", "on allx", "on navigatio", "onradio", "on beacons",
      "on advertisementData", "off one", "off -1", "off 1 ", "off 4294967296", "off 99999999999",
      "off 1\r\r", "\0", "\u{7F}", "on radio\0", "help", "?", "on radio; off 1",
    ])
  func anythingElseIsAnsweredByWhatIsAllowed(_ command: String) {
    let reader = Conversation()
    reader.say(command + "\n")
    expect(reader.lines(), [refused])
    #expect(reader.wanted.isEmpty)
  }

  @Test func whatIsNoTextIsRefusedAsAnythingElse() {
    let reader = Conversation()
    reader.say([0xFF, 0xC0, 0x80, 0x00, 0x0A, 0xE2, 0x0A])
    expect(reader.lines(), [refused, refused])
  }

  @Test func whatIsAllowedIsWhatTheProgramHas() {
    let reader = Conversation(offering: Topics(.beacons))
    reader.say("on radio\n")
    expect(
      reader.lines(),
      [
        #"{"event":"error","message":"say on TOPIC or off ID, a line each; "#
          + #"topics are beacons, all"}"#
      ])
  }
}
