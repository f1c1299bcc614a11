import Bytes
import Crypto
import Expecting
import SMP
import TestSupport

/// mbed TLS, but with a key pair and random numbers that are known beforehand.
struct ScriptedCrypto: Crypto {
  var keyPair: KeyPair
  var nonce: Octets<16>
  /// What fails instead.
  var failure: CryptoError?
  private var real = SoftwareCrypto()

  init(keyPair: KeyPair, nonce: Octets<16>) { (self.keyPair, self.nonce) = (keyPair, nonce) }

  func e(key: Octets<16>, _ block: Octets<16>) -> Octets<16> { real.e(key: key, block) }

  mutating func makeKeyPair() throws(CryptoError) -> KeyPair {
    if let failure { throw failure }
    return keyPair
  }

  mutating func sharedSecret(
    privateKey: Octets<32>, publicKey: PublicKey
  ) throws(CryptoError) -> Octets<32> {
    try real.sharedSecret(privateKey: privateKey, publicKey: publicKey)
  }

  mutating func random(into bytes: inout MutableSpan<UInt8>) throws(CryptoError) {
    if let failure { throw failure }
    for index in bytes.indices { bytes[index] = nonce[index] }
  }
}

/// One pairing, played step by step in virtual time.
///
/// The fixed numbers: our keys and the phone's are data set 2 of the Core Specification, Vol 2,
/// Part G, 7.1.2; the nonces are those of Vol 3, Part H, Appendix D; the phone's address is the one
/// of D.7. All that follows from them (confirm and check values, the six digits, the key) was
/// calculated by Bumble 0.0.236, another implementation.
struct Conversation: ~Copyable {
  static let local = DeviceAddress(0x5612_3737_BFCE, .public)
  static let peer = DeviceAddress(0x7081_940D_FBAA, .random)
  static let keyPair = KeyPair(
    privateKey: number("06a516693c9aa31a6084545d0c5db641b48572b97203ddffb7ac73f7d0457663"),
    publicKey: PublicKey(
      x: number("2c31a47b5779809ef44cb5eaaf5c3e43d5f8faad4a8794cb987e9b03745c78dd"),
      y: number("919512183898dfbecd52e2408e43871fd021109117bd3ed4eaf8437743715d4f")))

  /// DisplayYesNo, no OOB, bonding with protection and Secure Connections, 16 octets.
  static let request = "01 01 00 0d 10 02 02"
  /// KeyboardDisplay, as phones say, with CT2; the phone hands out its identity.
  static let response = "02 04 00 2d 10 00 02"
  static let responseJustWorks = "02 03 00 09 10 00 02"
  static let ourKey = """
    0c dd785c74039b7e98cb94874aadfaf8d5433e5cafeab54cf49e8079577ba4312c
    4f5d71437743f8ead43ebd17911021d01f87438e40e252cdbedf983818129591
    """
  static let phonesKey = """
    0c cc0065e1f56c0dcfec96472066c9db848175a84dc0dfc79d1b3f3df23fe465f4
    79b2ecd8ca55a1a8434d6bca10b0c201c2334e1624c4efee99d8bbbc48d00102
    """
  static let phonesConfirm = "03 922e286256008441f0c3d4cfe54f136c"
  static let ourNonce = "04 abae2b71ecb2ffff3e7377d15484cbd5"
  static let phonesNonce = "04 cfc43dfff78365216e5fa725cce7e8a6"
  static let digits: UInt32 = 196_010
  static let ourCheck = "0d 4cbcf88f22d93c22afa90582f524f3b5"
  static let phonesCheck = "0d 0c39c7fda8695bf4fed57bfffedbf36b"
  static let phonesCheckJustWorks = "0d d33a75d49630ed6f2cce51d6dd0f87e7"
  static let longTermKey: Octets<16> = number("87e1de2c5f67d38948e3efdfb6169f24")
  static let phonesIRK = "08 9b7d390aa610103405adc857a33402ec"
  static let phonesAddress = "09 00 665544332211"

