import Bytes

/// What may be shown of the lines that phones write to our UART: turns and times, and nothing of any other line.
///
/// The others have texts of notifications, callers and titles. A line begins behind 0x0A and with 0x10, wherever
/// they come, as `Gadgetbridge.LineAssembler` has it: neither byte is in a text. Each link writes a line of its
/// own, which ends with the link.
struct WrittenLines {
  /// A line, as far as it was written.
  ///
  /// | | 0x0A, 0x10 | the next byte of an allowed beginning | its last byte | any other | bytes were lost |
  /// |---|---|---|---|---|---|
  /// | beginning | beginning, at 0 | beginning, at the next place | shown | hidden | hidden |
  /// | shown | beginning, at 0 | shown | shown | shown | hidden |
  /// | hidden | beginning, at 0 | hidden | hidden | hidden | hidden |
  private enum Line {
    /// Of the allowed beginnings these are still possible, a bit for each; `place` is the next byte's in them.
    case beginning(place: UInt8, of: UInt8)
    case shown
    case hidden

    static var empty: Line { .beginning(place: 0, of: .max) }
  }

  private struct Link {
    let handle: UInt16
    var line = Line.empty
  }

  /// How a line begins that is shown to its end.
  private static var beginnings: InlineArray<2, String> { ["GB({\"t\":\"nav\"", "setTime("] }

  /// More than a controller has.
  private var links = FixedList<8, Link>(filler: Link(handle: 0))

  /// Takes the next byte that a link has written; returns whether it is hidden.
  mutating func hides(_ byte: UInt8, of handle: UInt16) -> Bool {
    let isBound = byte == 0x0A || byte == 0x10
    // Without a place to keep its line, all of a link's texts are hidden.
    guard let index = place(of: handle) else { return !isBound }
    links[index].line = isBound ? .empty : Self.next(links[index].line, byte)
    if case .hidden = links[index].line { return true }
    return false
  }

  private static func next(_ line: Line, _ byte: UInt8) -> Line {
    guard case .beginning(let place, let candidates) = line else { return line }
    let beginnings = beginnings
    var left: UInt8 = 0
    for index in beginnings.indices where candidates & bit(index) != 0 {
      let utf8 = beginnings[index].utf8
      let beginning = utf8.span
      guard beginning[Int(place)] == byte else { continue }
      if Int(place) + 1 == beginning.count { return .shown }
      left |= bit(index)
    }
    return left == 0 ? .hidden : .beginning(place: place + 1, of: left)
  }

  private static func bit(_ index: Int) -> UInt8 { 1 &<< UInt8(truncatingIfNeeded: index) }

  /// A part of what a link has written is not known: to the next line nobody can say what follows.
  mutating func bytesWereLost(of handle: UInt16) {
    if let index = place(of: handle) { links[index].line = .hidden }
  }

  /// The link is over, or another one has its handle.
  mutating func linkIsOver(_ handle: UInt16) {
    for index in 0..<links.count where links[index].handle == handle {
      return links.remove(at: index)
    }
  }

  /// All links are over.
  mutating func removeAll() { links.removeAll() }

  private mutating func place(of handle: UInt16) -> Int? {
    for index in 0..<links.count where links[index].handle == handle { return index }
    guard !links.isFull else { return nil }
    links.append(Link(handle: handle))
    return links.count - 1
  }
}
