/// Whole lines on their way to somebody who may be slow: bounded in bytes and in lines.
///
/// A line that finds no room is lost and counted; those that are waiting stay, as a part of the first
/// of them may be out already.
public struct LineQueue<let capacity: Int>: ~Copyable {
  private var buffer = FixedBuffer<capacity>()
  private let mostLines: Int

  /// How many lines are waiting; one that is out in part is among them.
  public private(set) var count = 0
  /// Lines that were lost since `forgetLoss`.
  public private(set) var lostCount: Int64 = 0

  /// A queue for at most so many lines.
  public init(mostLines: Int) { self.mostLines = mostLines }

  /// Whether nothing is waiting.
  public var isEmpty: Bool { count == 0 }

  /// What is to go out, each line with its newline.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { buffer.bytes }
  }

  /// Whether a line of so many bytes, without its newline, is not lost.
  public func hasRoom(for byteCount: Int) -> Bool {
    count < mostLines && byteCount < buffer.free
  }

  /// Puts a line, without its newline, behind the others, or loses it.
  public mutating func append(_ line: Span<UInt8>) {
    guard hasRoom(for: line.count) else {
      lostCount += 1
      return
    }
    buffer.append(line)
    buffer.append(0x0A)
    count += 1
  }

  /// Notes that so many bytes are out.
  public mutating func removeFirst(_ taken: Int) {
    for index in 0..<min(taken, buffer.count) where buffer[index] == 0x0A { count -= 1 }
    buffer.removeFirst(taken)
  }

  /// Begins to count the lost lines anew.
  public mutating func forgetLoss() { lostCount = 0 }
}
