public import Bytes
import CLinux

/// Single bytes from standard input or a fifo, such as gestures in place of buttons.
public struct ByteInput: ~Copyable {
  private enum Source: ~Copyable {
    case standardInput
    case fifo(FileDescriptor)
  }

  private let source: Source
  private var hasEnded = false
  private var pending = FixedBuffer<16>()
  private var taken = 0

  private init(_ source: consuming Source) { self.source = source }

  /// Bytes typed or piped in.
  public static var standardInput: ByteInput { ByteInput(.standardInput) }

  /// Bytes from a fifo, which is made if it is missing; writers may come and go.
  ///
  /// Throws `fileExists` if the path is another kind of file.
  public init(fifo path: Span<UInt8>) throws(Errno) {
    source = .fifo(try FileDescriptor(opening: linux_open_fifo(path)))
  }

  private var rawValue: Int32 {
    switch source {
    case .standardInput: 0
    case .fifo(let file): file.rawValue
    }
  }

  /// Readable when bytes have come; none once the input has ended.
  public var descriptor: Descriptor { hasEnded ? .none : Descriptor(rawValue: rawValue) }

  /// Whether `next` has a byte that the descriptor does not tell of any more.
  public var hasReceived: Bool { taken < pending.count }

  /// The next byte, or `nil` if there is none now.
  public mutating func next() -> UInt8? {
    while !hasEnded {
      if hasReceived {
        taken += 1
        return pending[taken - 1]
      }
      guard isReadable else { return nil }
      refill()
    }
    return nil
  }

  /// Standard input is shared with other programs, so it stays as blocking as it was.
  private var isReadable: Bool {
    var entries = InlineArray<1, linux_poll_entry>(
      repeating: linux_poll_entry(descriptor: rawValue, interest: Int16(LINUX_POLL_READ), ready: 0))
    var span = entries.mutableSpan
    return linux_poll(&span, 0) > 0
  }

  private mutating func refill() {
    taken = 0
    do throws(Errno) {
      let source = rawValue
      try pending.fill { (space) throws(Errno) in try check { linux_read(source, &space) } }
      // The end, which would be readable for ever.
      hasEnded = pending.isEmpty
    } catch {
      hasEnded = error != .wouldBlock
    }
  }
}
