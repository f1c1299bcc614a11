import Bytes
import Events
import Expecting
import TestSupport

/// Lines, each with its topic, and only those that somebody reads.
struct EventLogTests {
  private let start = Instant(milliseconds: 1_000)
  private let now = Instant(milliseconds: 13_345)

  @Test func aLineHasItsTimeItsNameAndItsFields() {
    var log = EventLog(Topics(.navigation), start: start)
    log.write(.stale, at: now) { $0.field("age", number: 7) }
    expect(string(log.lines), #"{"t":12.345,"event":"stale","age":7}"# + "\n")
  }

  @Test func aLineThatNobodyReadsIsNotEvenMade() {
    var log = EventLog(Topics(.navigation), start: start)
    var isMade = false
    log.write(.button, at: now) { _ in isMade = true }
    let (isEmpty, hasNoTopic) = (log.lines.isEmpty, log.lineTopics.isEmpty)
    expect(!isMade && isEmpty && hasNoTopic)
    log.want(Topics(.device))
    log.write(.button, at: now) { _ in isMade = true }
    expect(isMade)
  }

  @Test func eachLineHasItsTopicUntilTheyAreWritten() {
    var log = EventLog(.ofDevice, start: start)
    for kind in [EventKind.button, .alert, .measure, .link] { log.write(kind, at: now) { _ in } }
    expect(topics(of: log), [.device, .navigation, .sensors, .radio])
    log.removeAll()
    let (isEmpty, hasNoTopic) = (log.lines.isEmpty, log.lineTopics.isEmpty)
    expect(isEmpty && hasNoTopic)
  }

  /// Nobody takes the lines: there are as many topics as lines, and the last line is whole.
  @Test(arguments: [1, 9, 500])
  func aLogThatIsFullHasWholeLines(_ digits: Int) {
    var log = EventLog(.ofDevice, start: start)
    let text = [UInt8](repeating: 0x37, count: digits)
    for _ in 0..<1_000 { log.write(.frame, at: now) { $0.field("a", text: text.span) } }
    let lines = string(log.lines).split(separator: "\n", omittingEmptySubsequences: false)
    let count = topics(of: log).count
    expect(lines.last == "" && count == lines.count - 1 && lines.count > 10)
    expect(Set(lines.dropLast()).count, 1)
  }

  private func topics(of log: borrowing EventLog) -> [Topic] {
    let topics = log.lineTopics
    return topics.indices.map { topics[$0] }
  }
}

/// Which events belong to which topic, as Boards/reference/events.md has it.
struct TopicTests {
  @Test(
    arguments: [
      (.navigation, [.instruction, .stale, .alert, .progress]),
      (.sensors, [.sensor, .measure, .radar]),
      (.radio, [.controller, .scan, .phone, .link, .pairing, .bond, .recovery]),
      (.device, [.start, .update, .button, .frame, .error, .report]),
    ] as [(Topic, [EventKind])])
  func eachEventHasItsTopic(_ topic: Topic, _ kinds: [EventKind]) {
    expect(kinds.map(\.topic), kinds.map { _ in topic })
  }

  @Test func aTopicIsFoundByItsName() {
    let names = ["navigation", "sensors", "radio", "device", "beacons", "advertisementData"]
    let topics: [Topic] = [.navigation, .sensors, .radio, .device, .beacons, .advertisementData]
    for (name, topic) in zip(names, topics) {
      expect(Topic(Array(name.utf8).span) == topic && topic.name == name)
    }
    for name in ["", "all", "Radio", "radio ", "radios", "rad", "advertisementdata"] {
      expect(Topic(Array(name.utf8).span), nil)
    }
    #expect(Topic(rawValue: UInt8(Topic.count - 1)) != nil)
    expect(Topic(rawValue: UInt8(Topic.count)), nil)
    var ofFirmware = FixedBuffer<100>()
    ofFirmware.append(Topics.ofDevice, separator: "+")
    expect(string(ofFirmware.bytes), "navigation+sensors+radio+device")
  }

  @Test func setsOfTopicsAreJoinedAndIntersected() {
    let (radio, device) = (Topics(.radio), Topics(.device))
    expect((radio | device).contains(.radio) && (radio | device).contains(.device))
    #expect(!(radio | device).contains(.sensors))
    expect((radio | device) & device, device)
    expect((radio & device).isEmpty && Topics().isEmpty && !radio.isEmpty)
  }
}
