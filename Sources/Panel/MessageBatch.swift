import Bytes

/// Messages that go over the bus in one call, one after the other.
public struct MessageBatch: ~Copyable {
  private static var maxMessages: Int { 42 }  // as many as the kernel takes
  /// Enough for the initialisation and a whole picture of any panel.
  private var buffer = FixedBuffer<1200>()
  private var sizes = InlineArray<42, UInt16>(repeating: 0)

  /// None.
  public init() {}

  /// How many messages there are.
  public private(set) var count = 0

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// The messages, one behind the other.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { buffer.bytes }
  }

  /// How long each of them is.
  public var lengths: Span<UInt16> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { sizes.span.extracting(first: count) }
  }

  /// Whether one more fits.
  public func hasRoom(for message: Span<UInt8>) -> Bool {
    message.count <= buffer.free && count < Self.maxMessages
  }

  /// Adds one behind the others, if there is room.
  public mutating func append(_ message: Span<UInt8>) {
    guard hasRoom(for: message) else { return }
    buffer.append(message)
    sizes[count] = UInt16(truncatingIfNeeded: message.count)
    count += 1
  }

  /// Drops them all.
  public mutating func removeAll() {
    buffer.removeAll()
    count = 0
  }
}
