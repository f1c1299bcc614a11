import Foundation

/// A line of `events`.
struct Event: CustomStringConvertible {
  let line: String
  private let fields: [String: Any]

  init(_ line: String) {
    self.line = line
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    fields = object as? [String: Any] ?? [:]
  }

  var name: String { self["event"] ?? "" }
  var description: String { line }

  subscript(field: String) -> String? { fields[field] as? String }
  subscript(number field: String) -> Int? { fields[field] as? Int }
}
