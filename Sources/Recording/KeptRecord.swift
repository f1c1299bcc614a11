package import Bytes
import HCI

/// The entries that are kept when the ring has no more room for them.
///
/// Later entries would mean nothing without them: how the program came up, until it first searched;
/// what the store last held; and how the link was made, from the beginning of its search until it was
/// ready and everything was read that is read once. All other entries are dropped and counted.
package struct KeptRecord: ~Copyable {
  private enum Stage: Equatable {
    /// The program comes up.
    case start
    /// No link, or a link whose beginning did not fit.
    case apart
    /// A phone is searched for.
    case search
    /// The link is being made.
    case link
    /// A phone has made the link, and must encrypt it.
    case visit
    /// The link is ready, and the first values are read; after `until` the next entry of this kind begins the ride.
    case ready(until: Int64, Record.Kind)
    /// The ride goes on.
    case ride
  }

  /// How long after a link is ready everything has been read that is read once, in milliseconds.
  private static var readingTime: Int64 { 1_000 }
  /// How long a phone that made the link takes after its encryption for all that it does once, in milliseconds.
  private static var visitTime: Int64 { 5_000 }

  private var stage = Stage.start
  /// The link that is kept.
  private var handle: UInt16?
  /// Entries from the start of the program on.
  package private(set) var start = FixedBuffer<3_200>()
  /// The last entry of the store after that.
  package private(set) var store = Record.Entry()
  /// Entries of the last link.
  package private(set) var link = FixedBuffer<3_824>()
  private var linkCount: Int64 = 0
  /// How many entries are gone; a report has the low 32 bits of the number.
  package private(set) var dropped: Int64 = 0
  /// How many entries were gone before those in `link`.
  private(set) var droppedBeforeLink: Int64 = 0

  /// A number that changes each time `link` begins again.
  private(set) var linkNumber: Int64 = 0

  /// Nothing is kept yet.
  package init() {}

  /// Keeps the oldest entry of the ring, or counts it as dropped.
  package mutating func keep(_ entry: Span<UInt8>) {
    let (kind, time) = (Record.Header(entry).kind, Record.Header(entry).time)
    let content = entry.extracting(droppingFirst: Record.Header.size)
    if stage == .start { return keepStart(entry, kind, content) }
    let note = kind == .note ? Note.Name(beginning: content) : nil
    if let note, note.isOfStore {
      store.assign(entry)
      // A report has the store before the link, and times must not go back.
      if !link.isEmpty { for index in Record.Header.timePlace { store[index] = link[index] } }
    }
    if endsLink(kind, content) { forgetLink(.apart) }
    if isSearch(kind, content), !isLinked { forgetLink(.search) }
    noteLink(kind, content)
    if case .ready(let end, let last) = stage, kind == last, time >= end { stage = .ride }
    switch stage {
    case .start, .apart, .ride: drop(1)
    case .search, .link, .visit, .ready:
      guard link.free >= entry.count else {
        drop(1)
        switch stage {
        case .search: return forgetLink(.search)  // what comes from now on may lead to the link
        case .ready: return stage = .ride
        default: return forgetLink(.apart)
        }
      }
      link.append(entry)
      linkCount += 1
      if kind == .command, opcode(content) == Opcode.leCreateConnection.rawValue { stage = .link }
      // A request follows the answer to the previous one, so none is left open if the next entry is missing.
      if stage == .link, note == .ready { stage = .ready(until: time + Self.readingTime, .aclSent) }
      // A request of such a phone is answered before the phone sends the next one.
      if stage == .visit, isEncryption(kind, content) {
        stage = .ready(until: time + Self.visitTime, .aclReceived)
      }
    }
  }

  /// Whether the link has been ready, so that another search is for a sensor.
  private var isLinked: Bool {
    switch stage {
    case .ready, .ride: true
    case .start, .apart, .search, .link, .visit: false
    }
  }

  /// Notes the link that is made, and whether a phone made it, by LE (Enhanced) Connection Complete.
  ///
  /// Core Specification, Vol 4, Part E, 7.7.65.1 and 7.7.65.10.
  private mutating func noteLink(_ kind: Record.Kind, _ content: Span<UInt8>) {
    guard kind == .event, content.count > 6, content[0] == EventCode.leMeta.rawValue,
      content[3] == ErrorCode.success.rawValue, !isLinked
    else { return }
    switch LEEventCode(rawValue: content[2]) {
    case .connectionComplete, .enhancedConnectionComplete: break
    default: return
    }
    let isVisit = content[6] == 1
    // While a phone's visit begins, a link that we make is to a sensor.
    guard isVisit || stage != .visit else { return }
    handle = self.handle(content, at: 4)
    if isVisit { forgetLink(.visit) }
  }

  private mutating func keepStart(
    _ entry: Span<UInt8>, _ kind: Record.Kind, _ content: Span<UInt8>
  ) {
    guard start.free >= entry.count else {
      stage = .apart
      return drop(1)
    }
    start.append(entry)
    if isSearch(kind, content) { stage = .search }
  }

  private mutating func forgetLink(_ stage: Stage) {
    self.stage = stage
    linkNumber += 1
    link.removeAll()
    drop(linkCount)
    linkCount = 0
  }

  private mutating func drop(_ count: Int64) {
    dropped += count
    if linkCount == 0 || link.isEmpty { droppedBeforeLink = dropped }
  }

  /// LE Set Scan Enable; candidates count from then on.
  private func isSearch(_ kind: Record.Kind, _ content: Span<UInt8>) -> Bool {
    kind == .command && opcode(content) == Opcode.leSetScanEnable.rawValue && content.count > 3
      && content[3] == 1
  }

  /// Disconnection Complete of the link, Reset, or any note about the transport.
  private func endsLink(_ kind: Record.Kind, _ content: Span<UInt8>) -> Bool {
    switch kind {
    case .event: isEvent(.disconnectionComplete, content)
    case .command: opcode(content) == Opcode.reset.rawValue
    case .note: Note.Name(beginning: content)?.isOfRadio ?? false
    default: false
    }
  }

  private func isEncryption(_ kind: Record.Kind, _ content: Span<UInt8>) -> Bool {
    kind == .event
      && (isEvent(.encryptionChange, content) || isEvent(.encryptionKeyRefreshComplete, content))
  }

  /// Whether this is such an event of the link, with status and handle.
  private func isEvent(_ code: EventCode, _ content: Span<UInt8>) -> Bool {
    content.count > 4 && content[0] == code.rawValue && handle(content, at: 3) == handle
  }

  private func handle(_ content: Span<UInt8>, at place: Int) -> UInt16 {
    (UInt16(content[place]) | UInt16(content[place + 1]) << 8) & 0x0FFF
  }

  private func opcode(_ content: Span<UInt8>) -> UInt16? {
    content.count < 2 ? nil : UInt16(content[0]) | UInt16(content[1]) << 8
  }
}
