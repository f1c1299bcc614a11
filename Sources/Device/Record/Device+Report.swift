package import BoardFile
package import Bytes

/// The report: a file of what the device heard and did, written at the rider's wish and at an error.
struct ReportKeeper: ~Copyable {
  /// How long an error of a source makes no further report.
  private static var day: Int64 { 86_400_000 }

  var writer = ReportWriter()
  /// Whether the rider asked for the one that is being written.
  private(set) var isAsked = false
  /// Whether the rider asked for the one that is to follow; `nil` if none is.
  private var isNextAsked: Bool?
  /// When an error of each source last made a report.
  private var errors = InlineArray<8, Instant?>(repeating: nil)

  /// Begins a report of all that is in the record, or another one after that which is being written.
  mutating func begin(_ record: borrowing Record, isAsked: Bool) {
    guard !writer.isRunning else { return isNextAsked = isAsked || isNextAsked ?? false }
    self.isAsked = isAsked
    writer.begin(record)
  }

  /// Whether an error is the first of its source in a day.
  mutating func isFirst(_ source: ErrorSource, at now: Instant) -> Bool {
    if let last = errors[source.rawValue], now - last < Self.day { return false }
    errors[source.rawValue] = now
    return true
  }

  /// Ends the report that is being written; begins the one that is to follow.
  mutating func end(_ record: borrowing Record) {
    writer.abandon()
    guard let isNextAsked else { return }
    self.isNextAsked = nil
    isAsked = isNextAsked
    writer.begin(record)
  }
}

extension Device {
  /// Where the report goes; `nil` if the board names no place.
  package var reportPath: Text? {
    if case .file(let path) = board.report { path } else { nil }
  }

  /// Whether a piece of a report is to be written.
  package var isReportDue: Bool { report.writer.isRunning }

  /// Whether a piece of that report is on the disk already.
  package var isReportBegun: Bool { report.writer.isBegun }

  /// Puts the next piece of the report into `piece`, and returns where in the file it belongs.
  package mutating func writeReport(into piece: inout FixedBuffer<4096>) -> Int {
    let offset = report.writer.offset
    report.writer.write(record, board, version: version.bytes, into: &piece)
    return offset
  }

  /// Notes that the piece is on the disk.
  package mutating func reportPieceWasWritten(at now: Instant) {
    clock = now
    guard report.writer.pieceWasWritten() else { return }
    reportWasSaved(at: now)
  }

  /// Notes that a whole report is on the disk.
  package mutating func reportWasSaved(at now: Instant) {
    clock = now
    record.note(.reportSaved, at: now)
    log.report(.saved, path: reportPath ?? Text(""), at: now)
    tellReport(.reportSaved, at: now)
    report.end(record)
  }

  /// Notes that the report cannot be written; it is given up.
  package mutating func reportFailed(_ reason: Errno, at now: Instant) {
    clock = now
    record.note(.reportFailed(reason), at: now)
    log.report(.failed, path: reportPath ?? Text(""), at: now)
    tellReport(.reportFailed(reason), at: now)
    report.end(record)
  }

  private mutating func tellReport(_ notice: Scene.Notice, at now: Instant) {
    if report.isAsked {
      scene.show(notice, isAsked: true, at: now)
    } else {
      showBesideRide(notice, at: now)
    }
  }

  /// Makes a report at the rider's wish; without a place for it the panel says so.
  mutating func makeReport(at now: Instant) {
    guard reportPath != nil else { return scene.show(.reportFailed(nil), isAsked: true, at: now) }
    report.begin(record, isAsked: true)
  }

  /// Reports an error, in the events and, if it is the first of its source in a day, as a file.
  mutating func fail(_ source: ErrorSource, _ message: Span<UInt8>, at now: Instant) {
    log.failed(source, message, at: now)
    guard board.hasReport else { return }
    record.note(Note.error.phase, at: now) {
      Note.error.write(into: &$0)
      $0.append(" ")
      $0.append(source.name)
      $0.append(" ")
      $0.append(message)
    }
    if report.isFirst(source, at: now) { report.begin(record, isAsked: false) }
  }
}
