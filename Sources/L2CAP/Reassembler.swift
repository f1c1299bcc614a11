import Bytes

/// Puts an L2CAP frame together from the ACL pieces it came in.
///
/// Core Specification, Vol 3, Part A, 7.2.1. It drops a frame with a wrong length, a continuation without
/// a start, and a frame that is longer than `capacity` bytes with its header. The next start begins a
/// frame as usual. It keeps one frame, which only `receive` changes.
package struct Reassembler<let capacity: Int>: ~Copyable {
  private var buffer = FixedBuffer<capacity>()
  private var isInsideFrame = false

  /// A reassembler that waits for the start of a frame.
  package init() {}

  /// The frame, once `receive` has returned that it is whole.
  package var frame: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { buffer.bytes }
  }

  /// Takes the next piece; returns whether the frame is whole now.
  package mutating func receive(_ piece: Span<UInt8>, isContinuation: Bool) -> Bool {
    if isContinuation {
      guard isInsideFrame else { return false }
    } else {
      buffer.removeAll()
      isInsideFrame = true
    }
    buffer.append(piece)
    return finish()
  }

  private mutating func finish() -> Bool {
    guard !buffer.isOverflown else { return drop() }
    // A controller may even split the header.
    guard buffer.count >= BasicFrame.headerCount else { return false }
    let wanted = BasicFrame.headerCount + (Int(buffer[0]) | Int(buffer[1]) << 8)
    guard wanted <= capacity, buffer.count <= wanted else { return drop() }
    guard buffer.count == wanted else { return false }
    isInsideFrame = false
    return true
  }

  private mutating func drop() -> Bool {
    isInsideFrame = false
    buffer.removeAll()
    return false
  }
}
