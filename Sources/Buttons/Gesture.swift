/// What a rider does with the buttons.
package enum Gesture: Equatable, Sendable {
  case pageShort, pageLong, unpairShort, unpairLong
  /// Both buttons held together.
  case both

  /// The gesture that a byte stands for: `p`, `P`, `u`, `U` or `r`.
  package init?(_ byte: UInt8) {
    let all: InlineArray<5, Gesture> = [.pageShort, .pageLong, .unpairShort, .unpairLong, .both]
    for index in all.indices where all[index].byte == byte {
      self = all[index]
      return
    }
    return nil
  }

  /// The byte that stands for it.
  package var byte: UInt8 {
    switch self {
    case .pageShort: UInt8(ascii: "p")
    case .pageLong: UInt8(ascii: "P")
    case .unpairShort: UInt8(ascii: "u")
    case .unpairLong: UInt8(ascii: "U")
    case .both: UInt8(ascii: "r")
    }
  }

  /// Which button it is a press of, and whether a long one; `nil` for both.
  package var press: (button: Button, isLong: Bool)? {
    switch self {
    case .pageShort: (.page, false)
    case .pageLong: (.page, true)
    case .unpairShort: (.unpair, false)
    case .unpairLong: (.unpair, true)
    case .both: nil
    }
  }
}
