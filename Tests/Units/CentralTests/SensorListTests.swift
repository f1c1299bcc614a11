import Bytes
import Central
import Expecting
import HCI
import Sensors
import TestSupport
import VirtualAir

@testable import SensorLinks

/// The list of those that a search has come to, through which the rider goes round.
struct SensorListTests: RidingSuite {
  let ride = FollowedRide()

  /// By the last byte of each address, the one that is offered in brackets.
  private var list: String {
    var places: [String] = []
    while let sensor = central.ask({ $0.sensors.search.listed(places.count) }) {
      let number = "\(sensor.address.value & 0xFF)"
      places.append(sensor.isMarked ? "[\(number)]" : number)
    }
    return places.joined(separator: " ")
  }

  /// Straps, the first one the strongest; each is heard again and again.
  private func straps(_ count: UInt8) -> [VirtualSensor] {
    (1...count).map { put(.heart, number: $0, rssi: -40 - Int8($0)) }
  }

  /// So many straps are heard by a search, and the first one is offered.
  @discardableResult
  private func search(_ count: UInt8) -> [VirtualSensor] {
    central.searchSensors()
    let all = straps(count)
    central.pass(1_500)
    return all
  }

  /// The rider goes on, while these are heard.
  private func next(hearing sensors: [VirtualSensor]) {
    central.searchNextSensor()
    for (place, sensor) in sensors.enumerated() {
      controller.advertise(central, sensor, rssi: -41 - Int8(place))
    }
    central.pass(1_500)
  }

  @Test func withoutASearchAndInANewOneItIsEmpty() {
    central.searchNextSensor()
    expect(list == "" && stage == .off)
    central.searchSensors()
    central.searchNextSensor()
    expect(list == "" && stage != .off, "nothing was tried, so that nothing is to go round to")
    expect(!central.ask { $0.sensors.search.hasList })
    central.endSensorSearch()
    search(2)
    expect(list, "[1] 2")
    central.endSensorSearch()
    central.searchSensors()
    expect(list, "")
  }

  @Test func theOneThatIsOfferedIsMarkedAmongThoseThatWereHeard() {
    let all = search(3)
    expect(list, "[1] 2 3")
    expect(central.ask { $0.sensors.search.hasList })
    for expected in ["1 [2] 3", "1 2 [3]"] {
      next(hearing: all)
      expect(list, expected)
    }
  }

  /// Behind the last one others are listened for; the rider who wants none of them goes back to the first.
  ///
  /// On the second round the next one needs no listening.
  @Test func behindTheLastOneTheNextIsTheFirst() {
    let all = search(2)
    next(hearing: all)
    next(hearing: all)
    expect(offered == nil && stage != .off)
    next()
    expect(offered == all[0].deviceAddress && list == "[1] 2")
    next()
    expect(offered == all[1].deviceAddress && list == "1 [2]")
    expect(controller.link(all[0]) == nil, "it is left")
  }

  /// Both of two were offered, and the rider has gone back to the first.
  private func secondRound() -> [VirtualSensor] {
    let all = search(2)
    next(hearing: all)
    central.searchNextSensor()
    next()
    return all
  }

  @Test func whoIsChosenOnTheSecondRoundIsKept() {
    let all = secondRound()
    central.follow(all[0], handles: central.ask { $0.sensors.handles(.heart) })
    expect(stage == .off && list == "")
    central.pass(10_000)
    expect(controller.link(all[0]) != nil && controller.link(all[1]) == nil)
  }

  /// The first of two is tried again, does not answer, and is passed over: the second one is not kept waiting.
  @Test func whoIsPassedOverWhileItIsTriedAgainCostsNoTime() {
    let all = secondRound()
    central.searchNextSensor()
    all[0].isNear = false
    central.pass(0)
    central.searchNextSensor()
    next()
    expect(stage == .trying(.heart) && list == "[1] 2")
    next()
    expect(offered == all[1].deviceAddress && list == "1 [2]")
  }

  @Test func whoIsNewIsTriedBeforeTheRoundBeginsAgain() {
    let first = search(1)
    central.searchNextSensor()
    let late = put(.radar, number: 9)
    controller.advertise(central, first[0], rssi: -41)
    central.pass(1_500)
    expect(offered == late.deviceAddress && list == "1 [9]")
  }

  @Test func whoLedToNothingIsNotInTheList() {
    central.searchSensors()
    let liar = VirtualSensor(.heart, number: 7)
    liar.hasService = false
    put(liar, rssi: -40)
    let strap = put(.heart, number: 2, rssi: -60)
    central.pass(1_500)
    controller.advertise(central, strap, rssi: -60)
    central.pass(1_500)
    #expect(central.takeSensorEvents().contains(.sensor(.heart, .refused(.service))))
    expect(offered, strap.deviceAddress)
    expect(list, "[2]")
  }

  /// Of two, the first one has gone for a moment, or for longer than half a minute.
  @Test(arguments: [0, 30_000] as [Int64])
  func centralBehaviour129_whoIsGoneStaysInTheListForHalfAMinute(_ pause: Int64) {
    let all = search(2)
    next(hearing: all)
    all[0].isNear = false
    central.pass(pause)
    central.searchNextSensor()
    central.searchNextSensor()
    central.pass(5_000)
    let isThere = pause == 0
    expect(list == (isThere ? "[1] 2" : "2") && offered == nil)
    expect(central.ask { $0.sensors.search.listed(0)?.isUnreachable }, isThere)
    next()
    expect(offered == all[1].deviceAddress && list == (isThere ? "1 [2]" : "[2]"))
    all[0].isNear = true
    central.searchNextSensor()
    next()
    expect(offered, all[isThere ? 0 : 1].deviceAddress, "the third round tries it again")
    expect(central.ask { $0.sensors.search.listed(0)?.isUnreachable }, false)
  }

