import Foundation

/// The letters that a base letter and a combining mark make together.
///
/// This is the canonical composition of The Unicode Standard, chapter 3.11, for the letters that some
/// table has. It takes one mark at a time, in any order of the marks.
struct Compositions {
  private var pairs: [[UInt32]: UInt32] = [:]
  /// Syllables that are computed from their parts.
  private static let hangul: ClosedRange<UInt32> = 0xAC00...0xD7A3

  /// Finds all pairs that make one of `codes`.
  init(of codes: Set<UInt32>) {
    for code in codes.sorted() where !Self.hangul.contains(code) {
      let parts = parts(of: code)
      guard parts.count >= 2 else { continue }
      for index in 1..<parts.count {
        var others = parts
        let mark = others.remove(at: index)
        guard let base = letter(of: others), codes.contains(base) else { continue }
        let pair = [base, mark.value]
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

/// The base letter and the marks that a letter consists of.
func parts(of code: UInt32) -> [Unicode.Scalar] {
  guard let scalar = Unicode.Scalar(code) else { return [] }
  return Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
}

/// The one letter that these parts make, or `nil`.
func letter(of parts: [Unicode.Scalar]) -> UInt32? {
  var text = String.UnicodeScalarView()
  text.append(contentsOf: parts)
  let letters = Array(String(text).precomposedStringWithCanonicalMapping.unicodeScalars)
  return letters.count == 1 ? letters[0].value : nil
}