  var pairing: Pairing
  var crypto = ScriptedCrypto(keyPair: keyPair, nonce: number("d5cb8454d177733effffb2ec712baeab"))
  var now = Instant(milliseconds: 1_000_000)

  let role: PairingRole

  init(as role: PairingRole = .initiator, demandsComparison: Bool = false) {
    self.role = role
    pairing = Pairing(
      as: role, local: Self.local, peer: Self.peer, demandsComparison: demandsComparison)
  }

  /// One in which `step` is what is waited for.
  static func played(to step: Step, response: String = Self.response) -> Conversation {
    var talk = Conversation()
    talk.play(to: step, response: response)
    return talk
  }

  /// One that the phone began, in which `step` is what is waited for.
  static func replied(
    to step: ReplyingStep, request: String = ReplyingConversation.request
  ) -> Conversation {
    var talk = Conversation(as: .responder)
    talk.playReply(to: step, request: request)
    return talk
  }

  /// One in which we have sent a Security Request.
  static func asking() -> Conversation {
    var talk = Conversation(as: .responder)
    talk.pairing.requestSecurity(at: talk.now)
    _ = talk.says()
    return talk
  }

  /// The phone sends this command, if it is one.
  @discardableResult
  mutating func receive(_ command: String) -> PairingOutcome { receive(bytes(command)) }

  @discardableResult
  mutating func receive(_ command: [UInt8]) -> PairingOutcome {
    pairing.receive(command.span, at: now, with: &crypto)
  }

