import Bytes

/// Puts an L2CAP frame together from the ACL pieces it came in.
///
/// Core Specification, Vol 3, Part A, 7.2.1. A length that lies, a
/// continuation without a start and an oversize frame are dropped and counted;
/// the next frame that starts is taken as if nothing had been.
///
/// The largest frame that is taken has `capacity` bytes with its header.
package struct Reassembler<let capacity: Int>: ~Copyable {
  private var buffer = FixedBuffer<capacity>()
  private var isInsideFrame = false

  /// Frames that were dropped; the number goes round.
  package private(set) var droppedCount: UInt32

  /// A reassembler that waits for the start of a frame, and counts what it drops from `first` on.
  package init(countingFrom first: UInt32 = 0) { droppedCount = first }

  /// The frame, once `take` has said that it is whole.
  package var frame: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { buffer.bytes }
  }

  /// Takes the next piece; returns whether it completed a frame.
  package mutating func receive(_ piece: Span<UInt8>, isContinuation: Bool) -> Bool {
    if isContinuation {
      guard isInsideFrame else {
        droppedCount &+= 1
        return false
      }
    } else {
      if isInsideFrame { droppedCount &+= 1 }
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
    droppedCount &+= 1
    isInsideFrame = false
    buffer.removeAll()
    return false
  }
}
