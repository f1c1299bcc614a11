/// The bytes of an input, taken one after the other; zeros follow when they are used up.
struct Feed {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isEmpty: Bool { index >= bytes.count }

  mutating func u8() -> UInt8 {
    guard index < bytes.count else { return 0 }
    defer { index += 1 }
    return bytes[index]
  }

  mutating func u16() -> UInt16 { UInt16(u8()) | UInt16(u8()) << 8 }

  mutating func bool() -> Bool { u8() & 1 == 1 }

  /// As many bytes as there still are, `count` at most.
  mutating func take(_ count: Int) -> [UInt8] {
    let end = min(bytes.count, index + count)
    defer { index = end }
    return Array(bytes[index..<end])
  }

  /// All that is left.
  mutating func rest() -> [UInt8] { take(bytes.count) }

  /// One of them, whatever the next byte is.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(u8()) % elements.count]
  }
}

/// The inputs of a pack, each behind its length in two bytes.
func inputs(of pack: [UInt8]) -> [[UInt8]] {
  var feed = Feed(pack)
  var inputs: [[UInt8]] = []
  while !feed.isEmpty { inputs.append(feed.take(Int(feed.u16()))) }
  return inputs
}
