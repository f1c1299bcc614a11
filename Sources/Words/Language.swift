/// A language of the panel's words.
package enum Language: UInt8, Sendable {
  /// English, which is also the language of all logs and of `--check`.
  case english
  /// The others, in the order in which a phrase has them.
  case german, french, spanish, italian, dutch

  /// The sign between whole numbers and tenths.
  package var decimalSign: UInt8 { UInt8(ascii: self == .english ? "." : ",") }
}

extension Language {
  @inline(__always)  // else a board's file has six words of stack for each text
  func pick(
    _ english: String, _ german: String, _ french: String, _ spanish: String, _ italian: String,
    _ dutch: String
  ) -> String {
    switch self {
    case .english: english
    case .german: german
    case .french: french
    case .spanish: spanish
    case .italian: italian
    case .dutch: dutch
    }
  }
}
