import Bytes
import Expecting
import Navigation
import TestSupport

func text(_ age: Age) -> String {
  var text = FixedBuffer<16>()
  age.append(to: &text)
  return string(text.bytes)
}

func text(_ metres: UInt32, _ units: Units) -> String {
  let text = RoundedDistance(metres: metres, units: units).text()
  return string(text.bytes)
}

struct RoundedDistanceTests {
  @Test(
    arguments: [
      (0, "Now"), (5, "Now"), (6, "10 m"), (14, "10 m"), (15, "20 m"), (24, "20 m"), (25, "30 m"),
      (94, "90 m"), (95, "100 m"), (104, "100 m"), (105, "110 m"), (994, "990 m"),
      (995, "1.0 km"), (1_049, "1.0 km"), (1_050, "1.1 km"), (1_234, "1.2 km"), (1_999, "2.0 km"),
      (9_849, "9.8 km"), (9_850, "9.9 km"), (9_949, "9.9 km"), (9_950, "10 km"),
      (10_499, "10 km"), (10_500, "11 km"), (123_456, "123 km"), (999_499, "999 km"),
      (4_294_967_295, "4294967 km"),
    ] as [(UInt32, String)])
  func metricDistancesAreRoundedAsKomootDoes(_ metres: UInt32, _ expected: String) {
    expect(text(metres, .metric), expected)
  }

  /// Feet and miles by hand: 5 m are 16.4 ft, 6 m 19.7 ft, 22 m 72.2 ft, 23 m 75.5 ft, 37 m 121.4 ft,
  /// 38 m 124.7 ft, 39 m 128.0 ft, 160 m 524.9 ft, 161 m 0.10004 mi, 241 m 0.1498 mi, 242 m 0.1504 mi,
  /// 1,528 m 0.9495 mi, 1,529 m 0.9501 mi, 16,012 m 9.9494 mi, 16,013 m 9.95002 mi,
  /// 16,898 m 10.49993 mi, 16,899 m 10.5006 mi, 4,294,967,295 m 2,668,768.9 mi.
  @Test(
    arguments: [
      (0, "Now"), (5, "Now"), (6, "50 ft"), (7, "50 ft"), (22, "50 ft"), (23, "100 ft"),
      (37, "100 ft"),
      (38, "100 ft"), (39, "150 ft"), (100, "350 ft"), (160, "500 ft"), (161, "0.1 mi"),
      (241, "0.1 mi"), (242, "0.2 mi"), (1_528, "0.9 mi"), (1_529, "1.0 mi"), (1_609, "1.0 mi"),
      (16_012, "9.9 mi"), (16_013, "10 mi"), (16_898, "10 mi"), (16_899, "11 mi"),
      (1_609_344, "1000 mi"), (4_294_967_295, "2668769 mi"),
    ] as [(UInt32, String)])
  func imperialDistancesAreRoundedLikewise(_ metres: UInt32, _ expected: String) {
    expect(text(metres, .imperial), expected)
  }

  @Test func kilometresAndMilesAreExactToTheMillimetre() {
    expect(Units.metric.perHour(1_000_000_000), 3_600_000)
    expect(Units.imperial.perHour(1_609_344_000), 3_600_000)
  }

  @Test(arguments: [Units.metric, .imperial])
  func theShownNumberNeverFallsAndIsNear(_ units: Units) throws {
    var last = 0.0
    for metres in 0...20_000 as ClosedRange<UInt32> {
      let text = text(metres, units)
      let words = text.split(separator: " ")
      let number = text == "Now" ? 0 : try #require(Double(words[0]))
      // Metres for one of the unit, and the step in it: the number must be that near to the truth.
      let (unit, step): (Double, Double) =
        switch words.last {
        case "m": (1, 10)
        case "ft": (0.3048, number == 50 ? 66 : 50)
        case "km": (1_000, words[0].contains(".") ? 0.1 : 1)
        case "mi": (1_609.344, words[0].contains(".") ? 0.1 : 1)
        default: (1, 12)
        }
      let shown = number * unit
      let error = abs(shown - Double(metres))
      guard shown >= last, error <= step * unit / 2 + 0.001 else {
        Issue.record("\(metres) m are shown as \(text)")
        return
      }
      last = shown
    }
  }
}

struct AgeTests {
  @Test(
    arguments: [
      (-1, "0 s"), (0, "0 s"), (7_999, "7 s"), (8_000, "8 s"), (9_999, "9 s"), (10_000, "10 s"),
      (19_999, "10 s"), (20_000, "20 s"), (59_999, "50 s"), (60_000, "1 min"),
      (119_999, "1 min"), (120_000, "2 min"), (3_599_999, "59 min"), (3_600_000, "1 h"),
      (7_199_999, "1 h"), (356_400_000, "99 h"), (.max, "99 h"),
    ] as [(Int64, String)])
  func anAgeIsShownInCoarseSteps(_ milliseconds: Int64, _ expected: String) {
    expect(text(Age(milliseconds: milliseconds)), expected)
  }

  @Test func eachAgeEndsWhereTheNextBegins() {
    var milliseconds: Int64 = 0
    var count = 0
    while let end = Age(milliseconds: milliseconds).end, count < 1_000 {
      expect(Age(milliseconds: end - 1), Age(milliseconds: milliseconds))
      #expect(Age(milliseconds: end) != Age(milliseconds: milliseconds))
      milliseconds = end
      count += 1
    }
    expect(milliseconds, 99 * 3_600_000)
    expect(count, 10 + 5 + 59 + 98)
  }
}
