import Bytes
import ScanTool
import TestSupport
import VirtualAir

/// The steps of the script, and its end.
extension ScriptedScan {
  private static let times: [Int64] = [
    0, 1, 20, 250, 999, 1_000, 1_999, 2_000, 3_000, 4_000, 5_000, 30_000, 600_000,
  ]

  func play() {
    if feed.u8() < 250 { open() }
    var steps = 0
    while !feed.isEmpty, steps < 80 {
      steps += 1
      step()
    }
  }

  private func step() {
    switch feed.u8() % 22 {
    case 0, 1: wait(feed.pick(Self.times))
    case 2, 3: controller.advertise(self, device, rssi: Int8(bitPattern: feed.u8()))
    case 4: advertise(feed.take(Int(feed.u8() % 32)))
    case 5: advertise(structures())
    case 6: hearBeacons()
    case 7: hearExtended()
    case 8: changeDevice()
    case 9: changeController()
    case 10: faults.append(AirFault(&feed))
    case 11: deviceSays()
    case 12: controllerSays()
    case 13: controller.disconnect(device, reason: feed.pick([0x08, 0x13, 0x3E]), self)
    case 14: type(typed())
    case 15, 16: takeOutput(Int(feed.u16()))
    case 17: isTransportFull = feed.bool()
    case 18: readersWant()
    case 19: stand()
    case 20: crowdComes()
    default: if feed.u8() < 32 { finish() } else if !isOpened { open() }
    }
    settle()
  }

  // MARK: - What is heard

  /// An advertisement of one of some strangers; the controller reports as many at once as the script says.
  private func advertise(_ data: [UInt8]) {
    let (kind, number) = (feed.u8(), feed.u8())
    let address: [UInt8] = [kind >> 3 & 3, number, 0, 0, 0, 0, 0x40 * (kind >> 6)]
    for _ in 0..<max(1, kind >> 5) {
      controller.report(address, data, type: kind & 7, rssi: Int8(bitPattern: feed.u8()), self)
    }
  }

  /// AD structures that are well-formed, but for the last one now and then.
  private func structures() -> [UInt8] {
    var data: [UInt8] = []
    let types: [UInt8] = [0x02, 0x03, 0x05, 0x07, 0x08, 0x09, 0x0A, 0x16, 0x20, 0x21, 0xFF]
    while data.count < 31, !feed.isEmpty, feed.u8() > 60 {
      let type = feed.pick(types)
      let field = feed.take(Int(feed.u8() % 20))
      data += [UInt8(1 + field.count), type] + (type == 0x16 ? bytes("01 C0") : []) + field
    }
    return Array(data.prefix(31))
  }

  private func hearBeacons() {
    for _ in 0...feed.u8() % 40 {
      let beacon = VirtualBeacon(minor: UInt16(feed.u8() % 40))
      controller.advertise(self, beacon, rssi: Int8(bitPattern: feed.u8()))
    }
  }

  /// Some seconds beside the same beacons.
  private func stand() {
    let (seconds, count, level) = (feed.u8() % 40, 1 + feed.u8() % 6, Int8(bitPattern: feed.u8()))
    for _ in 0..<seconds {
      for minor in 0..<count {
        controller.advertise(self, VirtualBeacon(minor: UInt16(minor)), rssi: level)
      }
      settle()
      wait(1_000)
    }
  }

  /// More strangers than a table has lines, each heard once.
  private func crowdComes() {
    let name = feed.take(Int(feed.u8() % 26))
    for number in 0..<feed.u8() {
      let data = [UInt8(1 + name.count), 0x09] + name
      controller.report(
        [1, number, 0, 0, 0, 0, 0xC1], data, rssi: Int8(bitPattern: feed.u8()), self)
      settle()
    }
  }

  /// LE Extended Advertising Report, 7.7.65.13: with all the data that an event has room for.
  private func hearExtended() {
    let data = feed.take(Int(feed.u8() % 230))
    let head: [UInt8] = feed.u8() < 128 ? [0x13, 0] : [feed.u8(), feed.u8()]
    let report =
      head + [1, feed.u8(), 0, 0, 0, 0, 0xC0, 1, 0, 0xFF, 127, feed.u8(), 0, 0]
      + [UInt8](repeating: 0, count: 7) + [UInt8(data.count)] + data
    receive([0x04, 0x3E, UInt8(2 + report.count), 0x0D, 1] + report)
  }

  // MARK: - What goes wrong

