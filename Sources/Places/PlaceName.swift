import Bytes

/// What a group or a location is called: 1 to 32 bytes.
package struct PlaceName: Equatable, Sendable {
  package static var capacity: Int { 32 }

  private var octets = Octets<32>()
  private var count = 0

  /// What no group and no location is called.
  package init() {}

  /// The name of these bytes; `nil` if there are none, or more than `capacity`.
  package init?(_ bytes: Span<UInt8>) {
    guard 1...Self.capacity ~= bytes.count else { return nil }
    count = bytes.count
    for index in bytes.indices { octets[index] = bytes[index] }
  }

  package var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { octets.bytes.extracting(first: count) }
  }
}
