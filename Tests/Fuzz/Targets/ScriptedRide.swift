import Bytes
import Device
import HCI
import TestSupport
import VirtualAir
import VirtualDevice

/// The whole device among phones, strangers, a rider and a bus, as a script of small steps has it.
///
/// At the end all that was broken is mended, and a phone that behaves well must be ridden with again.
final class ScriptedRide {
  /// The radio tells and says what is not so; nobody can hold the device to account for that.
  var isRadioLying = false
  /// The phone has not the key any more that the device has of it.
  var isKeyLost = false
  var world: World
  var feed: Feed
  let settings: [String]
  private var faults: [AirFault] = []
  private var presses = 0
  private var street = 0
  private var isAsked = false
  /// Whether the phone pairs at all.
  private let pairs: Bool

  static func run(_ feed: inout Feed) {
    guard let ride = ScriptedRide(feed) else { return }
    ride.play()
    ride.mend()
  }

  private init?(_ feed: Feed) {
    var feed = feed
    settings = [
      "pairing=" + feed.pick(["off", "preferred", "required"]),
      "panel="
        + feed.pick([
          "ssd1306-128x64", "ssd1306-128x32", "ssd1306-64x48", "ssd1306-72x40", "sh1106-128x64",
        ]),
      "rotation=" + feed.pick(["0", "180"]),
    ]
    // A phone that does not pair is none to ride with where pairing is required.
    pairs = feed.bool() || settings[0] == "pairing=required"
    guard let world = try? World(settings, pairs: pairs) else {
      finding("the settings \(settings) are refused")
    }
    self.world = world
    self.feed = feed
    attach()
    reach(settings[0])
  }

  /// Puts the faults of the air between the world and its device.
  private func attach() {
    world.onHear = { [unowned self] packet in
      let packets = self.faulted(packet)
      for packet in packets { tell("> \(hex(packet))") }
      return packets
    }
    world.onSend = { packet in tell("< \(hex(packet))") }
  }

  // MARK: - The script

  private static let times: [Int64] = [
    0, 1, 20, 50, 100, 250, 500, 999, 1_000, 2_000, 2_001, 5_000, 10_000, 30_000, 60_000, 120_000,
    600_000,
  ]

  private func play() {
    var steps = 0
    while !feed.isEmpty, steps < 60 {
      steps += 1
      step()
      look()
    }
  }

  private func step() {
    switch feed.u8() % 20 {
    case 0, 1: pass(feed.pick(Self.times))
    case 2, 3: advertise()
    case 4: ride()
    case 5: press()
    case 6: world.loseLink(reason: feed.pick([0x08, 0x13, 0x16, 0x3E, 0x3D, 0x05, 0x22]))
    case 7: changePhone()
    case 8: changeController()
    case 9: breakPort()
    case 10: faults.append(AirFault(&feed))
    case 11: strangerComes()
    case 12: phoneSays()
    case 13: controllerSays()
    case 14: restart()
    case 15: moveService()
    case 16: mendPorts()
    case 17: pair()
    case 18: touch()
    default: world.loseRadio()
    }
  }

  func pass(_ time: Int64) {
    tell("\(time) ms")
    world.pass(time)
  }

  private func advertise() {
    if pairs, feed.bool() {
      world.phone.address = world.security.privateAddress(feed.u8())
    }
    world.advertise(rssi: Int8(bitPattern: feed.u8()))
    pass(feed.pick([0, 250, 1_000]))
  }

  /// The shortest way to a phone that is paired and rides.
  private func pair() {
    world.advertise()
    pass(1_000)
    press("p")
    pass(1_500)
    press("p")
    ride()
  }

  private func ride() {
    street += 1
    let length = Int(feed.u8())
    let name = "Straße \(street) " + String(repeating: "ä", count: length)
    world.tell(feed.u8() % 32, UInt32(feed.u16()), name, id: UInt32(street))
    pass(100)
  }

  private func press() { press(feed.pick(["p", "P", "u", "U", "r"])) }

  func press(_ gesture: String) {
    tell("press \(gesture)")
    presses += 1
    world.press(gesture)
  }

  private func touch() {
    presses += 1
    world.touch(feed.pick([.page, .unpair]), isPressed: feed.bool())
    pass(feed.pick([10, 100, 700, 3_200]))
  }

  // MARK: - What breaks

