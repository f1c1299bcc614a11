import Bytes
import Device
import DeviceState
import HCI
import TestSupport
import VirtualAir
import VirtualDevice

/// What breaks, and who lies.
extension ScriptedRide {
  func changePhone() {
    let phone = active.phone
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
      active.security.manner = feed.pick([
        .comparison, .justWorks, .refusal(5), .refusal(4), .silence,
      ])
    case 1: active.security.isBonding = feed.bool()
    case 2:
      active.security.longTermKey = nil
      active.isKeyLost = true
    default:
      let mayPair = active !== parties[0] || pairs
      active.phone.security = feed.bool() && mayPair ? active.security : nil
    }
  }

  func changeController() {
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

  func breakPort() {
    let port: Port = feed.pick([.hci, .panel, .panelReset, .store, .buttons, .alert])
    let reason: Errno = feed.pick([.noSuchDevice, .noSuchAddress, .timedOut, .noSpace])
    tell("\(port) fails: \(reason)")
    world.faults[port] = reason
    if port == .store { hasStoreFailed = true }
    if world.state(of: port) == .open, port != .hci { world.fail(port, reason) }
    if port == .hci { world.loseRadio() }
  }

  /// The panel is pulled out, and put in again.
  func plugPanel() {
    world.cutPanelPower()
    guard world.state(of: .panel) == .open else { return }
    world.fail(.panel, .noSuchAddress)
  }

  func mendPorts() {
    tell("all ports are whole")
    world.faults = [:]
    world.joinedFault = nil
    world.isTransportFull = false
    world.reportFault = nil
  }

  /// The current is cut, and comes back; the clock goes on, or is another one.
  func restart(at clock: Instant? = nil) {
    tell("a new start")
    let old = world
    let start = clock ?? old.now
    starts += 1
    guard
      let next = try? World(
        settings, at: start, boots: false, mistake: mistake, means: means, version: version)
    else {
      finding("no new start")
    }
    worldChanges(to: next)
    next.disk = old.disk
    next.faults = old.faults
    next.meet(old)
    next.reportFault = old.reportFault
    next.storeFacts = old.storeFacts
    next.panelAddress = old.panelAddress
    (next.gauge, next.onGauge) = (old.gauge, old.onGauge)
    world = next
    hasStoreFailed = world.faults[.store] != nil
    watch()
    pass(100)
    reach("restarted")
  }

  func moveService() {
    // In a long life its handles come to their end.
    if active.phone.shift >= 0xF000 { active.phone.shift = 0 }
    active.phone.move()
    if feed.bool(), world.controller.linked === active.phone {
      world.notify(VirtualPhone.serviceChanged)
    }
    pass(100)
  }

  func strangerComes() {
    let address = "01 \(hex([feed.u8()])) 00 00 00 00 \(hex([0x40 | feed.u8() % 4]))"
    let data = feed.bool() ? world.phone.advertisement : feed.take(Int(feed.u8() % 32))
    world.report(address, data, rssi: Int8(bitPattern: feed.u8()))
    pass(feed.pick([0, 250]))
  }

  /// Bytes on a channel of the link, as a hostile phone may send them.
  func phoneSays() {
    let channel: UInt8 = feed.pick([0x04, 0x06, 0x05, 0x04, 0x06, 0x07])
    let party = parties.first { $0.phone === world.controller.linked }
    if channel == 0x06 { party?.isKeyLost = true }
    let pdu = feed.take(Int(feed.u8() % 70))
    world.controller.send(channel: channel, pdu, world)
    pass(0)
  }

  /// An event that the controller has no reason for.
  func controllerSays() {
    (isRadioLying, areAnswersChanged) = (true, true)
    let parameters = feed.take(Int(feed.u8() % 40))
    let code: UInt8 = feed.pick([0x05, 0x08, 0x0E, 0x0F, 0x10, 0x13, 0x30, 0x3E, 0xFF])
    world.receive([0x04, code, UInt8(parameters.count)] + parameters)
    pass(0)
  }

  func faulted(_ packet: [UInt8]) -> [[UInt8]] {
    guard world.state(of: .hci) == .open else { return [] }
    // The model keeps to the buffers that it has, and not to those that a fault tells of.
    let opcode = packet.starts(with: [0x04, 0x0E]) ? Array(packet.dropFirst(4).prefix(2)) : []
    let tellsBuffers = opcode == [0x02, 0x20] || opcode == [0x05, 0x10]
    guard !faults.isEmpty, !tellsBuffers else { return [packet] }
    guard let result = faults[0].apply(to: packet) else { return [packet] }
    faults.removeFirst()
    isRadioLying = true
    if !result.contains(packet) { areAnswersChanged = true }
    return result
  }
}

/// What is done to a packet on its way from the controller.
struct AirFault {
  private var skip: UInt8
  private let kind, place, value: UInt8

  init(_ feed: inout Feed) {
    skip = feed.u8() & 15
    (kind, place, value) = (feed.u8() % 8, feed.u8(), feed.u8())
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
    case 2: return [cut(packet, to: index)]
    case 3: if index < packet.count { changed[index] ^= 1 << (value & 7) }
    case 4: if index < packet.count { changed[index] = value }
    case 5: changed += [value, value]
    case 6: return [connectionComplete, packet]
    default: return [parameterRequest, packet]
    }
    return [changed]
  }

  /// Half of the events that are cut say so in their length.
  private func cut(_ packet: [UInt8], to count: Int) -> [UInt8] {
    var piece = Array(packet.prefix(count))
    if value & 1 == 1, packet[0] == 0x04, count >= 3 { piece[2] = UInt8(count - 3) }
    return piece
  }

  /// LE Connection Complete, of a link that nobody asked for.
  private var connectionComplete: [UInt8] {
    [0x04, 0x3E, 19, 0x01, 0, place & 1, 0, 0, 1, value, 0, 0, 0, 0, 0xC0, 24, 0, 0, 0, 0x90, 1, 0]
  }

  /// LE Remote Connection Parameter Request.
  private var parameterRequest: [UInt8] {
    [0x04, 0x3E, 11, 0x06, 0x40 & value, 0, 24, 0, 24, 0, 0, 0, 0x90, 1]
  }
}
