import Bytes
import Foundation
import Linux
import TestSupport
import Testing

/// All bytes that are there now, as text.
private func text(_ input: inout ByteInput) -> String {
  var bytes: [UInt8] = []
  while let byte = input.next() { bytes.append(byte) }
  return String(decoding: bytes, as: UTF8.self)
}

@Suite struct ByteInputTests {
  @Test func theBytesComeAsTheyWereWritten() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try ByteInput(fifo: path.span)
    try scratch.append("fifo", "p\nP\r\n u,x\0U")
    #expect(text(&input) == "p\nP\r\n u,x\0U")
  }

  @Test func writersComeAndGo() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try ByteInput(fifo: path.span)
    for _ in 0..<3 {
      try scratch.append("fifo", "p")
      #expect(text(&input) == "p")
      #expect(text(&input) == "")
    }
  }

  @Test func moreThanFitsAtOnceIsReadInTurn() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try ByteInput(fifo: path.span)
    try scratch.append("fifo", String(repeating: "pu", count: 100))
    #expect(text(&input).count == 200)
  }

  /// Several bytes are read at once; poll tells nothing of those that wait here.
  @Test func whatWaitsHereIsToldOf() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try ByteInput(fifo: path.span)
    try scratch.append("fifo", "pu")
    var told: [Bool] = [input.hasReceived]
    for _ in 0..<2 {
      _ = input.next()
      told.append(input.hasReceived)
    }
    #expect(told == [false, true, false])
  }

  @Test func aFifoThatIsThereIsUsedAndAnotherFileIsNotTouched() throws {
    let scratch = try Scratch()
    #expect(mkfifo(scratch("fifo"), 0o600) == 0)
    let path = Array(scratch("fifo").utf8)
    _ = try ByteInput(fifo: path.span)
    try scratch.write("file", "p")
    let file = Array(scratch("file").utf8)
    #expect(throws: Errno.fileExists) { _ = try ByteInput(fifo: file.span) }
    #expect(try scratch.read("file") == "p")
  }

  @Test func aFolderThatIsMissingIsTold() {
    let path = Array("/nowhere/fifo".utf8)
    #expect(throws: Errno.noSuchFile) { _ = try ByteInput(fifo: path.span) }
  }
}
