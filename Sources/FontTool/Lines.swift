/// Hands the first word of each line and those behind it to `body`; `#` starts a comment.
///
/// Puts the name of the file and the number of the line before an error.
func forEachLine(
  of text: String, file: String, _ body: (_ keyword: String, _ words: [String]) throws -> Void
) throws {
  for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let keyword = words.first else { continue }
    do {
      try body(keyword, Array(words.dropFirst()))
    } catch let error as ToolError {
      throw ToolError("\(file):\(number + 1): \(error)")
    }
  }
}
