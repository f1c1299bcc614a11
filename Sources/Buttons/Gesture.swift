/// What a rider does with a button.
public enum Gesture: Equatable, Sendable {
  /// A short press of the page button.
  case pageShort
  /// A long press of the page button.
  case pageLong
  /// A short press of the unpair button.
  case unpairShort
  /// A long press of the unpair button.
  case unpairLong

  /// The gesture that a byte stands for: `p`, `P`, `u` or `U`.
  public init?(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "p"): self = .pageShort
    case UInt8(ascii: "P"): self = .pageLong
    case UInt8(ascii: "u"): self = .unpairShort
    case UInt8(ascii: "U"): self = .unpairLong
    default: return nil
    }
  }
}
