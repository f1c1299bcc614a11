import BoardFile
import Buttons
import Bytes
import Expecting
import Foundation
import Linux
import TestSupport

@testable import Ports

/// What there is to say of GPIO chips on a machine that has none.
struct GPIOTests {
  private static let noChips: [(String, Errno)] = [
    ("/dev/no-such-chip", .noSuchFile), ("/dev/null", .wrongKind), ("", .noSuchFile),
    ("/" + String(repeating: "p", count: 600), .nameTooLong),
  ]

  @Test(arguments: noChips)
  func buttonsOfAChipThatIsNoneAreTold(_ path: String, _ reason: Errno) {
    let bytes = Array(path.utf8)
    var buttons = ButtonLines()
    #expect(throws: reason) { try buttons.open(chip: bytes.span, a: 17, b: nil) }
    #expect(throws: reason) { try buttons.open(chip: bytes.span, a: nil, b: 27) }
  }

  @Test(arguments: noChips)
  func anOutputOfAChipThatIsNoneIsTold(_ path: String, _ reason: Errno) {
    let bytes = Array(path.utf8)
    #expect(throws: reason) { _ = try GPIOLine(outputOf: bytes.span, offset: 22) }
  }

  @Test func withoutALineNothingIsOpened() throws {
    let path = Array("/dev/no-such-chip".utf8)
    var buttons = ButtonLines()
    try buttons.open(chip: path.span, a: nil, b: nil)
    let (edge, isPressed) = (try buttons.nextEdge(), try buttons.isPressed(.a))
    expect(edge, nil)
    expect(!isPressed)
  }
}

/// The bytes that stand in for buttons.
struct ButtonLinesTests {
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
    expect(bytes, Array("aAb,B".utf8))
  }
}
