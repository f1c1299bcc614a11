/// Bytes of a fixed capacity, held in place: no heap, no growth.
///
/// `isOverflown` stays true after a loss until the owner empties the buffer.
public struct FixedBuffer<let capacity: Int>: ~Copyable, ByteWriter {
  private var storage: InlineArray<capacity, UInt8>

  /// How many bytes are held.
  public private(set) var count = 0

  /// Whether something did not fit since the buffer was last empty.
  public private(set) var isOverflown = false

  private let inPlace = InPlace()

  /// An empty buffer.
  @inlinable
  public init() { self.init(storage: InlineArray(repeating: 0)) }

  // Separate, so that a host build makes all zeros at once where the capacity is known.
  @usableFromInline
  init(storage: InlineArray<capacity, UInt8>) { self.storage = storage }

  /// What `write` writes.
  public init(_ write: (inout FixedBuffer) -> Void) {
    self.init()
    write(&self)
  }

  /// Whether no bytes are held.
  public var isEmpty: Bool { count == 0 }

  /// How many more bytes fit.
  public var free: Int { capacity - count }

  /// The bytes held.
  public var bytes: Span<UInt8> { storage.span.extracting(first: count) }

  /// The byte at `index`, or 0 beyond the end.
  public subscript(index: Int) -> UInt8 {
    get { index >= 0 && index < count ? storage[index] : 0 }
    set { if index >= 0 && index < count { storage[index] = newValue } }
  }

  /// Takes one byte, or none if the buffer is full.
  public mutating func append(_ byte: UInt8) {
    guard count < capacity else {
      isOverflown = true
      return
    }
    storage[count] = byte
    count += 1
  }

  /// Takes all of `bytes`, or none if they do not fit.
  @inline(never)  // one copy
  public mutating func append(_ bytes: Span<UInt8>) {
    guard bytes.count <= capacity - count else {
      isOverflown = true
      return
    }
    var span = storage.mutableSpan
    copy(bytes, into: &span, at: count)
    count += bytes.count
  }

  /// Empties the buffer.
  public mutating func removeAll() {
    count = 0
    isOverflown = false
  }

  /// Empties the buffer and overwrites all of it with zeros, as keys deserve.
  public mutating func wipe() {
    removeAll()
    storage.wipe()
  }

  /// Keeps the first `count` bytes only.
  public mutating func truncate(to count: Int) { self.count = max(0, min(self.count, count)) }

  /// Appends zeros until `count` bytes are held.
  public mutating func pad(to count: Int) { while self.count < count, free > 0 { append(0) } }

  /// Drops the first `count` bytes and moves the others to the front.
  public mutating func removeFirst(_ count: Int) {
    let gone = max(0, min(self.count, count))
    for index in gone..<self.count { storage[index - gone] = storage[index] }
    self.count -= gone
  }

  /// Replaces the contents by `bytes`, cut to the capacity.
  public mutating func assign(_ bytes: Span<UInt8>) {
    removeAll()
    append(bytes.extracting(first: min(bytes.count, capacity)))
  }

  /// Replaces the contents by a text from outside in UTF-8, cut behind the last letter that is whole and fits,
  /// without Lenker's own signs.
  public mutating func assign(text: Span<UInt8>) {
    assign(text.extracting(first: textEnd(text, upTo: capacity)))
    removeOwnSigns()
    trimText()
  }

  /// Removes the signs that only Lenker's own texts may show from a text in UTF-8: see `isOwnSign`.
  public mutating func removeOwnSigns() {
    var kept = 0
    var index = 0
    while index < count {
      if index + 2 < count, isOwnSign(storage[index], storage[index + 1], storage[index + 2]) {
        index += 3
        continue
      }
      storage[kept] = storage[index]
      (kept, index) = (kept + 1, index + 1)
    }
    count = kept
  }

  /// Drops an incomplete letter from the end of a text in UTF-8.
  public mutating func trimText() {
    count = wholeEnd(of: bytes)
    // ZERO WIDTH JOINER: the letter that it joins is cut off.
    while count >= 3, storage[count - 3] == 0xE2, storage[count - 2] == 0x80,
      storage[count - 1] == 0x8D
    {
      count -= 3
    }
  }

  /// Lets `body` replace the contents in the storage itself, as `read(2)` does.
  ///
  /// `body` returns how many bytes it wrote from the start on.
  public mutating func fill<E: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(E) -> Int
  ) throws(E) {
    removeAll()
    var span = storage.mutableSpan
    let written = try body(&span)
    count = max(0, min(written, capacity))
  }
}

/// One copy for the buffers of all capacities.
private func copy(_ bytes: Span<UInt8>, into storage: inout MutableSpan<UInt8>, at start: Int) {
  for index in bytes.indices { storage[start + index] = bytes[index] }
}

/// Whether the bytes begin with the text.
public func hasPrefix(_ bytes: Span<UInt8>, _ prefix: String) -> Bool {
  let utf8 = prefix.utf8
  let expected = utf8.span
  return isEqual(bytes.extracting(first: min(bytes.count, expected.count)), expected)
}

/// Whether two runs of bytes are the same.
public func isEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  for index in a.indices where a[index] != b[index] { return false }
  return true
}

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
    @_lifetime(borrow self)
    @_addressableSelf
    borrowing get { octets.bytes.extracting(first: count) }
  }
}

/// Overwrites `bytes` with zeros, even if nobody reads them any more.
///
/// The optimizer removes writes that nobody reads, so it must not look into this function.
@inline(never)
@_optimize(none)
public func wipe(_ bytes: inout MutableSpan<UInt8>) {
  var index = 0
  while index < bytes.count {
    bytes[index] = 0
    index += 1
  }
}

extension InlineArray where Element == UInt8 {
  /// Overwrites all bytes with zeros.
  public mutating func wipe() {
    var span = mutableSpan
    Bytes.wipe(&span)
  }
}
