package import Bytes

/// What is wrong in a board file or an override, and where.
package struct BoardError: Error, Sendable {
  /// What is wrong; `write` has the words of each.
  package enum Problem: Sendable {
    case unknownKey(Text, nearest: Key?)
    case badValue(Key, Text)
    case setTwice(Key, first: Int)
    case noEqualsSign(Text)
    case tooLong(Key)
    case sharedLine(Key, with: Key, UInt32)
  }

  /// Where a key is set.
  package struct Place: Sendable {
    /// The line, or the argument's position; the first one is 1.
    package var line: Int
    /// Whether it is an argument's position.
    package var isArgument: Bool

    /// Whether it is read before the other place: arguments come after the file.
    func isBefore(_ other: Place) -> Bool {
      isArgument == other.isArgument ? line < other.line : other.isArgument
    }
  }

  package var problem: Problem
  package var place: Place

  init(_ problem: Problem, at place: Place) { (self.problem, self.place) = (problem, place) }

  /// Writes `FILE:LINE: what is wrong, and what is allowed`, without a newline.
  ///
  /// For an override FILE is `argument`.
  package func write(file: Span<UInt8>, to writer: inout some ByteWriter & ~Copyable) {
    if place.isArgument {
      writer.append("argument")
    } else {
      // Not cut, so that an editor can find the file.
      quote(file, upTo: Text.capacity, to: &writer)
    }
    writer.append(":", place.line)
    writer.append(": ")
    writeProblem(to: &writer)
  }

  private func writeProblem(to writer: inout some ByteWriter & ~Copyable) {
    switch problem {
    case .unknownKey(let key, let nearest):
      writer.append("unknown key \"")
      quote(key.bytes, to: &writer)
      writer.append("\"")
      if let nearest {
        writer.append(" (did you mean \"")
        writer.append(nearest.name)
        writer.append("\"?)")
      }
      writer.append("; known are ")
      writeKeys(to: &writer)
    case .badValue(let key, let value):
      writer.append("\"")
      quote(value.bytes, to: &writer)
      writer.append("\" is not a valid value for ")
      writer.append(key.name)
      writeAllowed(key, to: &writer)
    case .setTwice(let key, let first):
      writer.append(key.name)
      writer.append(" is set twice, first in ")
      writer.append(place.isArgument ? "argument " : "line ")
      writer.append(decimal: Int64(widening: first))
      writer.append("; each key is allowed once")
    case .noEqualsSign(let line):
      writer.append("no \"=\" in \"")
      quote(line.bytes, to: &writer)
      writer.append("\"; allowed: key = value, # comment, an empty line")
    case .tooLong(let key):
      writer.append(key.name)
      writer.append(" has a value that is longer than ", Text.capacity)
      writer.append(" bytes")
      writeAllowed(key, to: &writer)
    case .sharedLine(let key, let other, let line):
      writer.append(key.name)
      writer.append(" names GPIO line ", Int(line))
      writer.append(", as ")
      writer.append(other.name)
      writer.append(" does; each of them needs a line of its own")
    }
  }
}

private func writeAllowed(_ key: Key, to writer: inout some ByteWriter & ~Copyable) {
  writer.append("; allowed: ")
  key.writeValues(to: &writer)
  writer.append(key.limits)
}

private func writeKeys(to writer: inout some ByteWriter & ~Copyable) {
  for number in 0..<Key.count {
    guard let key = Key(rawValue: number) else { continue }
    if number > 0 { writer.append(", ") }
    writer.append(key.name)
  }
}

/// Writes bytes from outside for a terminal: what is no plain text becomes `?`, and dots replace the rest after
/// `limit` bytes.
package func quote(
  _ bytes: Span<UInt8>, upTo limit: Int = 60, to writer: inout some ByteWriter & ~Copyable
) {
  let end = textEnd(bytes, upTo: limit)
  var reader = UTF8Reader(bytes)
  var start = 0
  while start < end, reader.next() != nil {
    let piece = bytes.extracting(start..<reader.index)
    if isPlainText(piece) { writer.append(piece) } else { writer.append("?") }
    start = reader.index
  }
  if end < bytes.count { writer.append("...") }
}
