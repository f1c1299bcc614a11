import Bytes
import Testing

@testable import Navigation

/// From which readings of the distance a speed is made.
@Suite struct ClosingSpeedTests {
  /// Whether a speed is known after so many metres less, so many milliseconds later.
  private func isKnown(_ metres: Int64, after milliseconds: Int64) -> Bool {
    var speed = ClosingSpeed()
    speed.hear(1_000, at: Instant(milliseconds: 0))
    speed.hear(1_000 - metres, at: Instant(milliseconds: milliseconds))
    return speed.isLess(1, than: .max / 1_000)
  }

  @Test func noBicycleRides25MetresASecondAnd30MoreAreTheReadings() {
    #expect(isKnown(130, after: 4_000))
    #expect(!isKnown(131, after: 4_000))
  }

  @Test func aSpeedTakesFourSeconds() {
    #expect(isKnown(100, after: 4_000))
    #expect(!isKnown(100, after: 3_999))
  }

  /// The later of two that are nearer to each other takes the earlier one's place.
  @Test func readingsHalfASecondApartAreNotOfOneMoment() {
    var speed = ClosingSpeed()
    speed.hear(1_000, at: Instant(milliseconds: 0))
    speed.hear(990, at: Instant(milliseconds: 500))
    speed.hear(900, at: Instant(milliseconds: 4_000))
    #expect(speed.isLess(900, than: 38_000), "100 m in 4 s")
  }

  @Test func whoCameNoCloserThanTwoReadingsMayBeWrongHasNone() {
    #expect(isKnown(21, after: 4_000))
    #expect(!isKnown(20, after: 4_000))
  }
}
