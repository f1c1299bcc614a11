import TestSupport
import VirtualAir
import VirtualDevice

/// Sensors that come, tell, misbehave and leave.
extension ScriptedRide {
  /// One of each kind that a bicycle has room for; with wheel and crank, two of one service.
  static func sensors(hasPower: Bool) -> [VirtualSensor] {
    let kinds: [VirtualSensor.Kind] =
      hasPower ? [.heart, .power, .radar] : [.cadence, .speed, .radar]
    return kinds.enumerated().map { VirtualSensor($1, number: UInt8($0)) }
  }

  func sensorStep() {
    let sensors = world.controller.sensors
    guard !sensors.isEmpty else { return changeLimits() }
    let sensor = feed.pick(sensors)
    switch feed.u8() % 13 {
    case 0, 1, 2:
      sensor.isNear = true
      world.advertise(sensor, rssi: feed.pick([-55, -70, -71, -95, 127]))
      if world.controller.link(sensor) != nil { reach("a link to a sensor") }
    case 3:
      sensor.isNear = false
      world.loseLink(of: sensor, reason: feed.pick([0x08, 0x13, 0x3B, 0x3E]))
    case 4: world.loseLink(of: sensor)
    case 5, 6: tellValue(of: sensor)
    case 7: world.notify(feed.take(Int(feed.u8() % 40)), from: sensor)
    case 8: sensorSays(sensor)
    case 9: misbehave(sensor)
    case 10: changeLimits()
    case 12: keepSensor(sensor)
    default:
      sensor.battery = feed.pick([nil, 0, 14, 15, 100, 101])
      sensor.name = feed.pick(["", "H10", "\u{1B}[2J", String(repeating: "ä", count: 30)])
    }
    pass(feed.pick([0, 100, 1_000]))
  }

  /// Values as sensors have them, the counts and times of the input.
  private func tellValue(of sensor: VirtualSensor) {
    for _ in 0..<(1 + feed.u8() % 8) {
      let (count, time) = (little(feed.u16()), little(feed.u16()))
      let value: [UInt8] =
        switch sensor.kind {
        case .heart: [feed.pick([0x00, 0x16, 0x10, 0x04]), feed.u8()] + time
        case .speed: [0x03] + count + [0, 0] + time + little(feed.u16()) + time
        case .cadence: [0x02] + count + time
        case .power: [0x30, 0x00] + little(feed.u16()) + count + [0, 0] + time + count + time
        case .radar: [feed.u8() & 0xF0 | feed.pick([0, 2, 2])] + feed.take(Int(feed.u8() % 7) * 3)
        }
      world.notify(value, from: sensor)
      if sensor.isSubscribed { reach("a value of a sensor") }
      pass(feed.pick([250, 1_000, 4_100]))
    }
  }

  /// Bytes on a channel of its link.
  private func sensorSays(_ sensor: VirtualSensor) {
    let channel: UInt8 = feed.pick([0x04, 0x06, 0x05, 0x07])
    let payload: [UInt8] = feed.pick([
      [0x0A, 0x03, 0x00], [0x02, 0x17, 0x00], [0x0B, 0x01],
      [0x12, 1, 8, 0, 6, 0, 0x80, 0x0C, 0, 0],
      [0x1D, 0x22, 0x00, 0x01], [0x05, 0x05], feed.take(Int(feed.u8() % 30)),
    ])
    world.controller.send(channel: channel, payload, from: sensor, world)
  }

  private func misbehave(_ sensor: VirtualSensor) {
    switch feed.u8() % 14 {
    case 0: sensor.wantedParameters = feed.pick([nil, [250, 400, 0, 600], [6, 3_200, 499, 9]])
    case 1: sensor.leavesWhenRefused = feed.bool()
    case 2: sensor.withheld = [feed.pick([0x02, 0x06, 0x08, 0x04, 0x12, 0x0A, 0])]
    case 3: sensor.errors = feed.bool() ? [:] : [feed.pick([0x02, 0x06, 0x08, 0x12]): feed.u8()]
    case 4: sensor.openLinkError = feed.pick([nil, 0x05, 0x0F])
    case 5:
      let security = VirtualSecurity(number: 100)
      security.manner = feed.pick([.justWorks, .legacy, .refusal(5), .silence, .comparison])
      sensor.security = security
    case 6: sensor.requestsSecurity = feed.bool()
    case 7:
      sensor.ownRequests = feed.pick([[], [[0x02, 0x05, 0x02]], [[0x10, 1, 0, 9, 0, 0, 0x28]]])
    case 8: sensor.hasService = feed.bool()
    case 9: sensor.notifiesUnasked = feed.bool()
    case 10: sensor.properties = feed.pick([0x00, 0x10, 0x20, 0x30])
    case 11:
      (sensor.notifiesBattery, sensor.openBatteryError) = (feed.bool(), feed.pick([nil, 0x0F]))
    case 12: sensor.mtu = feed.pick([0, 23, 60, 517])
    default: sensor.hasCCCD = feed.bool()
    }
  }

  private func changeLimits() {
    let controller = world.controller
    let opcodes: [UInt16] = [0x200F, 0x2010, 0x2011, 0x201C]
    switch feed.u8() % 8 {
    case 0: controller.linkLimit = feed.pick([1, 2, 3, 10])
    case 1: controller.limitRefusal = feed.pick([.commandStatus, .connectionComplete])
    case 2: controller.supportedStates = feed.pick([0x3FF_FFFF_FFFF, 0, 0x0300_0000, 0x1000_0000])
    case 3: controller.refusesToConnectWhileScanning = feed.bool()
    case 4: controller.completesEndedLinks = feed.bool()
    case 5: controller.withheld = [feed.pick(opcodes)]
    case 6: controller.refused = [feed.pick(opcodes): feed.pick([0x01, 0x07, 0x0C])]
    default: controller.acceptListSize = feed.pick([128, 1, 0, 2])
    }
  }

  /// The chip has room again, on which the phone's return must not depend.
  func mendLimits() {
    let controller = world.controller
    let usual = VirtualController()
    (controller.linkLimit, controller.completesEndedLinks) = (usual.linkLimit, false)
    controller.acceptListSize = usual.acceptListSize
    guard controller.supportedStates != usual.supportedStates else { return }
    controller.supportedStates = usual.supportedStates
    // What it has said of itself is asked for again.
    world.loseRadio()
  }
}
