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
