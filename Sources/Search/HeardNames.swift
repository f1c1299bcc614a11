import Bytes

/// The names of those that were heard, each in a place of its own.
struct HeardNames: ~Copyable {
  static var capacity: Int { 9 }
  private static var size: Int { 32 }
  private typealias Name = FixedBuffer<32>

  private var owners = InlineArray<9, DeviceAddress>(repeating: Candidate.nobody.address)
  private var counts = InlineArray<9, Int>(repeating: 0)
  private var octets = InlineArray<288, UInt8>(repeating: 0)

  /// Where the name of `address` is, if it was heard.
  func index(of address: DeviceAddress) -> Int? {
    for index in 0..<Self.capacity where counts[index] > 0 && owners[index] == address {
      return index
    }
    return nil
  }

  /// Whose name is there.
  func owner(at index: Int) -> DeviceAddress { owners[index] }

  /// Puts the name of `address` there, cut to 32 bytes between two letters; returns whether that changed
  /// anything.
  mutating func assign(
    _ name: Span<UInt8>, of address: DeviceAddress, at index: Int
  ) -> Bool {
    var kept = Name()
    kept.assign(text: name)
    let count = kept.count
    var isNew = owners[index] != address || counts[index] != count
    (owners[index], counts[index]) = (address, count)
    for position in 0..<count {
      let place = index * Self.size + position
      if octets[place] != kept[position] { isNew = true }
      octets[place] = kept[position]
    }
    return isNew
  }

  /// What `address` calls itself, empty if that was not heard.
  @_lifetime(borrow self)
  @_addressableSelf
  borrowing func name(of address: DeviceAddress) -> Span<UInt8> {
    guard let index = index(of: address) else { return octets.span.extracting(first: 0) }
    let start = index * Self.size
    return octets.span.extracting(start..<start + counts[index])
  }
}
