package import BoardFile
package import Bytes

/// The report: a file of the record, written when the rider asks for it and at an error.
///
/// Only its functions change how far it is written.
package struct Recorder: ~Copyable {
  /// For how long an error of the same source makes no further report, in milliseconds.
  private static var day: Int64 { 86_400_000 }

  /// The report that follows the one that is being written.
  private enum Next { case none, byError, byRider }

  private var writer = ReportWriter()
  /// Where the report goes; `nil` if the board names no place.
  package let path: Text?
  /// Whether the rider asked for the report that is being written.
  private var isRequested = false
  private var next = Next.none
  /// When an error of each source last made a report.
  private var errors = InlineArray<8, Instant?>(repeating: nil)

  /// No report yet.
  package init(_ board: borrowing Board) {
    path = if case .file(let path) = board.report { path } else { nil }
  }

  /// Begins a report if an error is the first of its source in a day.
  package mutating func beginIfFirst(
    of source: ErrorSource, _ record: borrowing Record, at now: Instant
  ) {
    guard record.isOn else { return }
    if let last = errors[source.rawValue], now - last < Self.day { return }
    errors[source.rawValue] = now
    begin(record, isRequested: false)
  }

  /// Begins a report of all that is in the record, or another one after the report that is being written.
  package mutating func begin(_ record: borrowing Record, isRequested: Bool) {
    guard !writer.isRunning else {
      if isRequested { next = .byRider } else if next == .none { next = .byError }
      return
    }
    self.isRequested = isRequested
    writer.begin(record)
  }

  /// Whether a piece of the report must be written.
  package var isPieceDue: Bool { writer.isRunning }

  /// Whether a piece of it is on the disk already.
  package var isBegun: Bool { writer.isBegun }

  /// Puts the next piece of the report into `piece`, and returns where in the file it belongs.
  package mutating func write(
    _ record: borrowing Record, _ board: borrowing Board, version: Span<UInt8>,
    into piece: inout FixedBuffer<4096>
  ) -> Int {
    let offset = writer.offset
    writer.write(record, board, version: version, into: &piece)
    return offset
  }

  /// Notes that the piece is on the disk; returns whether it was the last.
  package mutating func pieceWasWritten() -> Bool { writer.pieceWasWritten() }

  /// Ends a report, whole or given up, and begins the next; returns whether the rider asked for the ended one.
  package mutating func end(_ record: borrowing Record) -> Bool {
    writer.abandon()
    let wasRequested = isRequested
    guard next != .none else { return wasRequested }
    (isRequested, next) = (next == .byRider, .none)
    writer.begin(record)
    return wasRequested
  }
}

extension Board {
  /// Whether a report may be made.
  package var hasReport: Bool {
    if case .none = report { false } else { true }
  }
}
