import Bytes
import Expecting
import Testing

@testable import Central
@testable import Link

/// The table in the comment of `LinkStage`, row by row.
@Suite struct LinkProgressTests {
  private static let (end, later) = (Instant(milliseconds: 1_000), Instant(milliseconds: 31_000))

  /// What happens to a link, whatever it says to that.
  typealias Step = @Sendable (inout LinkProgress) -> Void

  private static let find: Step = { _ = $0.found(relaxed: later) }
  private static let lose: Step = { _ = $0.lost(until: later) }
  private static let leave: Step = { $0.leave(until: later) }
  private static let disown: Step = { $0.disown() }
  private static let encrypt: Step = { $0.encrypt(until: later) }
  private static let take: Step = { $0.encrypt(time: 4_000) }
  private static let takeNew: Step = { $0.encryptWithNewKey() }
  private static let encrypted: Step = { _ = $0.encrypted(until: later) }
  private static let ask: Step = { _ = $0.requestSecurity() }
  private static let deny: Step = { _ = $0.denyKey() }
  private static let fail: Step = { $0.keyFailed() }
  private static let rest: Step = { $0.stay() }
  private static let look: Step = { $0.look(until: later) }
  private static let pair: Step = { $0.pair(until: later) }
  private static let paired: Step = { $0.pairingEnded(time: 10_000) }
  private static let close: Step = { $0.end(until: later) }

  private static func link(_ steps: [Step], awaited isAwaited: Bool = false) -> LinkProgress {
    var link = LinkProgress(isAwaited ? .awaited(.none, until: end) : .discovering(until: end))
    for step in steps { step(&link) }
    return link
  }

  @Test(
    arguments: [
      ([], .discovering(until: end)), ([find], .open(relaxed: later)),
      ([find, rest], .open(relaxed: nil)),
      ([lose], .waiting(wasFound: false, until: later)),
      ([find, lose], .waiting(wasFound: true, until: later)),
      ([find, lose, rest], .waiting(wasFound: true, until: nil)),
      ([lose, find], .open(relaxed: later)), ([encrypt], .encrypting(until: later)),
      ([encrypt, encrypted], .discovering(until: later)),
      ([encrypt, fail], .discovering(until: later)), ([rest], .discovering(until: end)),
      ([look], .discovering(until: later)), ([find, rest, look], .open(relaxed: nil)),
      ([lose, rest, look], .waiting(wasFound: false, until: later)),
      ([find, leave], .leaving(isUnwanted: false, until: later)),
      ([leave, disown], .leaving(isUnwanted: true, until: later)),
      ([leave, find], .leaving(isUnwanted: false, until: later)),
      ([leave, lose], .leaving(isUnwanted: false, until: later)),
      ([leave, look], .leaving(isUnwanted: false, until: later)),
      ([leave, encrypt], .leaving(isUnwanted: false, until: later)),
      ([disown], .discovering(until: end)),
      // A sensor's; its values may come before the pairing is over.
      ([pair], .pairing(wasFound: false, until: later)),
      ([pair, find], .pairing(wasFound: true, until: later)),
      ([pair, look], .pairing(wasFound: false, until: later)),
      ([pair, paired], .discovering(until: later + 10_000)),
      ([find, pair, paired], .open(relaxed: nil)), ([paired], .discovering(until: end)),
      ([find, close], .ending(wasFound: true, until: later)),
      ([close, find], .ending(wasFound: false, until: later)),
      ([close, look], .ending(wasFound: false, until: later)),
    ] as [([Step], LinkStage)])
  func aLinkThatWeMadeGoesFromStageToStage(_ steps: [Step], _ stage: LinkStage) {
    expect(Self.link(steps).stage, stage)
  }

  /// Anybody can come with an address that was recorded: that is no reason to say that the phone's key is wrong.
  @Test(
    arguments: [
      ([], .awaited(.none, until: end)), ([ask], .awaited(.requested, until: end)),
      ([deny], .awaited(.denied, until: end)), ([ask, deny], .awaited(.denied, until: end)),
      ([deny, ask], .awaited(.denied, until: end)),
      // As long for the encryption as it had to begin it, if it was not asked to.
      ([take], .encrypting(until: end + 4_000)), ([ask, take], .encrypting(until: end)),
      ([take, ask], .encrypting(until: end + 4_000)), ([takeNew], .discovering(until: end)),
      ([encrypted], .awaited(.none, until: end)), ([take, encrypted], .discovering(until: later)),
    ] as [([Step], LinkStage)])
  func peripheralBehaviour16_theEncryptionOfALinkThatThePhoneMadeIsItsOwnToBegin(
    _ steps: [Step], _ stage: LinkStage
  ) {
    expect(Self.link(steps, awaited: true).stage, stage)
  }

