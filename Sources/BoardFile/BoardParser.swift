import Bytes

/// Reads a board file and then the overrides from the arguments.
///
///     var parser = BoardParser()
///     try parser.read(file: text)
///     try parser.override(argument, position: 2)
///     let board = try parser.finish()
package struct BoardParser: ~Copyable {
  /// What has been read so far, defaults for the rest.
  private var board = Board()

  /// The line that set each key of the file; 0 for none.
  private var lines = PerKey<Int>(repeating: 0)
  /// The position of the argument that overrides each key; 0 for none.
  private var positions = PerKey<Int>(repeating: 0)

  package init() {}

  /// Reads a board file of any length; the first mistake ends the reading.
  package mutating func read(file text: Span<UInt8>) throws(BoardError) {
    var rest = text
    // The mark with which some editors begin a file of UTF-8.
    if rest.count >= 3, rest[0] == 0xEF, rest[1] == 0xBB, rest[2] == 0xBF {
      rest = rest.extracting(droppingFirst: 3)
    }
    var number = 0
    while !rest.isEmpty {
      let end = firstIndex(of: 0x0A, in: rest) ?? rest.count
      number += 1
      let line = trimmed(withoutComment(rest.extracting(first: end)))
      if !line.isEmpty {
        let key = try set(
          line, at: BoardError.Place(line: number, isArgument: false), before: lines)
        lines[key.rawValue] = number
      }
      rest = rest.extracting(droppingFirst: min(rest.count, end + 1))
    }
  }

  /// Lets an argument `KEY=VALUE` replace what the file says; there are no comments in it.
  package mutating func override(_ argument: Span<UInt8>, position: Int) throws(BoardError) {
    let place = BoardError.Place(line: position, isArgument: true)
    let key = try set(trimmed(argument), at: place, before: positions)
    positions[key.rawValue] = position
  }

  /// What the board is, once the file and all overrides have been read.
  ///
  /// Throws if two keys name the same line of the GPIO chip.
  package func finish() throws(BoardError) -> Board {
    try separateLines()
    return board
  }

  /// Compares each two lines that keys name.
  @inline(never)  // Swift 6.3.1 miscompiles `finish` otherwise, for x86-64 with -O
  private func separateLines() throws(BoardError) {
    for first in 0..<Key.count {
      for second in first + 1..<Key.count {
        guard let first = Key(rawValue: first), let second = Key(rawValue: second) else { continue }
        try separate(first, second)
      }
    }
  }

  private func separate(_ first: Key, _ second: Key) throws(BoardError) {
    guard let line = board.line(of: first), line == board.line(of: second) else { return }
    // The place that was read last is new, and so probably wrong.
    let isSecondLast = place(of: first).isBefore(place(of: second))
    let (last, other) = isSecondLast ? (second, first) : (first, second)
    throw BoardError(.sharedLine(last, with: other, line), at: place(of: last))
  }

  /// Where the value of a key comes from.
  private func place(of key: Key) -> BoardError.Place {
    let position = positions[key.rawValue]
    return position == 0
      ? BoardError.Place(line: lines[key.rawValue], isArgument: false)
      : BoardError.Place(line: position, isArgument: true)
  }

  /// Does what a line says; `before` has the places where the keys were set in the same source.
  private mutating func set(
    _ line: Span<UInt8>, at place: BoardError.Place, before: PerKey<Int>
  ) throws(BoardError) -> Key {
    guard let equals = firstIndex(of: 0x3D, in: line) else {
      throw BoardError(.noEqualsSign(Text(beginningOf: line)), at: place)
    }
    let name = trimmed(line.extracting(first: equals))
    let value = trimmed(line.extracting(droppingFirst: equals + 1))
    guard let key = Key(name) else {
      throw BoardError(
        .unknownKey(Text(beginningOf: name), nearest: Key.nearest(to: name)), at: place)
    }
    let first = before[key.rawValue]
    guard first == 0 else { throw BoardError(.setTwice(key, first: first), at: place) }
    guard value.count <= Text.capacity else { throw BoardError(.tooLong(key), at: place) }
    guard board.set(key, to: value) else {
      throw BoardError(.badValue(key, Text(beginningOf: value)), at: place)
    }
    return key
  }
}

/// The line up to the `#` that starts a comment: the first one at its start or after a blank.
///
/// So a `#` inside a value, as a path may have it, is a part of the value.
@_lifetime(copy line)
private func withoutComment(_ line: Span<UInt8>) -> Span<UInt8> {
  for index in line.indices where line[index] == 0x23 {
    if index == 0 || isBlank(line[index - 1]) { return line.extracting(first: index) }
  }
  return line
}
