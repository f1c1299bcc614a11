import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

/// What is read at once, as text.
private func text(_ input: inout ByteInput) -> String {
  var bytes: [UInt8] = []
  input.receive()
  while let byte = input.next() { bytes.append(byte) }
  return String(decoding: bytes, as: UTF8.self)
}

struct ByteInputTests {
  @Test func theBytesComeAsTheyWereWrittenWhileWritersComeAndGo() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try ByteInput(fifo: path.span)
    for bytes in ["p\nP\r\n u,x\0U", "p", "p"] {
      try scratch.append("fifo", bytes)
      expect(text(&input), bytes)
      expect(text(&input), "")
    }
  }

  /// A loop that reads once a turn is never kept by who writes without an end.
  @Test func moreThanFitsIsLeftForTheNextTime() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try ByteInput(fifo: path.span)
    let written = (0..<100).map(String.init).joined()
    try scratch.append("fifo", written)
    var read: [String] = []
    repeat { read.append(text(&input)) } while read.last != ""
    expect(read.joined(), written)
    #expect(read.count > 10)
  }

  @Test func aFifoThatIsThereIsUsedAndAnotherFileIsNotTouched() throws {
    let scratch = try Scratch()
    expect(mkfifo(scratch("fifo"), 0o600), 0)
    let path = Array(scratch("fifo").utf8)
    _ = try ByteInput(fifo: path.span)
    try scratch.write("file", "p")
    let file = Array(scratch("file").utf8)
    #expect(throws: Errno.fileExists) { _ = try ByteInput(fifo: file.span) }
    expect(try scratch.read("file"), "p")
    let missing = Array("/nowhere/fifo".utf8)
    #expect(throws: Errno.noSuchFile) { _ = try ByteInput(fifo: missing.span) }
  }
}
