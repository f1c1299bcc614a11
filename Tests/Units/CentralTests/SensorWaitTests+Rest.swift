import Bytes
import TestSupport
import Testing
import VirtualAir

/// Sensors while the phone is away, and when one of several leads to no link.
extension SensorWaitTests {
  /// The phone is away, and nobody else is around: what the sensor tells shows that the controller is well.
  @Test func aQuietPlaceIsNoDeafControllerWhileASensorTells() {
    waitForStrap()
    wakeStrap()
    controller.disconnect(reason: 0x08, central)
    controller.forgetCommands()
    for _ in 0..<300 {
      controller.notify(bytes("00 48"), from: strap, central)
      central.pass(1_000)
    }
    #expect(!controller.commands.contains(0x0C03) && controller.link(strap) != nil)
  }

  /// One that was heard, linked and is gone again is not tried before it is heard anew.
  @Test func whoHasGoneIsNotTriedBeforeItIsHeardAgain() {
    strap.isNear = false
    central.follow(strap)
    controller.disconnect(reason: 0x08, central)
    wakeStrap()
    central.pass(1_000)
    #expect(central.ask { $0.isSensorReady(.heart) })
    loseStrap()
    controller.forgetCommands()
    central.pass(5_000)
    #expect(!controller.commands.contains(0x200D) && controller.isScanning)
  }

  /// The radar's link was lost at once: the strap is waited for as before.
  @Test func whoIsLostAtOnceIsNoReasonToRestForOthers() {
    let radar = VirtualSensor(.radar, number: 4)
    radar.isNear = false
    controller.sensors.append(radar)
    waitForStrap()
    central.follow(radar)
    controller.forgetCommands()
    controller.connect(central, to: radar.address, status: 0x3E)
    central.pass(100)
    wakeStrap()
    central.pass(100)
    #expect(central.ask { $0.isSensorReady(.heart) })
  }

  /// An empty list would be waited for in vain, and one sensor of two as well.
  @Test(arguments: [0, 1] as [UInt8])
  func whereTheListHasNoRoomSensorsAreTriedInTurn(_ size: UInt8) {
    let wheel = VirtualSensor(.speed, number: 2)
    controller.sensors.append(wheel)
    controller.acceptListSize = size
    wheel.isNear = false
    waitForStrap()
    central.follow(wheel)
    strap.isNear = true
    controller.forgetCommands()
    central.pass(70_000)
    #expect(!controller.commands.contains(0x2011))
    #expect(central.ask { $0.isSensorReady(.heart) })
  }
}
