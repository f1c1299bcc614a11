import Bytes
import Hexadecimal

/// The host's end of the transport.
package protocol HCIReceiver: AnyObject {
  /// Receives a packet of the controller, its H4 indicator first.
  func receive(_ packet: [UInt8])
}

/// A controller that behaves like a dual-mode 4.1 chip, with its faults as switches.
///
/// Written from the Core Specification, Vol 4, Part E, and deliberately simple:
/// the bench's independent stack is the other opinion. Members that name no link or peer are about the phone's.
package final class VirtualController {
  package init() {}

  package var phone: VirtualPhone?
  package var others: [VirtualPhone] = []
  /// Sensors, near or not.
  package var sensors: [VirtualSensor] = []
  package var withheld: Set<UInt16> = []
  /// Whether it hangs, and answers nothing until its power is switched off and on.
  package var isHanging = false
  /// Opcodes that are refused, and the status they get.
  package var refused: [UInt16: UInt8] = [:]
  /// LE buffers: length and count; a length of 0 stands for shared ones.
  package var leBuffers: (length: UInt16, count: UInt8) = (27, 8)
  /// Of the optional commands only those of a peripheral, unless a test adds some.
  package var supportedCommands = VirtualController.peripheralCommands
  package var features: UInt64 = 0
  /// LE_States: all but scanning while connecting, as Bumble's controller says, unless a test changes them.
  package var supportedStates: UInt64 = 0x3FF_FF3F_FFFF
  package var manufacturer: UInt16 = 15  // Broadcom
  package var revision: UInt16 = 0
  package var subversion: UInt16 = 0x2209
  /// As it comes from the factory, least significant byte first.
  package var address = bytes("66 55 44 33 22 11")
  /// Whether it takes another address, from the next Reset on.
  package var takesAddress = true
  private var newAddress: [UInt8]?
  /// The status of an encryption with a key that the phone does not have.
  package var wrongKeyStatus: UInt8 = 0x06
  /// Whether an encryption ever completes.
  package var encrypts = true
  /// Whether an attempt to connect leads to a link.
  package var connects = true
  /// Whether a phone with this address is there, to be connected to.
  package var isOnAir: (_ address: [UInt8]) -> Bool = { _ in true }
  /// Whether emptied buffers are given back.
  package var completesPackets = true
  /// Whether buffers of a link that has ended are given back once more, as that chip does.
  package var completesEndedLinks = false
  /// How many links it holds: ten, by the README of fliclib-linux-hci, which tried that of a Raspberry Pi 3.
  package var linkLimit = 10
  /// How it refuses a further link.
  package var limitRefusal = LimitRefusal.commandStatus
  /// Whether LE Create Connection is disallowed while it scans.
  package var refusesToConnectWhileScanning = false
  /// How it refuses LE Create Connection to a phone that it has a link to, if it notices.
  package var existingRefusal: LimitRefusal?
  /// What happens when LE Create Connection is cancelled.
  package var cancelRace = CancelRace.none
  /// Whether it either advertises or scans.
  package var cannotAdvertiseWhileScanning = false
  /// The time in milliseconds; it stands still until another clock is set.
  package var clock: () -> Int64 = { 0 }
  /// What the host advertises.
  package internal(set) var advertising = VirtualAdvertising()
  /// Each period of advertising, in order.
  package internal(set) var advertisingSpells: [AdvertisingSpell] = []
  /// Phones that connect by themselves as soon as the host advertises.
  package var centrals: [VirtualCentral] = []
  var appointments: [(time: Int64, act: (any HCIReceiver) -> Void)] = []
  /// When it is to do something by itself.
  package var appointmentTimes: [Int64] { appointments.map { $0.time } }
  /// How many frames the host sent over the younger of two links to one phone, which gets none of them.
  package internal(set) var framesOnSecondLinks = 0
  /// How many devices the accept list holds; from the same README.
  package var acceptListSize: UInt8 = 128
  /// Address types and addresses that an attempt by the accept list may end with.
  package internal(set) var acceptList: [[UInt8]] = []
  package private(set) var commands: [UInt16] = []
  package private(set) var isScanning = false
  package private(set) var isScanActive = false
  /// How often and how long it scans, in units of 0.625 ms.
  package private(set) var scanTiming: (interval: UInt16, window: UInt16) = (16, 16)
  /// The attempts to connect that were accepted, in order.
  package internal(set) var initiations: [Initiation] = []
  package internal(set) var initiating: Initiation?
  package internal(set) var links: [VirtualLink] = []
  package internal(set) var dataPackets = 0
  /// How many data packets came when no buffer was free.
  package internal(set) var overruns = 0
  /// The handle of the phone's next packets.
  package internal(set) var handle: UInt16 = 0x0040

  package func take(_ packet: [UInt8], _ central: any HCIReceiver) {
    if isHanging { return }
    switch packet[0] {
    case 0x01: takeCommand(packet, central)
    case 0x02: takeData(packet, central)
    default: preconditionFailure("a host sends commands and data only")
    }
  }

  private func takeCommand(_ packet: [UInt8], _ central: any HCIReceiver) {
    let opcode = u16(packet, 1)
    let parameters = Array(packet[4...])
    precondition(parameters.count == packet[3], "the length of a command is wrong")
    commands.append(opcode)
    guard !withheld.contains(opcode) else { return }
    let status = refused[opcode] ?? 0
    switch opcode {
    case 0x200D: createConnection(parameters, status, central)
    case 0x200E: cancelConnection(status, central)
    case 0x0406:  // Disconnect
      let link = link(parameters)
      commandStatus(opcode, status == 0 && link == nil ? 0x02 : status, central)
      if status == 0, let link { end(link, reason: 0x16, central) }
    case 0x2019: encrypt(parameters, status, central)
    case 0x2006, 0x2008, 0x2009, 0x200A: setAdvertising(opcode, parameters, status, central)
    case 0x201A, 0x201B: takeKey(opcode, parameters, status, central)
    case 0x2013: updateConnection(parameters, status, central)
    case 0x2010, 0x2011, 0x2012:  // LE Clear, Add To, Remove From Filter Accept List
      let change = status == 0 ? changeAcceptList(opcode, parameters) : status
      commandComplete(opcode, [change], central)
    default:
      if opcode == 0x0C03 {
        powerCycle()
        address = newAddress ?? address
      }
      if opcode == 0xFC01, status == 0, takesAddress { newAddress = parameters }
      if opcode == 0x200B, status == 0 {
        isScanActive = parameters[0] == 1
        scanTiming = (u16(parameters, 1), u16(parameters, 3))
      }
      var status = status
      if opcode == 0x200C {
        if status == 0, parameters[0] == 1, advertising.isOn, excludesScanning { status = 0x0C }
        isScanning = parameters[0] == 1 && status == 0
      }
      commandComplete(opcode, [status] + (status == 0 ? returned(opcode) : []), central)
    }
  }

  private func returned(_ opcode: UInt16) -> [UInt8] {
    switch opcode {
    // HCI 4.1
    case 0x1001: [7] + little(revision) + [7] + little(manufacturer) + little(subversion)
    case 0x1002: supportedCommands
    case 0x1009: address
    case 0x1005: bytes("fd 03 40 08 00 01 00")  // 1021 bytes × 8
    case 0x2002: little(leBuffers.length) + [leBuffers.count]
    case 0x2003: octets(features)
    case 0x200F: [acceptListSize]
    case 0x201C: octets(supportedStates)
    default: []
    }
  }

  private func octets(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
  }

  package func commandComplete(_ opcode: UInt16, _ returned: [UInt8], _ central: any HCIReceiver) {
    central.receive([0x04, 0x0E, UInt8(3 + returned.count), 1] + little(opcode) + returned)
  }

  package func commandStatus(_ opcode: UInt16, _ status: UInt8, _ central: any HCIReceiver) {
    central.receive([0x04, 0x0F, 4, status, 1] + little(opcode))
  }

  /// Forgets everything, as after a loss of power.
  package func powerCycle() {
    isScanning = false
    initiating = nil
    acceptList = []
    endAdvertising()
    advertising = VirtualAdvertising()
    appointments = []
    let lost = links
    links = []
    for link in lost { end(of: link)?.linkWasLost() }
  }

  /// An advertisement of the phone, or of another one, as the legacy report holds it.
  package func advertise(
    _ central: any HCIReceiver, _ other: VirtualPhone? = nil, rssi: Int8 = -60
  ) {
    guard let phone = other ?? phone else { return }
    if isScanning { report(phone.address, phone.advertisement, rssi: rssi, central) }
    let isAwaited = connects && initiating?.usesAcceptList == false
    if isAwaited && initiating?.peer == phone.address || isListedAndAwaited(phone.address) {
      connect(central, to: phone.address)
    }
  }

  /// An advertisement of a beacon, which takes no connection.
  package func advertise(_ central: any HCIReceiver, _ beacon: VirtualBeacon, rssi: Int8 = -60) {
    if isScanning { report(beacon.address, beacon.advertisement, type: 3, rssi: rssi, central) }
  }

  /// Whether it scans at that time, as the window opens at the start of each interval.
  package func isWindowOpen(atMilliseconds time: Int64) -> Bool {
    isScanning && time * 8 / 5 % Int64(scanTiming.interval) < Int64(scanTiming.window)
  }

  package func report(
    _ address: [UInt8], _ data: [UInt8], type: UInt8 = 0, rssi: Int8 = -60,
    _ central: any HCIReceiver
  ) {
    let report = [type] + address + [UInt8(data.count)] + data + [UInt8(bitPattern: rssi)]
    central.receive([0x04, 0x3E, UInt8(2 + report.count), 0x02, 1] + report)
  }

  package func forgetCommands() {
    commands.removeAll(keepingCapacity: true)
    initiations.removeAll(keepingCapacity: true)
    advertisingSpells.removeAll { $0.end != nil }
  }
}

/// A field of 16 bits as HCI, L2CAP and ATT send it.
package func little(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }

/// An address type and an address as commands and reports hold them.
func deviceAddress(_ bytes: [UInt8]) -> DeviceAddress {
  let value = bytes[1...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  return DeviceAddress(value, bytes[0] == 0 ? .public : .random)
}

/// The field of 16 bits that begins at `index`.
func u16(_ bytes: [UInt8], _ index: Int) -> UInt16 {
  UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
}
