import Bytes

/// Tells whether texts are the same as before, without a copy of them.
///
/// FNV-1a in 64 bits: two names that a rider meets do not have the same mark by chance.
package struct TextMark: Equatable {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  /// Adds a text behind those that were added before.
  package mutating func add(_ text: Span<UInt8>) {
    for index in text.indices { add(text[index]) }
    // No text has this byte: "ab" and "c" are not "a" and "bc".
    add(0xFF)
  }

  private mutating func add(_ byte: UInt8) {
    hash = (hash ^ UInt64(widening: UInt32(byte))) &* 0x0000_0100_0000_01B3
  }
}
