import TestSupport

/// What stands at the host's end of the transport.
package protocol HCIReceiver: AnyObject {
  /// Takes a packet of the controller, its H4 indicator first.
  func hears(_ packet: [UInt8])
}

/// A controller as a dual-mode 4.1 chip behaves, with what can go wrong as switches.
///
/// Written from the Core Specification, Vol 4, Part E, and deliberately simple:
/// the bench's independent stack is the other opinion.
package final class VirtualController {
  package init() {}

  package var phone: VirtualPhone?
  /// Other phones that are near.
  package var others: [VirtualPhone] = []
  /// That of the others to which the link is, if it is to one of them.
  private var otherPeer: VirtualPhone?
  /// Opcodes that get no answer.
  package var withheld: Set<UInt16> = []
  /// Whether it hangs, and answers nothing until its power is switched off and on.
  package var isHanging = false
  /// Opcodes that are refused, and the status they get.
  package var refused: [UInt16: UInt8] = [:]
  /// LE buffers: length and count; a length of 0 stands for shared ones.
  package var leBuffers: (length: UInt16, count: UInt8) = (27, 8)
  package var supportedCommands = [UInt8](repeating: 0, count: 64)
  package var features: UInt64 = 0
  package var manufacturer: UInt16 = 15  // Broadcom
  /// As it comes from the factory, least significant byte first.
  package var address = bytes("66 55 44 33 22 11")
  /// Whether it takes another address, from the next Reset on.
  package var takesAddress = true
  private var newAddress: [UInt8]?
  /// What the encryption with a key that the phone does not have ends with.
  package var wrongKeyStatus: UInt8 = 0x06
  /// Whether encryption gets any end.
  package var encrypts = true
  /// Whether an attempt to connect gets as far as a link.
  package var connects = true
  /// Whether emptied buffers are given back.
  package var completesPackets = true
  /// Commands in the order in which they came.
  package private(set) var commands: [UInt16] = []
  package private(set) var isScanning = false
  /// Whether scanning asks for scan responses.
  package private(set) var isScanActive = false
  /// The interval that the last link was asked for with, in units of 1.25 ms.
  package private(set) var interval = 0
  package private(set) var peer: [UInt8] = []
  package private(set) var isConnected = false
  package private(set) var dataPackets = 0
  private var frame: [UInt8] = []
  private var key: [UInt8] = []
  package let handle: UInt16 = 0x0040

  package func take(_ packet: [UInt8], _ central: any HCIReceiver) {
    if isHanging { return }
    switch packet[0] {
    case 0x01: takeCommand(packet, central)
    case 0x02: takeData(packet, central)
    default: preconditionFailure("a host sends commands and data only")
    }
  }

  private func takeCommand(_ packet: [UInt8], _ central: any HCIReceiver) {
    let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
    let parameters = Array(packet[4...])
    precondition(parameters.count == packet[3], "the length of a command is wrong")
    commands.append(opcode)
    guard !withheld.contains(opcode) else { return }
    let status = refused[opcode] ?? 0
    switch opcode {
    case 0x200D:  // LE Create Connection
      commandStatus(opcode, status, central)
      guard status == 0 else { return }
      peer = Array(parameters[5..<12])
      interval = Int(parameters[13]) | Int(parameters[14]) << 8
      if connects { connect(central) }
    case 0x0406:  // Disconnect
      let isThere = isConnected && Array(parameters[..<2]) == little(handle)
      commandStatus(opcode, status == 0 && !isThere ? 0x02 : status, central)
      if status == 0, isThere { disconnect(reason: 0x16, central) }
    case 0x2019: encrypt(Array(parameters[12...]), status, central)
    case 0x2013: commandStatus(opcode, status, central)  // LE Connection Update
    case 0x200E:  // LE Create Connection Cancel
      commandComplete(opcode, [isConnected || peer.isEmpty ? 0x0C : status], central)
      guard !isConnected, !peer.isEmpty, status == 0 else { return }
      central.hears([0x04, 0x3E, 19, 0x01, 0x02] + [UInt8](repeating: 0, count: 17))
      peer = []
    default:
      if opcode == 0x0C03 {
        powerCycle()
        address = newAddress ?? address
      }
      if opcode == 0xFC01, status == 0, takesAddress { newAddress = parameters }
      if opcode == 0x200B { isScanActive = parameters[0] == 1 }
      if opcode == 0x200C { isScanning = parameters[0] == 1 && status == 0 }
      commandComplete(opcode, [status] + (status == 0 ? returned(opcode) : []), central)
    }
  }

  /// LE Enable Encryption: the phone must have the same key.
  private func encrypt(_ key: [UInt8], _ status: UInt8, _ central: any HCIReceiver) {
    commandStatus(0x2019, status, central)
    self.key = key
    guard status == 0, isConnected, encrypts else { return }
    encryptionEnds(central)
  }

  /// Ends what LE Enable Encryption began.
  package func encryptionEnds(_ central: any HCIReceiver) {
    let isSame = linked?.security?.longTermKey.map { array($0.bytes) } == key
    linked?.isEncrypted = isSame
    central.hears([0x04, 0x08, 4, isSame ? 0 : wrongKeyStatus] + little(handle) + [isSame ? 1 : 0])
    guard isSame, let security = linked?.security, security.codes.last == 0x0D else { return }
    for command in security.identity { send(channel: 0x06, command, central) }
  }

  private func returned(_ opcode: UInt16) -> [UInt8] {
    switch opcode {
    case 0x1001: [7, 0, 0, 7] + little(manufacturer) + [0x09, 0x22]  // HCI 4.1
    case 0x1002: supportedCommands
    case 0x1009: address
    case 0x1005: bytes("fd 03 40 08 00 01 00")  // 1021 bytes × 8
    case 0x2002: little(leBuffers.length) + [leBuffers.count]
    case 0x2003: (0..<8).map { UInt8(truncatingIfNeeded: features >> UInt64($0 * 8)) }
    default: []
    }
  }

  package func commandComplete(_ opcode: UInt16, _ returned: [UInt8], _ central: any HCIReceiver) {
    central.hears([0x04, 0x0E, UInt8(3 + returned.count), 1] + little(opcode) + returned)
  }

  package func commandStatus(_ opcode: UInt16, _ status: UInt8, _ central: any HCIReceiver) {
    central.hears([0x04, 0x0F, 4, status, 1] + little(opcode))
  }

  /// Completes the attempt that LE Create Connection began, perhaps with somebody else.
  package func connect(
    _ central: any HCIReceiver, to other: [UInt8]? = nil, status: UInt8 = 0
  ) {
    isConnected = status == 0
    let peer = other ?? self.peer
    otherPeer = isConnected ? others.first { $0.address == peer } : nil
    let complete = little(handle) + [0x00] + peer + little(0x0018) + little(0) + little(400) + [0]
    central.hears([0x04, 0x3E, 19, 0x01, status] + complete)
    if status != 0 { self.peer = [] }
  }

  package func disconnect(reason: UInt8, _ central: any HCIReceiver) {
    forgetLink()
    central.hears([0x04, 0x05, 4, 0x00] + little(handle) + [reason])
  }

  /// Forgets everything, as the power supply went.
  package func powerCycle() {
    isScanning = false
    forgetLink()
  }

  /// The phone at the other end of the link.
  package var linked: VirtualPhone? { isConnected ? otherPeer ?? phone : nil }

  private func forgetLink() {
    (otherPeer ?? phone)?.linkWasLost()
    otherPeer = nil
    isConnected = false
    peer = []
    frame = []
  }

  /// An advertisement of the phone, or of another one, as the legacy report holds it.
  package func advertise(
    _ central: any HCIReceiver, _ other: VirtualPhone? = nil, rssi: Int8 = -60
  ) {
    guard isScanning, let phone = other ?? phone else { return }
    report(phone.address, phone.advertisement, rssi: rssi, central)
  }

  package func report(
    _ address: [UInt8], _ data: [UInt8], type: UInt8 = 0, rssi: Int8 = -60,
    _ central: any HCIReceiver
  ) {
    let report = [type] + address + [UInt8(data.count)] + data + [UInt8(bitPattern: rssi)]
    central.hears([0x04, 0x3E, UInt8(2 + report.count), 0x02, 1] + report)
  }

  private func takeData(_ packet: [UInt8], _ central: any HCIReceiver) {
    dataPackets += 1
    let field = UInt16(packet[1]) | UInt16(packet[2]) << 8
    let length = Int(packet[3]) | Int(packet[4]) << 8
    precondition(packet.count == 5 + length, "the length of a data packet is wrong")
    precondition(length <= max(27, Int(leBuffers.length)) || leBuffers.length == 0)
    guard isConnected, field & 0x0FFF == handle else { return }
    if field >> 12 & 3 == 1 { frame += packet[5...] } else { frame = Array(packet[5...]) }
    if completesPackets { complete(1, central) }
    guard frame.count >= 4 else { return }  // a host that was told of tiny buffers
    let wanted = 4 + Int(frame[0]) + Int(frame[1]) << 8
    guard frame.count == wanted else { return }
    let whole = frame
    frame = []
    linked?.take(channel: whole[2], Array(whole[4...])) { channel, payload in
      self.send(channel: channel, payload, central)
    }
  }

  package func forgetCommands() { commands.removeAll(keepingCapacity: true) }

  package func complete(_ count: UInt16, _ central: any HCIReceiver) {
    central.hears([0x04, 0x13, 5, 1] + little(handle) + little(count))
  }

  /// A frame from the phone, in pieces of 27 bytes.
  package func send(channel: UInt8, _ payload: [UInt8], _ central: any HCIReceiver) {
    let frame = little(UInt16(payload.count)) + [channel, 0] + payload
    var index = 0
    while index < frame.count {
      guard isConnected else { return }
      let piece = Array(frame[index..<min(index + 27, frame.count)])
      let flags: UInt16 = index == 0 ? 0b10 : 0b01
      central.hears([0x02] + little(handle | flags << 12) + little(UInt16(piece.count)) + piece)
      index += 27
    }
  }
}

/// A field of 16 bits as HCI, L2CAP and ATT send it.
package func little(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