  private func changePhone() {
    let phone = world.phone
    switch feed.u8() % 12 {
    case 0: phone.hasServiceChanged = feed.bool()
    case 1: phone.mtu = feed.pick([23, 24, 185, 517, 0])
    case 2: phone.hasService = feed.bool()
    case 3: phone.hasCCCD = feed.bool()
    case 4: phone.refusesCCCD = feed.bool()
    case 5: phone.notice = feed.pick([.identifier, .value, .nothing])
    case 6: phone.blobErrorAtEnd = feed.pick([nil, 0x07, 0x0B])
    case 7: phone.readError = feed.pick([nil, 0x05, 0x0E, 0x0F])
    case 8: phone.openLinkError = feed.pick([nil, 0x05, 0x08, 0x0F])
    case 9:
      phone.withheld = feed.bool() ? [] : [feed.pick([0x02, 0x06, 0x08, 0x04, 0x12, 0x0A, 0x0C])]
    case 10: changeSecurity()
    default: phone.cut = feed.pick([nil, 20, 22, 30])
    }
  }

  private func changeSecurity() {
    switch feed.u8() % 4 {
    case 0:
      world.security.manner = feed.pick([
        .comparison, .justWorks, .refusal(5), .refusal(4), .silence,
      ])
    case 1: world.security.isBonding = feed.bool()
    case 2:
      world.security.longTermKey = nil
      isKeyLost = true
    default: world.phone.security = feed.bool() && pairs ? world.security : nil
    }
  }

  private func changeController() {
    let controller = world.controller
    let opcodes: [UInt16] = [
      0x0C03, 0x1001, 0x1002, 0x1009, 0x2003, 0x2002, 0x0C01, 0x2001, 0x200B, 0x200C, 0x200D,
      0x200E,
      0x0406, 0x2019, 0x2013,
    ]
    switch feed.u8() % 9 {
    case 0: controller.withheld = feed.bool() ? [] : [feed.pick(opcodes)]
    case 1:
      controller.refused =
        feed.bool() ? [:] : [feed.pick(opcodes): feed.pick([0x01, 0x0C, 0x12, 0x1F])]
    case 2: controller.isHanging = feed.bool()
    case 3: controller.connects = feed.bool()
    case 4: controller.encrypts = feed.bool()
    case 5: controller.completesPackets = feed.bool()
    case 6: controller.features = feed.pick([0, 0x1FF, 0x2E])
    case 7: controller.wrongKeyStatus = feed.pick([0x06, 0x05, 0x08])
    default: controller.supportedCommands = [UInt8](repeating: feed.pick([0, 0xFF]), count: 64)
    }
  }

  private func breakPort() {
    let port: Port = feed.pick([.hci, .panel, .store, .buttons, .alert])
    let reason: Errno = feed.pick([.noSuchDevice, .noSuchAddress, .timedOut, .noSpace])
    tell("\(port) fails: \(reason)")
    world.faults[port] = reason
    if world.state(of: port) == .open, port != .hci { world.fail(port, reason) }
    if port == .hci { world.loseRadio() }
  }

  private func mendPorts() {
    tell("all ports are whole")
    world.faults = [:]
    world.joinedFault = nil
  }

  /// The current is cut, and comes back.
  private func restart() {
    tell("a new start")
    let old = world
    guard let next = try? World(settings, at: old.now, boots: false) else {
      finding("no new start")
    }
    next.disk = old.disk
    next.faults = old.faults
    next.meet(old)
    world = next
    attach()
    pass(100)
    reach("restarted")
  }

  private func moveService() {
    world.phone.move()
    if feed.bool() { world.notify(VirtualPhone.serviceChanged) }
    pass(100)
  }

  private func strangerComes() {
    let address = "01 \(hex([feed.u8()])) 00 00 00 00 \(hex([0x40 | feed.u8() % 4]))"
    let data = feed.bool() ? world.phone.advertisement : feed.take(Int(feed.u8() % 32))
    world.report(address, data, rssi: Int8(bitPattern: feed.u8()))
    pass(feed.pick([0, 250]))
  }

  /// Bytes on a channel of the link, as a hostile phone may send them.
  private func phoneSays() {
    let channel: UInt8 = feed.pick([0x04, 0x06, 0x05, 0x04, 0x06, 0x07])
    if channel == 0x06 { isKeyLost = true }
    let pdu = feed.take(Int(feed.u8() % 70))
    world.controller.send(channel: channel, pdu, world)
    pass(0)
  }

  /// An event that the controller has no reason for.
  private func controllerSays() {
    isRadioLying = true
    let parameters = feed.take(Int(feed.u8() % 40))
    let code: UInt8 = feed.pick([0x05, 0x08, 0x0E, 0x0F, 0x10, 0x13, 0x30, 0x3E, 0xFF])
    world.hears([0x04, code, UInt8(parameters.count)] + parameters)
    pass(0)
  }

