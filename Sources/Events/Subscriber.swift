package import Bytes

/// One reader of events: what it has subscribed to, and the lines that it has not taken yet.
///
/// It sends a line, and a line is the answer:
///
///     on navigation      {"event":"subscribed","id":1}
///     off 1              {"event":"unsubscribed","id":1}
///
/// The answer to anything else is an error that says what is allowed. The reader gets each event of its topics
/// once, as a whole line. Once an event finds no room, events are only counted, until the reader has taken all
/// waiting lines. Then it gets `{"t":9.000,"event":"lost","lines":7}` instead of the lost ones.
///
/// No reader can make others wait. A reader that sends without a pause is heard ten times a second, a few bytes
/// each time. A reader that does not take its answers is not heard any further.
package struct Subscriber: ~Copyable {
  /// The bytes that are taken from it at a time.
  package typealias Input = FixedBuffer<64>

  /// How long it is not heard after it has sent something, in milliseconds.
  private static var pause: Int64 { 100 }
  /// Room for the longest answer, in bytes.
  private static var answerSize: Int { 256 }

  private struct Subscription {
    var id: UInt32 = 0
    /// Empty without a subscription.
    var topics = Topics()
  }

  private let offered: Topics
  private let start: Instant
  private var subscriptions = InlineArray<8, Subscription>(repeating: Subscription())
  private var lastID: UInt32 = 0
  private var input = Input()
  /// How much of the input has been looked at.
  private var takenCount = 0
  private var command = FixedBuffer<32>()
  private var hasInputEnded = false
  private var pauseEnd: Instant?
  private var lostLines: UInt32 = 0

  /// The bytes that it is to get next; empty when there are none.
  package private(set) var output = FixedBuffer<8192>()

  /// The topics that it reads.
  package private(set) var wanted = Topics()

  /// A reader that has sent nothing yet; it may have these topics, and its times begin at `start`.
  package init(offered: Topics, start: Instant) {
    self.offered = offered
    self.start = start
  }

  // MARK: - In

  /// Whether it may be heard now; otherwise its bytes must wait outside.
  package var takesInput: Bool { isInputTaken && !hasInputEnded && pauseEnd == nil }

  /// Receives bytes of the reader, if `takesInput`.
  package mutating func receive(_ input: borrowing Input, at now: Instant) {
    self.input.assign(input.bytes)
    takenCount = 0
    pauseEnd = now + Self.pause
    advance(to: now)
  }

  /// The reader sends nothing more, but may still read.
  package mutating func inputEnded(at now: Instant) {
    hasInputEnded = true
    advance(to: now)
  }

  /// Receives an event for it, a line without its newline, if it reads the topic.
  package mutating func receive(_ line: Span<UInt8>, of topic: Topic) {
    guard wanted.contains(topic) else { return }
    guard hasRoom(for: line) else {
      lostLines &+= 1
      return
    }
    output.append(line)
    output.append(0x0A)
  }

  /// Whether an event would not be lost now.
  package func hasRoom(for line: Span<UInt8>) -> Bool {
    lostLines == 0 && line.count < output.free
  }

  /// Reports what was lost, and answers the input, as far as there is room.
  package mutating func advance(to now: Instant) {
    if let end = pauseEnd, now >= end { pauseEnd = nil }
    if output.isEmpty, lostLines > 0 { reportLoss(at: now) }
    while !isInputTaken, hasAnswerRoom {
      takenCount += 1
      receive(input[takenCount - 1])
    }
    // A command without its newline may be cut, so it is refused.
    if isInputTaken, hasInputEnded, !command.isEmpty, hasAnswerRoom { endCommand { _ in nil } }
  }

  // MARK: - Out

  /// `count` of them were sent; call `advance` then.
  package mutating func outputWasSent(_ count: Int) { output.removeFirst(count) }

  /// When to call `advance` at the latest.
  package var deadline: Instant? { hasInputEnded ? nil : pauseEnd }

  /// Whether it can neither send nor get anything any more.
  package var isOver: Bool {
    hasInputEnded && isInputTaken && command.isEmpty && wanted.isEmpty && output.isEmpty
      && lostLines == 0
  }

  // MARK: - Commands

  private var isInputTaken: Bool { takenCount == input.count }

  /// A loss is reported before any answer, in its place among the events.
  private var hasAnswerRoom: Bool { lostLines == 0 && output.free >= Self.answerSize }

  private mutating func receive(_ byte: UInt8) {
    if byte == 0x0A { return endCommand { Command($0) } }
    let wasTooLong = command.isOverflown
    command.append(byte)
    // Refused at once, as a newline may never come; all bytes up to the next newline belong to this command.
    if command.isOverflown, !wasTooLong { refuse() }
  }

  /// Carries out the command in the bytes since the last newline.
  private mutating func endCommand(_ parse: (Span<UInt8>) -> Command?) {
    let parsed = parse(command.bytes)
    let wasRefused = command.isOverflown
    command.removeAll()
    if wasRefused { return }
    switch parsed {
    case .on(let topic): subscribe(topic)
    case .off(let id): unsubscribe(id)
    case nil: refuse()
    }
  }

  /// Subscribes to a topic; `nil` stands for all topics that the reader may have.
  private mutating func subscribe(_ topic: Topic?) {
    let topics = topic.map { Topics($0) & offered } ?? offered
    guard !topics.isEmpty else { return refuse() }
    for index in subscriptions.indices where subscriptions[index].topics.isEmpty {
      lastID &+= 1
      subscriptions[index] = Subscription(id: lastID, topics: topics)
      wanted = wanted | topics
      return answer("subscribed", id: lastID)
    }
    let most = subscriptions.count
    refuse {
      $0.append(decimal: Int64(widening: most))
      $0.append(" subscriptions are the most: end one by off and its id")
    }
  }

  private mutating func unsubscribe(_ id: UInt32) {
    wanted = Topics()
    for index in subscriptions.indices {
      if subscriptions[index].id == id { subscriptions[index] = Subscription() }
      wanted = wanted | subscriptions[index].topics
    }
    answer("unsubscribed", id: id)
  }

  // MARK: - Answers

  /// Writes the line, with its newline, for a program that finds no place, as `readers` others read already.
  package static func writeRefusal(readers: Int, to writer: inout some ByteWriter & ~Copyable) {
    var message = FixedBuffer<80>()
    message.append(decimal: Int64(widening: readers))
    message.append(" others read already: end one of them, or try again later")
    let line = errorLine(message.bytes)
    writer.append(line.bytes)
    writer.append(0x0A)
  }

  private static func errorLine(_ message: Span<UInt8>) -> JSONLine {
    var line = JSONLine()
    line.field("event", literal: "error")
    line.field("message", text: message)
    _ = line.finish()
    return line
  }

  private mutating func answer(_ event: String, id: UInt32) {
    var line = JSONLine()
    line.field("event", literal: event)
    line.field("id", number: Int64(widening: id))
    _ = line.finish()
    append(line)
  }

  /// Says what is allowed.
  private mutating func refuse() {
    let offered = offered
    refuse {
      $0.append("say on TOPIC or off ID, a line each; topics are ")
      $0.append(offered, separator: ", ")
      $0.append(", all")
    }
  }

  private mutating func refuse(_ write: (inout FixedBuffer<200>) -> Void) {
    var message = FixedBuffer<200>()
    write(&message)
    append(Self.errorLine(message.bytes))
  }

  private mutating func reportLoss(at now: Instant) {
    var line = JSONLine()
    line.field("t", seconds: now - start)
    line.field("event", literal: "lost")
    line.field("lines", number: Int64(widening: lostLines))
    _ = line.finish()
    append(line)
    lostLines = 0
  }

  private mutating func append(_ line: borrowing JSONLine) {
    output.append(line.bytes)
    output.append(0x0A)
  }
}

enum Command {
  /// Subscribe to the events of a topic; `nil` stands for all topics.
  case on(Topic?)
  /// End the subscription with this number.
  case off(UInt32)

  /// The command of a line without its newline; `nil` for any other line.
  init?(_ line: Span<UInt8>) {
    var line = line
    // A terminal's line ends in a carriage return, too.
    if line.count > 0, line[line.count - 1] == 0x0D { line = line.extracting(droppingLast: 1) }
    if hasPrefix(line, "on ") {
      let name = line.extracting(droppingFirst: 3)
      if let topic = Topic(name) {
        self = .on(topic)
        return
      }
      guard name.count == 3, hasPrefix(name, "all") else { return nil }
      self = .on(nil)
    } else {
      guard hasPrefix(line, "off "), let id = number(line.extracting(droppingFirst: 4)) else {
        return nil
      }
      self = .off(id)
    }
  }
}

/// A decimal number; `nil` for anything else, and where it is too large.
private func number(_ digits: Span<UInt8>) -> UInt32? {
  guard digits.count <= 10, let value = naturalNumber(digits), value <= 0xFFFF_FFFF else {
    return nil
  }
  return UInt32(truncatingIfNeeded: value)
}
