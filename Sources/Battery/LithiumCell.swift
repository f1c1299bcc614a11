/// One lithium cell at rest: its charge by its voltage.
enum LithiumCell {
  /// The voltages that one can have while Lenker runs from it, in millivolts.
  ///
  /// Data sheets end the discharge at 2.5 V and the charge at 4.2 V, at 4.35 V for some cells.
  static var voltages: ClosedRange<UInt32> { 2_500...4_400 }

  /// Millivolts, and the charge in thousandths.
  ///
  /// Measured at C/20 with a Samsung INR21700-40T: S. Sunil, K. R. Pattipati, B. Balasingam, "Piecewise Linear
  /// Approximation of Battery Open-Circuit Voltage Characteristics Using Dynamic Programming", IEEE Transactions
  /// on Instrumentation and Measurement, 2025; the table is in the data beside it (Piecewise-Battery-OCV). Another
  /// cell differs by some percent, and by more in cold or while it is charged.
  private static var curve: InlineArray<10, (millivolts: UInt32, permille: UInt32)> {
    [
      (2_500, 0), (2_808, 5), (3_118, 35), (3_318, 85), (3_419, 136), (3_583, 292), (3_694, 452),
      (4_066, 839), (4_112, 955), (4_200, 1_000),
    ]
  }

  /// The charge in percent, on straight lines between the points of the table.
  static func percent(atMillivolts millivolts: UInt32) -> UInt8 {
    let curve = curve
    var low = curve[0]
    guard millivolts > low.millivolts else { return 0 }
    for index in 1..<curve.count {
      let high = curve[index]
      if millivolts <= high.millivolts {
        let share = (millivolts - low.millivolts) * (high.permille - low.permille)
        let permille = low.permille + share / (high.millivolts - low.millivolts)
        return UInt8(truncatingIfNeeded: (permille + 5) / 10)
      }
      low = high
    }
    return 100
  }
}
