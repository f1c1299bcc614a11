import Expecting
import Foundation

@testable import Graphics

/// Unicode's own test of the Bidirectional Algorithm, from Debian's package `unicode-data`.
struct BidiConformanceTests {
  private struct Case {
    var codes: [UInt32]
    /// Whether the direction of the line is found by its first strong character.
    var isAutomatic: Bool
    var level: UInt8
    /// `nil` where rule X9 takes the character out.
    var levels: [UInt8?]
    var order: [Int]
  }

  /// Every fourth line is tried: all 91,000 would take five seconds.
  private static let step = 4

  /// Cases of `BidiCharacterTest.txt`.
  private static func cases() throws -> [Case] {
    let file = try Data(
      contentsOf: URL(fileURLWithPath: "/usr/share/unicode/BidiCharacterTest.txt"))
    var cases: [Case] = []
    let lines = file.split(separator: UInt8(ascii: "\n"))
    for index in stride(from: 0, to: lines.count, by: step) {
      let line = lines[index]
      let fields = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      guard line.first != UInt8(ascii: "#"), fields.count == 5 else { continue }
      let words = fields.map { $0.split(separator: UInt8(ascii: " ")) }
      cases.append(
        Case(
          codes: words[0].map { number($0, radix: 16) },
          isAutomatic: fields[1].elementsEqual("2".utf8),
          level: UInt8(number(fields[2], radix: 10)),
          levels: words[3].map {
            $0.first == UInt8(ascii: "x") ? nil : UInt8(number($0, radix: 10))
          },
          order: words[4].map { Int(number($0, radix: 10)) }))
    }
    return cases
  }

  private static func number(_ digits: Data, radix: UInt32) -> UInt32 {
    digits.reduce(0) { number, digit in
      number * radix + UInt32(digit < 0x41 ? digit - 0x30 : digit - 0x41 + 10)
    }
  }

  /// The firmware finds every line's direction itself, so lines that are to have the other are left out.
  @Test func everyLineOfUnicodesTestIsOrdered() throws {
    let cases = try Self.cases()
    #expect(cases.count > 90_000 / Self.step)
    var (failures, count) = (0, 0)
    for each in cases {
      var line = BidiLine()
      for code in each.codes { _ = line.append(code) }
      line.resolve()
      if !each.isAutomatic, line.level != each.level { continue }
      count += 1
      let levels = each.codes.indices.map { each.levels[$0] == nil ? nil : line.levels[$0] }
      let order = (0..<line.orderCount).map { line.order($0) }
      if line.level != each.level || levels != each.levels || order != each.order {
        failures += 1
        if failures <= 5 {
          let codes = each.codes.map { String($0, radix: 16) }.joined(separator: " ")
          Issue.record("\(codes): \(levels) \(order), not \(each.levels) \(each.order)")
        }
      }
    }
    expect(failures, 0)
    #expect(count > 45_000 / Self.step)
  }
}
