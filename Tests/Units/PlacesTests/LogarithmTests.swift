import Foundation
import Testing

@testable import Places

@Suite struct LogarithmTests {
  /// Independent: Foundation's logarithm in floating point.
  @Test func itIsExactTo1Of10000() {
    var worst = 0.0
    var number: Int32 = 1
    while number < Int32.max - 3_000_000 {
      let exact = log(Double(number))
      worst = max(worst, abs(Double(logarithm(number)) / 65_536 - exact))
      number += 1 + number / 977
    }
    #expect(worst < 0.0001)
    #expect(abs(Double(logarithm(.max)) / 65_536 - log(Double(Int32.max))) < 0.0001)
  }

  @Test func itNeverFalls() {
    for number in Int32(1)..<70_000 { #expect(logarithm(number) <= logarithm(number + 1)) }
  }

  @Test func ofNothingThereIsNone() {
    #expect(logarithm(1) == 0)
    #expect(logarithm(0) == 0)
    #expect(logarithm(-5) == 0)
  }
}
