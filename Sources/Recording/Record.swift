import BondFile
package import Bytes
package import DeviceState
import HCI

/// The newest input of the device, and the packets that it sent, in 24 KB of memory.
///
/// A device that gets the same input again does the same again: Sources/Replaying. Entries lie one after the
/// other in a ring, and a new entry replaces the oldest ones; those that must not be lost go to `kept`. All
/// input is here, except what another entry implies:
///
/// - Only advertisements that change anything by themselves are here; what many of them show together
///   is a note (`Conclusion`). So neither a busy street nor a beacon at home pushes out what matters.
/// - Input is followed by an `advance`, before anything is sent and before the next millisecond. All
///   other advances are in `turns`: those at a deadline, and any between two entries of the same
///   millisecond.
/// - Messages for the panel arrive and the alert line is set at once, unless a failure says otherwise.
package struct Record: ~Copyable {
  /// What an entry is.
  package enum Kind: UInt8 {
    case command, event, aclSent, aclReceived
    /// A text: what came in beside packets.
    case note
    /// When the device advanced: at the time of the entry, and then each time by the milliseconds after the time
    /// before (three bytes, so that an idle device has no entry for each).
    case turns
  }

  /// The text of a note.
  package typealias Line = FixedBuffer<1_152>
  /// A whole entry.
  package typealias Entry = FixedBuffer<1_168>

  /// The beginning of an entry.
  package struct Header {
    /// Bytes of the header.
    package static var size: Int { 8 }
    /// Where in the header the time is.
    static var timePlace: Range<Int> { 3..<8 }

    package let kind: Kind
    /// Bytes of the content behind it.
    package let count: Int
    /// Milliseconds since the start of the program.
    package let time: Int64
  }

  private static var ringSize: Int64 { 16_384 }
  private static var maxTurns: Int { 200 }

  private var ring = InlineArray<16_384, UInt8>(repeating: 0)
  /// Where the oldest entry begins, and where the next one will; both count all bytes there ever were.
  private(set) var tail: Int64 = 0
  private(set) var head: Int64 = 0
  private var newest: Int64 = 0
  private var newestTime: Int64?
  /// Whether something has come in since the last `advance`.
  private var isTurnAhead = false
  /// Whether the last `advance` was for input, and no entry implies it yet.
  private var isTurnOpen = false
  /// Whether a press has become a gesture since the last `advance`.
  private var isPressDue = false
  private var redaction = Redaction()
  package private(set) var kept = KeptRecord()
  package let isOn: Bool
  private let start: Instant

  /// A record of nothing unless it `isOn`.
  package init(isOn: Bool, start: Instant) {
    self.isOn = isOn
    self.start = start
  }

  // MARK: - In

  /// Adds a packet, its H4 indicator first, without its keys and what is private.
  package mutating func add(
    _ packet: Span<UInt8>, isReceived: Bool, with discretion: Discretion = .none,
    at now: Instant
  ) {
    guard isOn, !packet.isEmpty else { return }
    let kind: Kind
    switch packet[0] {
    case PacketIndicator.command: kind = .command
    case PacketIndicator.event: kind = .event
    case PacketIndicator.aclData: kind = isReceived ? .aclReceived : .aclSent
    default: return  // the host drops it, too
    }
    var copy = FixedBuffer<1026>()
    copy.assign(packet)
    redaction.blank(&copy, isReceived: isReceived, with: discretion)
    enter(isReceived ? .receiving : .sending, at: now - start)
    append(kind, copy.bytes.extracting(droppingFirst: 1), at: now - start)
  }

  /// Adds a note, which `write` puts into a buffer.
  package mutating func note(
    _ phase: Note.Phase, at now: Instant, _ write: (inout Line) -> Void
  ) {
    guard isOn else { return }
    var text = Line()
    write(&text)
    enter(phase, at: now - start)
    append(.note, text.bytes, at: now - start)
  }

  /// Notes that the device advances; `isDue` at a deadline, not for input alone.
  package mutating func noteAdvance(isDue: Bool, at now: Instant) {
    guard isOn else { return }
    if isTurnAhead {
      (isTurnAhead, isTurnOpen) = (false, true)
    } else if isDue || isPressDue {
      closeTurn(before: now - start)
      appendTurn(at: now - start)
    }
    isPressDue = false
  }

  /// Notes that presses advance after the edges, which may send something.
  package mutating func notePressesAdvance() { isPressDue = true }

  private mutating func enter(_ phase: Note.Phase, at time: Int64) {
    switch phase {
    case .receiving:
      closeTurn(before: time)
      isTurnAhead = true
    case .sending: isTurnOpen = false
    case .any: closeTurn(before: time)
    }
  }

  /// Adds the last turn if the next entry does not imply it.
  private mutating func closeTurn(before time: Int64) {
    if isTurnOpen, newestTime == time { appendTurn(at: time) }
    isTurnOpen = false
  }

  private mutating func appendTurn(at time: Int64) {
    if let last = newestTime, time - last <= 0xFF_FFFF, isTurnsNewest {
      let gap = UInt32(truncatingIfNeeded: time - last)
      makeRoom(for: 3)
      let count = header(at: newest).count + 3
      put(UInt8(truncatingIfNeeded: gap))
      put(UInt8(truncatingIfNeeded: gap >> 8))
      put(UInt8(truncatingIfNeeded: gap >> 16))
      set(newest + 1, UInt8(truncatingIfNeeded: count))
      newestTime = time
    } else {
      let nothing = FixedBuffer<1>()
      append(.turns, nothing.bytes, at: time)
    }
  }

  private var isTurnsNewest: Bool {
    guard newest != head else { return false }
    let header = header(at: newest)
    return header.kind == .turns && header.count < Self.maxTurns
  }

  private mutating func append(_ kind: Kind, _ content: Span<UInt8>, at time: Int64) {
    makeRoom(for: Header.size + content.count)
    newest = head
    newestTime = time
    put(kind.rawValue)
    put(UInt8(truncatingIfNeeded: content.count))
    put(UInt8(truncatingIfNeeded: content.count >> 8))
    var rest = UInt64(bitPattern: time)
    for _ in 0..<5 {
      put(UInt8(truncatingIfNeeded: rest))
      rest = rest &>> 8
    }
    for index in content.indices { put(content[index]) }
  }

  private mutating func makeRoom(for count: Int) {
    while Self.ringSize - (head - tail) < Int64(widening: count) {
      var entry = Entry()
      copyEntry(at: tail, into: &entry)
      kept.keep(entry.bytes)
      tail += Int64(widening: entry.count)
    }
  }

  // MARK: - Out

  /// Copies the entry that begins at `position`, its header first.
  func copyEntry(at position: Int64, into entry: inout Entry) {
    entry.removeAll()
    let size = Header.size + header(at: position).count
    for offset in 0..<size { entry.append(get(position + Int64(widening: offset))) }
  }

  private func header(at position: Int64) -> Header {
    var bytes = FixedBuffer<8>()
    for offset in 0..<Header.size { bytes.append(get(position + Int64(widening: offset))) }
    return Header(bytes.bytes)
  }

  // MARK: - The ring

  private mutating func put(_ byte: UInt8) {
    set(head, byte)
    head += 1
  }

  private mutating func set(_ position: Int64, _ byte: UInt8) {
    ring[Int(truncatingIfNeeded: position & (Self.ringSize - 1))] = byte
  }

  private func get(_ position: Int64) -> UInt8 {
    ring[Int(truncatingIfNeeded: position & (Self.ringSize - 1))]
  }
}

