import Beacons
import Bytes
import Expecting
import Places
import TestSupport

/// Near which group.
@Suite struct RegionTests {
  private let other = UUID(1, 2)

  @Test func theFirstBeaconOfAGroupEntersIt() throws {
    let walk = try Walk()
    expect(walk.deadline, nil)
    walk.receive(beacon(1, of: other), -60)
    #expect(walk.news().isEmpty)
    walk.receive(beacon(1), -60)
    walk.receive(beacon(2), -60)
    expect(walk.news(), ["enter A"])
  }

  @Test(arguments: [Int8(-1), 0, 20, 127]) func whatIsNoSignalEntersNothing(rssi: Int8) throws {
    let walk = try Walk()
    walk.receive(beacon(1), rssi)
    #expect(walk.news().isEmpty)
    walk.receive(beacon(1), -2)
    expect(walk.news(), ["enter A"])
  }

  @Test func after30SilentSecondsItIsLeft() throws {
    let walk = try Walk(start: 7_300)
    walk.receive(beacon(1), -60)
    walk.pass(10_000)
    walk.receive(beacon(2), -90)
    walk.pass(29_999)
    expect(walk.moves(), ["enter A"])
    walk.pass(1)
    expect(walk.moves(), ["exit A"])
    expect(walk.deadline, nil)
    walk.receive(beacon(1), -60)
    expect(walk.moves(), ["enter A"])
  }

  @Test func aReadingThatIsNoneDoesNotBreakTheSilence() throws {
    let walk = try Walk()
    walk.receive(beacon(1), -60)
    walk.pass(29_000)
    walk.receive(beacon(1), 127)
    walk.pass(1_000)
    expect(walk.moves(), ["enter A", "exit A"])
  }

  @Test func anotherGroupThatIsEnteredLeavesTheFirst() throws {
    let walk = try Walk([groupUUID, other])
    walk.receive(beacon(1), -60)
    walk.pass(5_500)
    walk.receive(beacon(1), -60)
    walk.receive(beacon(2, of: other), -70)
    expect(walk.moves(), ["enter A", "exit A", "enter B"])
    walk.pass(500)
    expect(walk.heard, ["2 -70"])
  }

  @Test func betweenTwoGroupsNothingFlutters() throws {
    let walk = try Walk([groupUUID, other])
    for _ in 0..<60 {
      walk.receive(beacon(1), -60)
      walk.receive(beacon(1, of: other), -60)
      walk.pass(1_000)
    }
    expect(walk.moves(), ["enter A", "exit A", "enter B"])
    // The second falls silent: the first is still there.
    for _ in 0..<31 {
      walk.receive(beacon(1), -60)
      walk.pass(1_000)
    }
    expect(walk.moves(), ["exit B", "enter A"])
    // It comes again after a silence of 30 s.
    walk.receive(beacon(1, of: other), -60)
    expect(walk.moves(), ["exit A", "enter B"])
  }

  @Test func eachSecondNearAGroupTellsItsBeacons() throws {
    let walk = try Walk([groupUUID, other], start: 7_400)
    walk.receive(beacon(1), -60)
    walk.receive(beacon(1), -61)
    walk.receive(beacon(1), -61)
    walk.receive(beacon(7), -80)
    walk.receive(beacon(7), 127)
    #expect(walk.heard.isEmpty)
    expect(walk.deadline, 8_000)
    walk.pass(600)
    expect(walk.news(), ["enter A", "beacons A"])
    expect(walk.heard, ["1 -61", "7 -80"])
    walk.receive(beacon(7), -90)
    expect(walk.heard, ["1 -61", "7 -80"])
    walk.pass(1_000)
    expect(walk.heard, ["7 -90"])
    walk.pass(1_000)
    expect(walk.news(), ["beacons A", "beacons A"])
    #expect(walk.heard.isEmpty)
  }

  @Test func aBeaconThatSaysAnotherPowerIsTheSame() throws {
    let walk = try Walk()
    walk.receive(IBeacon(groupUUID, major: 1, minor: 1, power: -59), -60)
    walk.receive(IBeacon(groupUUID, major: 1, minor: 1, power: -40), -60)
    walk.pass(1_000)
    expect(walk.heard, ["1 -60"])
  }
}
