import Bytes
import Central
import Expecting
import Link
import PlainBonds
import SMP
import TestSupport
import VirtualAir

/// Who is followed without a code, and who is not.
struct ConsentTests {
  /// A phone that cannot compare, or that refuses to pair.
  static let codeless: [VirtualSecurity.Manner] = [
    .justWorks, .refusal(0x05), .refusal(0x03), .refusal(0x07),
  ]

  @Test(arguments: codeless)
  func centralBehaviour41_whereACodeIsAMustWhoHasNoneIsRefused(_ manner: VirtualSecurity.Manner) {
    let scene = Encounter(.required, manner: manner)
    scene.phone.onRequest = { expect($0 != 0x0A && $0 != 0x12, "nothing is read") }
    let events = scene.meet()
    expect(events.pairingFailures > 0 && !events.contains(.ask))
    expect(!scene.controller.isConnected)
    if case .justWorks = manner { expect(scene.security.codes.last, 0x05) }
    scene.central.searchFast()
    let met = scene.meet()
    #expect(!met.isEmpty, "but a press is a press")
    scene.central.pass(20_000)
    expect(scene.meet(), [])
    expect(scene.central.memory, .nothing)
  }

  /// A no ends the search, too.
  @Test(arguments: codeless, [true, false, nil])
  func centralBehaviour41_nothingIsStoredOrSaidUnlessTheRiderAgreesWithin30Seconds(
    _ manner: VirtualSecurity.Manner, _ answer: Bool?
  ) {
    let scene = Encounter(manner: manner)
    scene.phone.address = bytes("01 01 02 03 04 05 c6")
    #expect(scene.meet().contains(.ask))
    scene.central.read()
    scene.controller.send(
      channel: 0x04, VirtualPhone.notification(VirtualPhone.turn), scene.central)
    scene.central.pass(20_000)
    expect(scene.central.takeEvents(), [])
    expect(!scene.central.hasNewBond)
    if let answer {
      scene.central.confirm(answer)
      expect(answer || scene.central.stage == .idle)
    } else {
      scene.central.pass(9_000)
      expect(scene.controller.isConnected)
      scene.central.pass(1_000)
      #expect(scene.central.takeEvents().contains(.pairingFailed(.timedOut)))
    }
    expect(scene.controller.isConnected, answer == true)
    expect(scene.central.hasNewBond, answer == true)
    expect(scene.central.values.last, answer == true ? scene.phone.value : nil)
  }

  @Test func centralBehaviour41_aPhoneThatWasFollowedIsFollowedAgainAndNobodyElse() {
    let scene = Encounter.followed()
    scene.lose()
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    scene.lose()
    scene.phone.address = scene.security.privateAddress(2)
    scene.phone.onRequest = { #expect($0 != 0x0A) }
    let events = scene.meet()
    #expect(!events.contains(.ask), "nobody has pressed a button")
    expect(!scene.controller.isConnected)
    expect(scene.central.values.count, 2, "one of each ride")
  }

  @Test func centralBehaviour41_aStrangerThatEndsTheLinkBeforeTheAnswerIsNoFriendTheNextTime() {
    let scene = Encounter(manner: .refusal(0x05))
    #expect(scene.meet().contains(.ask))
    scene.controller.disconnect(reason: 0x13, scene.central)
    #expect(scene.central.takeEvents().contains(.pairingFailed(.interrupted)))
    scene.central.pass(5_000)
    #expect(scene.meet().contains(.ask))
    expect(scene.central.values, [])
  }

  /// A disk that was lost in the middle of the ride is read again, and nobody is found there.
  @Test func centralBehaviour41_whatTheRiderDecidedHoldsAsLongAsTheLink() {
    let scene = Encounter(manner: .refusal(0x05))
    scene.phone.hasServiceChanged = true
    scene.agree()
    scene.central.rememberNobody()
    _ = scene.central.takeEvents()
    scene.controller.send(channel: 0x04, VirtualPhone.serviceChanged, scene.central)
    expect(scene.central.takeEvents(), [.ready(isSubscribed: true), .value])
  }
}

/// What a no means for the search.
struct RefusalTests {
  /// The rider says no on the device, or on the phone; also to another pairing of a remembered phone.
  @Test(arguments: [false, true], [false, true])
  func centralBehaviour47_aNoEndsTheSearchUntilAPressWhateverAddressesCome(
    _ isPhones: Bool, _ isRemembered: Bool
  ) {
    let scene = isRemembered ? Encounter.rejectedAndPressed() : Encounter()
    expect(scene.meet().asksToCompare)
    if isPhones {
      scene.controller.send(channel: 0x06, bytes("05 0c"), scene.central)
    } else {
      scene.central.confirm(false)
    }
    let events = scene.central.takeEvents()
    let rider = PairingFailure.refused(.numericComparisonFailed)
    expect(isPhones || events.contains(.pairingFailed(rider)) && scene.security.codes.last == 0x05)
    expect(!scene.controller.isConnected)
    expect(isRemembered || events.last == .scan(.off) && scene.central.stage == .idle)
    expect(scene.central.memory, isRemembered ? .keys : .nothing)
    for number in UInt8(2)...60 {
      scene.phone.address = scene.security.privateAddress(number)
      let heard = scene.meet()
      expect(isRemembered || heard == [])
      expect(!heard.asksToCompare)
      scene.central.pass(2_000)
    }
    guard !isRemembered else { return }
    scene.central.searchFast()
    expect(scene.meet().asksToCompare)
  }

