import Bytes
import Central
import Hexadecimal
import Link
import PlainBonds
import Responder
import SMP
import TestSupport
import VirtualAir

/// A host that advertises, and phones that connect to it, byte by byte: what they say, a test says.
final class Visit {
  let central: Central
  let controller = VirtualController()
  let security = VirtualSecurity()
  /// What our server and client sent over the link of a phone that came, and what the host told the controller.
  private(set) var answers: [String] = []
  private(set) var commands: [String] = []
  /// When it was told to advertise or to listen, or not any more, and took it.
  private(set) var turns: [String] = []
  /// How often it refused to do both.
  private(set) var refusals = 0
  /// Whether a link ends as soon as it is told to.
  var endsAtOnce = true
  /// Whether emptied buffers are given back.
  var completesPackets = true
  /// Whether it refuses to advertise while it listens, and to listen while it advertises.
  var cannotDoBoth = false
  private var isAdvertising = false
  /// What a command gets instead of success.
  var refused: [UInt16: UInt8] = [:]
  /// Links that phones have made, and that have not ended.
  private var links: Set<UInt16> = []

  /// With a phone that is remembered, by its key; or nobody.
  init(
    isRemembered: Bool = true, advertises: Bool = true, pairing: PairingPolicy = .preferred,
    name: String = "Lenker", states: UInt64 = 0x3FF_FFFF_FFFF, cannotDoBoth: Bool = false,
    knowsAdvertising: Bool = true
  ) {
    controller.supportedStates = states
    self.cannotDoBoth = cannotDoBoth
    central = Central(pairing: pairing, name: name, advertises: advertises)
    // 2006, 2008, 2009, 200A, 201A and 201B.
    (controller.supportedCommands[25], controller.supportedCommands[26]) = (0xA0, 0x03)
    controller.supportedCommands[28] = knowsAdvertising ? 0x06 : 0
    controller.leBuffers = (251, 8)
    central.controller = { [unowned self] central, packet in take(packet, central) }
    if isRemembered { try? central.remember(bond) } else { central.rememberNobody() }
    central.start()
    central.pass(50)
  }

  /// One whose commands and events at the start are taken.
  static func quiet(isRemembered: Bool = true) -> Visit {
    let visit = Visit(isRemembered: isRemembered)
    _ = (visit.takeCommands(), visit.central.takeEvents())
    return visit
  }

  /// The remembered phone has come, and its link is encrypted.
  static func linked() -> Visit {
    let visit = Visit()
    visit.comes()
    return visit
  }

  /// The phone's pairing with us.
  var bond: PlainBond {
    var bond = PlainBond(number: 1)
    bond.address = security.identityAddress
    bond.irk = array(security.irk.bytes)
    bond.ltk = Array(repeating: 0x5A, count: 16)
    bond.isAuthenticated = true
    bond.handles = [0, 0, 0, 0]
    return bond
  }

  private func take(_ packet: [UInt8], _ central: any HCIReceiver) {
    guard packet[0] == 0x01 else { return takeData(packet, central) }
    let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
    commands.append(hex(packet))
    if let status = refused[opcode]
      ?? refusalOfBoth(opcode, isOn: packet.count > 4 && packet[4] == 1)
    {
      return central.receive([0x04, 0x0E, 4, 1, packet[1], packet[2], status])
    }
    switch opcode {
    case 0x0406 where links.contains(handle(packet, 4)):
      central.receive([0x04, 0x0F, 4, 0, 1, 0x06, 0x04])
      if endsAtOnce { end(handle(packet, 4), reason: 0x16) }
    // What it advertises is nobody's here: a test says who comes.
    case 0x2006, 0x2008, 0x2009, 0x200A:
      central.receive([0x04, 0x0E, 4, 1, packet[1], packet[2], 0])
    case 0x201A, 0x201B:
      central.receive([0x04, 0x0E, 6, 1, packet[1], packet[2], 0] + packet[4...5])
    default: controller.take(packet, central)
    }
  }

  private func refusalOfBoth(_ opcode: UInt16, isOn: Bool) -> UInt8? {
    switch opcode {
    case 0x200A:
      if isOn, cannotDoBoth, controller.isScanning {
        refusals += 1
        return 0x0C
      }
      isAdvertising = isOn
      turns.append("\(central.now.milliseconds) advertises \(isOn)")
    case 0x200C:
      if isOn, cannotDoBoth, isAdvertising { return 0x0C }
      turns.append("\(central.now.milliseconds) listens \(isOn)")
    default: break
    }
    return nil
  }

  private func takeData(_ packet: [UInt8], _ central: any HCIReceiver) {
    let handle = handle(packet, 1)
    guard links.contains(handle) else { return controller.take(packet, central) }
    answers.append(hex(Array(packet[5...])))
    if completesPackets { complete(packet, central) }
  }

