import Bytes
import Expecting
import Recording
import TestSupport

@testable import Device

/// Notes of the record: what one of them writes is read as the same.
@Suite struct NoteTests {
  @Test(arguments: [
    "radio opening", "radio open", "radio failed errno 104", "radio failed indicator 7",
    "radio failed oversize 1027", "radio failed stalled", "radio failed unanswered",
    "panel open", "panel failed 121 3", "panel-reset failed 5",
    "buttons open 0 1", "buttons open 1 0", "buttons failed 19", "alert open", "alert failed 16",
    "store open 1 0 0", "store open 0 1 1", "store aside 1", "store written 512",
    "store failed 30", "report saved", "report failed 28",
    "gesture a", "gesture B", "edge a 1 12", "edge b 0 -3", "release a",
    "release b", "seen", "leave", "home here", "home away", "deaf", "deafened", "ready", "error",
    "mistake", "board-address 0 b827eb010203", "recovery", "recovery -1", "recovery 60000", "turns",
    "gauge read 02 c300", "gauge read 2a 57", "gauge read 00 0000", "gauge failed 121",
    "update",
  ])
  func aNoteIsWrittenAsItIsRead(_ line: String) throws {
    let line = Array(line.utf8)
    var reader = NoteReader(line.span)
    let read = Note(&reader)
    let note = try #require(read)
    let rest = array(reader.rest)
    #expect(rest.isEmpty)
    var text = Record.Line()
    note.write(into: &text)
    let written = array(text.bytes)
    expect(written, line)
  }

  @Test(arguments: [
    ("mistake board.conf:12: unknown key", " board.conf:12: unknown key"),
    ("error i2c nobody answers", " i2c nobody answers"), ("store written 512 blank", " blank"),
    ("store open 0 1 0 blank damaged", " blank damaged"), ("turns 0 16", " 0 16"),
  ])
  func whatIsBehindANoteIsLeft(_ line: String, _ behind: String) {
    let line = Array(line.utf8)
    var reader = NoteReader(line.span)
    let isNote = Note(&reader) != nil
    let rest = array(reader.rest)
    expect(isNote && rest == Array(behind.utf8))
  }

  @Test(arguments: [
    "", " ", "radio", "radio opened", "radio openings", "panel failed", "panel failed x",
    "panel failed 2147483648", "radio failed", "radio failed 104", "radio failed errno",
    "store open 0 1", "gesture", "gesture x", "edge a 1", "edge a 1 2 3",
    "edge both 1 2", "edge a 1 2147483648", "edge a 1 9223372036854775808", "release",
    "release both", "board-address 4 b827eb010203", "board-address 0", "board-address 0 xx",
    "gauge", "gauge read", "gauge read 02", "gauge read 02 c", "gauge read 02 c3001",
    "gauge read 100 57", "gauge read 02 xx", "gauge failed",
  ])
  func aLineThatNoNoteWritesIsNone(_ line: String) {
    let line = Array(line.utf8)
    var reader = NoteReader(line.span)
    let isNote = Note(&reader) != nil
    expect(!isNote)
  }

  @Test func eachNameOfANoteIsAnotherOne() {
    for number in 0..<Note.Name.count {
      let name = Note.Name(rawValue: UInt8(number))
      let text = Array((name?.text ?? "").utf8)
      let found = Note.Name(beginning: text.span)
      expect(name != nil && found == name)
    }
    expect(Note.Name(rawValue: UInt8(Note.Name.count)), nil)
  }
}
