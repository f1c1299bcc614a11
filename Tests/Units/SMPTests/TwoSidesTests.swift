import Bytes
import Crypto
import Expecting
import Responder
import SMP
import Seeded
import TestSupport

/// `Pairing` against phones that were written apart from it, in both roles.
struct TwoSidesTests {
  enum RidersAnswer: CaseIterable, Sendable { case early, late, no, none }
  enum OwnersAnswer: CaseIterable, Sendable { case yes, no, none }

  /// The phone is the initiator: each answer of the rider beside each one of the phone's owner.
  @Test(arguments: RidersAnswer.allCases, OwnersAnswer.allCases)
  func peripheralBehaviour45_onlyTwoYesesGiveAKey(
    _ rider: RidersAnswer, _ owner: OwnersAnswer
  ) throws {
    for seed in 0..<4 as Range<UInt64> {
      var both = try TwoSides(.responder, seed: seed)
      try both.begin()
      expect(both.outcomes.last, .compare(number: both.phone.digits))
      if rider == .early { both.answer(true) }
      try say(owner, in: &both)
      if rider == .late { both.answer(true) }
      if rider == .no { both.answer(false) }
      try both.exchange()
      let isYes = (rider == .early || rider == .late) && owner == .yes
      expect((both.outcomes.last == .awaitEncryption), isYes)
      expect((both.pairing.longTermKey != nil), isYes)
      if isYes {
        expect(both.pairing.longTermKey, both.phone.longTermKey)
        both.encrypted()
        try both.exchange()
        expect(Array(both.heard.suffix(2)), ourIdentity)
        both.line = PhonePairing.identity
        try both.exchange()
      }
      both.wait(30_000)
      try both.exchange()
      expect(both.outcomes.last, end(rider, owner))
      expect((both.phone.longTermKey != nil), isYes)
      expect((both.pairing.keys != nil), isYes)
      if rider == .no, owner != .no {
        expect(both.heard.last, .pairingFailed(.numericComparisonFailed))
      }
    }
  }

  private func say(_ owner: OwnersAnswer, in both: inout TwoSides) throws {
    switch owner {
    case .yes: both.line = try both.phone.yes()
    case .no: both.line = [.pairingFailed(.numericComparisonFailed)]
    case .none: break
    }
    try both.exchange()
  }

  private var ourIdentity: [SecurityPDU] {
    [.identityInformation(irk: Octets()), .identityAddressInformation(Conversation.local)]
  }

  private func end(_ rider: RidersAnswer, _ owner: OwnersAnswer) -> PairingOutcome {
    switch (rider, owner) {
    case (_, .no): .failed(.peer(.numericComparisonFailed))
    case (.no, _): .failed(.refused(.numericComparisonFailed))
    case (.none, _), (_, .none): .failed(.timedOut)
    case (.early, .yes), (.late, .yes): .paired
    }
  }

  /// Our two roles against each other, and real keys and nonces on both sides.
  @Test(arguments: 0..<4) func ourTwoRolesWithRealKeysAgree(_ round: Int) throws {
    let address = DeviceAddress(0x1122_3344_5566, .public)
    var central = Pairing(local: address, peer: Conversation.local)
    var peripheral = Pairing(as: .responder, local: Conversation.local, peer: address)
    var (ours, theirs) = (SoftwareCrypto(), SoftwareCrypto())
    let now = at(0)
    var numbers: [UInt32] = []
    var told: [PairingOutcome] = []
    central.begin(at: now)
    var command = FixedBuffer<65>()
    while true {
      if central.takePDU(into: &command) {
        var outcome = peripheral.receive(command.bytes, at: now, with: &ours)
        if case .pairingRequest(let features) = outcome {
          outcome = peripheral.accept(features, at: now, with: &ours)
        }
        if case .compare(let number) = outcome {
          numbers.append(number)
          outcome = peripheral.confirm(true, at: now, with: ours)
        }
        told.append(outcome)
      } else if peripheral.takePDU(into: &command) {
        let outcome = central.receive(command.bytes, at: now, with: &theirs)
        if case .compare(let number) = outcome {
          numbers.append(number)
          _ = central.confirm(true, at: now, with: theirs)
        }
        if outcome == .encrypt {
          expect(central.longTermKey, peripheral.longTermKey)
          expect(peripheral.encrypted(at: now), .nothing)
          expect(central.encrypted(at: now), .nothing)
        }
        told.append(outcome)
      } else {
        break
      }
      command.removeAll()
    }
    expect(numbers.count == 2 && numbers[0] == numbers[1])
    expect(told.filter { $0 == .paired }.count, 2)
    expect(central.keys?.longTermKey, peripheral.keys?.longTermKey)
    expect(central.keys?.identityAddress, Conversation.local)
    expect(peripheral.keys?.identityAddress, address)
  }

  /// Each command of the phone cut at each place and a byte longer, in a run that is whole up to it.
  @Test(arguments: [PairingRole.initiator, .responder])
  func centralBehaviour37_noPieceOfACommandOfEitherRoleGoesThrough(_ role: PairingRole) throws {
    let commands = try wholeRun(role)
    expect(commands.count, role == .initiator ? 7 : 6)
    for (place, command) in commands.enumerated() {
      for count in 0...command.count where count != command.count {
        var both = try TwoSides(role, seed: 7)
        try play(commands[..<place], to: &both)
        let wasRunning = both.pairing.isRunning
        let outcome = both.deliver(Array(command[..<count]))
        // The first one of a phone that begins is its request.
        let refusal: PairingOutcome =
          wasRunning ? .failed(.refused(.invalidParameters)) : .requestRefused(.invalidParameters)
        expect(outcome, count == 0 ? .nothing : refusal)
        expect(both.pairing.keys, nil)
        if count > 0 { expect(both.pairing.longTermKey, nil) }
      }
    }
  }

  /// What the phone of a whole run says.
  private func wholeRun(_ role: PairingRole) throws -> [[UInt8]] {
    var both = try TwoSides(role, seed: 7)
    var said: [[UInt8]] = []
    if both.phone.isInitiator { both.line = [both.phone.request] }
    if role == .initiator { both.pairing.begin(at: both.now) }
    while both.pairing.keys == nil {
      try both.carry()
      if both.line.isEmpty {
        both.line = try both.phone.yes()
        if both.pairing.longTermKey != nil { both.line = PhonePairing.identity }
      }
      said.append(octets(of: both.line.removeFirst()))
      try play(said[(said.count - 1)...], to: &both)
    }
    return said
  }

  /// Delivers commands; the owner and the link do all that follows.
  private func play(_ commands: ArraySlice<[UInt8]>, to both: inout TwoSides) throws {
    if both.role == .initiator, !both.pairing.isRunning { both.pairing.begin(at: both.now) }
    for command in commands {
      switch both.deliver(command) {
      case .pairingRequest(let features):
        both.note(both.pairing.accept(features, at: both.now, with: &both.crypto))
      case .compare: both.answer(true)
      case .encrypt, .awaitEncryption: both.encrypted()
      default: break
      }
      try both.carry()
    }
  }
}
