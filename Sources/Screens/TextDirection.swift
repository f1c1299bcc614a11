import Bytes

/// Whether a line runs from right to left: whether its first letter does.
///
/// Unicode Standard Annex 9, rules P2 and P3. Everything that is no letter of a script that runs
/// from right to left counts as neutral up to U+00BF and in the blocks of punctuation, else as a
/// letter that runs from left to right.
func isRightToLeft(_ text: Span<UInt8>) -> Bool {
  var reader = UTF8Reader(text)
  while let scalar = reader.next() {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xB5, 0xBA, 0x200E: return false
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
      0x200F:
      return true
    case ..<0xC0, 0xD7, 0xF7, 0x300...0x36F, 0x2000...0x2BFF, 0x3000...0x3004, 0xFE00...0xFE0F,
      0xFEFF, 0xFFFD, 0x1F000...0x1FAFF:
      break
    default: return false
    }
  }
  return false
}
