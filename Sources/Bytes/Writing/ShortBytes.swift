/// At most `capacity` bytes that can be copied, which those of a `FixedBuffer` cannot.
public struct ShortBytes<let capacity: Int>: Equatable, Sendable {
  private var octets = Octets<capacity>()
  private var count = 0

  /// What `write` writes; what does not fit is left out.
  public init(_ write: (inout FixedBuffer<capacity>) -> Void) {
    var buffer = FixedBuffer<capacity>()
    write(&buffer)
    count = buffer.count
    for index in 0..<count { octets[index] = buffer[index] }
  }

  /// The first of these bytes, as many as fit.
  public init(_ bytes: Span<UInt8>) { self.init { $0.assign(bytes) } }

  /// All of them.
  public var bytes: Span<UInt8> {
    // The second attribute: see `FixedBuffer.bytes`.
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { octets.bytes.extracting(first: count) }
  }
}
