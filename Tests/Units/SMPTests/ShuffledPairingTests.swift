import Bytes
import Expecting
import Responder
import SMP
import Seeded
import TestSupport

/// Whatever comes in whatever order, by seeds: nothing gives a key twice, or without both yeses.
struct ShuffledPairingTests {
  @Test(arguments: [PairingRole.initiator, .responder])
  func peripheralBehaviour45_noOrderOfEventsGivesAKeyTwiceOrWithoutBothYeses(
    _ role: PairingRole
  ) throws {
    var (keys, pairings, failures, closed) = (0, 0, 0, 0)
    var seeds = SeededGenerator(state: testSeed)
    for _ in 0..<600 {
      var run = try Shuffle(role, seed: seeds.next())
      for _ in 0..<60 { try run.step() }
      keys += run.keyCount
      pairings += run.pairingCount
      failures += run.failureCount
      closed += run.isClosed ? 1 : 0
    }
    // Each way is gone often enough to be worth the run.
    #expect(keys > 100)
    #expect(pairings > 40)
    #expect(failures > 200)
    #expect(closed > 40)
  }
}

/// One pairing after the other on one link, with a phone, a rider and a link that do anything.
private struct Shuffle: ~Copyable {
  private var both: TwoSides
  private var generator: SeededGenerator
  /// All that the phone said, for replays.
  private var pool: [[UInt8]] = []
  private var mayEncrypt = false
  private(set) var isClosed = false

  // Of this attempt.
  private var riderAgreed = false
  private var checks: Set<[UInt8]> = []
  private var phoneAgreed = false
  private var hasKey = false
  private var wasEncrypted = false

  private(set) var keyCount = 0
  private(set) var pairingCount = 0
  private(set) var failureCount = 0

  init(_ role: PairingRole, seed: UInt64) throws {
    both = try TwoSides(role, seed: seed)
    generator = SeededGenerator(state: seed)
  }

  mutating func step() throws {
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<60: try goOn()
    case 60..<66: if let old = pool.randomElement(using: &generator) { deliver(old) }
    case 66..<70: if let old = pool.randomElement(using: &generator) { deliver(damaged(old)) }
    case 70..<80: answer(Int.random(in: 0..<8, using: &generator) > 0)
    case 80..<90: encrypt()
    case 90..<92: note(both.note(both.pairing.encryptionFailed()))
    case 92..<94: note(both.note(both.pairing.cancel()))
    case 94..<95: note(both.wait(31_000))
    default: note(both.wait(Int64.random(in: 0..<2_000, using: &generator)))
    }
    try listen()
    check()
  }

  /// What an honest phone, link and rider would do next.
  private mutating func goOn() throws {
    if !both.line.isEmpty { return deliver(octets(of: both.line.removeFirst())) }
    if !both.pairing.isRunning { return try begin() }
    if both.pairing.longTermKey != nil {
      if !wasEncrypted { return encrypt() }
      both.line = PhonePairing.identity
    } else if both.phone.isInitiator, both.phone.digits != 0, checks.isEmpty {
      both.line = try both.phone.yes()
      checks.formUnion(both.line.map(octets))
    } else {
      answer(true)
    }
  }

  private mutating func encrypt() {
    wasEncrypted = both.pairing.longTermKey != nil && both.pairing.keys == nil
    note(both.encrypted())
  }

  private mutating func begin() throws {
    both.phone = try PhonePairing(beside: both.role, seed: generator.next())
    both.line = []
    if both.phone.isInitiator { return deliver(octets(of: both.phone.request)) }
    both.pairing.begin(at: both.now)
    forget()
  }

  private mutating func forget() {
    (riderAgreed, phoneAgreed, hasKey, wasEncrypted, checks) = (false, false, false, false, [])
  }

  private mutating func deliver(_ bytes: [UInt8]) {
    pool.append(bytes)
    if checks.contains(bytes) { phoneAgreed = true }
    let outcome = both.deliver(bytes)
    guard case .pairingRequest(let features) = outcome else { return note(outcome) }
    guard Int.random(in: 0..<6, using: &generator) > 0 else { return both.pairing.decline() }
    forget()
    note(both.note(both.pairing.accept(features, at: both.now, with: &both.crypto)))
  }

  private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    if Bool.random(using: &generator) {
      result = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
    } else if let index = result.indices.randomElement(using: &generator) {
      result[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    }
    return result
  }

  private mutating func answer(_ isYes: Bool) {
    let wasAsked: Bool
    switch both.outcomes.last {
    case .compare, .ask: wasAsked = true
    default: wasAsked = false
    }
    if wasAsked, isYes { riderAgreed = true }
    note(both.answer(isYes))
  }

  /// The phone hears us, and may answer.
  private mutating func listen() throws {
    let place = both.line.count
    try both.carry()
    // A responder's check is its owner's yes.
    if both.role == .initiator {
      for pdu in both.line[place...] where pdu.code == .pairingDHKeyCheck {
        checks.insert(octets(of: pdu))
      }
    }
  }

  private mutating func note(_ outcome: PairingOutcome) {
    switch outcome {
    case .encrypt, .awaitEncryption:
      expect((outcome == .encrypt), (both.role == .initiator))
      let (areAgreed, wasGiven) = (riderAgreed && phoneAgreed, hasKey)
      expect(areAgreed, "a key without both yeses")
      expect(!wasGiven, "a key twice")
      hasKey = true
      keyCount += 1
    case .paired:
      let isSecret = hasKey && wasEncrypted
      expect(isSecret, "keys of an open link")
      #expect(both.pairing.keys != nil)
      pairingCount += 1
    case .failed(let failure):
      failureCount += 1
      expect(both.pairing.longTermKey, nil)
      expect(both.pairing.keys, nil)
      if failure == .timedOut || failure == .unanswered { isClosed = true }
    case .compare, .ask:
      expect(!isClosed)
    case .nothing, .securityRequest, .pairingRequest, .requestRefused: break
    }
  }

  /// What holds at any time.
  private mutating func check() {
    let (key, keys) = (both.pairing.longTermKey, both.pairing.keys)
    let mayHaveKey = riderAgreed && phoneAgreed && hasKey
    expect(key == nil || mayHaveKey)
    expect(keys == nil || keys?.longTermKey == key)
    if let key, let theirs = both.phone.longTermKey { expect(key, theirs) }
    let (deadline, isRunning) = (both.pairing.deadline, both.pairing.isRunning)
    expect((deadline != nil), isRunning)
    if isClosed {
      expect(!isRunning)
      expect(key, nil)
    }
  }
}
