import Beacons
import Bytes
import Expecting
import Places
import TestSupport

/// What is too much is refused.
@Suite struct LimitTests {
  private func words(_ error: PlaceError) -> String {
    var text = FixedBuffer<200>()
    error.write(to: &text)
    return string(text.bytes)
  }

  private func refusal(_ body: () throws(PlaceError) -> Void) -> String? {
    do throws(PlaceError) {
      try body()
      return nil
    } catch {
      return words(error)
    }
  }

  /// The same name, or the same UUID.
  @Test(arguments: [("one", UInt64(2)), ("two", 1)]) func noNameAndNoUUIDIsOfTwoGroups(
    _ second: String, _ number: UInt64
  ) throws {
    var groups = FixedList<4, Locator.Group>(filler: .init(name: name("one"), UUID(0, 1)))
    groups.append(.init(name: name("one"), UUID(0, 1)))
    groups.append(.init(name: name(second), UUID(0, number)))
    let refused = refusal { () throws(PlaceError) in _ = try Locator(groups) }
    expect(refused, "two groups have the same name or UUID; give each its own")
  }

  @Test func noNameIsOfTwoLocations() throws {
    let walk = try Walk()
    try walk.add("kitchen", room([-60, -70, -80]))
    let refused = refusal { () throws(PlaceError) in
      try walk.add("kitchen", room([-80, -70, -60]))
    }
    expect(refused, "two locations have the same name; give each its own")
  }

  @Test func aFingerprintOfNoGroupIsRefused() throws {
    let walk = try Walk([UUID(1, 2)])
    let refused = refusal { () throws(PlaceError) in try walk.add("kitchen", room([-60])) }
    expect(
      refused,
      "its beacons belong to no group that was given; add a group with the UUID \(groupText)")
  }

  @Test(arguments: [Int.min, -1, 0, 241, .max]) func noTrainingLastsSoLong(_ seconds: Int) {
    let refused = refusal { () throws(PlaceError) in
      _ = try Training(groupUUID, seconds: seconds)
    }
    expect(refused, "a training lasts 1 to 240 seconds; choose such a number")
  }

  @Test func ofMoreThan32BeaconsNoneOverruns() throws {
    let walk = try Walk()
    for minor in 1...40 { walk.receive(beacon(minor), -60) }
    walk.pass(1_000)
    expect(walk.heard, (1...32).map { "\($0) -60" })
  }

  @Test func aBeaconThatFallsSilentMakesRoom() throws {
    let walk = try Walk()
    for minor in 1...32 { walk.receive(beacon(minor), -60) }
    walk.pass(2_000)
    walk.receive(beacon(1), -60)
    walk.receive(beacon(33), -60)
    // Nothing of the others is in the three seconds any more.
    walk.pass(2_000)
    for minor in 33...64 { walk.receive(beacon(minor), -60) }
    walk.pass(1_000)
    // The 33rd found no room before.
    expect(walk.heard, (33...63).map { "\($0) -60" })
  }

  @Test func strangersDoNotKeepOutWhatALocationKnows() throws {
    let walk = try Walk()
    try walk.add("kitchen", room([-60, -70, -80]))
    for minor in 1_001...1_040 { walk.receive(beacon(minor), -30) }
    walk.stand([-60, -70, -80], seconds: 1)
    expect(walk.answers(), ["kitchen"])
    expect(walk.heard.count, 32)
    expect(walk.heard.filter { ["1 -60", "2 -70", "3 -80"].contains($0) }.count, 3)
  }
}
