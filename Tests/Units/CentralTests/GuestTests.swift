import Bytes
import Central
import Expecting
import Link
import SMP
import TestSupport
import VirtualAir

/// A phone of which nothing is remembered: for how long it is followed, and by what it is known again.
struct GuestTests {
  /// A phone that refuses to pair, to which the rider said yes.
  private func followed() -> Encounter {
    let scene = Encounter.followed()
    _ = scene.central.takeEvents()
    expect(scene.central.values.count, 1)
    return scene
  }

  /// Why a phone that showed the same number is not remembered.
  enum Reason: CaseIterable { case keepsNoKey, handsOutNoIdentity, diskIsFull }

  /// A phone that showed the same number, and is not remembered.
  private func compared(
    _ reason: Reason = .keepsNoKey, _ policy: PairingPolicy = .preferred
  ) -> Encounter {
    let scene = Encounter(policy)
    scene.security.isBonding = reason != .keepsNoKey
    scene.security.handsOutIdentity = reason != .handsOutNoIdentity
    scene.agree()
    let memory: Remembrance = reason == .diskIsFull ? .keys : .nothing
    #expect(scene.central.takeEvents().contains(.remember(memory)))
    if reason == .diskIsFull { scene.central.change { host, _ in host.dropNewBond() } }
    expect(scene.central.memory == .nothing && scene.central.values.count == 1)
    return scene
  }

  /// The same, who has lost its key, and that was noticed three times; whether each was to be told.
  private func keyless() -> (Encounter, told: [Bool]) {
    let scene = compared()
    scene.lose()
    scene.security.longTermKey = nil
    var told: [Bool] = []
    for _ in 0..<3 {
      told += scene.meet().rejections
      scene.central.pass(61_000)
    }
    return (scene, told)
  }

  /// Nothing is said of the way before the link is encrypted.
  private func expectNoQuestions(_ scene: Encounter) {
    scene.phone.onRequest = { expect(scene.phone.isEncrypted || $0 == 0x02) }
  }

  // MARK: - How long

  /// Or until it is forgotten.
  @Test(arguments: [599_999, 600_000, nil] as [Int64?])
  func centralBehaviour68_thePhoneIsFollowedUntilTheSearchAfterItsLossIsOver(_ time: Int64?) {
    let scene = followed()
    if let time {
      scene.lose()
      scene.central.pass(time)
    } else {
      scene.central.forget()
    }
    let isOver = time != 599_999
    expect(scene.central.stage == .idle, isOver)
    if isOver { scene.central.searchFast() }
    let events = scene.meet()
    expect(events.contains(.ready(isSubscribed: true)) && events.contains(.ask) == isOver)
    scene.central.read()
    expect(scene.central.values.count, isOver ? 1 : 3)
  }

  /// Its search begins again for half a minute when the controller is back.
  @Test(arguments: [(599_000, 2), (600_000, 1)] as [(Int64, Int)])
  func centralBehaviour68_aControllerThatWasAwayLongBringsNobodyBack(_ time: Int64, _ values: Int) {
    let scene = followed()
    scene.lose()
    scene.central.stop()
    scene.controller.powerCycle()
    scene.central.pass(time)
    scene.central.start()
    let events = scene.meet()
    expect(events.isConnected && !events.contains(.ask), "nobody has pressed a button")
    expect(scene.central.values.count, values)
  }

  /// As when a card was pulled out and put back in.
  @Test(arguments: [false, true])
  func centralBehaviour68_aStoreThatIsReadOnceMoreEndsNoRide(_ isLinked: Bool) {
    let scene = followed()
    if !isLinked { scene.lose() }
    scene.central.rememberNobody()
    if isLinked { scene.lose() }
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    scene.central.rememberNobody()
    scene.controller.send(channel: 0x04, VirtualPhone.notification([1, 2, 3, 4]), scene.central)
    expect(scene.central.values.count, 3, "and what is said on this link is heard")
  }

  /// Nobody may be asked about a phone while a ride is searched for: ten minutes of new addresses, one each second.
  @Test func centralBehaviour141_phonesThatNobodyKnowsGetEverFewerAttemptsTogether() {
    let scene = followed()
    let own = scene.phone.address
    scene.lose()
    var attempts: [Int64] = []
    for second in 0..<590 as Range<Int64> {
      scene.phone.address = scene.security.privateAddress(UInt8(2 + second % 250))
      for _ in 0..<5 {
        scene.controller.advertise(scene.central)
        scene.central.pass(200)
      }
      let events = scene.central.takeEvents()
      if events.contains(.connecting(scene.phoneAddress)) { attempts.append(second) }
      expect(scene.central.ask { $0.isPhoneUnrecognised }, attempts.count > 1)
    }
    let pauses = zip(attempts, attempts.dropFirst()).map { $1 - $0 }
    expect(pauses.prefix(4).map { $0 / 10 }, [1, 2, 4, 6])
    expect(pauses.allSatisfy { $0 >= 10 } && attempts.count < 15)
    expect(scene.central.values.count, 1)
    scene.phone.address = own
    #expect(scene.meet().contains(.ready(isSubscribed: true)), "that one is known")
    expect(!scene.central.ask { $0.isPhoneUnrecognised })
  }

