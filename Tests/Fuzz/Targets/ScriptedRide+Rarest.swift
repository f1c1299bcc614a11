import ATT
import Bytes
import Device
import DeviceState
import HCI
import Panel
import TestSupport
import VirtualAir
import VirtualDevice

/// What happens seldom on a ride, and to few riders.
extension ScriptedRide {
  func rarestStep(_ code: UInt8) {
    if code >= 24 { return breakStream() }
    if code >= 20 { return sensorStep() }
    if code == 19 { return standAtHome() }
    if code >= 13, advertises { return comingStep() }
    switch code % 13 {
    case 0: askUs()
    case 1: wishForParameters()
    case 2: rideOn()
    case 3: holdButtons()
    case 4: leaveRoute()
    case 5:
      active.phone.battery = feed.pick([nil, [0], [55], [100], [101], []])
      active.phone.isBatteryPrivate = feed.bool()
      changeClock()
      changeMusic()
      changeNotifications()
      changeGauge()
    case 6: changeDisk()
    case 7: hang()
    case 8: othersAdvertise()
    case 9: feed.pick(PhoneKind.allCases).apply(to: active.phone)
    case 10: movePanel()
    case 11: sendVendorEvents()
    default: wishForReport()
    }
  }

  /// Its clock is another one, or gone, and it may say so.
  private func changeClock() {
    active.phone.clock.time = feed.pick([nil, [], Self.noon, feed.take(10)])
    active.phone.clock.zone = feed.pick([nil, [4, 4], feed.take(2)])
    active.phone.clock.refusal = feed.pick([nil, nil, 0x05, 0x0A])
    if let news = active.phone.clock.news { world.notify(news) }
  }

  /// It plays something else, or tells of it no more.
  private func changeMusic() {
    active.phone.music.isThere = feed.bool()
    active.phone.music.refusal = feed.pick([nil, nil, 0x05, 0xA2])
    if let news = active.phone.music.news(feed.pick([0, 2]), feed.take(Int(feed.u8()))) {
      world.notify(news)
    }
    if let allowed = active.phone.music.allowed(feed.take(3)) { world.notify(allowed) }
  }

  /// It notifies of something, and answers what it was asked, or whatever.
  private func changeNotifications() {
    active.phone.notifications.isThere = feed.bool()
    active.phone.notifications.refusal = feed.pick([nil, nil, 0x03, 0xA2])
    active.phone.notifications.part = feed.pick([1, 7, 20, 100])
    let number = feed.u8()
    active.phone.notifications.texts[number % 4] = .init(
      "Anna", "Ausgedacht", app: Self.apps[Int(number >> 6)])
    let (kind, flags, category): (UInt8, UInt8, UInt8) = (
      feed.u8() % 4, feed.u8(), feed.pick([1, 6, feed.u8()])
    )
    let uid = feed.u8() % 4
    if let news = active.phone.notifications.news(kind, flags: flags, category: category, uid) {
      world.notify(news)
    }
    while let answer = active.phone.notifications.takeAnswer() { world.notify(answer) }
  }

  /// The cell of Lenker's own gauge is another one, lies, or nobody answers.
  private func changeGauge() {
    let percent = feed.u8()
    world.gauge = feed.pick([
      [], [0, 0, 0xC3, 0x00, percent, 0x00, 0, 0, 0x00, 0x12, 0, 0], feed.take(10),
    ])
    world.onGauge = feed.pick([{ _ in nil }, { $0.register == 0x04 ? .remoteIO : nil }])
  }

  /// The first one is in the rider's list, if there is one.
  private static let apps = [
    "org.example.Chat", "org.example.Chats", "", String(repeating: "a", count: 300),
  ]

  private static var noon: [UInt8] { bytes("EA 07 09 11 0C 00 00 04 00 00") }

  // MARK: - The phone asks us

