import Bytes
import Events
import TestSupport
import Testing

/// Which events belong to which topic, as Boards/reference/events.md has it.
@Suite struct TopicTests {
  @Test(
    arguments: [
      (.navigation, [.instruction, .stale, .alert, .progress]),
      (.sensors, [.sensor, .measure, .radar]),
      (.radio, [.controller, .scan, .phone, .link, .pairing, .bond, .recovery]),
      (.device, [.start, .button, .frame, .error, .report]),
    ] as [(Topic, [EventKind])])
  func eachEventHasItsTopic(_ topic: Topic, _ kinds: [EventKind]) {
    #expect(kinds.map(\.topic) == kinds.map { _ in topic })
  }

  @Test(
    arguments: [
      (.navigation, "navigation"), (.sensors, "sensors"), (.radio, "radio"), (.device, "device"),
      (.beacons, "beacons"), (.advertisementData, "advertisementData"),
    ] as [(Topic, String)])
  func aTopicIsFoundByItsName(_ topic: Topic, _ name: String) {
    let bytes = Array(name.utf8)
    #expect(Topic(bytes.span) == topic && topic.name == name)
  }

  @Test(arguments: ["", "all", "Radio", "radio ", "radios", "rad", "advertisementdata"])
  func nothingElseIsATopic(_ name: String) {
    let bytes = Array(name.utf8)
    #expect(Topic(bytes.span) == nil)
  }

  @Test func theTopicsAreCounted() {
    #expect(Topic(rawValue: UInt8(Topic.count - 1)) != nil)
    #expect(Topic(rawValue: UInt8(Topic.count)) == nil)
  }

  @Test func theFirmwareHasFourOfThem() {
    var names = FixedBuffer<100>()
    names.append(Topics.ofDevice, separator: "+")
    #expect(string(names.bytes) == "navigation+sensors+radio+device")
  }

  @Test func setsOfTopicsAreJoinedAndIntersected() {
    let (radio, device) = (Topics(.radio), Topics(.device))
    #expect((radio | device).contains(.radio) && (radio | device).contains(.device))
    #expect(!(radio | device).contains(.sensors))
    #expect((radio | device) & device == device)
    #expect((radio & device).isEmpty && Topics().isEmpty && !radio.isEmpty)
  }
}
