// The only place where texts from outside are cleaned before a person or a program reads them.

/// Line ends, separators and tabs: they are as wide as a blank, and show nothing.
public func isLineSpace(_ code: UInt32) -> Bool {
  switch code {
  case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
  default: false
  }
}

/// Whether a character commands a terminal or changes the direction of the text around it.
///
/// These are the other controls of C0 and C1, the controls of the bidirectional algorithm, and the private
/// characters that only Lenker's own texts may show.
///
/// ECMA-48, 5; The Unicode Standard, Annex 9, 2.
public func isControl(_ code: UInt32) -> Bool {
  switch code {
  case _ where isLineSpace(code): false
  case 0x00...0x1F, 0x7F...0x9F: true
  case ownSigns: true
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
  default: false
  }
}

/// The signs of the buttons A and B, and that of a phone in doubt: private characters.
private var ownSigns: ClosedRange<UInt32> { 0xE041...0xE043 }

/// Whether three bytes of UTF-8 are one of these signs: a text from outside must not look like a question of
/// Lenker's.
func isOwnSign(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
  first == 0xEE && second == 0x81 && (0x81...0x83).contains(third)
}

/// Where a text may be cut so that at most `limit` bytes are left: between two letters, each with its marks.
///
/// A text that fits is not cut. A letter with more marks than there is room for loses some.
public func textEnd(_ text: Span<UInt8>, upTo limit: Int) -> Int {
  guard text.count > limit else { return text.count }
  var reader = UTF8Reader(text)
  var (start, end, scalarEnd) = (0, 0, 0)
  var last: UInt32 = 0
  while let code = reader.next()?.value, start <= limit {
    scalarEnd = start
    if !belongs(code, to: last) { end = start }
    last = code
    start = reader.index
  }
  return end > 0 ? end : scalarEnd
}

/// Where the last complete letter ends: at the end of the text, unless the text ends inside a letter.
public func wholeEnd(of text: Span<UInt8>) -> Int {
  var end = text.count
  // An incomplete letter may precede another one.
  while let start = startOfPart(text, before: end) { end = start }
  return end
}

/// Where the last letter before `end` begins if it is not whole.
private func startOfPart(_ text: Span<UInt8>, before end: Int) -> Int? {
  var start = end
  while start > 0, end - start < 4 {
    start -= 1
    let length = letterLength(text[start])
    guard length > 0 else { continue }
    return start + length > end ? start : nil
  }
  return nil
}

/// The length of a UTF-8 character by its first byte; 0 for a continuation byte.
private func letterLength(_ first: UInt8) -> Int {
  switch first {
  case 0x80..<0xC0: 0
  case 0xC2..<0xE0: 2
  case 0xE0..<0xF0: 3
  case 0xF0..<0xF5: 4
  default: 1  // ASCII, or an invalid byte
  }
}

/// ZERO WIDTH JOINER.
private var joiner: UInt32 { 0x200D }

/// Whether a character is one letter with the one before it.
private func belongs(_ code: UInt32, to last: UInt32) -> Bool {
  last == joiner || isVirama(last) || isExtender(code) || isRegional(code) && isRegional(last)
}

/// Whether it is a virama: in the Indian scripts it joins a consonant to the next one.
private func isVirama(_ code: UInt32) -> Bool {
  (0x0900...0x0DFF).contains(code) && code & 0x7F == 0x4D
}

/// Whether it is a regional indicator: two of them make a flag.
private func isRegional(_ code: UInt32) -> Bool { (0x1F1E6...0x1F1FF).contains(code) }

/// Whether a character is a mark on the one before it, or joins or selects its form; whole blocks where nearly
/// all characters are such.
private func isExtender(_ code: UInt32) -> Bool {
  switch code {
  case ..<0x0300: false
  case 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2: true
  case 0x05C4...0x05C5, 0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670: true
  case 0x06D6...0x06DC, 0x06DF...0x06E4, 0x06E7...0x06E8, 0x06EA...0x06ED: true
  case 0x0711, 0x0730...0x074A, 0x07A6...0x07B0, 0x07EB...0x07F3, 0x0816...0x082D: true
  case 0x08D3...0x0903, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200C...0x200D: true
  case 0x0904...0x0DFF: isIndicSign(code & 0x7F)
  case 0x0E31, 0x0E33...0x0E3A, 0x0E47...0x0E4E, 0x0EB1, 0x0EB3...0x0EBC, 0x0EC8...0x0ECD: true
  case 0x0F18...0x0F19, 0x0F35...0x0F39, 0x0F71...0x0F84, 0x0F8D...0x0FBC: true
  case 0x102B...0x103E, 0x1160...0x11FF, 0x17B4...0x17D3: true
  case 0x20D0...0x20FF, 0x302A...0x302F, 0x3099...0x309A, 0xFE00...0xFE0F, 0xFE20...0xFE2F: true
  case 0x1F3FB...0x1F3FF, 0xE0020...0xE007F, 0xE0100...0xE01EF: true
  default: false
  }
}

/// The blocks of the Indian scripts, of 128 characters each, have their signs and vowels in the same places.
private func isIndicSign(_ place: UInt32) -> Bool {
  switch place {
  case 0x00...0x03, 0x3A...0x3C, 0x3E...0x4F, 0x51...0x57, 0x62...0x63: true
  default: false
  }
}
