import Bytes
import Central
import Sensors
import TestSupport
import Testing
import VirtualAir

/// Whom a search for a sensor chooses, by strength and time.
@Suite struct SensorChoiceTests: SensorSearching {
  let controller = VirtualController()
  private let phone: VirtualPhone
  let central: Central

  init() {
    (central, phone) = LinkTests.connected(controller) {
      $0.value = bytes("01 00 00 00 01 05 00 00 00")
    }
    _ = central.takeEvents()
  }

  @Test func theStrengthThatWasHeardLastCounts() {
    central.searchSensors()
    let first = put(.heart, number: 1, rssi: -65)
    put(.heart, number: 2, rssi: -50)
    controller.advertise(central, first, rssi: -40)
    central.pass(1_500)
    #expect(offered == first.deviceAddress)
  }

  @Test func whoComesLaterDoesNotPutTheChoiceOff() {
    central.searchSensors()
    let strap = put(.heart, number: 1, rssi: -50)
    central.pass(1_000)
    put(.speed, number: 2)
    central.pass(500)
    #expect(offered == strap.deviceAddress)
  }

  @Test func whoIsHeardAtTheEndIsOfferedAllTheSame() {
    central.searchSensors()
    central.pass(28_500)
    let strap = put(.heart, number: 1)
    central.pass(1_500)
    #expect(offered == strap.deviceAddress)
  }

  @Test func whoIsPassedOverTakesNoTimeFromTheSearch() {
    central.searchSensors()
    put(.heart, number: 1)
    central.pass(1_500)
    central.searchNextSensor()
    central.pass(28_499)
    #expect(stage != .off)
    central.pass(1)
    #expect(stage == .off)
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
    #expect(controller.link(strap) != nil && stage == .trying(.heart))
    central.pass(1)
    #expect(controller.link(strap) == nil && stage != .trying(.heart))
  }

  /// As who sends its pulse to everybody, and takes no link.
  @Test func whoCannotBeConnectedToByItsWordIsNoCandidate() {
    central.searchSensors()
    let strap = VirtualSensor(.heart, number: 1)
    controller.report(strap.address, strap.advertisement, type: 3, central)
    #expect(central.takeSensorEvents() == [])
  }
}
