import Foundation

/// A line of `events`.
package struct Event: CustomStringConvertible {
  package let line: String
  private let fields: [String: Any]

  package init(_ line: String) {
    self.line = line
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    fields = object as? [String: Any] ?? [:]
  }

  package var name: String { self["event"] ?? "" }
  package var description: String { line }

  package subscript(field: String) -> String? { fields[field] as? String }
  package subscript(number field: String) -> Int? { fields[field] as? Int }
  package subscript(flag field: String) -> Bool? { fields[field] as? Bool }
}