  private func complete(_ packet: [UInt8], _ central: any HCIReceiver) {
    central.receive([0x04, 0x13, 5, 1] + packet[1...1] + [packet[2] & 0x0F, 1, 0])
  }

  private func handle(_ packet: [UInt8], _ offset: Int) -> UInt16 {
    UInt16(packet[offset]) | UInt16(packet[offset + 1] & 0x0F) << 8
  }

  // MARK: - What a phone does

  /// An address that only the remembered phone could have made.
  func phonesAddress(_ number: UInt8 = 1) -> [UInt8] { security.privateAddress(number) }

  static let stranger = bytes("01 4f 09 80 e6 42 60")

  /// LE Connection Complete as the peripheral: V7, for this address and handle.
  func connects(from address: [UInt8], handle: UInt16 = 0x0040, timeout: UInt16 = 500) {
    links.insert(handle)
    let parameters = [0x18, 0, 0, 0, UInt8(timeout & 0xFF), UInt8(timeout >> 8), 1]
    central.receive([0x04, 0x3E, 0x13, 0x01, 0, UInt8(handle), 0, 1] + address + parameters)
  }

  func end(_ handle: UInt16 = 0x0040, reason: UInt8 = 0x13) {
    guard links.remove(handle) != nil else { return }
    central.receive([0x04, 0x05, 4, 0, UInt8(handle), 0, reason])
  }

  /// LE Long Term Key Request: V8.
  func asksForKey(_ numbers: String = "00 00 00 00 00 00 00 00 00 00") {
    central.receive(bytes("04 3e 0d 05 40 00 " + numbers))
  }

  func encryptionChanges(status: UInt8 = 0, isOn: Bool = true) {
    central.receive([0x04, 0x08, 4, status, 0x40, 0, isOn ? 1 : 0])
  }

  /// The remembered phone comes and encrypts the link.
  func comes(timeout: UInt16 = 500) {
    connects(from: phonesAddress(), timeout: timeout)
    encrypts()
  }

  func encrypts() {
    asksForKey()
    encryptionChanges()
  }

  /// The phone is heard twice, as it advertises komoot.
  func isHeard() {
    let phone = VirtualPhone()
    phone.address = phonesAddress()
    controller.phone = phone
    controller.advertise(central)
    central.pass(80)
    controller.advertise(central)
  }

  /// A frame of a channel from the phone, as one packet.
  func says(_ payload: String, channel: UInt8 = 0x04, handle: UInt16 = 0x0040) {
    let payload = bytes(payload)
    let frame = [UInt8(payload.count), 0, channel, 0] + payload
    central.receive([0x02, UInt8(handle), 0x20, UInt8(frame.count), 0] + frame)
  }

  // MARK: - What came of it

  /// What was sent over its link since the last call: attribute PDUs alone, or those of another channel.
  func takeAnswers(channel: String = "04") -> [String] {
    defer { answers = [] }
    return answers.filter { $0.dropFirst(6).prefix(2) == channel }.map { String($0.dropFirst(12)) }
  }

  /// Whether a link has come up since the events were taken last; they are taken.
  var isConnected: Bool {
    central.takeEvents().isConnected
  }

  /// The commands since the last call whose opcode is one of these, as they were written.
  func takeCommands(_ opcodes: UInt16...) -> [String] {
    defer { commands = [] }
    return commands.filter { command in
      let packet = bytes(String(command.prefix(8)))
      return opcodes.contains(UInt16(packet[1]) | UInt16(packet[2]) << 8)
    }
  }

  /// Those that advertise.
  func takeAdvertising() -> [String] { takeCommands(0x2006, 0x2008, 0x2009, 0x200A) }
}

/// A command of the Security Manager as text.
func written(_ command: SecurityPDU) -> String {
  var buffer = FixedBuffer<65>()
  command.write(into: &buffer)
  return hex(array(buffer.bytes))
}

extension Visit {
  /// What a phone asks for a pairing with: a display, and all that we want; and what we say to that.
  static let request = "01 01 00 0d 10 02 02"
  static let response = "02 01 00 0d 10 02 02"

  /// A phone at this address that pairs so.
  static func initiator(_ address: DeviceAddress) throws -> PhonePairing {
    try PhonePairing(
      own: address, responder: VirtualSecurity.controller,
      features: PairingFeatures(
        ioCapability: .displayYesNo, hasOOBData: false,
        authentication: AuthenticationRequirements(rawValue: 0x0D), maxKeySize: 16,
        initiatorKeys: .identity, responderKeys: .identity), seed: 7)
  }

  /// The phone hears what we say, and answers it, until nobody says anything.
  func talk(with phone: inout PhonePairing) throws {
    while true {
      let said = takeAnswers(channel: "06")
      if said.isEmpty { return }
      for command in said {
        let packet = bytes(command)
        let parsed = try SecurityPDU(parsing: packet.span)
        for answer in try phone.answers(parsed) { says(written(answer), channel: 0x06) }
      }
    }
  }
}
