/// What a rider does with the buttons.
package enum Gesture: Equatable, Sendable {
  case aShort, aLong, bShort, bLong
  /// Both buttons held together.
  case both

  /// The gesture that a byte stands for: `a`, `A`, `b`, `B` or `r`.
  package init?(_ byte: UInt8) {
    let all: InlineArray<5, Gesture> = [.aShort, .aLong, .bShort, .bLong, .both]
    for index in all.indices where all[index].byte == byte {
      self = all[index]
      return
    }
    return nil
  }

  /// The byte that stands for it.
  package var byte: UInt8 {
    switch self {
    case .aShort: UInt8(ascii: "a")
    case .aLong: UInt8(ascii: "A")
    case .bShort: UInt8(ascii: "b")
    case .bLong: UInt8(ascii: "B")
    case .both: UInt8(ascii: "r")
    }
  }

  /// Which button it is a press of, and whether a long one; `nil` for both.
  package var press: (button: Button, isLong: Bool)? {
    switch self {
    case .aShort: (.a, false)
    case .aLong: (.a, true)
    case .bShort: (.b, false)
    case .bLong: (.b, true)
    case .both: nil
    }
  }
}
