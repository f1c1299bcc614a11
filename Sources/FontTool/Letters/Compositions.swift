import Foundation

/// Which letter a base letter and a combining mark make together.
///
/// Canonical composition of The Unicode Standard, chapter 3.11, one mark at a time and in any order
/// of the marks, for the letters that some table has.
struct Compositions {
  private var pairs: [[UInt32]: UInt32] = [:]
  /// Syllables that are computed from their parts.
  private static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3

  /// Finds all pairs that make one of `codes`.
  init(of codes: Set<UInt32>) {
    for code in codes.sorted() where !Self.hangul.contains(code) {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let parts = Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
      guard parts.count >= 2 else { continue }
      for index in 1..<parts.count {
        var others = parts
        let mark = others.remove(at: index)
        var base = String.UnicodeScalarView()
        base.append(contentsOf: others)
        let composed = Array(String(base).precomposedStringWithCanonicalMapping.unicodeScalars)
        guard composed.count == 1, codes.contains(composed[0].value) else { continue }
        let pair = [composed[0].value, mark.value]
        if pairs[pair] == nil { pairs[pair] = code }
      }
    }
  }

  /// How many pairs (2), then for each, sorted by base and mark: base (3), mark (3), letter (3).
  var table: [UInt8] {
    var table = Septets()
    table.append(pairs.count, bytes: 2)
    for (pair, code) in pairs.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      for number in pair + [code] { table.append(Int(number), bytes: 3) }
    }
    return table.bytes
  }
}
