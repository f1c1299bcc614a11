import Bytes

/// Whether a line of UTF-8 goes from right to left: whether its first letter does.
///
/// UAX #9, rules P2 and P3. Such a line belongs at the right edge of its place and scrolls to the
/// right. It is drawn from its origin to the right like any other.
package func isRightToLeft(_ text: Span<UInt8>) -> Bool {
  guard mayGoLeft(text) else { return false }
  var reader = UTF8Reader(text)
  var depth = 0
  while let scalar = reader.next() {
    switch CharacterProperties(of: scalar.value).bidiClass {
    case .left where depth == 0: return false
    case .right where depth == 0, .arabicLetter where depth == 0: return true
    case .leftIsolate, .rightIsolate, .firstStrongIsolate: depth += 1
    case .popIsolate: if depth > 0 { depth -= 1 }
    default: break
    }
  }
  return false
}

/// Whether anything in a line of UTF-8 could go from right to left, found without decoding it.
///
/// The blocks from Hebrew (U+0590) to U+08FF, the presentation forms from U+FB00 to U+FEFF, the
/// planes from U+10000 on that have such scripts, and the marks and embeddings RLM, RLE, RLO and RLI.
func mayGoLeft(_ text: Span<UInt8>) -> Bool {
  for index in text.indices where text[index] >= 0xD6 {
    let second = index + 1 < text.count ? text[index + 1] : 0
    switch text[index] {
    case 0xD6: if second >= 0x90 { return true }
    case 0xD7...0xDF: return true
    case 0xE0: if second < 0xA4 { return true }
    case 0xE2:
      let third = index + 2 < text.count ? text[index + 2] : 0
      if second == 0x80, third == 0x8F || third == 0xAB || third == 0xAE { return true }
      if second == 0x81, third == 0xA7 { return true }
    case 0xEF: if second >= 0xAC, second <= 0xBB { return true }
    case 0xF0: if second == 0x90 || second == 0x9E { return true }
    default: break
    }
  }
  return false
}
