import Bytes
import Expecting
import HCI
import TestSupport

/// The packets that a framer cuts out of a stream that comes in pieces.
private func packets(in pieces: [[UInt8]]) throws -> [[UInt8]] {
  var framer = H4Framer()
  var found: [[UInt8]] = []
  for piece in pieces {
    var index = 0
    while index < piece.count {
      index += try framer.receive(Array(piece[index...]).span)
      if framer.isComplete { found.append(array(framer.packet)) }
    }
  }
  return found
}

struct H4FramerTests {
  private static let commandComplete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]
  private static let empty: [UInt8] = [0x04, 0x10, 0x00]
  private static let acl: [UInt8] = [0x02, 0x40, 0x20, 0x03, 0x00, 0xAA, 0xBB, 0xCC]
  private static let synchronous: [UInt8] = [0x03, 0x01, 0x00, 0x02, 0x11, 0x22]
  private static let iso: [UInt8] = [0x05, 0x60, 0x00, 0x01, 0x00, 0x99]
  private static let all = [commandComplete, empty, acl, synchronous, iso]

  @Test func centralBehaviour7_anySplitOfTheBytesWorks() throws {
    let stream = Self.all.flatMap { $0 }
    let oneByOne = try packets(in: stream.map { [$0] })
    expect(oneByOne, Self.all)
    for first in 0...stream.count {
      for second in first...stream.count {
        let pieces = [stream[..<first], stream[first..<second], stream[second...]].map(Array.init)
        let found = try packets(in: pieces)
        guard found == Self.all else {
          Issue.record("split at \(first) and \(second): \(found)")
          return
        }
      }
    }
  }

  @Test(arguments: [UInt8(0x00), 0x01, 0x06, 0xFF])
  func centralBehaviour7_garbageIsAnError(_ indicator: UInt8) {
    #expect(throws: H4Error.unknownIndicator(indicator)) {
      _ = try packets(in: [Self.empty + [indicator]])
    }
  }

  @Test func theLargestPacketIsTakenAndALargerOneIsAnError() throws {
    let largest: [UInt8] = [0x02, 0x40, 0x20, 0xFD, 0x03] + [UInt8](repeating: 7, count: 1021)
    let found = try packets(in: [largest])
    expect(found, [largest])
    #expect(throws: H4Error.oversize(1027)) {
      _ = try packets(in: [[0x02, 0x40, 0x20, 0xFE, 0x03]])
    }
  }

  @Test func aPacketThatIsNotWholeIsSeen() throws {
    var framer = H4Framer()
    let isInsideAtFirst = framer.isInsidePacket
    _ = try framer.receive([0x04, 0x0E].span)
    let isInside = framer.isInsidePacket
    framer.removeAll()
    expect([isInsideAtFirst, isInside, framer.isInsidePacket], [false, true, false])
  }
}
