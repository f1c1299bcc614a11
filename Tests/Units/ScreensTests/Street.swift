import Foundation
import TestSupport

/// A street of the world.
struct Street {
  /// Where it is, by the code of ISO 3166.
  let country: String
  let name: String

  /// Those of `streets.txt` beside this file.
  static let all: [Street] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "streets.txt")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return nonEmpty(text.split(separator: "\n")).map { line in
      let fields = line.split(separator: "\t").map(String.init)
      return Street(country: fields[0], name: fields[1])
    }
  }()
}
