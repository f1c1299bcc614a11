import Bytes
import Crypto
import HCI
import L2CAP
import SMP

/// What the recording says about random numbers and keys, which cannot be made again.
///
/// Keys are blank in a recording. This replay has keys of its own instead. They open what the old ones
/// opened, by the addresses and check values of the packets.
final class Knowledge {
  /// A phone's key as a recording has it.
  static let blank = Octets<16>()
  /// Replaces a phone's blank IRK on its way to the device, which takes zeros for no key.
  static let irk = Octets<16>(words: [0x4C65_6E6B, 0x6572_2072, 0x6570_6C61, 0x7973_2E2E])

  /// Our public keys and nonces in the order in which they were sent, the next one first.
  private var publicKeys: [PublicKey] = []
  private var nonces: [Octets<16>] = []
  /// The private addresses to which a connection was made: they are the remembered phone's.
  private var resolved: [UInt32: UInt32] = [:]
  /// Whether each phone that connected by itself was let in, the next one first.
  ///
  /// If a phone is remembered, no other phone is let in.
  private var visits: [Bool] = []
  /// The private addresses of the phones that were let in.
  private var visited: [UInt32: UInt32] = [:]

  private var ourAddress = DeviceAddress(0, .public)
  private var theirAddress = DeviceAddress(0, .public)
  /// What the phone's request or response says that it can do.
  private var theirCapability: Octets<3> = Octets()
  /// Whether the phone has begun the pairing.
  private var doTheyBegin = false
  private var ourNonce = Octets<16>()
  private var theirNonce = Octets<16>()

  init(_ entries: [Recording.Entry]) {
    var frame: [UInt8] = []
    for case .sent(let packet) in entries.map(\.content) {
      // A public key comes in pieces, each behind the indicator and four bytes of header.
      if packet.first == PacketIndicator.aclData, packet.count > 5 {
        if packet[2] & 0x30 == 0x10 { frame += packet[5...] } else { frame = packet }
        if let pdu = securityPDU(frame) { learn(pdu) }
      }
      if isCommand(packet, .leCreateConnection), packet.count >= 16 {
        learn(peer: address(packet[10..<16], packet[9]), in: &resolved)
      }
    }
    for (index, entry) in entries.enumerated() {
      guard case .received(let packet) = entry.content, isVisit(packet) else { continue }
      visits.append(!isRefused(entry.time, packet[5...6], in: entries[(index + 1)...]))
    }
  }

  /// LE (Enhanced) Connection Complete, with us as the peripheral (Vol 4, Part E, 7.7.65.1).
  private func isVisit(_ packet: [UInt8]) -> Bool {
    packet.count >= 15 && isEvent(packet, .leMeta) && isConnectionComplete(packet[3])
      && packet[4] == 0 && packet[7] == 1
  }

  /// Whether a link was ended in the turn in which it came.
  private func isRefused(
    _ time: Int64, _ handle: ArraySlice<UInt8>, in rest: ArraySlice<Recording.Entry>
  ) -> Bool {
    rest.prefix { $0.time - time <= Self.refusalTime }.contains { entry in
      guard case .sent(let packet) = entry.content, packet.count > 5 else { return false }
      return isCommand(packet, .disconnect) && packet[4...5].elementsEqual(handle)
    }
  }

  /// How late the command may be, in milliseconds: it may have to wait for the answer to another one.
  private static var refusalTime: Int64 { 50 }

  private func learn(_ pdu: ArraySlice<UInt8>) {
    let bytes = Array(pdu)
    switch bytes.first.flatMap(SecurityCode.init) {
    case .pairingPublicKey where bytes.count == 65:
      if let x: Octets<32> = octets(bytes[1..<33]), let y: Octets<32> = octets(bytes[33..<65]) {
        publicKeys.append(PublicKey(x: x, y: y))
      }
    case .pairingRandom where bytes.count == 17:
      if let nonce: Octets<16> = octets(bytes[1...]) { nonces.append(nonce) }
    default: break
    }
  }

  private func learn(peer: DeviceAddress, in addresses: inout [UInt32: UInt32]) {
    guard peer.isResolvable else { return }
    addresses[UInt32(peer.value >> 24)] = UInt32(peer.value & 0xFF_FFFF)
  }

  // MARK: - For the device

  /// The key pair of the public key that is sent next; pairs that were not used were not sent.
  var keyPair: KeyPair? {
    publicKeys.first.map { KeyPair(privateKey: Octets(), publicKey: $0) }
  }

  /// The nonce that is sent next; our IRK, which is asked for too, may be any.
  var nonce: Octets<16>? { nonces.first }

