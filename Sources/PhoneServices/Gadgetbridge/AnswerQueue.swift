import Bytes

extension Gadgetbridge {
  /// Answers that wait to be notified, in pieces that every link has room for.
  ///
  /// A line ends with CR LF, as the app drops the byte before the newline. An answer that finds no room is lost
  /// and counted. What waits lives here; only these calls change it.
  package struct AnswerQueue: ~Copyable {
    /// Bytes of the longest piece.
    ///
    /// It fits the smallest MTU. The app writes in pieces as long as the longest that it was ever sent, so a
    /// longer one would make it write what this MTU has no room for.
    package static var longestPiece: Int { 20 }

    private var lines = LineQueue<512>(mostLines: 8)

    package init() {}

    /// Whether nothing is waiting.
    package var isEmpty: Bool { lines.isEmpty }

    /// How many answers were lost.
    package var lostCount: Int64 { lines.lostCount }

    /// The next value to notify; empty if nothing is waiting.
    package var piece: Span<UInt8> {
      @_lifetime(borrow self)
      @_addressableSelf
      borrowing get { lines.bytes.extracting(first: min(lines.bytes.count, Self.longestPiece)) }
    }

    /// Puts an answer behind the others.
    package mutating func append(_ answer: Answer) {
      var json = JSONLine()
      answer.write(into: &json)
      _ = json.finish()
      var line = FixedBuffer<256>()
      line.append(json.bytes)
      line.append(0x0D)
      lines.append(line.bytes)
    }

    /// The piece was sent.
    package mutating func pieceWasSent() { lines.removeFirst(Self.longestPiece) }

    /// Forgets all answers, as the link is gone.
    package mutating func linkWasLost() { lines.removeAll() }
  }
}
