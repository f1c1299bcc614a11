import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// A Connection Complete with a handle that something else has: what told of its end was lost.
@Suite struct UsedHandleTests {
  enum Old: CaseIterable { case phone, visitor, leaving, sensor }

  private let visit = Visit()
  private let strap = VirtualSensor(.heart, number: 1)
  private var central: Central { visit.central }

  /// Something has the handle 0x0040, and its end is lost.
  private func lose(_ old: Old) {
    // What it has not told cannot be judged by.
    central.isControllerHonest = false
    switch old {
    case .phone:
      visit.controller.encrypts = false
      visit.isHeard()
      expect(central.stage, .connecting)
      unheard { visit.controller.disconnect(reason: 0x08, central) }
      visit.controller.encrypts = true
    case .visitor:
      visit.comes()
      unheard { visit.end() }
    case .leaving:
      visit.endsAtOnce = false
      visit.connects(from: visit.phonesAddress(9))
      central.pass(10_100)
      expect(visit.controller.isScanning, "it is left behind")
      unheard { visit.end() }
    case .sensor:
      visit.controller.sensors = [strap]
      central.follow(strap)
      visit.controller.advertise(central, strap)
      central.pass(500)
      expect(central.ask { $0.sensors.isReady(.heart) })
      unheard { visit.controller.disconnect(strap, reason: 0x08, central) }
    }
    _ = central.takeEvents()
  }

  private func unheard(_ act: () -> Void) {
    central.onPacket = { $0.starts(with: [0x04, 0x05]) ? [] : [$0] }
    act()
    central.onPacket = { [$0] }
  }

  private func expectNoRefusal(_ events: [HostEvent]) {
    expect(!events.contains { if case .bondRejected = $0 { true } else { false } })
    expect(!events.contains { if case .failed = $0 { true } else { false } })
  }

  @Test(arguments: Old.allCases)
  func centralBehaviour134_aVisitorIsLetInThoughSomethingHadItsHandle(_ old: Old) {
    lose(old)
    visit.connects(from: visit.phonesAddress(5))
    visit.asksForKey()
    visit.encryptionChanges()
    let events = central.takeEvents()
    #expect(events.contains(.encrypted))
    expectNoRefusal(events)
    expect(central.ask { $0.sensors.isReady(.heart) }, false)
  }

  @Test(arguments: [Old.leaving, .sensor])
  func centralBehaviour134_aPhoneIsLinkedThoughSomethingHadItsHandle(_ old: Old) {
    lose(old)
    visit.controller.encrypts = false
    visit.isHeard()
    let events = central.takeEvents()
    expect(events.contains { if case .connected = $0 { true } else { false } })
    expectNoRefusal(events)
    expect(central.ask { $0.sensors.isReady(.heart) }, false)
  }

  @Test func centralBehaviour134_aSensorIsLinkedThoughThePhoneHadItsHandle() {
    let controller = VirtualController()
    let (central, _) = LinkTests.connected(controller) {
      $0.value = bytes("01 00 00 00 01 05 00 00 00")
    }
    strap.isNear = false
    controller.sensors = [strap]
    central.follow(strap)
    central.isControllerHonest = false
    _ = central.takeEvents()
    central.onPacket = { $0.starts(with: [0x04, 0x05]) ? [] : [$0] }
    controller.disconnect(reason: 0x08, central)
    central.onPacket = { [$0] }
    strap.isNear = true
    controller.advertise(central, strap)
    central.pass(2_000)
    expect(central.ask { $0.sensors.isReady(.heart) })
    #expect(central.takeEvents().contains(.disconnected(.connectionTimeout)))
  }
}
