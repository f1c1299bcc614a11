import Bytes
import Central
import TestSupport
import Testing
import VirtualAir

/// What a capture may show of the packets that are received.
@Suite struct VisibilityTests {
  private let controller = VirtualController()
  private let strap = VirtualSensor(.heart)

  private func riding(music: Bool) -> Central {
    let central = Central(music: music)
    let phone = VirtualPhone()
    phone.value = bytes("01 00 00 00 01 05 00 00 00")
    controller.phone = phone
    controller.sensors = [strap]
    controller.attach(to: central)
    central.start()
    controller.advertise(central)
    central.pass(200)
    central.follow(strap)
    return central
  }

  /// A notification, but for its value.
  private func packet(_ handle: UInt16) -> [UInt8] {
    [0x02] + little(handle | 0x2000) + bytes("07 00 03 00 04 00 1b 22 00")
  }

  @Test func withMusicWhatIsPrivateOfThePhoneIsHiddenAndNothingOfASensor() throws {
    let central = riding(music: true)
    let sensor = packet(try #require(controller.link(strap)?.handle))
    let phone = packet(controller.handle)
    let (ofSensor, ofPhone) = central.ask {
      ($0.visibility(of: sensor.span), $0.visibility(of: phone.span))
    }
    #expect(ofSensor == .all)
    #expect(ofPhone.extent(of: 0x99) == .first(0) && ofPhone.extent(of: 0x22) == .all)
  }

  @Test func withoutMusicAndNotificationsNothingIsHidden() {
    let central = riding(music: false)
    let phone = packet(controller.handle)
    #expect(central.ask { $0.visibility(of: phone.span) } == .all)
  }
}
