import Bytes

/// The apps whose notifications show: their ids as the phone says them, with commas between.
///
/// ANCS calls an app `net.whatsapp.WhatsApp`, Gadgetbridge calls it `WhatsApp`. Blanks around a comma mean
/// nothing.
package struct AppList: Equatable, Sendable {
  private let text: Text

  /// The list in these bytes; `nil` for an entry that can be no app: an empty one, one with control
  /// characters, or a word that people write to switch something on or off.
  init?(_ bytes: Span<UInt8>) {
    guard let text = Text(bytes) else { return nil }
    self.text = text
    var start = 0
    while let entry = Self.entry(of: bytes, at: &start) {
      guard Self.isApp(entry) else { return nil }
    }
  }

  /// The list as it was written.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { text.bytes }
  }

  /// Whether this app is in it; letters of ASCII may be capitals or not.
  package func contains(_ app: Span<UInt8>) -> Bool {
    let bytes = text.bytes
    var start = 0
    while let entry = Self.entry(of: bytes, at: &start) {
      if isSameWord(entry, app) { return true }
    }
    return false
  }

  package static func == (a: AppList, b: AppList) -> Bool { isEqual(a.text.bytes, b.text.bytes) }

  /// The entry that begins at `start`, and moves `start` to the next entry; `nil` after the last one.
  @_lifetime(copy bytes)
  private static func entry(of bytes: Span<UInt8>, at start: inout Int) -> Span<UInt8>? {
    guard start <= bytes.count else { return nil }
    let rest = bytes.extracting(droppingFirst: start)
    let end = firstIndex(of: 0x2C, in: rest) ?? rest.count
    start += end + 1
    return trimmed(rest.extracting(first: end))
  }

  private static func isApp(_ entry: Span<UInt8>) -> Bool {
    guard !entry.isEmpty, isPlainText(entry) else { return false }
    let words: InlineArray<5, String> = ["off", "on", "none", "all", "calls"]
    for index in words.indices {
      let utf8 = words[index].utf8
      let word = utf8.span
      if isSameWord(entry, word) { return false }
    }
    return true
  }
}

/// Whether two texts are equal but for the case of ASCII letters.
private func isSameWord(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  for index in a.indices where small(a[index]) != small(b[index]) { return false }
  return true
}

private func small(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
