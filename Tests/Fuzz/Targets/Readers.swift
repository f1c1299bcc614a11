import Bytes
import Events
import TestSupport

/// Readers of events who say anything in any pieces, and take as much as they like: lines are whole, each of
/// them once, and those that are missing are counted.
func runEvents(_ feed: inout Feed) {
  var offered = Topics()
  let topics = feed.u8()
  for number in 0..<UInt8(Topic.count) where topics & 1 &<< number != 0 {
    if let topic = Topic(rawValue: number) { offered.insert(topic) }
  }
  var reader = CheckedReader(offered: offered)
  while !feed.isEmpty {
    switch feed.u8() % 8 {
    case 0, 1: reader.say(feed.take(Int(feed.u8() % 65)))
    case 2: reader.say(command(&feed))
    case 3, 4:
      let topic = feed.pick([Topic.navigation, .sensors, .radio, .device, .beacons])
      let length = Int(feed.u16() % 4_090)
      for _ in 0..<feed.u8() % 16 { reader.tell(topic, length) }
    case 5: reader.take(Int(feed.u16()))
    case 6: reader.pass(Int64(feed.u8()))
    default: if feed.u8() == 0 { reader.endInput() } else { reader.take(.max) }
    }
  }
  reader.finish()
}

/// What chance alone seldom says.
private func command(_ feed: inout Feed) -> [UInt8] {
  let names = ["navigation", "sensors", "radio", "device", "beacons", "advertisementData", "all"]
  let ends = ["\n", "\r\n", ""]
  let said = feed.bool() ? "on \(feed.pick(names))" : "off \(feed.u8() % 12)"
  return Array((said + feed.pick(ends)).utf8)
}

/// A reader with one who checks, by numbers that all events have, what it gets.
private struct CheckedReader: ~Copyable {
  private var subscriber: Subscriber
  private var now = Instant(milliseconds: 0)
  private var line: [UInt8] = []
  /// The numbers of the events that it is to get, or to have counted as lost.
  private var due: ArraySlice<Int> = []
  private var eventCount = 0
  private var commandCount = 0
  private var answerCount = 0

  init(offered: Topics) { subscriber = Subscriber(offered: offered, start: now) }

  mutating func say(_ bytes: [UInt8]) {
    guard subscriber.takesInput else { return }
    var input = Subscriber.Input()
    input.assign(bytes.span)
    subscriber.receive(input, at: now)
    // Each line has one answer; one that is too long has it before its end, and the last may have no end.
    commandCount += bytes.count { $0 == 0x0A }
  }

  mutating func endInput() { subscriber.inputEnded(at: now) }

  mutating func tell(_ topic: Topic, _ length: Int) {
    eventCount += 1
    let text = "{\(eventCount)}" + String(repeating: "x", count: length)
    if subscriber.wanted.contains(topic) { due.append(eventCount) }
    let bytes = Array(text.utf8)
    subscriber.receive(bytes.span, of: topic)
  }

  mutating func pass(_ milliseconds: Int64) {
    now = now + milliseconds
    subscriber.advance(to: now)
    if let deadline = subscriber.deadline, deadline <= now { finding("a deadline that stays") }
  }

  mutating func take(_ most: Int) {
    subscriber.advance(to: now)
    let bytes = Array(array(subscriber.output.bytes).prefix(most))
    subscriber.outputWasSent(bytes.count)
    subscriber.advance(to: now)
    for byte in bytes {
      line.append(byte)
      guard byte == 0x0A else { continue }
      check(String(decoding: line.dropLast(), as: UTF8.self))
      line = []
    }
  }

  private mutating func check(_ text: String) {
    if text.hasPrefix(#"{"event":""#) {
      answerCount += 1
      reach(String(text.prefix { $0 != "," }))
    } else if text.hasPrefix(#"{"t":"#) {
      let lost = Int(text.dropLast().split(separator: ":").last ?? "") ?? 0
      reach("lost")
      if lost < 1 || lost > due.count { finding("\(lost) lost of \(due.count)") }
      due = due.dropFirst(lost)
    } else {
      let number = Int(text.dropFirst().prefix { $0 != "}" })
      if number == nil || number != due.first {
        finding("event \(text.prefix(20)), not \(due.prefix(1))")
      }
      due = due.dropFirst()
    }
  }

  /// Takes all there is.
  mutating func finish() {
    for _ in 0..<100 { take(.max) }
    if !line.isEmpty { finding("a part of a line is left") }
    if !due.isEmpty { finding("\(due.count) events came neither to it nor among the lost") }
    if answerCount < commandCount || answerCount > commandCount + 1 {
      finding("\(answerCount) answers to \(commandCount) lines")
    }
    if subscriber.isOver { reach("over") }
    var refusal = FixedBuffer<128>()
    Subscriber.writeRefusal(readers: eventCount, to: &refusal)
    if refusal.isOverflown || refusal[refusal.count - 1] != 0x0A {
      finding("a refusal that is no line")
    }
  }
}
