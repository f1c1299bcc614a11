/// A number and its unit, in its parts.
struct Quantity: ~Escapable {
  /// The number, or the whole text if it is a word.
  let number: Span<UInt8>
  /// The word after the last blank; empty if the text has no number.
  let unit: Span<UInt8>
  /// Whether a tilde before the number says that it is estimated.
  var isEstimated = false

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    var blank = text.count
    if !text.isEmpty, text[0] >= 0x30, text[0] <= 0x39 {
      for index in text.indices where text[index] == 0x20 { blank = index }
    }
    number = text.extracting(first: blank)
    unit = text.extracting(droppingFirst: min(text.count, blank + 1))
  }
}