  /// The hash of a private address that the recording resolved by a key of the phone.
  func hash(of block: Octets<16>) -> Octets<16> {
    var hash = Octets<16>()
    let random = UInt32(block[0]) | UInt32(block[1]) << 8 | UInt32(block[2]) << 16
    // An address that was not resolved must not be resolved now.
    let value = resolved[random] ?? visited[random] ?? 0xFFFF_FFFF
    for index in 0..<4 { hash[index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
    return hash
  }

  // MARK: - On the way

  /// Notes a packet that the device sends now, or sent in the recording.
  func noteSent(_ packet: [UInt8]) {
    if isCommand(packet, .broadcomWriteBDADDR), packet.count >= 10 {
      ourAddress = address(packet[4..<10], 0)
    }
    guard let pdu = securityPDU(packet).map(Array.init) else { return }
    switch SecurityCode(rawValue: pdu[0]) {
    case .pairingPublicKey:
      // Its first piece may have less than x.
      let x = pdu[1...].prefix(32)
      if let index = publicKeys.firstIndex(where: { array($0.x.bytes).starts(with: x) }) {
        publicKeys.removeFirst(index + 1)
      }
    case .pairingRandom where pdu.count == 17:
      guard let nonce: Octets<16> = octets(pdu[1...]), let index = nonces.firstIndex(of: nonce)
      else { return }
      ourNonce = nonce
      nonces.removeFirst(index + 1)
    default: break
    }
  }

  /// The packet that the device gets instead of this one.
  func translate(_ packet: [UInt8]) -> [UInt8] {
    note(packet)
    guard let pdu = securityPDU(packet) else { return packet }
    switch pdu.first.flatMap(SecurityCode.init) {
    case .pairingDHKeyCheck where pdu.count == 17:
      return packet.dropLast(16) + array(theirCheck.bytes)
    case .identityInformation where pdu.count == 17 && pdu.dropFirst().allSatisfy { $0 == 0 }:
      return packet.dropLast(16) + array(Self.irk.bytes)
    default: return packet
    }
  }

  private func note(_ packet: [UInt8]) {
    if packet.count >= 13, isEvent(packet, .commandComplete),
      UInt16(packet[4]) | UInt16(packet[5]) << 8 == Opcode.readBDADDR.rawValue
    {
      ourAddress = address(packet[7..<13], 0)
    } else if packet.count >= 16, isEvent(packet, .leMeta), isConnectionComplete(packet[3]) {
      theirAddress = address(packet[9..<15], packet[8])
      if isVisit(packet), !visits.isEmpty {
        if visits.removeFirst() {
          learn(peer: theirAddress, in: &visited)
        } else {
          visited[UInt32(theirAddress.value >> 24)] = nil
        }
      }
    } else if let pdu = securityPDU(packet).map(Array.init) {
      switch pdu.first.flatMap(SecurityCode.init) {
      case .pairingRequest where pdu.count == 7, .pairingResponse where pdu.count == 7:
        theirCapability = octets(pdu[1..<4]) ?? Octets()
        doTheyBegin = pdu[0] == SecurityCode.pairingRequest.rawValue
      case .pairingRandom where pdu.count == 17: theirNonce = octets(pdu[1...]) ?? Octets()
      default: break
      }
    }
  }

  private func isEvent(_ packet: [UInt8], _ code: EventCode) -> Bool {
    packet[0] == PacketIndicator.event && packet[1] == code.rawValue
  }

  private func isConnectionComplete(_ code: UInt8) -> Bool {
    switch LEEventCode(rawValue: code) {
    case .connectionComplete, .enhancedConnectionComplete: true
    default: false
    }
  }

  /// The check value of a phone that shares the secret of this replay, zero: Vol 3, Part H, 2.3.5.6.5.
  private var theirCheck: Octets<16> {
    let crypto = SoftwareCrypto()
    let (nonces, addresses) =
      doTheyBegin
      ? ((theirNonce, ourNonce), (theirAddress, ourAddress))
      : ((ourNonce, theirNonce), (ourAddress, theirAddress))
    let (key, _) = crypto.f5(
      w: Octets(), n1: nonces.0, n2: nonces.1, a1: addresses.0, a2: addresses.1)
    return crypto.f6(
      w: key, n1: theirNonce, n2: ourNonce, r: Octets(), ioCapability: theirCapability,
      a1: theirAddress, a2: ourAddress)
  }
}

struct RecordedCrypto: Crypto {
  let knowledge: Knowledge

  func e(key: Octets<16>, _ block: Octets<16>) -> Octets<16> {
    // The key of f5 is a MAC of the secret: neither is zero, so that only an address has such a key.
    guard key == Knowledge.blank || key == Knowledge.irk else {
      return SoftwareCrypto().e(key: key, block)
    }
    return knowledge.hash(of: block)
  }

  mutating func makeKeyPair() throws(CryptoError) -> KeyPair {
    guard let pair = knowledge.keyPair else { throw .noRandomness }
    return pair
  }

  mutating func sharedSecret(
    privateKey: Octets<32>, publicKey: PublicKey
  ) throws(CryptoError) -> Octets<32> { Octets() }

  mutating func random(into bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
    let nonce = knowledge.nonce ?? Octets()
    for index in bytes.indices { bytes[index] = nonce[index % 16] }
  }
}

/// The command of the Security Manager in a packet that is a whole frame of it.
func securityPDU(_ packet: [UInt8]) -> ArraySlice<UInt8>? {
  guard packet.count > 9, packet[0] == PacketIndicator.aclData,
    UInt16(packet[7]) | UInt16(packet[8]) << 8 == ChannelIdentifier.securityManager.rawValue
  else { return nil }
  return packet[9...]
}

func isCommand(_ packet: [UInt8], _ opcode: Opcode) -> Bool {
  packet.count > 3 && packet[0] == PacketIndicator.command
    && UInt16(packet[1]) | UInt16(packet[2]) << 8 == opcode.rawValue
}

private func address(_ bytes: ArraySlice<UInt8>, _ type: UInt8) -> DeviceAddress {
  let value = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  return DeviceAddress(value, type & 1 == 0 ? .public : .random)
}

private func octets<let count: Int>(_ bytes: ArraySlice<UInt8>) -> Octets<count>? {
  guard bytes.count == count else { return nil }
  var octets = Octets<count>()
  for (index, byte) in bytes.enumerated() { octets[index] = byte }
  return octets
}