extension Record.Header {
  /// Reads the header at the beginning of an entry.
  package init(_ entry: Span<UInt8>) {
    kind = Record.Kind(rawValue: entry[0]) ?? .note
    count = Int(entry[1]) | Int(entry[2]) << 8
    var time: UInt64 = 0
    for index in 0..<5 { time = time &<< 8 | UInt64(widening: UInt32(entry[7 - index])) }
    self.time = Int64(bitPattern: time)
  }
}

/// The notes of what came in beside packets; Sources/Replaying reads them.
extension Record {
  @inline(never)  // one copy
  package mutating func note(_ note: Note, at now: Instant) {
    self.note(note.phase, at: now) { note.write(into: &$0) }
  }

  /// Adds a note with a text from outside behind it.
  package mutating func note(_ note: Note, _ text: Span<UInt8>, at now: Instant) {
    self.note(note.phase, at: now) {
      note.write(into: &$0)
      $0.append(" ")
      $0.append(text)
    }
  }

  /// Adds an error.
  package mutating func noteError(
    of source: ErrorSource, _ message: Span<UInt8>, at now: Instant
  ) {
    note(Note.error.phase, at: now) {
      Note.error.write(into: &$0)
      $0.append(" ")
      $0.append(source.name)
      $0.append(" ")
      $0.append(message)
    }
  }

  /// Adds a note with what the store holds behind it.
  package mutating func note(_ note: Note, store: Span<UInt8>, at now: Instant) {
    self.note(note.phase, at: now) {
      note.write(into: &$0)
      BondStore.describe(store, into: &$0)
    }
  }

  /// The circumstances of the start.
  package mutating func noteStart(
    boardAddress: DeviceAddress?, mistake: Span<UInt8>, _ means: RecoveryMeans, at now: Instant
  ) {
    if let boardAddress { note(.boardAddress(boardAddress), at: now) }
    if !mistake.isEmpty { note(.mistake, mistake, at: now) }
    if means.canRebind {
      note(.recovery(rebootTime: means.rebootTime.map { $0 - now }), at: now)
    }
  }

  package mutating func noteStoreWritten(_ output: Span<UInt8>, at offset: Int, _ now: Instant) {
    // The checksum alone says nothing of what the store holds.
    let isWhole = output.count == BondStore.size / 2
    let described = output.extracting(first: isWhole ? output.count : 0)
    note(.storeWritten(offset: offset), store: described, at: now)
  }
}
