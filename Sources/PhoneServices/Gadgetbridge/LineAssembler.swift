package import Bytes

extension Gadgetbridge {
  /// Puts whole lines together from the values that the phone writes, whatever their split.
  ///
  /// A line begins behind the byte 0x10 or the last line's end, and ends before a newline. As no line has a
  /// raw 0x10 inside, one that comes in the middle begins a new line: the rest of the old one is lost.
  ///
  /// | stage | 0x10 | newline | another byte | link lost |
  /// |---|---|---|---|---|
  /// | reading | reading, empty | complete, or reading if empty or too many | reading, or tooLong | reading, empty |
  /// | tooLong | reading, empty | reading, empty | tooLong | reading, empty |
  /// | complete | reading, empty | reading, empty | reading | reading, empty |
  ///
  /// The bytes and the stage live here; `receive` and `linkWasLost` change them. Reads no clock.
  package struct LineAssembler: ~Copyable {
    private enum Stage {
      case reading, tooLong, complete
    }

    /// The most lines that are passed on in one period.
    package static var mostLines: Int { 200 }
    /// Milliseconds.
    private static var period: Int64 { 10_000 }

    /// A line without its 0x10 and its newline: a longer one is dropped.
    private var buffer = FixedBuffer<1_024>()
    private var stage = Stage.reading
    private var periodEnd: Instant?
    private var countInPeriod = 0

    package init() {}

    /// The line that `receive` has completed, until the next byte.
    package var line: Span<UInt8> {
      buffer.bytes.extracting(first: stage == .complete ? buffer.count : 0)
    }

    /// Receives the next byte; returns whether `line` is complete now.
    package mutating func receive(_ byte: UInt8, at now: Instant) -> Bool {
      switch byte {
      case 0x10: clear()
      case 0x0A: return endLine(at: now)
      default: append(byte)
      }
      return false
    }

    /// Forgets the beginning of a line, as the link is gone.
    package mutating func linkWasLost() {
      buffer.wipe()
      stage = .reading
    }

    private mutating func clear() {
      buffer.removeAll()
      stage = .reading
    }

    private mutating func append(_ byte: UInt8) {
      switch stage {
      case .tooLong: return
      case .complete: clear()
      case .reading: break
      }
      guard buffer.free > 0 else {
        stage = .tooLong
        return
      }
      buffer.append(byte)
    }

    private mutating func endLine(at now: Instant) -> Bool {
      guard stage == .reading, !buffer.isEmpty, countLine(at: now) else {
        clear()
        return false
      }
      stage = .complete
      return true
    }

    /// Counts a line; returns whether the period has room for it.
    private mutating func countLine(at now: Instant) -> Bool {
      if let end = periodEnd, now < end {
        countInPeriod += 1
      } else {
        periodEnd = now + Self.period
        countInPeriod = 1
      }
      return countInPeriod <= Self.mostLines
    }
  }
}