  private func faulted(_ packet: [UInt8]) -> [[UInt8]] {
    // The model keeps to the buffers that it has, and not to those that a fault tells of.
    let opcode = packet.starts(with: [0x04, 0x0E]) ? Array(packet.dropFirst(4).prefix(2)) : []
    let tellsBuffers = opcode == [0x02, 0x20] || opcode == [0x05, 0x10]
    guard !faults.isEmpty, !tellsBuffers else { return [packet] }
    guard let result = faults[0].apply(to: packet) else { return [packet] }
    faults.removeFirst()
    isRadioLying = true
    return result
  }

  // MARK: - What must hold

  private func look() {
    for event in world.takeEventsSoFar() {
      tell("\(world.now.milliseconds) \(event.line)")
      reach("event \(event.name) \(event["state"] ?? event["step"] ?? event["mode"] ?? "")")
      check(event)
    }
    reach("\(world.connection)")
    let isWaiting = world.connection != .noPhone && world.faults.isEmpty
    if isWaiting, world.device.deadline == nil { finding("no deadline while \(world.connection)") }
  }

  private func check(_ event: VirtualDevice.Event) {
    switch event.name {
    case "bond" where event["state"] == "saved" && settings[0] != "pairing=off":
      if presses == 0 { finding("somebody is remembered without a press") }
    default: break
    }
  }

  // MARK: - The end

  /// Mends all that was broken; the phone is as a phone should be.
  private func mend() {
    tell("mended")
    faults = []
    mendPorts()
    let controller = world.controller
    controller.withheld = []
    controller.refused = [:]
    controller.isHanging = false
    controller.connects = true
    controller.encrypts = true
    controller.completesPackets = true
    // What it has said of itself is asked anew.
    if isRadioLying { world.loseRadio() }
    world.touch(.page, isPressed: false)
    world.touch(.unpair, isPressed: false)
    let phone = world.phone
    (phone.hasService, phone.hasCCCD, phone.refusesCCCD) = (true, true, false)
    (phone.readError, phone.openLinkError, phone.cut, phone.withheld) = (nil, nil, nil, [])
    (phone.mtu, phone.notice) = (185, .identifier)
    phone.security = pairs ? world.security : nil
    world.security.manner = .comparison
    world.security.isBonding = true
    look()
    if rides(withHelp: false) { return reach("rides by itself") }
    guard isKeyLost || isRadioLying else {
      finding("no ride within 120 s, while \(world.connection)")
    }
    press("U")
    press("U")
    if rides(withHelp: true) { return reach("rides after unpairing") }
    finding("no ride even after unpairing, while \(world.connection)")
  }

  /// Whether the phone's next turn is told within 120 s of its coming back.
  ///
  /// The rider presses where the search is the rider's, and answers a question with yes.
  private func rides(withHelp hasHelp: Bool) -> Bool {
    street += 1
    let name = "Heimweg \(street)"
    for second in 0..<120 {
      if pairs { world.phone.address = world.security.privateAddress(1) }
      world.advertise()
      if second % 10 == 0, world.connection == .noPhone { press("p") }
      if hasHelp, second % 3 == 2 { press("p") }
      if isAsked { press("p") }
      isAsked = false
      world.tell(8, UInt32(300 + second), name, id: UInt32(1_000 * street + second))
      pass(1_000)
      for event in world.takeEventsSoFar() {
        tell("\(world.now.milliseconds) \(event.line)")
        if event.name == "instruction", event["street"] == name { return true }
        if event.name == "pairing", ["confirm", "ask"].contains(event["state"]) { isAsked = true }
      }
    }
    return false
  }
}

/// What is done to a packet on its way from the controller.
struct AirFault {
  private var skip: UInt8
  private let kind, place, value: UInt8

  init(_ feed: inout Feed) {
    skip = feed.u8() & 15
    (kind, place, value) = (feed.u8() % 6, feed.u8(), feed.u8())
  }

  /// What comes of the packet; `nil` if it is not its turn yet.
  mutating func apply(to packet: [UInt8]) -> [[UInt8]]? {
    guard skip == 0 else {
      skip -= 1
      return nil
    }
    var changed = packet
    let index = 1 + Int(place) % max(1, packet.count - 1)
    switch kind {
    case 0: return []
    case 1: return [packet, packet]
    case 2: return [Array(packet.prefix(index))]
    case 3: if index < packet.count { changed[index] ^= 1 << (value & 7) }
    case 4: if index < packet.count { changed[index] = value }
    default: changed += [value, value]
    }
    return [changed]
  }
}
