import Bytes
import Crypto
import SMP
import TestSupport
import Testing

/// One pairing that the phone begins, played step by step in virtual time.
///
/// The fixed numbers are those of `Conversation`: the same keys, nonces and addresses, with the phone as
/// the initiator. What follows from them was calculated by Bumble 0.0.236, another implementation.
struct ReplyingConversation: ~Copyable {
  private typealias C = Conversation

  /// KeyboardDisplay with CT2, and each key that there is: what phones ask with.
  static let request = "01 04 00 2d 10 0f 0f"
  static let requestJustWorks = "01 03 00 09 10 0f 0f"
  /// DisplayYesNo, no OOB, bonding with protection and Secure Connections, 16 octets, IdKey each way.
  static let response = "02 01 00 0d 10 02 02"
  static let ourConfirm = "03 634684859b82b28367eb251c1370bebf"
  static let digits: UInt32 = 812_769
  static let phonesCheck = "0d 2b09d2394cbd7e3730b21cf61e9a3117"
  static let phonesCheckJustWorks = "0d d2de2e9b5bfcf8b4f2c0e54d21207edc"
  static let ourCheck = "0d fa36a79ba5d4f41755c540051c766c7c"
  static let longTermKey: Octets<16> = number("bb9f4ffa3d8fe3690dc7bc558c247c46")
  /// A key of zero, and our public address.
  static let ourIdentity = ["08 00000000000000000000000000000000", "09 00 cebf37371256"]

  var pairing: Pairing
  var crypto = ScriptedCrypto(
    keyPair: Conversation.keyPair, nonce: number("d5cb8454d177733effffb2ec712baeab"))
  var now = Instant(milliseconds: 1_000_000)

  init(demandsComparison: Bool = false) {
    pairing = Pairing(
      as: .responder, local: C.local, peer: C.peer, demandsComparison: demandsComparison)
  }

  /// The phone sends this command, if it is one.
  @discardableResult
  mutating func hears(_ command: String) -> PairingOutcome { hears(bytes(command)) }

  @discardableResult
  mutating func hears(_ command: [UInt8]) -> PairingOutcome {
    pairing.receive(command.span, at: now, with: &crypto)
  }

  /// The phone requests a pairing, and the owner wants it.
  @discardableResult
  mutating func accepts(_ request: String = Self.request) -> PairingOutcome {
    guard case .pairingRequest(let features) = hears(request) else {
      Issue.record("no request")
      return .nothing
    }
    return pairing.accept(features, at: now, with: &crypto)
  }

  /// All that we send, each command as text without spaces.
  mutating func says() -> [String] {
    var commands: [String] = []
    while true {
      var command = FixedBuffer<65>()
      guard pairing.takePDU(into: &command) else { return commands }
      commands.append(hex(array(command.bytes), separator: ""))
    }
  }

  mutating func answer(_ isSame: Bool) -> PairingOutcome {
    pairing.confirm(isSame, at: now, with: crypto)
  }

  mutating func encrypted() -> PairingOutcome { pairing.encrypted(at: now) }

  mutating func wait(_ milliseconds: Int64) -> PairingOutcome {
    now = now + milliseconds
    return pairing.advance(to: now)
  }

  /// Plays a numeric comparison up to where `step` is what is waited for.
  mutating func play(to step: ReplyingStep, request: String = Self.request) {
    guard step != .idle else { return }
    accepts(request)
    if step > .publicKey { hears(C.phonesKey) }
    if step > .random { hears(C.phonesNonce) }
    if step == .userWithCheck { hears(Self.phonesCheck) }
    if step > .userWithCheck { _ = answer(true) }
    if step > .dhKeyCheck { hears(Self.phonesCheck) }
    if step > .encryption { _ = encrypted() }
    if step > .identityInformation { hears(C.phonesIRK) }
    if step > .identityAddress { hears(C.phonesAddress) }
    _ = says()
  }
}

/// What is waited for, in the order of a pairing that the phone begins.
enum ReplyingStep: Int, CaseIterable, Comparable, Sendable {
  case idle, publicKey, random, user
  /// The rider, while the phone's owner has agreed.
  case userWithCheck
  case dhKeyCheck, encryption, identityInformation, identityAddress, done

  static func < (a: ReplyingStep, b: ReplyingStep) -> Bool { a.rawValue < b.rawValue }

  /// The steps in which a pairing is under way.
  static let running = nonEmpty(allCases.filter { $0 != .idle && $0 != .done })

  /// The command of the phone that belongs here.
  var command: String? {
    switch self {
    case .publicKey: Conversation.phonesKey
    case .random: Conversation.phonesNonce
    case .user, .dhKeyCheck: ReplyingConversation.phonesCheck
    case .identityInformation: Conversation.phonesIRK
    case .identityAddress: Conversation.phonesAddress
    case .idle, .userWithCheck, .encryption, .done: nil
    }
  }
}

/// Nothing is left of the attempt, and the phone may begin another.
func expectIdle(_ talk: inout ReplyingConversation) {
  #expect(talk.pairing.keys == nil)
  #expect(talk.pairing.longTermKey == nil)
  #expect(talk.pairing.deadline == nil)
  let isRunning = talk.pairing.isRunning
  #expect(!isRunning)
  #expect(talk.accepts() == .nothing)
  #expect(talk.says() == [said(ReplyingConversation.response)])
}
