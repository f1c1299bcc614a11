import Bytes
import Central
import Sensors
import TestSupport
import Testing
import VirtualAir

/// The list of those that a search has come to, through which the rider goes round.
@Suite struct SensorListTests: SensorSearching {
  let controller = VirtualController()
  private let phone: VirtualPhone
  let central: Central

  init() {
    (central, phone) = LinkTests.connected(controller) {
      $0.value = bytes("01 00 00 00 01 05 00 00 00")
    }
    _ = central.takeEvents()
  }

  /// By the last byte of each address, the one that is offered in brackets.
  private var list: String {
    var places: [String] = []
    while let sensor = central.ask({ $0.listedSensor(places.count) }) {
      let number = "\(sensor.address.value & 0xFF)"
      places.append(sensor.isMarked ? "[\(number)]" : number)
    }
    return places.joined(separator: " ")
  }

  /// Straps, the first one the strongest; each is heard again and again.
  private func straps(_ count: UInt8) -> [VirtualSensor] {
    (1...count).map { put(.heart, number: $0, rssi: -40 - Int8($0)) }
  }

  private func hear(_ sensors: [VirtualSensor]) {
    for (place, sensor) in sensors.enumerated() {
      controller.advertise(central, sensor, rssi: -41 - Int8(place))
    }
    central.pass(1_500)
  }

  @Test func withoutASearchItIsEmpty() {
    #expect(list == "")
    central.searchSensors()
    #expect(list == "" && !central.ask { $0.hasSensorList })
  }

  @Test func theOneThatIsOfferedIsFirstAndThoseThatWereHeardFollow() {
    central.searchSensors()
    _ = straps(3)
    central.pass(1_500)
    #expect(list == "[1] 2 3")
    #expect(central.ask { $0.hasSensorList })
  }

  @Test func theNextOneIsMarkedAndTheOneBeforeStays() {
    central.searchSensors()
    let all = straps(3)
    central.pass(1_500)
    central.searchNextSensor()
    hear(all)
    #expect(list == "1 [2] 3")
    central.searchNextSensor()
    hear(all)
    #expect(list == "1 2 [3]")
  }

  /// Behind the last one others are listened for; the rider who wants none of them goes back to the first.
  @Test func behindTheLastOneTheNextIsTheFirst() {
    central.searchSensors()
    let all = straps(2)
    central.pass(1_500)
    central.searchNextSensor()
    hear(all)
    central.searchNextSensor()
    hear(all)
    #expect(offered == nil && stage != .off)
    central.searchNextSensor()
    central.pass(0)
    #expect(offered == all[0].deviceAddress && list == "[1] 2")
  }

  /// Both of two were offered, and the rider has gone back to the first.
  private func secondRound() -> [VirtualSensor] {
    central.searchSensors()
    let all = straps(2)
    central.pass(1_500)
    central.searchNextSensor()
    hear(all)
    central.searchNextSensor()
    central.searchNextSensor()
    central.pass(0)
    return all
  }

  @Test func onTheSecondRoundTheNextOneNeedsNoListening() {
    let all = secondRound()
    #expect(offered == all[0].deviceAddress)
    central.searchNextSensor()
    central.pass(0)
    #expect(offered == all[1].deviceAddress && list == "1 [2]")
    #expect(controller.link(all[0]) == nil, "it is left")
  }

  @Test func whoIsChosenOnTheSecondRoundIsKept() {
    let all = secondRound()
    central.follow(all[0], handles: central.ask { $0.sensorHandles(.heart) })
    #expect(stage == .off && list == "")
    central.pass(10_000)
    #expect(controller.link(all[0]) != nil && controller.link(all[1]) == nil)
  }

  /// The first of two is tried again, does not answer, and is passed over: the second one is not kept waiting.
  @Test func whoIsPassedOverWhileItIsTriedAgainCostsNoTime() {
    let all = secondRound()
    central.searchNextSensor()
    all[0].isNear = false
    central.pass(0)
    central.searchNextSensor()
    central.searchNextSensor()
    central.pass(0)
    #expect(stage == .trying(.heart) && list == "[1] 2")
    central.searchNextSensor()
    central.pass(0)
    #expect(offered == all[1].deviceAddress && list == "1 [2]")
  }

  @Test func whoIsNewIsTriedBeforeTheRoundBeginsAgain() {
    central.searchSensors()
    let first = straps(1)
    central.pass(1_500)
    central.searchNextSensor()
    let late = put(.radar, number: 9)
    hear(first)
    #expect(offered == late.deviceAddress && list == "1 [9]")
  }

  @Test func whoLedToNothingIsNotInTheList() {
    central.searchSensors()
    let liar = VirtualSensor(.heart, number: 7)
    liar.hasService = false
    controller.sensors.append(liar)
    controller.advertise(central, liar, rssi: -40)
    let strap = put(.heart, number: 2, rssi: -60)
    central.pass(1_500)
    controller.advertise(central, strap, rssi: -60)
    central.pass(1_500)
    #expect(list == "[2]")
  }

  /// Of two, the first one has gone meanwhile.
  @Test func whoIsGoneIsLeftOutOfTheNextRound() {
    central.searchSensors()
    let all = straps(2)
    central.pass(1_500)
    central.searchNextSensor()
    hear(all)
    all[0].isNear = false
    central.searchNextSensor()
    central.searchNextSensor()
    central.pass(10_000)
    #expect(list == "2" && offered == nil)
    central.searchNextSensor()
    central.pass(0)
    #expect(offered == all[1].deviceAddress)
  }

  @Test func whoIsLostWhileItIsOfferedStaysInTheList() {
    central.searchSensors()
    let all = straps(1)
    central.pass(1_500)
    controller.disconnect(all[0], reason: 0x08, central)
    #expect(offered == nil && central.ask { $0.hasSensorList })
    central.searchNextSensor()
    central.pass(0)
    #expect(offered == all[0].deviceAddress)
  }

  /// A sensor of a kind that is remembered waits until the others were offered, however strong it is.
  @Test func centralBehaviour81_thoseWhoseKindIsRememberedComeLast() {
    let old = VirtualSensor(.heart, number: 1)
    controller.sensors = [old]
    central.follow(old)
    central.searchSensors()
    let strong = put(.heart, number: 2, rssi: -40)
    let weak = put(.radar, number: 3, rssi: -69)
    central.pass(1_500)
    #expect(offered == weak.deviceAddress)
    central.searchNextSensor()
    hear([strong, weak])
    #expect(offered == strong.deviceAddress && list == "3 [2]")
  }

  /// Fifteen that advertise what they do not have, and one more that is new.
  @Test func afterSixteenTheListIsThereStill() {
    central.searchSensors()
    let strap = straps(1)[0]
    central.pass(1_500)
    central.searchNextSensor()
    for number in 2...17 as ClosedRange<UInt8> {
      let liar = VirtualSensor(.heart, number: number)
      liar.hasService = false
      controller.sensors.append(liar)
      controller.advertise(central, liar, rssi: -40)
      central.pass(1_500)
    }
    #expect(stage != .off)
    central.searchNextSensor()
    central.pass(0)
    #expect(offered == strap.deviceAddress)
  }

  /// Nothing was tried, so that nothing is to go round to.
  @Test func theNextOneOfNobodyIsNobody() {
    central.searchSensors()
    central.searchNextSensor()
    #expect(list == "" && stage != .off)
  }

  @Test func aNewSearchHasANewList() {
    central.searchSensors()
    _ = straps(2)
    central.pass(1_500)
    central.endSensorSearch()
    central.searchSensors()
    #expect(list == "")
  }
}
