import BoardFile
import Buttons
import Bytes
import Foundation
import Linux
import Ports
import TestSupport
import Testing

/// The bytes that stand in for buttons.
@Suite struct ButtonLinesTests {
  private func board(_ buttons: String) throws -> Board {
    var parser = BoardParser()
    try parser.override(Array("buttons=\(buttons)".utf8).span, position: 1)
    return try parser.finish()
  }

  @Test func eachByteIsHandedOverButLineFeeds() throws {
    let scratch = try Scratch()
    var buttons = ButtonLines()
    try buttons.open(try board("fifo:" + scratch("fifo")))
    try scratch.append("fifo", "a\nA\nb,B\n")
    var poller = Poller()
    buttons.addDescriptors(to: &poller)
    let now = Instant(milliseconds: 0)
    poller.wait(until: now + 1_000, now: now)
    var bytes: [UInt8] = []
    buttons.receive(poller)
    while let byte = buttons.nextByte() { bytes.append(byte) }
    #expect(bytes == Array("aAb,B".utf8))
  }
}
