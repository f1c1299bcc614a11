import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

/// At each moment the path has the old contents or the new ones, whole: who ends the program there, keeps that.
struct ReplacedFileTests {
  private func begin(_ path: String) throws(Errno) -> ReplacedFile {
    let bytes = Array(path.utf8)
    return try ReplacedFile(path: bytes.span)
  }

  @Test func theOldFileStaysUntilTheNewOneIsWhole() throws {
    let scratch = try Scratch()
    try scratch.write("place", "old")
    let piece = Array("new ".utf8)
    let file = try begin(scratch("place"))
    for _ in 0..<2 {
      expect(try scratch.read("place"), "old")
      try file.write(piece.span)
    }
    expect(try scratch.read("place"), "old")
    try file.finish()
    expect(try scratch.read("place"), "new new ")
    expect(try scratch.names, ["place"])
  }

  @Test func thereIsNoFileUntilTheFirstOneIsWhole() throws {
    let scratch = try Scratch()
    let file = try begin(scratch("place"))
    expect(try scratch.names, ["place.new"])
    try file.finish()
    expect(try scratch.names, ["place"])
  }

  @Test func whatIsAbandonedLeavesNothingAndAMissingFolderIsTold() throws {
    let scratch = try Scratch()
    try begin(scratch("place")).abandon()
    #expect(try scratch.names.isEmpty)
    #expect(throws: Errno.noSuchFile) { _ = try begin("/nowhere/at/all") }
  }
}

struct ReportFileTests {
  private func write(_ text: String, at offset: Int, to file: borrowing ReportFile) throws(Errno) {
    let bytes = Array(text.utf8)
    try file.write(bytes.span, at: offset)
  }

  private func open(_ path: String) throws(Errno) -> ReportFile {
    let bytes = Array(path.utf8)
    return try ReportFile(path: bytes.span)
  }

  @Test func itIsWrittenInPlaceAndNeverGetsShorter() throws {
    let scratch = try Scratch()
    try scratch.write("report", "an older one")
    let file = try open(scratch("report"))
    try write("new", at: 3, to: file)
    try write("A", at: 0, to: file)
    expect(try scratch.read("report"), "An newer one")
  }

  /// Else it would be said to be saved.
  @Test func oneThatIsDeletedMeanwhileTakesNothingAnyMore() throws {
    let scratch = try Scratch()
    let file = try open(scratch("report"))
    try write("a", at: 0, to: file)
    try FileManager.default.removeItem(atPath: scratch("report"))
    #expect(throws: Errno.noSuchFile) { try write("b", at: 1, to: file) }
    let again = try open(scratch("report"))
    try write("b", at: 0, to: again)
    expect(try scratch.read("report"), "b")
  }
}
