import Bytes
import Expecting
import L2CAP
import TestSupport

struct ReassemblerTests {
  private static let frame: [UInt8] = [6, 0, 4, 0, 1, 2, 3, 4, 5, 6]

  /// Frames that come out of pieces; a piece that continues a frame is marked.
  private func frames(_ pieces: [(bytes: [UInt8], isContinuation: Bool)]) -> [[UInt8]] {
    var reassembler = Reassembler<521>()
    var frames: [[UInt8]] = []
    for piece in pieces
    where reassembler.receive(piece.bytes.span, isContinuation: piece.isContinuation) {
      frames.append(array(reassembler.frame))
    }
    return frames
  }

  @Test func centralBehaviour30_aFrameIsPutTogetherWhereverItIsCut() {
    for first in 0...10 {
      for second in first...10 {
        let pieces = [
          (Array(Self.frame[..<first]), false), (Array(Self.frame[first..<second]), true),
          (Array(Self.frame[second...]), true),
        ]
        // A frame that is already whole takes nothing more.
        expect(frames(pieces), [Self.frame], "\(first), \(second)")
      }
    }
  }

  @Test(
    arguments: [
      ("a continuation without a start", [([1, 2, 3], true)]),
      ("a length that is too short", [([1, 0, 4, 0, 1, 2, 3], false)]),
      ("a length that is too long", [([9, 0, 4, 0, 1, 2, 3], false)]),
      ("a continuation that goes too far", [([3, 0, 4, 0, 1], false), ([1, 2, 3, 4], true)]),
      ("an oversize frame", [([0xFF, 0xFF, 4, 0, 1], false), ([1, 2, 3], true)]),
      ("a piece larger than any frame", [([UInt8](repeating: 0xFF, count: 600), false)]),
    ] as [(String, [([UInt8], Bool)])])
  func centralBehaviour30_theNextFrameIsFineAfter(_ fault: String, _ pieces: [([UInt8], Bool)]) {
    var reassembler = Reassembler<521>()
    for piece in pieces {
      let isWhole = reassembler.receive(piece.0.span, isContinuation: piece.1)
      expect(!isWhole)
    }
    let isWhole = reassembler.receive(Self.frame.span, isContinuation: false)
    expect(isWhole)
  }

  @Test func theLargestFrameFits() {
    let largest: [UInt8] = [0x05, 0x02, 4, 0] + [UInt8](repeating: 1, count: 517)
    let tooLarge: [UInt8] = [0x06, 0x02, 4, 0] + [UInt8](repeating: 1, count: 518)
    expect(frames([(largest, false)]), [largest])
    expect(frames([(tooLarge, false)]), [])
  }
}

struct SignalingTests {
  @Test func aWishForOtherParametersIsRead() throws {
    let bytes: [UInt8] = [0x12, 7, 8, 0, 24, 0, 40, 0, 1, 0, 0x90, 1]
    let pdu = try SignalingPDU(parsing: bytes.span)
    expect(
      pdu,
      .connectionParameterUpdateRequest(
        identifier: 7, intervalMin: 24, intervalMax: 40, latency: 1, timeout: 400))
  }

  @Test(
    arguments: [
      [0x12, 0, 8, 0, 24, 0, 40, 0, 1, 0, 0x90, 1], [0x01, 1, 0, 0], [0x13, 1, 1, 0, 0],
      [0x13, 1, 2, 0], [0x03, 1, 2, 0, 0], [0x14], [0x14, 1, 0], [],
    ] as [[UInt8]])
  func whatIsMalformedThrows(_ bytes: [UInt8]) {
    #expect(throws: ParseError.self) { _ = try SignalingPDU(parsing: bytes.span) }
  }

  /// Too little, a length that is another one, and too much.
  @Test(
    arguments: [
      [0x12, 7, 8, 0, 24, 0, 40, 0, 1, 0, 0x90], [0x12, 7, 7, 0, 24, 0, 40, 0, 1, 0, 0x90],
      [0x12, 7, 9, 0, 24, 0, 40, 0, 1, 0, 0x90, 1, 0], [0x12, 7, 0, 0], [0x12, 7, 8, 0],
      [0x12, 7, 7, 0, 24, 0, 40, 0, 1, 0, 0x90, 1], [0x12, 7, 9, 0, 24, 0, 40, 0, 1, 0, 0x90, 1],
      [0x14, 7, 4, 0, 1],
    ] as [[UInt8]])
  func centralBehaviour146_aCommandWithAnotherLengthThanItsDataIsNoneThatIsKnown(
    _ bytes: [UInt8]
  ) throws {
    expect(
      try SignalingPDU(parsing: bytes.span), .unknown(code: bytes[0], identifier: 7))
  }
}

struct BasicFrameTests {
  @Test func aFrameNamesItsChannel() throws {
    let bytes: [UInt8] = [2, 0, 6, 0, 0xAA, 0xBB]
    let frame = try BasicFrame(parsing: bytes.span)
    let payload = array(frame.payload)
    expect(frame.channel, .securityManager)
    expect(payload, [0xAA, 0xBB])
  }

  @Test(arguments: [[], [2], [2, 0, 4], [2, 0, 4, 0, 1], [2, 0, 4, 0, 1, 2, 3]] as [[UInt8]])
  func aLengthThatLiesThrows(_ bytes: [UInt8]) {
    #expect(throws: ParseError.self) { _ = try BasicFrame(parsing: bytes.span) }
  }
}
