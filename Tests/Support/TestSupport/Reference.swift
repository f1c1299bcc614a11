internal import Foundation

/// The tables of `Boards/reference`.
package enum Reference {
  private static let folder =
    URL(filePath: #filePath).appending(path: "../../../../Boards/reference").standardized

  /// The rows below a heading, each by its first cell; no cell has its marks of code.
  package static func rows(below heading: String) throws -> [String: [String]] {
    let pages = try ["board-file", "events", "scan"].map { name in
      try String(contentsOf: folder.appending(path: "\(name).md"), encoding: .utf8)
    }
    let sections = pages.flatMap { $0.components(separatedBy: "\n## ") }
    let section = sections.first { $0.hasPrefix(heading + "\n") } ?? ""
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.replacing("`", with: "").dropFirst(2).dropLast(2).components(separatedBy: " | ")
    }
    return nonEmpty(Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0) }))
  }
}
