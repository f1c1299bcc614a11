internal import Foundation

/// A folder for one test, removed when the test is over.
package final class Scratch {
  /// Where it is.
  package let path: String

  /// An empty folder.
  package init() throws {
    path = NSTemporaryDirectory() + "/lenker-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  package func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Makes a file, or replaces it.
  package func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
  }

  /// Writes to a file or fifo that is there, as a program that comes and goes.
  package func append(_ name: String, _ text: String) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: self(name)))
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  /// The text of a file.
  package func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: self(name))), as: UTF8.self)
  }

  /// What is in it, in the order of the alphabet.
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
