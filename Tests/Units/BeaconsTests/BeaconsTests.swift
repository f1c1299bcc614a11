import Beacons
import Bytes
import Expecting
import TestSupport

/// A published vector and some by hand, after Apple's Proximity Beacon Specification.
struct BeaconsTests {
  /// The manufacturer specific data of one beacon: E20A39F4-73F5-4BC4-A12F-17D1AD07A961, 7, 515, -59.
  private let beacon = "4c000215e20a39f473f54bc4a12f17d1ad07a96100070203c5"

  @Test func anIBeaconSaysWhoseItIsAndHowStrongAtOneMetre() {
    let expected = IBeacon(
      UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A961), major: 7, minor: 515, power: -59)
    let bytes = bytes(beacon)
    let heard = IBeacon(manufacturerData: bytes.span)
    expect(heard, expected)
  }

  @Test func whatIsCutShortOrOfAnotherCompanyTypeOrLengthIsNoIBeacon() {
    let whole = bytes(beacon)
    for count in 0..<whole.count {
      let part = Array(whole[..<count])
      expect(IBeacon(manufacturerData: part.span), nil, "\(count) octets")
    }
    for place in 0..<4 {
      var other = whole
      other[place] ^= 1
      expect(IBeacon(manufacturerData: other.span), nil)
    }
  }

  /// Apple's data may hold more than one part.
  @Test func centralBehaviour102_whatIsBehindAnIBeaconIsIgnored() {
    let (whole, longer) = (bytes(beacon), bytes(beacon) + [0x10, 0x00])
    let (expected, heard) = (
      IBeacon(manufacturerData: whole.span), IBeacon(manufacturerData: longer.span)
    )
    expect(heard == expected && heard != nil)
  }

  @Test func theSameBeaconMaySayThatItIsStronger() {
    let one = IBeacon(UUID(1, 2), major: 3, minor: 4, power: -59)
    let stronger = IBeacon(UUID(1, 2), major: 3, minor: 4, power: -50)
    expect(one.isSame(as: stronger))
    expect(!one.isSame(as: IBeacon(UUID(1, 2), major: 3, minor: 5, power: -59)))
    expect(!one.isSame(as: IBeacon(UUID(1, 2), major: 4, minor: 4, power: -59)))
    expect(!one.isSame(as: IBeacon(UUID(1, 3), major: 3, minor: 4, power: -59)))
  }

  private func parsed(_ text: String) -> IBeacon? {
    let characters = Array(text.utf8)
    return IBeacon(text: characters.span)
  }

  private func written(_ beacon: IBeacon) -> String {
    var text = FixedBuffer<56>()
    text.append(text: beacon)
    return text.isOverflown ? "too long" : string(text.bytes)
  }

  @Test(
    arguments: [
      ("E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:7.Min:515", 7, 515),
      ("E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:0.Min:10", 0, 10),
      ("E20A39F4-73F5-4BC4-A12F-17D1AD07A961.Maj:65535.Min:65535", 65_535, 65_535),
    ] as [(String, UInt16, UInt16)])
  func itsTextHasItsNumbers(_ text: String, major: UInt16, minor: UInt16) {
    let uuid = UUID(0xE20A_39F4_73F5_4BC4, 0xA12F_17D1_AD07_A961)
    let beacon = IBeacon(uuid, major: major, minor: minor)
    expect(written(beacon), text)
    expect(parsed(text), beacon)
    #expect(text.utf8.count <= IBeacon.longestText)
  }

  @Test(arguments: [
    "", ".Maj:7", ".Maj:7.Min:", ".Maj:.Min:515", ".Maj:07.Min:515", ".Maj:7.Min:00",
    ".Maj:65536.Min:1", ".Maj:1.Min:65536", ".Maj:1.Min:655350", ".Maj:-1.Min:1", ".Maj:1.Min:1 ",
    ".Min:1.Maj:1", ".maj:1.min:1", "_Maj:1_Min:1", ".Maj:7.Min:515.", ".Maj:7.Min:5x5",
  ])
  func anyOtherTextIsNoBeacon(_ numbers: String) {
    expect(parsed("E20A39F4-73F5-4BC4-A12F-17D1AD07A961" + numbers), nil)
    expect(parsed("E20A39F4-73F5-4BC4-A12F-17D1AD07A96.Maj:7.Min:515"), nil)
  }

  @Test func aCrownstoneOf2016SaysWhatItUses() throws {
    let data = bytes("01000200ff801900102700009cffffff")
    let heard = Crownstone(serviceData: data.span)
    let crownstone = try #require(heard)
    expect(crownstone.identifier == 1 && crownstone.state == 2 && crownstone.switchState == 255)
    expect(crownstone.events == 128 && crownstone.temperature == 25)
    expect(crownstone.power == 10_000 && crownstone.energy == -100)
    for count in [0, 1, 15, 17, 18, 31] {
      let other = [UInt8](repeating: 1, count: count)
      expect(Crownstone(serviceData: other.span), nil, "another length is none of 2016")
    }
  }
}

/// Readings of one beacon, in seconds since it was first heard.
struct SignalMeanTests {
  private func mean(
    _ readings: [(Double, Int8)], at seconds: Double, over count: Int = 3
  ) -> Int32? {
    var mean = SignalMean()
    func instant(_ seconds: Double) -> Instant {
      Instant(milliseconds: 5_000 + Int64(seconds * 1_000))
    }
    for (second, rssi) in readings { mean.receive(rssi, at: instant(second)) }
    return mean.sixteenths(at: instant(seconds), overSeconds: count)
  }

  @Test func theMeanIsThatOfThreeSeconds() {
    expect(mean([], at: 0), nil)
    expect(mean([(0, -60)], at: 0), -960)
    expect(mean([(0, -60), (1, -61), (2, -62)], at: 2.9), -976)
    expect(mean([(0, -60), (1, -61), (2, -62)], at: 3), -984)
    expect(mean([(0, -60), (1, -61), (2, -62)], at: 4.9), -992)
    expect(mean([(0, -60), (1, -61), (2, -62)], at: 5), nil)
    expect(mean([(0, -60)], at: 1_000_000), nil)
  }

  @Test func ofFewerSecondsTheLastOnesCount() {
    let readings: [(Double, Int8)] = [(0, -60), (1, -70), (2, -80)]
    expect(mean(readings, at: 2.9, over: 1), -1_280)
    expect(mean(readings, at: 2.9, over: 2), -1_200)
    expect(mean(readings, at: 3, over: 1), nil)
    expect(mean(readings, at: 2.9, over: 0), -1_280)
    expect(mean(readings, at: 2.9, over: 4), -1_120)
  }

  @Test func aSixteenthIsNotLost() {
    expect(mean([(0, -60), (0.1, -60), (0.2, -61)], at: 1), -965)  // -60.33
    expect(mean([(0, -60), (0.1, -61), (0.2, -61)], at: 1), -971)  // -60.67
  }

  @Test(arguments: [Int8(-1), 0, 20, 127]) func whatCannotBeIsNoReading(rssi: Int8) {
    expect(mean([(0, rssi)], at: 0), nil)
    expect(mean([(0, -2)], at: 0), -32)
  }
}
