import Foundation
import Glibc
import Seeded
import TestSupport
import Testing

@testable import Graphics

/// GNU FriBidi, Debian's `libfribidi0`, asked for the same lines as an independent peer.
///
/// `fribidi-bidi.h` and `fribidi-common.h` of version 1.0: 32-bit characters and types, 8-bit levels.
private struct FriBidi {
  private typealias GetTypes =
    @convention(c) (
      UnsafePointer<UInt32>, Int32, UnsafeMutablePointer<UInt32>
    ) -> Void
  private typealias GetBrackets =
    @convention(c) (
      UnsafePointer<UInt32>, Int32, UnsafePointer<UInt32>, UnsafeMutablePointer<UInt32>
    ) -> Void
  private typealias GetLevels =
    @convention(c) (
      UnsafePointer<UInt32>, UnsafePointer<UInt32>, Int32, UnsafeMutablePointer<UInt32>,
      UnsafeMutablePointer<Int8>
    ) -> Int8

  private let getTypes: GetTypes
  private let getBrackets: GetBrackets
  private let getLevels: GetLevels
  /// `FRIBIDI_PAR_ON`: the first strong character gives the direction, or none.
  private static let automatic: UInt32 = 0x40

  init() throws {
    let library = try #require(
      dlopen("libfribidi.so.0", RTLD_NOW), "install it with: apt-get install libfribidi0")
    func function<F>(_ name: String, _: F.Type) throws -> F {
      unsafeBitCast(try #require(dlsym(library, name)), to: F.self)
    }
    getTypes = try function("fribidi_get_bidi_types", GetTypes.self)
    getBrackets = try function("fribidi_get_bracket_types", GetBrackets.self)
    getLevels = try function("fribidi_get_par_embedding_levels_ex", GetLevels.self)
  }

  /// The level of each character and of the line.
  func levels(_ codes: [UInt32]) -> (line: UInt8, characters: [UInt8]) {
    let count = Int32(codes.count)
    var types = [UInt32](repeating: 0, count: codes.count)
    var brackets = types
    var levels = [Int8](repeating: 0, count: codes.count)
    var direction = Self.automatic
    getTypes(codes, count, &types)
    getBrackets(codes, count, types, &brackets)
    _ = getLevels(types, brackets, count, &direction, &levels)
    // FRIBIDI_MASK_RTL is the lowest bit of a direction.
    return (UInt8(direction & 1), levels.map { UInt8(bitPattern: $0) })
  }
}

@Suite struct FriBidiTests {
  /// Characters that a street could have.
  ///
  /// FriBidi 1.0 does not pair a bracket behind a mark, and lets the text of one isolate change the
  /// next; marks with brackets and isolates are left to Unicode's own test.
  private static let letters = codes("aZäя漢אבשبتش٣۴123 ,.:/-+%$€«»·'\u{200E}\u{200F}\u{61C}\u{AD}")
  private static let alphabets = [
    letters + codes("()[]<>"), letters + codes("\u{5B0}\u{64E}\u{300}"),
    letters + Array(0x202A...0x202E) + [0x200B],
  ]

  private static func codes(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  private func expectEqualLevels(_ codes: [UInt32], _ peer: FriBidi, _ comment: String) {
    var line = BidiLine()
    for code in codes { _ = line.append(code) }
    line.resolve()
    let expected = peer.levels(codes)
    let kept = codes.indices.filter { !line.classes[$0].isRemoved }
    #expect(line.level == expected.line, "\(comment)")
    #expect(
      kept.map { line.levels[$0] } == kept.map { expected.characters[$0] },
      "\(comment): \(codes.map { String($0, radix: 16) })")
  }

  @Test func everyRealStreetHasTheLevelsOfFriBidi() throws {
    let peer = try FriBidi()
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../ScreensTests/streets.txt")
    let streets = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    for street in nonEmpty(streets) {
      let name = street.split(separator: "\t")[1]
      expectEqualLevels(name.unicodeScalars.map(\.value), peer, String(name))
    }
  }

  @Test(arguments: alphabets.indices) func randomLinesHaveTheLevelsOfFriBidi(
    _ index: Int
  ) throws {
    let peer = try FriBidi()
    let seed = testSeed
    var generator = SeededGenerator(state: seed)
    let alphabet = Self.alphabets[index]
    for _ in 0..<3000 {
      let count = Int.random(in: 1...24, using: &generator)
      let codes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0x20 }
      expectEqualLevels(codes, peer, "seed \(seed)")
    }
  }
}
