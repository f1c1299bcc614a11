extension Language {
  /// The text of this language.
  @inline(__always)  // else a board's file has six words of stack for each text
  func pick(
    _ english: String, de: String, fr: String, es: String, it: String, nl: String
  ) -> String {
    switch self {
    case .english: english
    case .german: de
    case .french: fr
    case .spanish: es
    case .italian: it
    case .dutch: nl
    }
  }
}
