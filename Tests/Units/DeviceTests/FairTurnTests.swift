import Expecting
import VirtualDevice

/// How long others keep the rider's phone out: measured in twenty phases of its advertising to theirs.
///
/// `Tests/fair-turns` prints the figures.
@Suite struct FairTurnTests {
  private static let phases = 20

  /// How long it may take beside each number of recorded addresses, in milliseconds.
  private static func limit(_ addresses: Int) -> Int64 {
    switch addresses {
    case 1: 2_000
    case ...8: 5_000
    default: 10_000
    }
  }

  /// In a ride, and after it.
  @Test(arguments: [1, 8, 16], Replay.Manner.allCases)
  func centralBehaviour70_recordedAddressesKeepThePhoneOutForSecondsAtMost(
    _ addresses: Int, _ manner: Replay.Manner
  ) throws {
    for isInRide in [true, false] {
      let replay = Replay(addresses: addresses, manner: manner, isInRide: isInRide)
      let times = try replay.measure(phases: Self.phases).times
      #expect(times.allSatisfy { $0 <= Self.limit(addresses) }, "\(isInRide): \(times)")
    }
  }

  @Test func centralBehaviour70_fourSensorsOutOfReachCostAnIPhoneInTheBackgroundThreeSecondsAtMost()
    throws
  {
    let without = try OutOfReach(sensors: 0).measure(phases: Self.phases)
    for sensors in 1...4 {
      let with = try OutOfReach(sensors: sensors).measure(phases: Self.phases)
      #expect(with.longest <= without.longest + 3_000, "\(sensors): \(with.times)")
      #expect(with.median <= without.median + 3_000, "\(sensors): \(with.times)")
    }
  }
}
