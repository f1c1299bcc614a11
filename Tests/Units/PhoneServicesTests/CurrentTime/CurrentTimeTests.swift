import Bytes
import Expecting
import TestSupport

@testable import PhoneServices

/// The values of the Current Time Service 1.1: 3.1 and 3.2.
struct CurrentTimeTests {
  private func time(_ text: String) -> LocalTime? {
    let value = bytes(text)
    return try? LocalTime(parsing: value.span)
  }

  private func zone(_ text: String) -> Zone? {
    let value = bytes(text)
    return try? Zone(parsing: value.span)
  }

  private func written(_ time: LocalTime?, in zone: Zone? = nil) -> String {
    var text = FixedBuffer<25>()
    time?.write(in: zone, into: &text)
    return String(decoding: array(text.bytes), as: UTF8.self)
  }

  @Test func aTimeIsWrittenAsISO8601() {
    let time = time("EA 07 09 11 0E 1E 00 04 00 00")
    expect(written(time), "2026-09-17T14:30:00")
    expect(written(time, in: zone("04 04")), "2026-09-17T14:30:00+02:00")
  }

  @Test(arguments: [
    ("00 00", "+00:00"), ("04 00", "+01:00"), ("16 00", "+05:30"), ("17 00", "+05:45"),
    ("F2 00", "-03:30"), ("F2 04", "-02:30"), ("D0 00", "-12:00"), ("38 00", "+14:00"),
    ("2A 02", "+11:00"), ("FF 00", "-00:15"), ("00 08", "+02:00"),
  ])
  func aZoneIsWhatItAndSummerTimeMakeTogether(_ value: String, _ text: String) {
    let time = time("EA 07 01 02 03 04 05 05 00 00")
    expect(written(time, in: zone(value)), "2026-01-02T03:04:05" + text)
  }

  @Test(arguments: ["", "04", "80 00", "04 FF", "CF 00", "39 00", "04 01", "04 03", "7F 04"])
  func aZoneThatIsNotKnownIsNone(_ value: String) { expect(zone(value), nil) }

  @Test func whatFollowsAZoneIsNotRead() { expect(zone("04 04 FF")?.minutes, 120) }

  @Test func midnightIsTheBeginningOfTheDay() {
    expect(time("EA 07 09 11 00 00 00 04 00 00")?.milliseconds, 0)
    expect(time("EA 07 09 11 17 3B 3B 04 FF 00")?.milliseconds, 86_399_996)
    expect(time("EA 07 09 11 0E 1E 00 04 80 00")?.milliseconds, 52_200_500)
  }

  @Test(arguments: [
    ("E8 07 02 1D", true), ("E9 07 02 1D", false), ("D0 07 02 1D", true), ("34 08 02 1D", false),
    ("EA 07 04 1F", false), ("EA 07 06 1F", false), ("EA 07 09 1F", false), ("EA 07 0B 1F", false),
    ("EA 07 0A 1F", true), ("EA 07 04 1E", true), ("EA 07 0C 1F", true), ("EA 07 0C 20", false),
    ("EA 07 00 01", false), ("EA 07 0D 01", false), ("EA 07 01 00", false), ("00 00 01 01", false),
    ("2D 06 01 01", false), ("2E 06 01 01", true), ("0F 27 01 01", true), ("10 27 01 01", false),
  ])
  func aDayIsOneOfTheCalendar(_ day: String, _ isOne: Bool) {
    expect((time(day + " 0E 1E 00 00 00 00") != nil), isOne)
  }

  @Test(arguments: ["18 00 00", "00 3C 00", "00 00 3C", "FF FF FF"])
  func anHourThatNoClockShowsIsNone(_ hour: String) {
    expect(time("EA 07 09 11 " + hour + " 04 00 00"), nil)
  }

  @Test func everyPrefixIsTooShortOrTheWholeTime() {
    let whole = bytes("EA 07 09 11 0E 1E 00 04 00 00")
    for count in whole.indices {
      let prefix = Array(whole[..<count])
      // The reason behind the time is not read.
      expect(((try? LocalTime(parsing: prefix.span)) != nil), (count == 9))
    }
  }

  @Test func everyBitFlipIsATimeThatCanBeWrittenOrNone() {
    let whole = bytes("EA 07 09 11 0E 1E 00 04 00 00")
    var times = 0
    for bit in 0..<80 {
      var flipped = whole
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let time = try? LocalTime(parsing: flipped.span) else { continue }
      #expect((0..<86_400_000).contains(time.milliseconds))
      expect(written(time).utf8.count, 19)
      times += 1
    }
    #expect((1..<80).contains(times))
  }
}
