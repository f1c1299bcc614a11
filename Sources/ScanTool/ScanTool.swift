package import Bytes
import Controller
package import Events
import Exploring
import HCI
package import Places

/// All of `lenker-scan` but its ports.
///
/// HCI packets, words and the time come in. HCI packets, lines or a table, a fingerprint and one deadline
/// go out. It reads no clock and opens nothing; its owner does. All state is here. This type and its
/// extensions change it; the owner takes lines off, draws the table and adds locations.
package struct ScanTool: ~Copyable {
  package let arguments: ScanArguments
  var explorer: Explorer
  /// The lines for standard output; take them off as they are written.
  package var lines = LineQueue<32768>(mostLines: 64)
  /// The events for other programs.
  package private(set) var log: EventLog
  /// Takes the locations of `locate` before the first packet.
  package var locator: Locator
  /// The beacons in a scan for beacons.
  var survey = BeaconSurvey()
  /// Paused while the controller does not listen.
  package internal(set) var training: Training
  /// Whether the user wants it to be paused.
  var isPauseWanted = false
  /// The table for a person; draw it when it is due.
  package var table = DeviceTable()
  /// The part of a word that was typed so far.
  var word = FixedBuffer<32>()
  /// Whether a person reads the output, and gets a table.
  let isForPeople: Bool
  let start: Instant
  let end: Instant?
  /// How it has ended; `nil` while it goes on.
  package internal(set) var ending: ScanEnding?
  /// The service and the characteristic that the next lines are about.
  var service = UUID(0, 0)
  var characteristic = UUID(0, 0)
  /// Whether there is a fingerprint to write.
  package internal(set) var isFileDue = false
  private var isSummarized = false

  /// A tool that does what the arguments say, from now on.
  ///
  /// `boardAddress` is for a Bluetooth chip that has no address of its own. Throws if two groups are
  /// alike, or for more seconds than a training may have.
  package init(
    _ arguments: consuming ScanArguments, isForPeople: Bool, boardAddress: DeviceAddress?,
    at now: Instant
  ) throws(PlaceError) {
    let locator = try Locator(arguments.groups)
    let isTraining = arguments.command == .train
    training = try Training(
      isTraining ? arguments.groups[0].uuid : UUID(0, 0),
      seconds: isTraining ? arguments.seconds ?? 60 : 1)
    self.locator = locator
    explorer = Explorer(arguments.wish, boardAddress: boardAddress)
    start = now
    log = EventLog(Topics(), start: now)
    let isTimed = arguments.command == .scan || arguments.command == .locate
    end = isTimed ? arguments.seconds.map { now + Int64(widening: $0) * 1_000 } : nil
    self.isForPeople = isForPeople
    self.arguments = arguments
  }

  // MARK: - Out

  /// The next HCI packet to send, its H4 indicator first; empty when there is none.
  package var packet: Span<UInt8> { explorer.output }

  /// Notes that `packet` was sent; the next one takes its place.
  package mutating func packetWasSent(at now: Instant) { explorer.step(.sent, at: now) }

  /// When to call `advance` at the latest, or to draw the table, if nothing comes in before.
  package func deadline(at now: Instant, drawsTable: Bool = true) -> Instant? {
    let due = earlier(explorer.deadline, ending == nil ? end : nil)
    let heard = earlier(earlier(locator.deadline, survey.deadline), training.deadline)
    let isDrawn = drawsTable && isTableShown
    return earlier(earlier(due, heard), isDrawn ? table.deadline(after: now) : nil)
  }

  /// Whether the tool has ended, and the controller is at rest.
  package var hasEnded: Bool { ending != nil && explorer.isOver }

  package var isTableShown: Bool { isForPeople && arguments.command == .scan && ending == nil }

  package func isTableDue(at now: Instant) -> Bool {
    isTableShown && now >= table.deadline(after: now)
  }

  // MARK: - In

  /// Brings the controller up; called when the transport was opened.
  package mutating func radioWasOpened(at now: Instant) { explorer.step(.start, at: now) }

  /// Handles one whole HCI packet, its H4 indicator first.
  package mutating func receive(_ packet: Span<UInt8>, at now: Instant) {
    if explorer.isListening, ending == nil { receiveAdvertisements(in: packet, at: now) }
    explorer.step(.packet(packet), at: now)
    takeExplorerEvents(at: now)
  }

  package mutating func advance(to now: Instant) {
    explorer.step(.time, at: now)
    takeExplorerEvents(at: now)
    advancePlaces(to: now)
    if let end, now >= end { finish(.done, at: now) }
  }

  /// Ends the work of the tool in this way, unless it has ended already.
  package mutating func finish(_ ending: ScanEnding, at now: Instant) {
    guard self.ending == nil else { return }
    self.ending = ending
    training.pause(at: now)
    explorer.step(.leave, at: now)
  }

  /// Whether the last line is still to be written.
  package var isSummaryDue: Bool {
    !isSummarized && !isForPeople && arguments.command != .train
  }

  /// Adds the last line, with the number of lost lines, if there is room; call it until `isSummaryDue` is false.
  package mutating func summarize(at now: Instant) {
    guard isSummaryDue, lines.hasRoom(for: 80) else { return }
    isSummarized = true
    var line = begin("summary", at: now)
    line.field("lost", number: lines.lostCount)
    end(&line, .device, isLast: true)
  }

  // MARK: - Lines

  mutating func write(
    _ event: String, _ topic: Topic, at now: Instant, _ fields: (inout JSONLine) -> Void
  ) {
    var line = begin(event, at: now)
    fields(&line)
    end(&line, topic)
  }

  func begin(_ event: String, at now: Instant) -> JSONLine {
    var line = JSONLine()
    line.field("t", seconds: now - start)
    line.field("event", literal: event)
    return line
  }

  mutating func end(_ line: inout JSONLine, _ topic: Topic, isLast: Bool = false) {
    // A line that is cut would not be JSON; none is so long.
    guard line.finish() else { return }
    // The last line says how many are missing, whatever the topics.
    if arguments.topics.contains(topic) || isLast { lines.append(line.bytes) }
    log.append(line.bytes, of: topic)
  }

  /// Notes that the lines of the log were written, and which topics are read from now on.
  package mutating func eventsWereWritten(wanted: Topics) {
    log.removeAll()
    log.want(wanted)
  }
}

extension ScanArguments {
  var wish: Explorer.Wish {
    switch command {
    case .inspect: .inspect(address: address ?? 0, reads: reads)
    case .switch:
      .write(level ?? 0, to: .crownstoneSwitch, of: .crownstoneService, address: address ?? 0)
    case .scan, .train, .locate, .help, .version: .listen(isActive: !isPassive)
    }
  }
}

extension UUID {
  /// The service of Crownstones with the firmware of 2016.
  fileprivate static var crownstoneService: UUID {
    UUID(0x24F3_0000_7D10_4805, 0xBFC1_7663_A01C_3BFF)
  }

  /// The characteristic of the switch: one byte, how far it is on.
  fileprivate static var crownstoneSwitch: UUID {
    UUID(0x24F3_0002_7D10_4805, 0xBFC1_7663_A01C_3BFF)
  }
}
