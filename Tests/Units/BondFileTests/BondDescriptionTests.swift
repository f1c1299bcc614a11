import BondFile
import Bytes
import Expecting
import PlainBonds
import TestSupport

/// What a report tells of the store: which phone it remembers, and no key.
struct BondDescriptionTests {
  private func described(_ bytes: [UInt8]) -> [String] {
    var text = FixedBuffer<4096>()
    BondStore.describe(bytes.span, into: &text)
    return string(text.bytes).split(separator: " ").map(String.init)
  }

  @Test func aRecordIsItsBytesWithZerosInThePlaceOfKeys() throws {
    let disk = try Disk(after: .save(1))
    var expected = Array(disk.bytes[..<508])
    // Two keys behind the header of 16 bytes, the flags and the address with its type.
    for index in 24..<56 {
      expect(index % 16 != 8 || disk.bytes[index..<index + 16].contains { $0 != 0 })
      expected[index] = 0
    }
    expect(described(disk.bytes), [digits(expected)])
  }

  @Test func aRecordOfVersionOneHasAThirdKey() throws {
    let old = recordOfVersionOne(number: 2)
    var expected = Array(old[..<508])
    for index in 24..<72 { expected[index] = 0 }
    expect(described(old), [digits(expected)])
  }

  @Test func theBrightnessIsTold() throws {
    let disk = try Disk(after: .dim)
    let expected = Array(disk.bytes[..<508])
    expect(described(disk.bytes), [digits(expected)])
  }

  @Test func sensorsAreToldAsThePhoneIsWithAddressAndName() throws {
    let disk = try Disk(after: .remember(.speed))
    let name = Array("speed 1".utf8).map { String($0, radix: 16) }.joined()
    let expected = "894c4b424f4e440a0202000001(327)0101010100eeffd001010201" + "07" + name
    expect(described(disk.bytes), [expected])
  }

  /// A note of both, with the words in front of them, has no more room.
  @Test func bothRecordsOfAFullStoreHaveRoomInANote() throws {
    var disk = Disk()
    let rest = [Change.dim, .wheel(2_250), .told("99.99.99")]
    let everything = everyKind.map { Change.remember($0) } + rest
    for change in [Change.save(2), .save(3)] + everything { try disk.change(change) }
    let words = described(disk.bytes)
    expect(words.count == 2 && words.joined(separator: " ").utf8.count < 1_100)
  }

  private func digits(_ bytes: [UInt8]) -> String {
    let count = (bytes.lastIndex { $0 != 0 } ?? -1) + 1
    let all = bytes.prefix(count).map { String(0x100 + Int($0), radix: 16).suffix(2) }
    var (word, zeros) = ("", 0)
    for digits in all + [""] {
      if digits == "00" {
        zeros += 1
      } else {
        word += zeros > 2 ? "(\(zeros))" : String(repeating: "00", count: zeros)
        (word, zeros) = (word + digits, 0)
      }
    }
    return word
  }

  @Test func whatIsNoRecordIsOneWord() throws {
    let disk = try Disk(after: .save(1))
    var damaged = disk.bytes
    damaged[100] ^= 1
    let foreign = [UInt8]("#!/bin/sh, or whatever else there may be in it".utf8)
    expect(described(damaged), ["damaged"])
    expect(described(foreign), ["foreign"])
    expect(described(record(.bond(2), sequence: 7) { $0[8] = 3 }), ["later"])
    expect(described([UInt8](repeating: 0xFF, count: 1024)), ["blank", "blank"])
    expect(described([]), [])
  }
}
