import Buttons
import Bytes
import Foundation
import Linux
import TestSupport
import Testing

/// All gestures that are there now.
private func gestures(_ input: inout GestureInput) -> [Gesture] {
  var gestures: [Gesture] = []
  while let gesture = input.next() { gestures.append(gesture) }
  return gestures
}

@Suite struct GestureInputTests {
  @Test func aByteIsAGestureAndOthersArePassedOver() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try GestureInput(fifo: path.span)
    try scratch.append("fifo", "p\nP\r\n u,x\0U")
    #expect(gestures(&input) == [.pageShort, .pageLong, .unpairShort, .unpairLong])
  }

  @Test func writersComeAndGo() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try GestureInput(fifo: path.span)
    for _ in 0..<3 {
      try scratch.append("fifo", "p")
      #expect(gestures(&input) == [.pageShort])
      #expect(gestures(&input) == [])
    }
  }

  @Test func moreThanFitsAtOnceIsReadInTurn() throws {
    let scratch = try Scratch()
    let path = Array(scratch("fifo").utf8)
    var input = try GestureInput(fifo: path.span)
    try scratch.append("fifo", String(repeating: "pu", count: 100))
    #expect(gestures(&input).count == 200)
  }

  @Test func aFifoThatIsThereIsUsedAndAnotherFileIsNotTouched() throws {
    let scratch = try Scratch()
    #expect(mkfifo(scratch("fifo"), 0o600) == 0)
    let path = Array(scratch("fifo").utf8)
    _ = try GestureInput(fifo: path.span)
    try scratch.write("file", "p")
    let file = Array(scratch("file").utf8)
    #expect(throws: Errno.fileExists) { _ = try GestureInput(fifo: file.span) }
    #expect(try scratch.read("file") == "p")
  }

  @Test func aFolderThatIsMissingIsTold() {
    let path = Array("/nowhere/fifo".utf8)
    #expect(throws: Errno.noSuchFile) { _ = try GestureInput(fifo: path.span) }
  }
}
