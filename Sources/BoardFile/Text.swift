/// A short text or path, held in place, with at most `capacity` bytes.
package struct Text: Sendable {
  package static var capacity: Int { Storage.count }

  private typealias Storage = InlineArray<255, UInt8>
  private var storage = Storage(repeating: 0)
  package private(set) var count = 0

  /// The text of these bytes, or `nil` if they are more than `capacity`.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count <= Self.capacity else { return nil }
    for index in bytes.indices { storage[index] = bytes[index] }
    count = bytes.count
  }

  /// The beginning of these bytes, as far as it fits.
  init(beginningOf bytes: Span<UInt8>) {
    for index in 0..<min(bytes.count, Self.capacity) { storage[index] = bytes[index] }
    count = min(bytes.count, Self.capacity)
  }

  /// The text of a literal.
  package init(_ text: String) {
    let utf8 = text.utf8
    self.init(beginningOf: utf8.span)
  }

  /// Its bytes, without a terminating zero.
  package var bytes: Span<UInt8> {
    // Without the second attribute the span may point into a copy that is gone, see `FixedBuffer`.
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { storage.span.extracting(first: count) }
  }
}