  /// What is true for the first time, and what is not.
  @Test(
    arguments: [
      ([], true, true), ([find], false, true), ([lose], true, false), ([find, lose], false, false),
    ] as [([Step], Bool, Bool)])
  func aLinkSaysWhatHappensToItForTheFirstTime(_ steps: [Step], isFirst: Bool, isNewLoss: Bool) {
    var (found, lost) = (Self.link(steps), Self.link(steps))
    expect(found.found(relaxed: Self.later) == isFirst && lost.lost(until: Self.later) == isNewLoss)
    var visit = Self.link([], awaited: true)
    expect([visit.denyKey(), visit.requestSecurity(), visit.denyKey()] == [true, false, false])
  }

  @Test(
    arguments: [
      ([], nil, .off, false), ([encrypt], .bond, .on, true), ([takeNew], .pairing, .on, false),
      ([encrypt, fail], nil, .off, false), ([takeNew, encrypted], nil, .on, false),
      ([encrypt, encrypted], nil, .on, true), ([{ $0.decide() }], nil, .off, true),
      ([encrypt, encrypted, { _ = $0.renewEncryption() }], nil, .on, true),
    ] as [([Step], LinkProgress.Key?, LinkProgress.Encryption, Bool)])
  func onlyEncryptionThatWasBegunMakesALinkSecure(
    _ steps: [Step], key: LinkProgress.Key?, encryption: LinkProgress.Encryption, isDecided: Bool
  ) {
    var link = Self.link(steps)
    expect(link.encrypted(until: Self.later), key)
    expect(link.encryption == encryption && link.isDecided == isDecided)
  }

  @Test func aLinkIsEncryptedOnceMoreOnlyAfterTheLastTimeIsOver() {
    var link = Self.link([])
    expect(link.renewEncryption(), false)
    link = Self.link([Self.encrypt, Self.encrypted])
    expect([link.renewEncryption(), link.renewEncryption()] == [true, false])
    expect(link.isEncrypted)
    Self.encrypted(&link)
    expect(link.renewEncryption())
  }

  // MARK: - How many there are

  /// Everything that can happen to a link.
  private static let steps: [Step] = [
    find, lose, leave, disown, encrypt, take, takeNew, encrypted, ask, deny, fail, look,
    { $0.decide() }, { _ = $0.renewEncryption() },
  ]

  /// A link without its deadline, as a number.
  private static func number(of link: LinkProgress) -> Int {
    let stage =
      switch link.stage {
      case .awaited(.none, _): 0
      case .awaited(.requested, _): 1
      case .awaited(.denied, _): 2
      case .encrypting: 3
      case .discovering: 4
      case .open: 5
      case .waiting(let wasFound, _): wasFound ? 6 : 7
      case .leaving(let isUnwanted, _): isUnwanted ? 8 : 9
      case .pairing(let wasFound, _): wasFound ? 10 : 11
      case .ending(let wasFound, _): wasFound ? 12 : 13
      }
    let encryption =
      switch link.encryption {
      case .off: 0
      case .newKeyBeginning: 1
      case .on: 2
      case .renewing: 3
      }
    return (stage * 4 + encryption) * 2 + (link.isDecided ? 1 : 0)
  }

  /// What is known of a rider and a phone, without the time.
  private static func number(of state: Consent.State) -> Int {
    switch state {
    case .new: 0
    case .delayed: 1
    case .asking: 2
    case .asked: 3
    case .riding(attempt: nil): 4
    case .riding: 5
    }
  }

  /// Everything that can happen to a link to a sensor.
  private static let stepsOfSensors: [Step] = [
    find, close, encrypted, fail, look, paired,
    { if $0.stage.isPairing { takeNew(&$0) } },
    {
      switch $0.stage {
      case .discovering, .open: if !$0.isEncrypted { pair(&$0) }
      default: break
      }
    },
  ]

  private static func count(_ steps: [Step], _ links: [LinkProgress]) -> Int {
    var (reached, waiting) = (Set<Int>(), links)
    while let link = waiting.popLast() {
      guard reached.insert(number(of: link)).inserted else { continue }
      for step in steps {
        var next = link
        step(&next)
        waiting.append(next)
      }
    }
    return reached.count
  }

  /// All that can be reached by any order of what happens; 18,432 by the types of November.
  @Test func aLinkHasAtMost400States() {
    let phone = Self.count(Self.steps, [Self.link([]), Self.link([], awaited: true)])
    let sensor = Self.count(
      Self.stepsOfSensors, [Self.link([Self.look]), Self.link([Self.encrypt])])
    let states = Self.number(of: .riding(attempt: Self.end)) + 1
    expect(phone > 50 && sensor > 10 && phone * states + sensor <= 400, "\(phone), \(sensor)")
  }
}
