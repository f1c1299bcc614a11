package import Bytes

/// What happens, one JSON object a line, until the lines are written.
///
/// A program adds a function for each of its events, which calls `write`.
package struct EventLog: ~Copyable {
  private var buffer = FixedBuffer<8192>()
  private var topics = InlineArray<256, Topic>(repeating: .device)
  private var count = 0
  private let start: Instant

  /// The topics that are read; lines about others are never made.
  package private(set) var wanted: Topics

  /// An empty log, whose times begin at `start`.
  package init(_ wanted: Topics, start: Instant) {
    self.wanted = wanted
    self.start = start
  }

  /// Makes lines about these topics only from now on.
  package mutating func want(_ topics: Topics) { wanted = topics }

  /// The lines that have not been written yet, each with its newline.
  package var lines: Span<UInt8> { buffer.bytes }

  /// The topic of each of these lines.
  package var lineTopics: Span<Topic> { topics.span.extracting(first: count) }

  package mutating func removeAll() {
    buffer.removeAll()
    count = 0
  }

  /// Whether events of this kind are read.
  package func wants(_ kind: EventKind) -> Bool { wanted.contains(kind.topic) }

  /// Adds a line, which gets its fields only if it is read.
  package mutating func write(
    _ kind: EventKind, at now: Instant, _ fields: (inout JSONLine) -> Void
  ) {
    guard wants(kind) else { return }
    var line = JSONLine()
    begin(&line, kind, at: now)
    fields(&line)
    end(&line, kind)
  }

  /// Begins a line whose fields no closure can write; check `wants` first.
  @inline(never)  // one copy
  package func begin(_ line: inout JSONLine, _ kind: EventKind, at now: Instant) {
    line.field("t", seconds: now - start)
    line.field("event", literal: kind.name)
  }

  @inline(never)  // one copy
  package mutating func end(_ line: inout JSONLine, _ kind: EventKind) {
    // A line that is cut would not be JSON; every event is far shorter than the limit.
    if line.finish() { append(line.bytes, of: kind.topic) }
  }

  /// Adds a line that is whole, without its newline.
  package mutating func append(_ line: Span<UInt8>, of topic: Topic) {
    // A line without room is lost; there is room for all events of one packet.
    guard wanted.contains(topic), line.count < buffer.free, count < topics.count else { return }
    buffer.append(line)
    buffer.append(0x0A)
    topics[count] = topic
    count += 1
  }
}
