import BoardFile
package import Bytes
import DeviceState
import Recording

/// The report: a file of what the device heard and did.
extension Device {
  /// Puts the next piece of the report into `piece`, and returns where in the file it belongs.
  package mutating func writeReport(into piece: inout FixedBuffer<4096>) -> Int {
    recorder.write(record, board, version: upkeep.version.bytes, into: &piece)
  }

  /// Notes that the piece is on the disk.
  package mutating func reportPieceWasWritten(at now: Instant) {
    upkeep.advance(to: now)
    if recorder.pieceWasWritten() { reportWasSaved(at: now) }
  }

  /// Notes that a whole report is on the disk.
  package mutating func reportWasSaved(at now: Instant) {
    endReport(.reportSaved, .saved, showing: .reportSaved, at: now)
  }

  /// Notes that the report cannot be written; it is given up.
  package mutating func reportFailed(_ reason: Errno, at now: Instant) {
    endReport(.reportFailed(reason), .failed, showing: .reportFailed(reason), at: now)
  }

  private mutating func endReport(
    _ note: Note, _ state: ReportState, showing notice: Scene.Notice, at now: Instant
  ) {
    upkeep.advance(to: now)
    log.report(state, path: recorder.path ?? Text(""), at: now)
    record.note(note, at: now)
    if recorder.end(record) {
      scene.show(notice, isRequested: true, at: now)
    } else {
      showBesideRide(notice, at: now)
    }
  }

  /// Makes a report as the rider asks; without a place for it the panel says so.
  mutating func makeReport(at now: Instant) {
    guard recorder.path != nil else {
      log.report(.failed, path: Text(""), at: now)
      return scene.show(.reportFailed(nil), isRequested: true, at: now)
    }
    recorder.begin(record, isRequested: true)
  }

  /// Reports an error, in the events and, if it is the first of its source in a day, as a file.
  mutating func fail(_ source: ErrorSource, _ message: borrowing Explanation, at now: Instant) {
    log.failed(source, message.bytes, at: now)
    record.noteError(of: source, message.bytes, at: now)
    recorder.beginIfFirst(of: source, record, at: now)
  }
}
