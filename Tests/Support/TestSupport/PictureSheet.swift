package import Foundation

/// Pictures below each other in a text, each below a line with its size and title:
/// `# 128x64, en`.
package struct PictureSheet: Equatable {
  /// A picture with its title.
  package struct Entry: Equatable, Sendable {
    /// Which of the pictures of this size it is, such as its language.
    package let title: String
    /// The picture.
    package let pixels: Pixels

    /// The line above the picture, without its mark.
    var heading: String { "\(pixels.width)x\(pixels.height), \(title)" }
  }

  /// The pictures in their order.
  package private(set) var entries: [Entry] = []

  /// A sheet without any picture.
  package init() {}

  /// Adds a picture below all others.
  package mutating func add(_ title: String, _ pixels: Pixels) {
    entries.append(Entry(title: title, pixels: pixels))
  }

  /// A blank line is between two pictures.
  package var text: String {
    entries.map { "# \($0.heading)\n\($0.pixels.halfBlocks)" }.joined(separator: "\n")
  }

  /// Reads a sheet, or says in which line is something else.
  package init(text: String) throws(NoPictureSheet) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var next = 0
    while next < lines.count {
      guard !lines[next].isEmpty else {
        next += 1
        continue
      }
      guard let heading = lines[next].wholeMatch(of: /# (\d{1,4})x(\d{1,4}), (.+)/),
        let width = Int(heading.1), let height = Int(heading.2)
      else { throw NoPictureSheet(line: next + 1) }
      let rows = lines.dropFirst(next + 1).prefix(Pixels.lineCount(height: height))
      guard let pixels = Pixels(halfBlocks: rows, width: width, height: height) else {
        throw NoPictureSheet(line: next + 1)
      }
      add(String(heading.3), pixels)
      next += 1 + rows.count
    }
  }
}

/// A text that is no sheet of pictures.
package struct NoPictureSheet: Error, Equatable, CustomStringConvertible {
  /// Where the heading or the picture below it is wrong, from 1 on.
  let line: Int

  /// Something else is in this line.
  package init(line: Int) { self.line = line }

  /// The line, and what was to be there.
  package var description: String {
    "line \(line): no heading such as '# 128x64, en' with a picture of that size in its frame"
  }
}

/// Whether `LENKER_RECORD=1` asks to record the expected pictures instead of comparing with them.
package let isRecording = ProcessInfo.processInfo.environment["LENKER_RECORD"] == "1"

/// In what a sheet differs from the one that somebody looked at and committed: a text for each thing.
///
/// Where pictures are recorded, `drawn` becomes that sheet, for somebody to look at.
package func differences(
  of drawn: PictureSheet, from file: URL, records: Bool = isRecording
) throws -> [String] {
  if records {
    try drawn.text.write(to: file, atomically: true, encoding: .utf8)
    return []
  }
  let name = file.lastPathComponent
  guard let text = try? String(contentsOf: file, encoding: .utf8) else {
    return ["\(name) is missing; LENKER_RECORD=1 swift test --filter PictureTests writes it"]
  }
  guard text != drawn.text else { return [] }
  do {
    return drawn.differences(from: try PictureSheet(text: text)).map { "\(name), \($0)" }
  } catch {
    return ["\(name), \(error)"]
  }
}

extension PictureSheet {
  func differences(from expected: PictureSheet) -> [String] {
    let drawn = entries.map(\.heading)
    let reviewed = expected.entries.map(\.heading)
    var differences: [String] = []
    for entry in entries {
      guard let other = expected.entries.first(where: { $0.heading == entry.heading }) else {
        differences.append("\(entry.heading): is not on the sheet. Drawn:\(entry.pixels)")
        continue
      }
      let wrong = entry.pixels.differences(from: other.pixels)
      guard wrong.litCount > 0 else { continue }
      differences.append(
        "\(entry.heading): \(wrong.litCount) pixels differ. Expected:\(other.pixels)"
          + "Drawn:\(entry.pixels)The pixels that differ:\(wrong)")
    }
    differences += Set(reviewed).subtracting(drawn).sorted().map { "\($0): no test draws it" }
    if differences.isEmpty, drawn != reviewed {
      differences.append("the order is \(reviewed) and not \(drawn)")
    }
    return differences
  }
}