  @Test func whoIsLostWhileItIsOfferedStaysInTheList() {
    let all = search(1)
    _ = central.takeEvents()
    controller.disconnect(all[0], reason: 0x08, central)
    expect(central.takeSensorEvents().last, .sensorSearch)
    expect(offered == nil && central.ask { $0.sensors.search.hasList } && controller.isScanning)
    next()
    expect(offered, all[0].deviceAddress)
  }

  /// A sensor of a kind that is remembered waits until the others were offered, however strong it is.
  @Test func centralBehaviour81_thoseWhoseKindIsRememberedComeLast() {
    linked()
    central.searchSensors()
    let strong = put(.heart, number: 2, rssi: -40)
    let weak = put(.radar, number: 3, rssi: -69)
    central.pass(1_500)
    expect(offered, weak.deviceAddress)
    next(hearing: [strong, weak])
    expect(offered == strong.deviceAddress && list == "3 [2]")
  }

  /// Fifteen that advertise what they do not have, and one more that is new.
  @Test func afterSixteenTheListIsThereStill() {
    let strap = search(1)[0]
    central.searchNextSensor()
    for number in 2...17 as ClosedRange<UInt8> {
      let liar = VirtualSensor(.heart, number: number)
      liar.hasService = false
      put(liar, rssi: -40)
      central.pass(1_500)
    }
    #expect(stage != .off)
    next()
    expect(offered, strap.deviceAddress)
  }
}

/// Whom a search for a sensor chooses, by strength and time.
struct SensorChoiceTests: RidingSuite {
  let ride = FollowedRide()

  /// However late: of all that were heard in a second and a half, by the strength that was heard last.
  @Test(arguments: [0, 28_500] as [Int64]) func whoIsStrongestIsChosen(_ time: Int64) {
    central.searchSensors()
    central.pass(time)
    let first = put(.heart, number: 1, rssi: -65)
    put(.heart, number: 2, rssi: -50)
    controller.advertise(central, first, rssi: -40)
    central.pass(1_000)
    put(.speed, number: 3)
    central.pass(500)
    expect(offered, first.deviceAddress, "who comes later does not put the choice off")
  }

  @Test func whoIsPassedOverTakesNoTimeFromTheSearch() {
    find()
    central.searchNextSensor()
    central.pass(28_499)
    #expect(stage != .off)
    central.pass(1)
    expect(stage, .off)
  }

  /// From the attempt on, of which the link takes four seconds.
  @Test func whoLeadsToNothingIsGivenUpAfterTenSeconds() {
    central.searchSensors()
    controller.connects = false
    let strap = put(.heart, number: 1)
    strap.withheld = [0x06]
    central.pass(1_500)
    central.pass(4_000)
    controller.connects = true
    controller.advertise(central, strap)
    central.pass(5_999)
    expect(controller.link(strap) != nil && stage == .trying(.heart))
    central.pass(1)
    expect(controller.link(strap) == nil && stage != .trying(.heart))
  }
}

/// What the end of an attempt, and the values of a sensor, mean for the search: each says whose they are.
struct SensorSearchStateTests {
  private let first = DeviceAddress(1, .random)
  private let second = DeviceAddress(2, .random)
  private let now = Instant(milliseconds: 10_000)

  /// Two straps were offered; on the second round the first one is tried again.
  private func secondRound(_ body: (inout SensorSearch) -> Void) {
    var search = SensorSearch()
    search.begin(at: now)
    for strap in [first, second] {
      _ = search.receive(.heart, strap, others: SensorKinds(), rssi: -50, at: now)
      _ = search.advance(to: now + 1_500, remembered: SensorKinds())
      search.offer(.heart, strap, at: now + 1_500)
      search.next(at: now + 1_500)
    }
    search.next(at: now + 1_500)
    expect(search.state, .trying(.heart, first))
    body(&search)
  }

  private func list(_ search: borrowing SensorSearch) -> [UInt64] {
    var list: [UInt64] = []
    while let sensor = search.listed(list.count) { list.append(sensor.address.value) }
    return list
  }

  /// Or was broken off, as the phone came meanwhile, say.
  @Test(arguments: [true, false])
  func centralBehaviour129_onlyAnAttemptThatEndedMarksTheSensorAsUnreachable(_ isOver: Bool) {
    secondRound { search in
      let isTried = search.attemptFailed(first, hasTimedOut: isOver, at: now)
      expect(isTried && search.state == .listening)
      let isUnreachable = search.listed(0)?.isUnreachable
      expect(list(search) == [1, 2] && isUnreachable == isOver)
    }
  }

  /// A remembered strap was waited for in its turn when the rider went on.
  @Test(arguments: [true, false])
  func theEndOfAnAttemptAtAnotherOneSaysNothingOfTheOneThatIsTried(_ isOver: Bool) {
    secondRound { search in
      let isTried = search.attemptFailed(DeviceAddress(9, .random), hasTimedOut: isOver, at: now)
      expect(!isTried && search.state == .trying(.heart, first))
      expect(list(search), [1, 2])
    }
  }

  /// The last words of the one that is being left.
  @Test func theValuesOfAnotherOneDoNotOfferTheOneThatIsTried() {
    secondRound { search in
      search.offer(.heart, second, at: now)
      expect(search.state, .trying(.heart, first))
      search.offer(.heart, first, at: now)
      expect(search.state, .offering(.heart))
    }
  }
}
