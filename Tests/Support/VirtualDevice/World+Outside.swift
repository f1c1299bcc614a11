internal import Battery
internal import Bond
import Buttons
import Bytes
package import Events
import Sensors
import TestSupport
import VirtualAir

/// What the rider and the phones do.
extension World {
  /// The phone of that world comes by, with what it remembers.
  package func meet(_ other: World) {
    other.controller.powerCycle()
    (phone, security) = (other.phone, other.security)
    controller.phone = phone
    controller.others = other.controller.others
    controller.centrals = other.controller.centrals
    controller.sensors = other.controller.sensors
  }

  /// A contact closes or opens, and the kernel says so.
  package func touch(_ button: Button, isPressed: Bool) {
    if isPressed { pressed.insert(button == .a ? 0 : 1) } else { release(button) }
    device.receive(Edge(button, isPressed: isPressed, at: now), at: now)
    readEdges()
    pass(0)
  }

  /// A contact opens, and the kernel loses the edge.
  package func release(_ button: Button) { pressed.remove(button == .a ? 0 : 1) }

  /// What the loop does when it has taken all edges.
  func readEdges() {
    guard state(of: .buttons) == .open else { return }
    if device.isPressDue(at: now) {
      if !pressed.contains(0) { device.buttonIsReleased(.a, at: now) }
      if !pressed.contains(1) { device.buttonIsReleased(.b, at: now) }
    }
    device.edgesWereRead(at: now)
    takeEvents()
  }

  /// The gestures of the bytes, one after the other.
  package func press(_ gestures: String, turns: Int = 1) {
    for byte in gestures.utf8 {
      device.receive(byte, at: now)
      takeEvents()
      for _ in 0..<turns { turn() }
    }
  }

  /// From now on somebody reads these topics at the board's socket.
  package func readEvents(about topics: Topics) { device.readEvents(about: topics) }

  /// The rider keeps a sensor.
  package func remember(_ sensor: RememberedSensor) {
    device.remember(sensor, at: now)
    takeEvents()
    turn()
  }

  /// The rider has all sensors forgotten.
  package func forgetSensors() {
    device.forgetSensors(at: now)
    takeEvents()
    turn()
  }

  /// Leaves, as at SIGTERM.
  package func leave() {
    device.leave(at: now)
    send()
    turn()
  }

  package func advertise(_ other: VirtualPhone? = nil, rssi: Int8 = -60) {
    controller.advertise(self, other, rssi: rssi)
    pass(0)
  }

  /// Another advertiser is heard.
  package func report(_ address: String, _ data: [UInt8], rssi: Int8) {
    controller.report(bytes(address), data, rssi: rssi, self)
    pass(0)
  }

  package func loseLink(reason: UInt8 = 0x08) {
    controller.disconnect(reason: reason, self)
    pass(0)
  }

  /// A sensor advertises once, if it is near and free.
  package func advertise(_ sensor: VirtualSensor, rssi: Int8 = -60) {
    controller.advertise(self, sensor, rssi: rssi)
    pass(0)
  }

  /// The phone connects, if the device advertises; returns whether it did.
  @discardableResult
  package func comes(_ phone: VirtualCentral, thoughSilent: Bool = false) -> Bool {
    let comes = controller.comes(phone, self, thoughSilent: thoughSilent)
    pass(0)
    return comes
  }

  /// A phone that came by itself does these as well, and before all that it was to do.
  package func goOn(_ phone: VirtualCentral, with steps: [VirtualCentral.Step]) {
    controller.goOn(phone, with: steps, self)
    pass(0)
  }

  /// The link of a phone that came by itself ends; by default the phone ends it.
  package func loseLink(of phone: VirtualCentral, reason: UInt8 = 0x13) {
    controller.disconnect(phone, reason: reason, self)
    pass(0)
  }

  /// A beacon advertises once.
  package func advertise(_ beacon: VirtualBeacon, rssi: Int8 = -60) {
    controller.advertise(self, beacon, rssi: rssi)
    pass(0)
  }

  /// For so long the device stands beside a beacon that advertises each `interval` milliseconds, and
  /// hears what falls into a window of its scan.
  package func stand(
    beside beacon: VirtualBeacon, for milliseconds: Int64, every interval: Int64 = 200,
    rssi: Int8 = -60
  ) {
    let end = now + milliseconds
    while now < end {
      if controller.isWindowOpen(atMilliseconds: now.milliseconds) {
        advertise(beacon, rssi: rssi)
      }
      // The specification has a random part of up to 10 ms added.
      pass(min(end - now, interval + now.milliseconds * 7 % 11))
    }
  }

  /// A sensor's next value, if the device is subscribed to it.
  package func notify(_ value: [UInt8], from sensor: VirtualSensor) {
    controller.notify(value, from: sensor, self)
    pass(0)
  }

  /// The link of a sensor ends; by default the sensor ends it.
  package func loseLink(of sensor: VirtualSensor, reason: UInt8 = 0x13) {
    controller.disconnect(sensor, reason: reason, self)
    pass(0)
  }

  /// All links end at once.
  package func loseAllLinks(reason: UInt8 = 0x08) {
    controller.disconnectAll(reason: reason, self)
    pass(0)
  }

  /// The phone's next turn, or another one's, notified as that phone notifies.
  package func tell(
    _ direction: UInt8, _ distance: UInt32, _ street: String, id: UInt32 = 1,
    by other: VirtualPhone? = nil
  ) {
    say(instruction(direction, distance, Array(street.utf8), id: id), by: other)
  }

  /// The phone's value is another one from now on.
  package func say(_ value: [UInt8], by other: VirtualPhone? = nil) {
    let phone = other ?? phone
    phone.value = value
    if let news = phone.news { notify(news) }
    pass(0)
  }

  /// The phone sends this attribute PDU of its own accord.
  package func notify(_ pdu: [UInt8]) {
    controller.send(channel: 0x04, pdu, self)
    pass(0)
  }
}

/// A value as komoot's app has it.
package func instruction(
  _ direction: UInt8, _ distance: UInt32, _ street: [UInt8], id: UInt32 = 1
) -> [UInt8] {
  func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
  return little(id) + [direction] + little(distance) + street
}

/// The power: a battery's gauge on the bus, and loads of the processor.
extension World {
  func readGauge() {
    while let read = device.gaugeRead {
      gaugeReads.append((now.milliseconds, read.register))
      order.append("gauge")
      deeds += 1
      let end = Int(read.register) + read.count
      if let fault = onGauge(read) ?? (gauge.count < end ? .remoteIO : nil) {
        device.gaugeFailed(fault, at: now)
      } else {
        let bytes = Array(gauge[Int(read.register)..<end])
        device.gaugeWasRead(bytes.span, of: read.register, at: now)
      }
    }
  }

  /// Lets the time pass without a turn, as a call that hangs does.
  package func sleep(_ milliseconds: Int64) {
    now = now + milliseconds
    turn()
  }

  /// Whether the loop is not to sleep.
  package var isLoading: Bool { device.isLoading }
}

/// How the panel's bus fails: what a call ends with, and how many bytes arrive before.
package struct BusFault {
  let reason: Errno
  let arrived: Int

  package init(_ reason: Errno, arrived: Int = 0) {
    (self.reason, self.arrived) = (reason, arrived)
  }
}
