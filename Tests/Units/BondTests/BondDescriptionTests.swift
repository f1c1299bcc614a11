import Bond
import Bytes
import PlainBonds
import TestSupport
import Testing

/// What a report tells of the store: which phone it remembers, and no key.
@Suite struct BondDescriptionTests {
  private func described(_ bytes: [UInt8]) -> [String] {
    var text = FixedBuffer<4096>()
    BondStore.describe(bytes.span, into: &text)
    return string(text.bytes).split(separator: " ").map(String.init)
  }

  @Test func aRecordIsItsBytesWithZerosInThePlaceOfKeys() throws {
    var disk = Disk()
    try disk.change(.save(1))
    var expected = Array(disk.bytes[..<508])
    // Three keys behind the header of 16 bytes, the flags and the address with its type.
    for index in 24..<72 {
      #expect(index % 16 != 8 || disk.bytes[index..<index + 16].contains { $0 != 0 })
      expected[index] = 0
    }
    while expected.last == 0 { expected.removeLast() }
    #expect(
      described(disk.bytes) == [
        expected.map { String(0x100 + Int($0), radix: 16).suffix(2) }.joined()
      ])
  }

  @Test func whatIsNoRecordIsOneWord() throws {
    var disk = Disk()
    try disk.change(.save(1))
    var damaged = disk.bytes
    damaged[100] ^= 1
    let foreign = [UInt8]("#!/bin/sh, or whatever else there may be in it".utf8)
    #expect(described(damaged) == ["damaged"])
    #expect(described(foreign) == ["foreign"])
    #expect(described([UInt8](repeating: 0xFF, count: 1024)) == ["blank", "blank"])
    #expect(described([]) == [])
  }
}
