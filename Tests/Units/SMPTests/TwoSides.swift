import Bytes
import Responder
import SMP
import Seeded
import TestSupport
import Testing

/// The phone of a pairing, written apart from `Pairing`.
extension PhonePairing {
  static let features = PairingFeatures(
    ioCapability: .keyboardDisplay, hasOOBData: false, authentication: .secureBonding,
    maxKeySize: 16, initiatorKeys: .identity, responderKeys: .identity)
  static let identity: [SecurityPDU] = [
    .identityInformation(irk: number("ec0234a357c8ad05341010a60a397d9b")),
    .identityAddressInformation(DeviceAddress(0x1122_3344_5566, .public)),
  ]

  /// The phone beside us in the role `role`.
  init(beside role: PairingRole, seed: UInt64) throws {
    switch role {
    case .initiator:
      try self.init(
        initiator: Conversation.local, own: Conversation.peer, features: Self.features, seed: seed)
    case .responder:
      try self.init(
        own: Conversation.peer, responder: Conversation.local, features: Self.features, seed: seed)
    }
  }

  /// What its owner's yes makes it say; a responder's owner is asked for nothing here.
  mutating func yes() throws -> [SecurityPDU] { isInitiator ? [try agreement()] : [] }
}

/// A pairing and a phone beside it, in virtual time.
struct TwoSides: ~Copyable {
  let role: PairingRole
  var pairing: Pairing
  var phone: PhonePairing
  var crypto: SeededCrypto
  var now = Instant(milliseconds: 0)
  /// All that the owner was told.
  private(set) var outcomes: [PairingOutcome] = []
  /// What the phone has to say, in order.
  var line: [SecurityPDU] = []
  /// What it was told, by codes.
  private(set) var heard: [SecurityPDU] = []

  init(_ role: PairingRole, seed: UInt64) throws {
    self.role = role
    pairing = Pairing(as: role, local: Conversation.local, peer: Conversation.peer)
    phone = try PhonePairing(beside: role, seed: seed &+ 1_000)
    crypto = SeededCrypto(role == .initiator ? .initiator : .responder, seed: seed)
  }

  /// Begins, whichever side does.
  mutating func begin() throws {
    if phone.isInitiator {
      guard case .pairingRequest(let features) = deliver(phone.request) else { return }
      note(pairing.accept(features, at: now, with: &crypto))
    } else {
      pairing.begin(at: now)
    }
    try exchange()
  }

  /// Hands both sides what they say to each other, until nobody says anything.
  mutating func exchange() throws {
    repeat {
      try carry()
      while !line.isEmpty { deliver(line.removeFirst()) }
      try carry()
    } while !line.isEmpty
  }

  /// Hands the phone what we say.
  mutating func carry() throws {
    var command = FixedBuffer<65>()
    while pairing.takePDU(into: &command) {
      let pdu = try SecurityPDU(parsing: command.bytes)
      command.removeAll()
      heard.append(pdu)
      line += try phone.answers(pdu)
    }
  }

  @discardableResult
  mutating func deliver(_ pdu: SecurityPDU) -> PairingOutcome { deliver(octets(of: pdu)) }

  @discardableResult
  mutating func deliver(_ bytes: [UInt8]) -> PairingOutcome {
    let outcome = pairing.receive(bytes.span, at: now, with: &crypto)
    return note(outcome)
  }

  @discardableResult
  mutating func note(_ outcome: PairingOutcome) -> PairingOutcome {
    if outcome != .nothing { outcomes.append(outcome) }
    return outcome
  }

  @discardableResult
  mutating func answer(_ isSame: Bool) -> PairingOutcome {
    let outcome = pairing.confirm(isSame, at: now, with: crypto)
    return note(outcome)
  }

  @discardableResult
  mutating func encrypted() -> PairingOutcome {
    let outcome = pairing.encrypted(at: now)
    return note(outcome)
  }

  @discardableResult
  mutating func wait(_ milliseconds: Int64) -> PairingOutcome {
    now = now + milliseconds
    let outcome = pairing.advance(to: now)
    return note(outcome)
  }
}

/// The bytes of a command.
func octets(of pdu: SecurityPDU) -> [UInt8] {
  var bytes = FixedBuffer<65>()
  pdu.write(into: &bytes)
  return array(bytes.bytes)
}
