/// A number of `count` octets, the least significant first, as the Security Manager sends it.
///
/// Core Specification, Vol 3, Part H, 3.3. The specification's formulas and
/// sample data write the most significant octet first: `reversed`.
public struct Octets<let count: Int>: Equatable, Sendable {
  private var storage = InlineArray<count, UInt8>(repeating: 0)

  /// Zero.
  public init() {}

  /// Takes `bytes`, of which there must be exactly `count`.
  public init(parsing bytes: Span<UInt8>) throws(ParseError) {
    guard bytes.count >= count else { throw .truncated }
    guard bytes.count == count else { throw .invalid }
    for index in bytes.indices { storage[index] = bytes[index] }
  }

  /// The number of 32-bit `words`, the most significant first, as the specification prints it.
  public init<let words: Int>(words: InlineArray<words, UInt32>) {
    for index in 0..<count {
      let word = words[words.count - 1 - index / 4]
      storage[index] = UInt8(
        truncatingIfNeeded: word &>> UInt32(truncatingIfNeeded: 8 * (index % 4)))
    }
  }

  /// The octet at `index`; 0 is the least significant.
  public subscript(index: Int) -> UInt8 {
    get { storage[index] }
    set { storage[index] = newValue }
  }

  /// All octets, the least significant first.
  public var bytes: Span<UInt8> {
    // Without the second attribute, Swift 6.3 specialises this getter in board builds for octets that are passed by
    // value. The span then points into a copy that is gone.
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { storage.span }
  }

  /// The same octets in the other order.
  public var reversed: Self {
    var result = Self()
    for index in 0..<count { result.storage[count - 1 - index] = storage[index] }
    return result
  }

  /// Whether it is zero.
  public var isZero: Bool { self == Self() }

  /// Lets `body` write straight into the storage.
  public mutating func withBytes<E: Error, R>(
    _ body: (inout MutableSpan<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    var span = storage.mutableSpan
    return try body(&span)
  }

  /// Overwrites all octets with zeros.
  public mutating func wipe() { storage.wipe() }

  /// The exclusive or of `a` and `b`.
  public static func ^ (a: Self, b: Self) -> Self {
    var result = Self()
    for index in 0..<count { result.storage[index] = a.storage[index] ^ b.storage[index] }
    return result
  }

  /// Whether both are the same; compares all octets, so that its time reveals nothing about a secret.
  public static func == (a: Self, b: Self) -> Bool {
    var difference: UInt8 = 0
    for index in 0..<count { difference |= a.storage[index] ^ b.storage[index] }
    return difference == 0
  }
}

extension ByteReader {
  /// The next `count` bytes.
  public mutating func octets<let count: Int>() throws(ParseError) -> Octets<count> {
    try Octets(parsing: try take(count))
  }
}

extension ByteWriter where Self: ~Copyable {
  /// The octets as SMP sends them.
  public mutating func append<let count: Int>(_ octets: Octets<count>) { append(octets.bytes) }

  /// The octets as the specification's formulas write them, the most significant first.
  public mutating func append<let count: Int>(bigEndian octets: Octets<count>) {
    append(octets.reversed.bytes)
  }
}