  /// The phone requests a pairing, and the owner wants it.
  @discardableResult
  mutating func accepts(_ request: String = ReplyingConversation.request) -> PairingOutcome {
    guard case .pairingRequest(let features) = receive(request) else {
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
  mutating func play(to step: Step, response: String = Self.response) {
    guard step != .idle else { return }
    pairing.begin(at: now)
    if step > .features { receive(response) }
    if step > .publicKey { receive(Self.phonesKey) }
    if step > .confirm { receive(Self.phonesConfirm) }
    if step > .random { receive(Self.phonesNonce) }
    if step > .user { _ = answer(true) }
    if step > .dhKeyCheck { receive(Self.phonesCheck) }
    if step > .encryption { _ = encrypted() }
    if step > .identityInformation { receive(Self.phonesIRK) }
    if step > .identityAddress { receive(Self.phonesAddress) }
    _ = says()
  }

  /// Plays a numeric comparison that the phone begins, up to where `step` is what is waited for.
  mutating func playReply(
    to step: ReplyingStep, request: String = ReplyingConversation.request
  ) {
    guard step != .idle else { return }
    accepts(request)
    if step > .publicKey { receive(Self.phonesKey) }
    if step > .random { receive(Self.phonesNonce) }
    if step == .userWithCheck { receive(ReplyingConversation.phonesCheck) }
    if step > .userWithCheck { _ = answer(true) }
    if step > .dhKeyCheck { receive(ReplyingConversation.phonesCheck) }
    if step > .encryption { _ = encrypted() }
    if step > .identityInformation { receive(Self.phonesIRK) }
    if step > .identityAddress { receive(Self.phonesAddress) }
    _ = says()
  }
}

/// What is waited for, in the order of a pairing.
enum Step: Int, CaseIterable, Comparable, Sendable {
  case idle, features, publicKey, confirm, random, user, dhKeyCheck, encryption
  case identityInformation, identityAddress, done

  static func < (a: Step, b: Step) -> Bool { a.rawValue < b.rawValue }

  /// The steps in which a pairing is under way.
  static let running = nonEmpty(allCases.filter { $0 != .idle && $0 != .done })

  /// The command of the phone that belongs here.
  var command: String? {
    switch self {
    case .features: Conversation.response
    case .publicKey: Conversation.phonesKey
    case .confirm: Conversation.phonesConfirm
    case .random: Conversation.phonesNonce
    case .dhKeyCheck: Conversation.phonesCheck
    case .identityInformation: Conversation.phonesIRK
    case .identityAddress: Conversation.phonesAddress
    case .idle, .user, .encryption, .done: nil
    }
  }
}

/// A role of ours, and what is waited for in it.
enum Stage: Equatable, Sendable {
  case initiator(Step), responder(ReplyingStep)

  static let all = nonEmpty(
    Step.allCases.map(Stage.initiator) + ReplyingStep.allCases.map(Stage.responder))
  /// Those in which a pairing is under way.
  static let running = nonEmpty(
    Step.running.map(Stage.initiator) + ReplyingStep.running.map(Stage.responder))

  var talk: Conversation {
    switch self {
    case .initiator(let step): .played(to: step)
    case .responder(let step): .replied(to: step)
    }
  }

  /// The same with a phone of these features.
  func talk(with features: String) -> Conversation {
    switch self {
    case .initiator(let step): .played(to: step, response: features)
    case .responder(let step): .replied(to: step, request: features)
    }
  }

  /// The command of the phone that belongs here.
  var command: String? {
    switch self {
    case .initiator(let step): step.command
    case .responder(let step): step.command
    }
  }

  /// One command of each code that the phone may send.
  var commands: [String] {
    switch self {
    case .initiator: HostilePairingTests.commands
    case .responder: HostilePairingTests.commandsOfCentral
    }
  }

  /// What is for our role alone to send.
  var foreign: [String] {
    switch self {
    case .initiator: [Conversation.request]
    case .responder: [ReplyingConversation.response, "0b 0d"]
    }
  }

  var isDone: Bool { self == .initiator(.done) || self == .responder(.done) }
  var isOver: Bool { isDone || self == .initiator(.idle) || self == .responder(.idle) }
}

/// The text of a command as `says` returns it.
func said(_ command: String) -> String { hex(bytes(command), separator: "") }

/// The numbers of a pairing that the phone begins.
///
/// The fixed numbers are those of `Conversation`: the same keys, nonces and addresses, with the phone as
/// the initiator. What follows from them was calculated by Bumble 0.0.236, another implementation.
enum ReplyingConversation {
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

/// The phone was compared with, has handed out its identity, and nothing more is waited for.
func expectPaired(_ talk: borrowing Conversation, _ longTermKey: Octets<16>) {
  let keys = talk.pairing.keys
  expect(keys?.longTermKey, longTermKey)
  expect(keys?.isAuthenticated, true)
  expect(keys?.isBonding, true)
  expect(keys?.irk, number("ec0234a357c8ad05341010a60a397d9b"))
  expect(keys?.identityAddress, DeviceAddress(0x1122_3344_5566, .public))
  expect(talk.pairing.deadline, nil)
  expect(talk.pairing.isRunning, false)
}

/// We have refused, said so and nothing else, and nothing is left of the attempt.
func expectRefused(
  _ outcome: PairingOutcome, _ reason: PairingFailedReason, _ talk: inout Conversation,
  _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation
) {
  #expect(outcome == .failed(.refused(reason)), comment, sourceLocation: place)
  #expect(talk.says() == ["05" + hex([reason.rawValue])], comment, sourceLocation: place)
  expectIdle(&talk)
}

/// Nothing is left of the attempt, and another may begin.
func expectIdle(_ talk: inout Conversation) {
  expect(talk.pairing.keys, nil)
  expect(talk.pairing.longTermKey, nil)
  expect(talk.pairing.deadline, nil)
  expect(talk.pairing.isRunning, false)
  if talk.role == .responder {
    expect(talk.accepts(), .nothing)
    expect(talk.says(), [said(ReplyingConversation.response)])
  } else {
    talk.pairing.begin(at: talk.now)
    expect(talk.says(), [said(Conversation.request)])
  }
}
