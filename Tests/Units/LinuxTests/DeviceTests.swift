import Bytes
import Expecting
import Foundation
import TestSupport

@testable import Linux

/// The blocks that a message is cut into.
private func blocks(_ message: [UInt8]) -> [[UInt8]] {
  var cutter = SMBusBlocks()
  var blocks: [[UInt8]] = []
  while cutter.next(of: message.span) { blocks.append(array(cutter.block.bytes)) }
  return blocks
}

struct DeviceTests {
  @Test func aControllerThatIsNotThereIsTold() {
    // What it is depends on the machine: no Bluetooth in the kernel, no rights, or no such number.
    let possible: [Errno] = [.noSuchFamily, .notPermitted, .noSuchDevice]
    do throws(Errno) {
      _ = try HCITransport(device: 0xFFF0)
      Issue.record("opened a controller that is not there")
    } catch {
      #expect(possible.contains(error))
    }
  }

  @Test(
    arguments: [
      ("/dev/no-such-bus", .noSuchFile), ("/dev/null", .wrongKind), ("", .noSuchFile),
      ("/" + String(repeating: "p", count: 600), .nameTooLong),
    ] as [(String, Errno)])
  func aBusThatIsNoneIsTold(_ path: String, _ reason: Errno) {
    let bytes = Array(path.utf8)
    #expect(throws: reason) { _ = try I2CBus(path: bytes.span, address: 0x3C) }
  }

  // By hand: 100 ms, and 9 bits a byte at 36 kHz, in the 10 ms that the kernel counts in.
  @Test(arguments: [(2, 110), (28, 110), (40, 110), (41, 120), (1_060, 370), (8_192, 2_150)])
  func aCallMayTakeAsLongAsASlowBusNeeds(_ bytes: Int, _ milliseconds: UInt32) {
    expect(I2CBus.timeout(of: bytes), milliseconds)
  }

  // Each block by hand: control byte, then what follows, 33 bytes at most. SSD1306, 8.1.5.2.
  @Test(
    arguments: [
      ([], []), ([0x40], []), ([0x00], []), ([0x80], []), ([0x80, 0xAE], [[0x80, 0xAE]]),
      ([0x00, 0xAE, 0xA5], [[0x00, 0xAE, 0xA5]]),
      (
        [0x80, 0x21, 0x80, 0x00, 0x80, 0x7F, 0x40, 0xFF],
        [[0x80, 0x21, 0x80, 0x00, 0x80, 0x7F, 0x40, 0xFF]]
      ),
      ([0x80, 0x21, 0x40], [[0x80, 0x21]]),
    ] as [([UInt8], [[UInt8]])])
  func aShortMessageIsOneBlock(_ message: [UInt8], _ expected: [[UInt8]]) {
    expect(blocks(message), expected)
  }

  @Test func dataGoesOnInEachBlockBehindItsControlByte() {
    let data = Array(1...70 as ClosedRange<UInt8>)
    expect(
      blocks([0x40] + data),
      [
        [0x40] + Array(1...32), [0x40] + Array(33...64), [0x40] + Array(65...70),
      ])
    // Six bytes of commands and a control byte leave room for 26.
    expect(
      blocks([0x80, 0x21, 0x80, 0x00, 0x80, 0x7F, 0x40] + data),
      [
        [0x80, 0x21, 0x80, 0x00, 0x80, 0x7F, 0x40] + Array(1...26),
        [0x40] + Array(27...58), [0x40] + Array(59...70),
      ])
  }

  @Test func commandPairsAreNotTornApart() {
    var commands: [UInt8] = []
    for command in 0..<20 as Range<UInt8> { commands += [0x80, command] }
    let cut = blocks(commands + [0x40, 0xFF])
    expect(cut.count, 2)
    expect(cut.first, Array(commands.prefix(32)))
    expect(cut.last, Array(commands.suffix(8)) + [0x40, 0xFF])
  }

  @Test func aControlByteWaitsForABlockWithRoomForItsData() {
    // Sixteen pairs leave room for one byte more, and a control byte alone would say nothing.
    var commands: [UInt8] = []
    for command in 0..<16 as Range<UInt8> { commands += [0x80, command] }
    expect(blocks(commands + [0x40, 0xFF]), [commands, [0x40, 0xFF]])
  }

  @Test func noBlockIsLongerThanSMBusAllowsOrCarriesNothing() {
    for pairs in 0..<40 {
      for data in 0..<80 {
        var message: [UInt8] = []
        for _ in 0..<pairs { message += [0x80, 0xE3] }
        message += [0x40] + [UInt8](repeating: 7, count: data)
        let cut = blocks(message)
        #expect(cut.allSatisfy { (2...33).contains($0.count) })
        let bytes = Array(cut.joined())
        expect(bytes.filter { $0 == 0xE3 }.count, pairs)
        expect(bytes.filter { $0 == 7 }.count, data)
      }
    }
  }
}
