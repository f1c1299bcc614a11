import Beacons
import Bytes
import Expecting
import Places
import TestSupport

/// In which location.
@Suite struct LocatorTests {
  private let kitchen: [Int8?] = [-60, -70, -80]
  private let bedroom: [Int8?] = [-80, -70, -60]

  private func house() throws -> Walk {
    let walk = try Walk()
    try walk.add("kitchen", room([-60, -70, -80]))
    try walk.add("bedroom", room([-80, -70, -60]))
    return walk
  }

  @Test func theThirdEqualAnswerIsAMove() throws {
    let walk = try house()
    walk.stand(kitchen, seconds: 2)
    expect(walk.moves(), ["enter A"])
    walk.stand(kitchen, seconds: 1)
    expect(walk.moves(), ["enter A kitchen"])
    walk.stand(kitchen, seconds: 10)
    #expect(walk.moves().isEmpty)
  }

  @Test func aMoveLeavesTheOldPlaceFirst() throws {
    let walk = try house()
    walk.stand(kitchen, seconds: 5)
    _ = walk.moves()
    walk.stand(bedroom, seconds: 6)
    expect(walk.moves(), ["exit A kitchen", "enter A bedroom"])
  }

  @Test func eachSecondHasItsAnswer() throws {
    let walk = try house()
    walk.stand(kitchen, seconds: 4)
    // Two beacons are off by 20 dB in the other room: 2 · 128 · 400/9.
    expect(walk.answers(withMargin: true), Array(repeating: "kitchen 11378", count: 4))
  }

  @Test func theSignalIsTheMeanOf3Seconds() throws {
    let walk = try house()
    walk.stand(kitchen, seconds: 3)
    _ = walk.answers()
    walk.stand(bedroom, seconds: 4)
    // One and two of three seconds in the bedroom.
    expect(walk.answers(), ["kitchen", "bedroom", "bedroom", "bedroom"])
  }

  @Test func withFewerThan3BeaconsThereIsNoAnswer() throws {
    let walk = try house()
    walk.stand([-60, -70], seconds: 5)
    expect(walk.news(), ["enter A"] + Array(repeating: "beacons A", count: 5))
    walk.stand([nil, nil, -80], seconds: 1)
    expect(walk.answers(), ["kitchen"])
  }

  @Test func aSecondWithoutAnAnswerEndsTheRow() throws {
    let walk = try house()
    walk.stand([-60, -70], seconds: 1)
    walk.stand([nil, nil, -80], seconds: 1)
    walk.stand([], seconds: 2)
    expect(walk.answers(), ["kitchen", "kitchen"])
    walk.stand(kitchen, seconds: 2)
    #expect(walk.moves().isEmpty)
    walk.stand(kitchen, seconds: 1)
    expect(walk.moves(), ["enter A kitchen"])
  }

  /// One of three readings is lower by 1 dB: as all of it is in sixteenths, the mean is by 5/16.
  private func standInTheDoor(_ walk: Walk) {
    for _ in 0..<4 {
      walk.stand([-71, -70, -70], seconds: 1)
      walk.stand([-70, -70, -70], seconds: 2)
    }
  }

  @Test func anAnswerWithLittleMarginKeepsTheOldPlace() throws {
    let walk = try house()
    walk.stand(kitchen, seconds: 3)
    expect(walk.moves(), ["enter A", "enter A kitchen"])
    standInTheDoor(walk)
    // 128/9 · (10.3125² + 10² - 9.6875² - 10²) = 178: less than 1 nat.
    expect(walk.answers(withMargin: true).suffix(9), Array(repeating: "kitchen 178", count: 9))
    // Two of three readings: 11/16, 391.
    walk.stand([-71, -70, -70], seconds: 1)
    walk.stand([-71, -70, -70], seconds: 1)
    walk.stand([-70, -70, -70], seconds: 1)
    walk.stand([-71, -70, -70], seconds: 1)
    expect(walk.moves(), ["exit A kitchen", "enter A bedroom"])
  }

  @Test func whoIsNowhereYetHasNoOldPlaceToKeep() throws {
    let walk = try house()
    standInTheDoor(walk)
    expect(walk.moves(), ["enter A", "enter A bedroom"])
  }

  @Test func aSilentBeaconSpeaksAgainstWhereItUsedToBe() throws {
    let walk = try Walk()
    try walk.add("near", room([-70, -70, -70, -90]))
    try walk.add("far", room([-70, -70, -70]))
    walk.stand([-70, -70, -70], seconds: 1)
    expect(walk.answers(), ["far"])
  }

  @Test func aSingleLocationHasNoMargin() throws {
    let walk = try Walk()
    try walk.add("kitchen", room([-60, -70, -80]))
    walk.stand(kitchen, seconds: 3)
    expect(walk.moves(), ["enter A", "enter A kitchen"])
    walk.stand(kitchen, seconds: 1)
    expect(walk.answers(withMargin: true), ["kitchen alone"])
  }

  @Test func onlyTheLocationsOfTheGroupCount() throws {
    let other = UUID(0x0000_0000_0000_0001, 0x0000_0000_0000_0002)
    let walk = try Walk([groupUUID, other])
    try walk.add("kitchen", room([-60, -70, -80]))
    try walk.add("shed", room([-80, -70, -60], uuid: "00000000-0000-0001-0000-000000000002"))
    walk.stand(bedroom, seconds: 1)
    expect(walk.answers(withMargin: true), ["kitchen alone"])
    walk.pass(500)
    for (minor, signal) in [(1, -80), (2, -70), (3, -60)] as [(Int, Int8)] {
      walk.receive(beacon(minor, of: other), signal)
    }
    walk.pass(500)
    expect(walk.answers(), ["shed"])
  }

  @Test func whoeverLeavesTheGroupLeavesTheLocationFirst() throws {
    let walk = try house()
    walk.stand(kitchen, seconds: 3)
    _ = walk.moves()
    walk.pass(30_000)
    expect(walk.moves(), ["exit A kitchen", "exit A"])
    // Nothing is left of the row, nor of the location.
    walk.stand(kitchen, seconds: 2)
    expect(walk.moves(), ["enter A"])
    walk.stand(kitchen, seconds: 1)
    expect(walk.moves(), ["enter A kitchen"])
  }

  @Test func aLoopThatIsLateGetsOneAnswer() throws {
    let walk = try house()
    walk.stand(kitchen, seconds: 2)
    _ = walk.news()
    for (index, signal) in kitchen.enumerated() {
      if let signal { walk.receive(beacon(index + 1), signal) }
    }
    walk.sleep(2_900)
    expect(walk.answers(), ["kitchen"])
    walk.pass(50)
    #expect(walk.answers().isEmpty)
    walk.sleep(25_000)
    #expect(walk.answers().isEmpty)
    walk.sleep(60_000)
    expect(walk.moves(), ["exit A kitchen", "exit A"])
  }
}
