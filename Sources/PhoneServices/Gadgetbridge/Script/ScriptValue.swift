/// A value in a line of JavaScript, with the place of its bytes in that line.
enum ScriptValue: Equatable {
  /// A text, by the bytes between its quotes.
  case text(Range<Int>)
  /// A text as `atob("…")`, by the bytes between its quotes.
  case base64(Range<Int>)
  case number(Range<Int>)
  case flag(Bool)
  /// An object, a list, or a number that is none: it is passed over.
  case opaque
  /// `null`, `undefined`, or no value at all.
  case absent
}
