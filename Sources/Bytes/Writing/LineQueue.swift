/// Whole lines that wait for a reader that may be slow, bounded in bytes and in lines.
///
/// A line that finds no room is lost and counted. The waiting lines stay, as a part of the first one may
/// be out already. The owner appends lines and removes the bytes that went out.
public struct LineQueue<let capacity: Int>: ~Copyable {
  private var buffer = FixedBuffer<capacity>()
  private let mostLines: Int

  /// How many lines are waiting, a line that is out in part included.
  public private(set) var count = 0
  /// How many lines were lost.
  public private(set) var lostCount: Int64 = 0

  /// A queue for at most `mostLines` lines.
  public init(mostLines: Int) { self.mostLines = mostLines }

  /// Whether nothing is waiting.
  public var isEmpty: Bool { count == 0 }

  /// What is to go out, each line with its newline.
  public var bytes: Span<UInt8> { buffer.bytes }

  /// Whether a line of `byteCount` bytes and its newline fit.
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

  /// Removes the bytes that are out.
  public mutating func removeFirst(_ taken: Int) {
    for index in 0..<min(taken, buffer.count) where buffer[index] == 0x0A { count -= 1 }
    buffer.removeFirst(taken)
  }
}
