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

  @Test func aByteIsAGestureAndOthersArePassedOver() throws {
    let scratch = try Scratch()
    var buttons = ButtonLines()
    try buttons.open(try board("fifo:" + scratch("fifo")))
    try scratch.append("fifo", "p\nP\r\n u,x\0U")
    var poller = Poller()
    buttons.addDescriptors(to: &poller)
    let now = Instant(milliseconds: 0)
    poller.wait(until: now + 1_000, now: now)
    var gestures: [Gesture] = []
    buttons.receive(poller)
    while let gesture = buttons.nextGesture() { gestures.append(gesture) }
    #expect(gestures == [.pageShort, .pageLong, .unpairShort, .unpairLong])
  }
}
