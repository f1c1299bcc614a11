import Bytes
import Device
import Sensors
import TestSupport
import VirtualAir
import VirtualDevice

/// What must hold of sensors, and of what the device tells of them.
extension ScriptedRide {
  /// What was seen of sensors.
  struct SensorsSeen {
    /// By address, how often the rider had pressed when its values came.
    var offered: [String: Int] = [:]
    /// Who is, or was, remembered.
    var kept: Set<String> = []
    /// Who was heard after the rider had asked for it.
    var found: Set<String> = []
    /// When figures were told last.
    var toldAt: Instant?
  }

  func checkSensor(_ event: VirtualDevice.Event) {
    guard let address = event["address"], let state = event["state"] else { return }
    switch state {
    case "found":
      if presses == 0 { finding("a sensor is looked for without a press") }
      sensorsSeen.found.insert(address)
    case "connecting":
      guard !sensorsSeen.kept.contains(address) else { return reach("a sensor comes back") }
      if !sensorsSeen.found.contains(address) { finding("a link to \(address), whom nobody wants") }
    case "ready": sensorsSeen.offered[address] = sensorsSeen.offered[address] ?? presses
    case "remembered":
      // What has moved, or a key, is learned without the rider.
      if sensorsSeen.kept.contains(address) { return }
      guard let before = sensorsSeen.offered[address], presses > before else {
        finding("a sensor is remembered without a press")
      }
      sensorsSeen.kept.insert(address)
    case "disconnected": sensorsSeen.offered[address] = nil
    default: break
    }
  }

  /// No more often than once a second, and nothing that no bicycle does.
  func checkFigures(_ event: VirtualDevice.Event) {
    if let before = sensorsSeen.toldAt, world.now.milliseconds - before.milliseconds < 1_000 {
      finding("figures twice in a second")
    }
    sensorsSeen.toldAt = world.now
    let (speed, cadence) = (event[number: "speed"] ?? 0, event[number: "cadence"] ?? 0)
    if !(0...30_000).contains(speed) { finding("a speed of \(speed)") }
    if !(0...200).contains(cadence) { finding("a cadence of \(cadence)") }
  }

  /// The shortest way to a sensor that the rider keeps.
  func keepSensor(_ sensor: VirtualSensor) {
    behave(sensor)
    // Their page is behind one or some others, of which each is left by B.
    for pages in 1...4 {
      for _ in 0..<pages { press("a") }
      press("b")
      world.advertise(sensor)
      pass(1_600)
      guard sensor.isSubscribed else { continue }
      press("a")
      return pass(100)
    }
  }

  /// A sensor that is remembered and near is linked again, after a rest or a chip that had no link, in some minutes.
  func regainSensors() {
    let wanted = world.controller.sensors.filter { sensor in
      SensorKind.all.contains { world.device.sensors[$0]?.address == sensor.deviceAddress }
    }
    guard !wanted.isEmpty else { return }
    mendLimits()
    for sensor in wanted { behave(sensor) }
    for second: UInt32 in 0..<300 {
      for sensor in wanted { world.advertise(sensor) }
      if second % 5 == 0 { world.tell(8, 300 + second, awaitedStreet, id: 900_000 + second) }
      world.pass(1_000)
      look()
      if wanted.allSatisfy(\.isSubscribed) { return reach("all sensors are back") }
    }
    for sensor in wanted where !sensor.isSubscribed {
      finding("no link to \(sensor.name), which is remembered, within 300 s")
    }
  }

  private func behave(_ sensor: VirtualSensor) {
    (sensor.isNear, sensor.hasService, sensor.hasCCCD) = (true, true, true)
    (sensor.withheld, sensor.errors, sensor.openLinkError) = ([], [:], nil)
    (sensor.wantedParameters, sensor.leavesWhenRefused) = (nil, false)
    (sensor.ownRequests, sensor.requestsSecurity, sensor.security) = ([], false, nil)
  }
}
