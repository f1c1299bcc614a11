/// The Unicode scalars of bytes that should be UTF-8.
///
/// Malformed bytes become U+FFFD, one for each maximal subpart,
/// as The Unicode Standard recommends (chapter 3.9, table 3-7).
public struct UTF8Reader: ~Escapable {
  private let bytes: Span<UInt8>

  /// Index of the first byte of the scalar that `next` will return.
  public private(set) var index = 0

  /// Reads `bytes` from the first one on.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// The next scalar, or `nil` at the end.
  public mutating func next() -> Unicode.Scalar? {
    guard index < bytes.count else { return nil }
    let lead = bytes[index]
    index += 1
    guard lead >= 0x80 else { return Unicode.Scalar(lead) }
    guard let shape = Shape(lead: lead) else { return replacement }
    var value = UInt32(lead & shape.leadMask)
    for position in 0..<shape.continuations {
      guard index < bytes.count else { return replacement }
      let byte = bytes[index]
      let allowed = position == 0 ? shape.second : 0x80...0xBF
      guard allowed.contains(byte) else { return replacement }
      value = value << 6 | UInt32(byte & 0x3F)
      index += 1
    }
    return Unicode.Scalar(value) ?? replacement
  }

  private var replacement: Unicode.Scalar { "\u{FFFD}" }

  /// What may follow a lead byte: a row of table 3-7.
  private struct Shape {
    var continuations: Int
    var leadMask: UInt8
    var second: ClosedRange<UInt8>

    init?(lead: UInt8) {
      switch lead {
      case 0xC2...0xDF: (continuations, leadMask, second) = (1, 0x1F, 0x80...0xBF)
      case 0xE0: (continuations, leadMask, second) = (2, 0x0F, 0xA0...0xBF)
      case 0xED: (continuations, leadMask, second) = (2, 0x0F, 0x80...0x9F)
      case 0xE1...0xEF: (continuations, leadMask, second) = (2, 0x0F, 0x80...0xBF)
      case 0xF0: (continuations, leadMask, second) = (3, 0x07, 0x90...0xBF)
      case 0xF1...0xF3: (continuations, leadMask, second) = (3, 0x07, 0x80...0xBF)
      case 0xF4: (continuations, leadMask, second) = (3, 0x07, 0x80...0x8F)
      default: return nil
      }
    }
  }
}