  @Test func centralBehaviour47_aStrangersNoBeforeAnyQuestionEndsNoSearch() {
    let scene = Encounter()
    scene.security.manner = .refusal(0x0C)
    expect(!scene.meet().asksToCompare)
    scene.security.manner = .comparison
    scene.phone.address = scene.security.privateAddress(2)
    scene.central.pass(2_000)
    expect(scene.meet().asksToCompare)
  }
}

/// A phone that was remembered without a code, where one is required now.
struct MissingCodeTests {
  /// By its key, or by its address.
  enum Kind: CaseIterable { case key, address }

  /// Its bond was read from the disk, and the phone still has its half.
  private func scene(_ kind: Kind, _ policy: PairingPolicy) throws -> Encounter {
    let scene = Encounter(policy)
    let first = Encounter(manner: kind == .key ? .justWorks : .refusal(0x05))
    if kind == .address { first.phone.address = bytes("01 01 02 03 04 05 c6") }
    first.agree()
    first.central.adoptBond()
    expect(first.central.memory, kind == .key ? .keys : .address)
    var bond = scene.bond
    if kind == .key {
      scene.security.longTermKey = first.security.longTermKey
      bond.ltk = first.security.longTermKey.map { array($0.bytes) }
    } else {
      scene.phone.address = first.phone.address
      scene.security.manner = .refusal(0x05)
      bond.address = DeviceAddress(0xC605_0403_0201, .random)
      (bond.irk, bond.ltk) = (nil, nil)
    }
    bond.isAuthenticated = false
    try scene.central.remember(bond)
    return scene
  }

  private func isCodeMissing(_ scene: Encounter) -> Bool {
    scene.central.ask { $0.security.isCodeMissing }
  }

  @Test(arguments: Kind.allCases)
  func centralBehaviour71_whereACodeIsAMustABondWithoutOneIsNotFollowed(_ kind: Kind) throws {
    let scene = try scene(kind, .required)
    expect(isCodeMissing(scene) && scene.central.memory == .nothing)
    expect(scene.central.stage, .idle, "the rider is told first")
    for _ in 0..<100 {
      scene.controller.advertise(scene.central)
      scene.central.pass(1_000)
    }
    expect(scene.central.values == [] && scene.central.stage == .idle)
    scene.central.searchFast()
    _ = scene.central.takeSaid()
    let events = scene.meet()
    expect(!scene.central.takeSaid().contains { $0.hasPrefix("01 19 20") }, "its key is not used")
    expect(!events.contains(.encrypted) && scene.central.values == [])
    scene.central.forget()
    expect(!isCodeMissing(scene))
  }

  @Test(arguments: Kind.allCases)
  func centralBehaviour71_whereNoneIsRequiredAnyMoreItIsFollowedAgain(_ kind: Kind) throws {
    let scene = try scene(kind, .preferred)
    expect(!isCodeMissing(scene))
    expect(scene.central.memory, kind == .key ? .keys : .address)
    #expect(scene.meet().contains(.ready(isSubscribed: true)))
    expect(scene.requests, 0)
  }

  /// After a no the old bond stays: a pairing that comes to nothing is as if there had been none.
  @Test(arguments: [true, false])
  func centralBehaviour71_afterAPressItIsPairedWithByACodeAndFollowed(_ isSame: Bool) throws {
    let scene = try scene(.key, .required)
    scene.central.searchFast()
    #expect(scene.meet().contains(.compare(number: scene.security.digits)))
    expect(isCodeMissing(scene), "until the new one is on the disk")
    scene.central.confirm(isSame)
    guard isSame else {
      return expect(isCodeMissing(scene) && scene.central.stage == .idle)
    }
    scene.central.adoptBond()
    expect(!isCodeMissing(scene) && scene.central.memory == .keys)
    scene.lose()
    #expect(scene.meet().contains(.encrypted))
  }

  @Test func centralBehaviour71_aBondWithACodeIsFollowedWhereOneIsRequired() throws {
    let scene = Encounter(.required)
    scene.pair()
    var bond = scene.bond
    bond.ltk = scene.security.longTermKey.map { array($0.bytes) }
    bond.isAuthenticated = true
    let again = Encounter(.required)
    again.security.longTermKey = scene.security.longTermKey
    try again.central.remember(bond)
    expect(!isCodeMissing(again) && again.meet().contains(.encrypted))
  }
}