  private static let types: [UInt16] = [
    0x2800, 0x2801, 0x2803, 0x2A00, 0x2A01, 0x1800, 0x1801, 0x2902, 0x2A05,
  ]
  private static let handles: [UInt16] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 14, 15, 16, 0xFFFF,
  ]

  private static let line = bytes("10 47 42 28 7B 22 74 22 3A 22 6E 61 76 22 7D 29 0A")

  /// A request to our own server, most of them well-formed.
  private func askUs() {
    let (first, last) = (little(feed.pick(Self.handles)), little(feed.pick(Self.handles)))
    let type = little(feed.pick(Self.types))
    let opcode: UInt8 = feed.pick([
      0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x10, 0x12, 0x52, 0x1E, 0x16, 0x20, 0xD2,
    ])
    let parameters: [UInt8] =
      switch opcode {
      case 0x02: little(feed.pick([0, 22, 23, 185, 517]))
      case 0x04: first + last
      case 0x06: first + last + type + feed.pick([[0x00, 0x18], [0x01, 0x18], []])
      case 0x08, 0x10: first + last + type
      case 0x0A: first
      case 0x0C: first + little(feed.pick([0, 1, 6, 7, 500]))
      case 0x12, 0x52: first + feed.pick([[0, 0], [1, 0], [2, 0], feed.take(3), Self.line])
      default: feed.take(4)
      }
    let pdu = ([opcode] + parameters).dropLast(feed.pick([0, 0, 0, 0, 0, 0, 1, 2]))
    world.controller.send(channel: 0x04, Array(pdu), world)
    pass(0)
  }

  /// Other parameters for the link, by L2CAP or by the link layer.
  private func wishForParameters() {
    let shortest: UInt16 = feed.pick([6, 24, 80, 5, 3_200, 3_201])
    let longest: UInt16 = feed.pick([24, 6, 100, 400, 3_200, 3_201])
    let (latency, timeout): (UInt16, UInt16) = (
      feed.pick([0, 4, 30, 499, 500]), feed.pick([400, 600, 10, 9, 601, 3_200, 3_201])
    )
    let wanted = little(shortest) + little(longest) + little(latency) + little(timeout)
    switch feed.u8() % 3 {
    case 0: world.controller.send(channel: 0x05, [0x12, 0x07, 0x08, 0x00] + wanted, world)
    case 1: world.controller.send(channel: 0x05, [feed.u8(), 0x07, 0x02, 0x00, 0x00, 0x00], world)
    default:
      // Whether there is a link and the feature, or not.
      isRadioLying = true
      world.receive([0x04, 0x3E, 0x0B, 0x06, 0x40, 0x00] + wanted)
    }
    pass(0)
  }

  // MARK: - The ride

  /// Turn after turn, or nearer and nearer to one, until what is recorded of a ride makes room for
  /// what follows.
  private func rideOn() {
    let time: Int64 = feed.pick([50, 1_000, 2_000])
    let direction = feed.u8() % 29
    let pace = UInt32(feed.pick([0, 1, 8, 25] as [UInt16]))
    var wheel = TurningWheel(among: world.controller.sensors)
    for reading in 0..<UInt32(feed.u8()) {
      if pace == 0 || reading == 0 { street += 1 }
      let name = "\(active.streets) \(street)"
      let distance = pace == 0 ? 300 - reading : 2_000 - min(2_000, pace * reading)
      world.tell(direction, distance, name, id: UInt32(street), by: active.phone)
      wheel?.turn(by: pace, in: time)
      if let wheel { world.notify(wheel.value, from: wheel.sensor) }
      pass(time)
    }
    reach(pace == 0 ? "a long ride" : "a long way to one turn")
  }

  private func leaveRoute() {
    street += 1
    let name = feed.bool() ? "\(active.streets) \(street)" : ""
    let distance = UInt32(feed.pick([0, 12, 345] as [UInt16]))
    world.tell(30, distance, name, id: UInt32(street), by: active.phone)
    pass(feed.pick([100, 20_000, 90_000]))
  }

  /// One or both of them, for as long as it takes.
  private func holdButtons() {
    pressesOnLink += 1
    world.touch(.a, isPressed: feed.bool())
    world.touch(.b, isPressed: true)
    pass(feed.pick([100, 800, 3_200, 31_000]))
    if feed.bool() { world.touch(.a, isPressed: false) }
    world.touch(.b, isPressed: false)
    pass(0)
  }

  private func wishForReport() {
    world.reportFault = feed.pick([nil, .noSpace, .accessDenied])
    press("r")
    pass(feed.pick([0, 1_000]))
  }

  // MARK: - What holds the device together

  /// The current is cut, and the disk is another one when it comes back: with a byte changed, of
  /// somebody else, or of a later version.
  private func changeDisk() {
    let place = Int(feed.u16()) % world.disk.count
    switch feed.u8() % 4 {
    case 0: world.disk[place] ^= 1 << (feed.u8() % 8)
    case 1: world.disk = [UInt8](repeating: feed.pick([0xFF, 0x41, 0x00]), count: 1024)
    case 2: world.disk.replaceSubrange(0..<place, with: feed.take(place).padded(to: place))
    default:
      world.storeFacts = StoreFacts(isDevice: true, isFree: feed.bool(), isOpenToOthers: true)
    }
    isDiskChanged = true
    restart()
    hasStoreFailed = true
  }

  /// The end needs a disk that takes a bond.
  func mendDisk() {
    guard isDiskChanged else { return }
    if kept == nil { world.disk = [UInt8](repeating: 0, count: 1024) }
    world.storeFacts = StoreFacts(isDevice: false, isFree: true, isOpenToOthers: false)
    restart()
  }

  /// The chip says nothing more until its driver is bound once more, and the machine may be rebooted.
  private func hang() {
    tell("the chip hangs")
    world.controller.isHanging = true
    pass(feed.pick([1_000, 20_000, 120_000, 600_000]))
  }

  /// Somebody has soldered another panel, which answers at the other address.
  private func movePanel() {
    world.panelAddress = feed.pick([0x3D, 0x3C])
    restart()
  }

  /// The transport ends because of what came from it, or did not come.
  private func breakStream() {
    world.loseRadio(
      feed.pick([
        .stream(.unknownIndicator(0)), .stream(.oversize(2_000)), .stalled, .unanswered,
        .errno(.connectionRefused),
      ]))
  }

  /// A chip that answers nothing and sends events of its maker.
  private func sendVendorEvents() {
    (isRadioLying, areAnswersChanged) = (true, true)
    for _ in 0..<feed.u8() % 32 {
      world.receive([0x04, 0xFF, 0x02, 0x00, 0x00])
      pass(500)
    }
  }

  // MARK: - Who else is there

  /// Beside the beacon that stands at home, or somebody who sends the same.
  private func standAtHome() {
    let seconds = feed.pick([12, 5, 45, 700])
    let rssi: Int8 = feed.pick([-60, -75, -76, -86, 127])
    for _ in 0..<seconds {
      world.advertise(VirtualBeacon(), rssi: rssi)
      pass(1_000)
    }
  }

  /// Reports of each kind, with names, services and Apple's overflow area.
  private func othersAdvertise() {
    let type = feed.u8() % 5
    let address: [UInt8] = [feed.u8() & 1, 1, 2, 3, 4, feed.u8(), 0xC6]
    let data: [UInt8] = feed.pick([
      bytes("02 01 06 11 07") + VirtualPhone.service,
      bytes("02 01 1a 14 ff 4c 00 01 00 00 00 00 00 08 00 00 00 00 00 00 00 00 00 00"),
      bytes("02 01 1a 17 ff 4c 00 10 01 00 01") + [UInt8](repeating: 0xFF, count: 17),
      bytes("05 09 4c 65 6e 61"), bytes("03 03 00 18"), bytes("11 07 00"), [],
    ])
    let report =
      [type] + address + [UInt8(data.count)] + data + [feed.u8()]
    let parameters = [0x02, 1] + report
    world.receive([0x04, 0x3E, UInt8(parameters.count)] + parameters)
    pass(feed.pick([0, 300]))
  }
}

/// The wheel of the bicycle that rides, where it has a sensor.
private struct TurningWheel {
  let sensor: VirtualSensor
  private var (millimetres, revolutions, time) = (0, 0, 0)

  init?(among sensors: [VirtualSensor]) {
    guard let sensor = sensors.first(where: { $0.kind == .speed }) else { return nil }
    self.sensor = sensor
  }

  /// It has gone so many metres, in milliseconds.
  mutating func turn(by metres: UInt32, in milliseconds: Int64) {
    millimetres += Int(metres) * 1_000
    revolutions = millimetres / 2_096
    time += Int(milliseconds) * 1_024 / 1_000
  }

  /// CSC Measurement with the wheel alone.
  var value: [UInt8] {
    [0x01] + little(UInt16(revolutions & 0xFFFF)) + [0, 0] + little(UInt16(time & 0xFFFF))
  }
}

extension [UInt8] {
  fileprivate func padded(to count: Int) -> [UInt8] {
    self + [UInt8](repeating: 0, count: count - self.count)
  }
}
