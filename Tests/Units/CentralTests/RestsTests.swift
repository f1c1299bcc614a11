import Bytes
import Expecting

@testable import Search

/// The addresses that are left alone for a while: there are 32 places.
@Suite struct RestsTests {
  private static let ours = DeviceAddress(0xC0FF_EE00_0001, .random)
  private static let start = Instant(milliseconds: 1_000_000)

  private func stranger(_ number: Int) -> DeviceAddress {
    DeviceAddress(0xC000_0000_0000 + UInt64(number), .random)
  }

  /// Strangers that rest for a minute each, as many as that, one each millisecond.
  private func crowd(_ count: Int, in rests: inout Rests) {
    for number in 0..<count {
      rests.begin(stranger(number), for: 60_000, isOurs: false, at: Self.start + Int64(number))
    }
  }

  @Test func centralBehaviour142_thirtyThreeStrangersDoNotEndThePhonesRest() {
    var rests = Rests()
    for (rest, time) in [(5_000, 0), (10_000, 5_000), (20_000, 15_000)] as [(Int64, Int64)] {
      let now = Self.start + time
      rests.beginDoubling(Self.ours, isOurs: true, at: now)
      crowd(33, in: &rests)
      expect(rests.isResting(Self.ours, isOurs: true, at: now + (rest - 1)))
      expect(!rests.isResting(Self.ours, isOurs: true, at: now + rest))
    }
    rests.begin(stranger(99), for: 1_000, isOurs: true, at: Self.start)
    crowd(33, in: &rests)
    expect(rests.isResting(stranger(99), isOurs: true, at: Self.start + 999), "has encrypted once")
  }

  /// The oldest one gives its place away, and nobody knows whether it has rested enough.
  @Test func centralBehaviour142_aFullListKeepsAllStrangersOutUntilOneRestIsOver() {
    var rests = Rests()
    crowd(32, in: &rests)
    expect(!rests.isResting(stranger(99), isOurs: false, at: Self.start + 40))
    crowd(33, in: &rests)
    let end = Self.start + 60_001
    for number in [0, 99] {
      expect(rests.isResting(stranger(number), isOurs: false, at: end + -1))
      expect(!rests.isResting(stranger(number), isOurs: false, at: end))
      expect(!rests.isResting(stranger(number), isOurs: true, at: Self.start + 40))
    }
    rests.endAll()
    expect(!rests.isResting(stranger(0), isOurs: false, at: Self.start + 40), "after a press")
  }

  /// Anybody can record addresses of the phone: among those the one is let back in whose rest ends first.
  @Test func centralBehaviour142_addressesOfThePhoneShareWhatThereIs() {
    var rests = Rests()
    for number in 0..<33 { rests.beginSilent(stranger(number), at: Self.start + Int64(number)) }
    expect(!rests.isResting(stranger(0), isOurs: true, at: Self.start + 40))
    expect(rests.isResting(stranger(1), isOurs: true, at: Self.start + 40))
  }
}
