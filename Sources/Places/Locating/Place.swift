/// The location where we are, and how many answers in a row say so of another one.
struct Place {
  /// How many equal answers in a row are a move.
  private static var row: Int { 3 }
  /// An answer that is better by less, in 1/256 nat, is none against the location where we are: 1 nat.
  private static var leastMargin: Int32 { 256 }

  /// Where we are; `nil` before the first three answers.
  private(set) var location: Int?
  private var last: Int?
  private var count = 0

  init() {}

  /// Takes the best location of a second; returns the answer, which may be the old place.
  mutating func hear(best: Int, margin: Int32?) -> Int {
    let isClear = margin.map { $0 >= Self.leastMargin } ?? true
    let answer = isClear ? best : location ?? best
    count = answer == last ? min(Self.row, count + 1) : 1
    last = answer
    if count == Self.row { location = answer }
    return answer
  }

  /// Passes over a second without an answer, which ends the row.
  mutating func hearNothing() { last = nil }
}
