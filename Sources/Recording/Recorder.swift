package import BoardFile
package import Bytes
package import DeviceState

/// The record, and the report: a file of it, written when the rider asks for it and at an error.
///
/// Only its functions change the record, and how far its report is written.
package struct Recorder: ~Copyable {
  /// For how long an error of the same source makes no further report, in milliseconds.
  private static var day: Int64 { 86_400_000 }

  private var record: Record
  private var writer = ReportWriter()
  /// Where the report goes; `nil` if the board names no place.
  package let path: Text?
  private let isOn: Bool
  /// Whether the rider asked for the report that is being written.
  private var isAsked = false
  /// Whether the rider asked for the one that is to follow; `nil` if none is.
  private var isNextAsked: Bool?
  /// When an error of each source last made a report.
  private var errors = InlineArray<8, Instant?>(repeating: nil)

  /// A record of nothing.
  package init(_ board: borrowing Board, start: Instant) {
    isOn = board.hasReport
    path = if case .file(let path) = board.report { path } else { nil }
    record = Record(isOn: isOn, start: start)
  }

  // MARK: - The record

  /// Adds a packet, its H4 indicator first, without its keys and what is private.
  package mutating func add(
    _ packet: Span<UInt8>, isReceived: Bool, with discretion: Discretion = .none, at now: Instant
  ) {
    record.add(packet, isReceived: isReceived, with: discretion, at: now)
  }

  package mutating func note(_ note: Note, at now: Instant) { record.note(note, at: now) }

  /// Adds a note with what the store holds behind it.
  package mutating func note(_ note: Note, store: Span<UInt8>, at now: Instant) {
    record.note(note, store: store, at: now)
  }

  /// Adds a note of what was written to the store, and where.
  package mutating func noteStoreWritten(_ output: Span<UInt8>, at offset: Int, _ now: Instant) {
    record.noteStoreWritten(output, at: offset, now)
  }

  /// Adds the circumstances of the start.
  package mutating func noteStart(
    boardAddress: DeviceAddress?, mistake: Span<UInt8>, _ means: RecoveryMeans, at now: Instant
  ) {
    record.noteStart(boardAddress: boardAddress, mistake: mistake, means, at: now)
  }

  /// Notes that the device advances; `isDue` unless only because something has come in.
  package mutating func advances(isDue: Bool, at now: Instant) {
    record.advances(isDue: isDue, at: now)
  }

  /// Notes that presses advance, behind the edges, which may send something.
  package mutating func pressesAdvance() { record.pressesAdvance() }

  /// Adds an error, and begins a report if it is the first of its source in a day.
  package mutating func fail(_ source: ErrorSource, _ message: Span<UInt8>, at now: Instant) {
    guard isOn else { return }
    noteError(of: source, message, at: now)
    if let last = errors[source.rawValue], now - last < Self.day { return }
    errors[source.rawValue] = now
    begin(isAsked: false)
  }

  /// Adds an error that makes no report.
  package mutating func noteError(
    of source: ErrorSource, _ message: Span<UInt8>, at now: Instant
  ) {
    record.note(Note.error.phase, at: now) {
      Note.error.write(into: &$0)
      $0.append(" ")
      $0.append(source.name)
      $0.append(" ")
      $0.append(message)
    }
  }

  // MARK: - The report

  /// Begins a report of all that is in the record, or another one after that which is being written.
  package mutating func begin(isAsked: Bool) {
    guard !writer.isRunning else { return isNextAsked = isAsked || isNextAsked ?? false }
    self.isAsked = isAsked
    writer.begin(record)
  }

  /// Whether a piece of the report is to be written.
  package var isDue: Bool { writer.isRunning }

  /// Whether a piece of it is on the disk already.
  package var isBegun: Bool { writer.isBegun }

  /// Puts the next piece of the report into `piece`, and returns where in the file it belongs.
  package mutating func write(
    _ board: borrowing Board, version: Span<UInt8>, into piece: inout FixedBuffer<4096>
  ) -> Int {
    let offset = writer.offset
    writer.write(record, board, version: version, into: &piece)
    return offset
  }

  /// Notes that the piece is on the disk; returns whether it was the last.
  package mutating func pieceWasWritten() -> Bool { writer.pieceWasWritten() }

  /// Notes what became of the report, and begins the one that is to follow; returns whether the rider asked.
  package mutating func end(_ note: Note, at now: Instant) -> Bool {
    record.note(note, at: now)
    writer.abandon()
    let wasAsked = isAsked
    guard let isNextAsked else { return wasAsked }
    self.isNextAsked = nil
    isAsked = isNextAsked
    writer.begin(record)
    return wasAsked
  }
}

extension Board {
  /// Whether a report may be made.
  package var hasReport: Bool {
    if case .none = report { false } else { true }
  }
}