  private func changeDevice() {
    switch feed.u8() % 8 {
    case 0: device.madeUp = nil
    case 1: device.madeUp = feed.pick([.services, .characteristics, .descriptors])
    case 2: device.madeUp = .value(count: Int(feed.u16() % 600), changes: feed.bool())
    case 3: device.madeUp = .error(feed.u8())
    case 4: device.madeUp = .bytes(feed.take(Int(feed.u8() % 62)))
    case 5:
      device.madeUp = .answers([feed.take(Int(feed.u8() % 30)), feed.take(Int(feed.u8() % 30))])
    case 6:
      device.withheld = feed.bool() ? [] : [feed.pick([0x04, 0x06, 0x08, 0x0A, 0x0C, 0x10, 0x12])]
    default: device.errors = feed.bool() ? [:] : [feed.pick([0x04, 0x0A, 0x0C, 0x12]): feed.u8()]
    }
    // Of an answer without an end some hundreds are enough to see that it leads on.
    device.requestLimit = (device.requests.count + 300, leaves: feed.bool())
  }

  private func changeController() {
    let opcodes: [UInt16] = [
      0x0C03, 0x1001, 0x1009, 0x2002, 0x200B, 0x200C, 0x200D, 0x200E, 0x0406, 0x2016,
    ]
    switch feed.u8() % 7 {
    case 0: controller.withheld = feed.bool() ? [] : [feed.pick(opcodes)]
    case 1: controller.refused = feed.bool() ? [:] : [feed.pick(opcodes): feed.pick([0x01, 0x0C])]
    case 2: controller.isHanging = feed.bool()
    case 3: controller.connects = feed.bool()
    case 4: controller.completesPackets = feed.bool()
    case 5: controller.leBuffers = (feed.pick([27, 0, 251]), feed.pick([1, 8, 0]))
    default: controller.refusesToConnectWhileScanning = feed.bool()
    }
  }

  /// Bytes on a channel of the link, or requests of a client.
  private func deviceSays() {
    let channel: UInt8 = feed.pick([0x04, 0x04, 0x05, 0x06, 0x07])
    let pdu = feed.take(Int(feed.u8() % 70))
    for _ in 0...feed.u8() % 4 { controller.send(channel: channel, pdu, from: device, self) }
  }

  private func controllerSays() {
    let parameters = feed.take(Int(feed.u8() % 40))
    let code: UInt8 = feed.pick([0x05, 0x08, 0x0E, 0x0F, 0x10, 0x13, 0x3E, 0xFF])
    receive([0x04, code, UInt8(parameters.count)] + parameters)
  }

  private func typed() -> [UInt8] {
    let words = ["pause\n", "resume\n", "abort\n", "finalize\r\n", "finalise\n", " \n"]
    return feed.u8() < 200 ? Array(feed.pick(words).utf8) : feed.take(Int(feed.u8() % 64))
  }

  private func readersWant() { tool.eventsWereWritten(wanted: feed.pick([.init(), .ofScanTool])) }

  func faulted(_ packet: [UInt8]) -> [[UInt8]] {
    guard !faults.isEmpty, let result = faults[0].apply(to: packet) else { return [packet] }
    faults.removeFirst()
    return result
  }

  // MARK: - The end

  /// The device says nothing any more, or nobody does: it is over within the sum of its times.
  func end() {
    device.withheld = Set(0...255)
    device.madeUp = nil
    faults = []
    switch feed.u8() % 3 {
    case 0: (controller.isHanging, isTransportFull) = (false, false)
    case 1: controller.isHanging = true
    default: isTransportFull = true
    }
    if !isOpened || !["inspect", "switch"].contains(command) {
      pass(1_000)
      finish()
      pass(4_000)
    } else {
      // Hearing 5 s, connecting 3, cancelling 2, writing 4, disconnecting 2, and the controller's answers.
      pass(30_000)
    }
    if !tool.hasEnded { finding("no end of \(command)") }
    checkEnding()
    summarize()
  }

  private func checkEnding() {
    guard let ending = tool.ending else { finding("it is over without an ending") }
    reach("\(ending)".prefix { $0 != "(" }.description)
    if ![0, 65, 69].contains(ending.status) { finding("status \(ending.status)") }
    var words = FixedBuffer<4096>()
    switch ending {
    case .done: return checkFile()
    case .controller(let failure): failure.explainCause(into: &words)
    case .training(let error):
      error.write(to: &words)
      tool.training.writeHeard(to: &words)
    default: ending.write(to: &words)
    }
    if words.isEmpty || words.isOverflown { finding("\(ending) without a sentence") }
  }
}