  @Test func centralBehaviour141_aPressLetsThemBeAskedAbout() {
    let scene = followed()
    scene.lose()
    for number in 2...3 as ClosedRange<UInt8> {
      scene.phone.address = scene.security.privateAddress(number)
      _ = scene.meet()
      scene.central.pass(21_000)
    }
    expect(scene.central.ask { $0.isPhoneUnrecognised })
    scene.central.searchFast()
    expect(!scene.central.ask { $0.isPhoneUnrecognised })
    scene.phone.address = scene.security.privateAddress(4)
    #expect(scene.meet().contains(.ask))
  }

  // MARK: - By what

  @Test(arguments: Reason.allCases)
  func centralBehaviour68_theAddressOfWhoWasComparedIsWorthNothingWithoutItsKey(_ reason: Reason) {
    let scene = compared(reason)
    scene.lose()
    scene.security.longTermKey = nil
    scene.security.manner = .refusal(0x05)
    expectNoQuestions(scene)
    let events = scene.meet()
    expect(events.contains(.bondRejected(isToBeTold: false)) && !events.contains(.ask))
    expect(!scene.controller.isConnected)
    expect(scene.central.values.count, 1)
  }

  /// Also where a code is a must, as its key shows that there was one.
  @Test(
    arguments: Reason.allCases.map { ($0, .preferred) } + [(.handsOutNoIdentity, .required)]
      as [(Reason, PairingPolicy)])
  func centralBehaviour75_whoIsNotRememberedIsFollowedByItsKey(
    _ reason: Reason, _ policy: PairingPolicy
  ) {
    let scene = compared(reason, policy)
    for count in 2...4 {
      scene.lose()
      expect(scene.controller.isScanning)
      scene.central.pass(count == 4 ? 599_999 : 60_000)
      expectNoQuestions(scene)
      let events = scene.meet()
      expect(events.contains(.encrypted) && events.contains(.ready(isSubscribed: true)))
      expect(scene.central.values.count == count && scene.central.stage == .ready)
    }
    expect(scene.requests, 1, "it was not asked again")
    scene.lose()
    scene.phone.onRequest = nil
    scene.central.pass(600_000)
    expect(scene.central.stage, .idle)
    scene.central.searchFast()
    #expect(scene.meet().contains(.compare(number: scene.security.digits)), "another ride")
  }

  /// Three failures are told to the rider, as those of a remembered phone are.
  @Test func centralBehaviour68_whoWasComparedAndHasNoKeyIsComparedAgainAfterAPress() {
    let (scene, told) = keyless()
    expect(told == [false, false, true] && scene.central.isBondRejected)
    scene.central.searchFast()
    #expect(scene.meet().contains(.compare(number: scene.security.digits)))
    expect(scene.central.values.count, 1, "nothing before the answer")
    scene.central.confirm(true)
    #expect(scene.central.takeEvents().contains(.remember(.nothing)))
    expect(!scene.central.isBondRejected && scene.central.values.count == 2)
  }

  /// The doubt about it ends with it.
  @Test func centralBehaviour68_afterTheRideNoPhoneIsSaidToHaveForgottenTheDisplay() {
    let (scene, _) = keyless()
    expect(scene.central.isBondRejected)
    scene.central.pass(600_000)
    expect(!scene.central.isBondRejected && scene.central.stage == .idle)
  }

  /// As somebody who sends its address does, and waits for the rider's press.
  @Test(arguments: [.refusal(0x05), .justWorks, .silence] as [VirtualSecurity.Manner])
  func centralBehaviour68_whoWasComparedIsFollowedByNothingWeaker(manner: VirtualSecurity.Manner) {
    let (scene, _) = keyless()
    scene.security.manner = manner
    scene.central.searchFast()
    expectNoQuestions(scene)
    var events = scene.meet()
    scene.central.confirm(true)
    scene.central.pass(31_000)
    events += scene.central.takeEvents()
    expect(events.pairingFailures > 0 && !events.contains(.ask) && !scene.controller.isConnected)
    expect(scene.central.values.count, 1)
  }

  /// Its key is not the one that is looked for on another's link.
  @Test func centralBehaviour68_anotherPhoneIsNotAskedForTheKeyOfThisRide() {
    let scene = compared()
    scene.lose()
    scene.phone.address = scene.security.privateAddress(2)
    _ = scene.central.takeSaid()
    _ = scene.meet()
    expect(!scene.central.takeSaid().contains { $0.hasPrefix("01 19 20") })
    expect(scene.central.values.count, 1)
  }

  @Test func onlyTheGuestWhoseNumbersWereComparedMustCompareThemAgain() {
    let (guest, other) = (DeviceAddress(1, .random), DeviceAddress(2, .random))
    for isCompared in [false, true] {
      var security = Security(.preferred)
      security.receive(.followed(guest, by: Octets(), isCompared: isCompared))
      let demands = (security.demandsComparison(of: guest), security.demandsComparison(of: other))
      expect(demands == (isCompared, false))
    }
  }
}
