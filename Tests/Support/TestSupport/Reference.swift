internal import Foundation

/// The tables of `Boards/reference.md`.
package enum Reference {
  private static let file =
    URL(filePath: #filePath).appending(path: "../../../../Boards/reference.md").standardized

  /// The rows below a heading, each by its first cell; no cell has its marks of code.
  package static func rows(below heading: String) throws -> [String: [String]] {
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = text.components(separatedBy: "\n## ").first { $0.hasPrefix(heading + "\n") } ?? ""
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.replacing("`", with: "").dropFirst(2).dropLast(2).components(separatedBy: " | ")
    }
    return nonEmpty(Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0) }))
  }
}
