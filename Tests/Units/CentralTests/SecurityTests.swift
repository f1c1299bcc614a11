import ATT
import Bytes
import Central
import Expecting
import HCI
import Link
import PlainBonds
import SMP
import TestSupport
import VirtualAir

/// Who is paired with, who is remembered, and what goes over which link.
struct SecurityTests {
  // MARK: - Pairing

  @Test func centralBehaviour32_theRiderComparesTheNumberAndThePhoneIsRemembered() {
    let scene = Encounter()
    let events = scene.meet()
    #expect(events.suffix(3).contains(.ready(isSubscribed: true)))
    #expect(events.contains(.compare(number: scene.security.digits)))
    expect(!scene.phone.isEncrypted)
    scene.central.confirm(true)
    expect(scene.phone.isEncrypted)
    expect(scene.central.takeEvents(), [.encrypted, .remember(.keys), .value])
    scene.central.adoptBond()
    expect(scene.central.memory, .keys)
    expect(scene.central.values, [scene.phone.value])
  }

  @Test func centralBehaviour32_aPhoneWithoutADisplayIsPairedIfTheRiderAgrees() {
    let scene = Encounter(manner: .justWorks)
    let events = scene.meet()
    expect(events.last, .ask)
    expect(!events.asksToCompare)
    scene.central.confirm(true)
    expect(scene.central.takeEvents(), [.encrypted, .remember(.keys), .value])
  }

  @Test func centralBehaviour32_aQuestionThatNobodyAnswersEndsAfter30Seconds() {
    let scene = Encounter.met()
    scene.central.pass(29_999)
    expect(scene.controller.isConnected)
    scene.central.pass(1)
    #expect(scene.central.takeEvents().contains(.pairingFailed(.timedOut)))
    expect(!scene.controller.isConnected)
  }

  @Test func centralBehaviour33_theOldBondStaysUntilTheNewOneIsOnDisk() {
    let scene = Encounter.paired()
    let old = scene.security.longTermKey
    scene.lose()
    scene.security.longTermKey = nil
    scene.meetAgain(3)
    scene.central.searchFast()
    scene.agree()
    // The new keys are there, but not on disk: the next link is tried with the old ones.
    #expect(scene.central.takeEvents().contains(.remember(.keys)))
    scene.lose()
    scene.security.longTermKey = old
    scene.central.pass(1_500)
    scene.phone.address = scene.security.privateAddress(2)
    #expect(scene.meet().contains(.encrypted))
  }

  @Test func aPhoneIsRememberedByTheNameThatItAdvertisesUntilItHasSaidItsOwn() {
    let scene = Encounter()
    scene.phone.advertisement += bytes("06 09") + Array("Pixel".utf8)
    scene.phone.onRequest = { if $0 == 0x12 { scene.phone.withheld = [0x06] } }
    scene.pair()
    expect(scene.central.bondName, "Pixel", "\(scene.phone.requests)")
    scene.lose()
    scene.phone.onRequest = nil
    scene.phone.withheld = []
    expect(scene.meet().last, .bondChanged)
    scene.central.adoptBond()
    expect(scene.central.bondName, "Fairy")
  }

  // MARK: - Meeting again

  /// The MTU is no question to the phone, but to its Bluetooth stack.
  @Test(arguments: [PairingPolicy.preferred, .required])
  func aRememberedPhoneIsEncryptedBeforeAnythingIsAsked(_ pairing: PairingPolicy) {
    let scene = Encounter(pairing)
    scene.pair()
    scene.lose()
    let count = scene.phone.requests.count
    scene.phone.onRequest = { expect(scene.phone.isEncrypted || $0 == 0x02) }
    let events = scene.meet()
    #expect(events.contains(.encrypted))
    #expect(events.contains(.ready(isSubscribed: true)))
    #expect(scene.phone.requests.count > count)
    expect(scene.requests, 1, "and never paired with again")
  }

  @Test func centralBehaviour34_aPrivateAddressIsResolvedByTheBondsKey() {
    let scene = Encounter.paired()
    for number in UInt8(2)...9 {
      scene.lose()
      scene.phone.address = scene.security.privateAddress(number)
      // In the background the phone says nothing of the service, and nobody waits for others.
      scene.phone.advertisement = bytes("02 01 06")
      scene.controller.advertise(scene.central)
      expect(scene.controller.isConnected)
    }
  }

  @Test func centralBehaviour15_whileAPhoneIsRememberedNobodyElseIsConnectedTo() {
    let scene = Encounter.pairedAndLost()
    let service = VirtualPhone.listing
    for address in ["01 99 02 03 04 05 c6", "00 99 02 03 04 05 06", "01 99 02 03 04 05 46"] {
      scene.controller.report(bytes(address), service, rssi: -20, scene.central)
    }
    scene.central.pass(50_000)
    expect(scene.central.takeEvents(), [])
    #expect(scene.meet().contains(.encrypted))
  }

  @Test func centralBehaviour35_aPhoneThatForgotUsIsToldAndNeitherLoopsNorPairsUnasked() {
    for status in [UInt8(0x06), 0x05, 0x3D] {
      let scene = Encounter()
      scene.controller.wrongKeyStatus = status
      #expect(scene.becomeForgotten().contains(.bondRejected(isToBeTold: false)))
      expect(!scene.controller.isConnected)
      // Ten minutes in its neighbourhood: an attempt a minute at most.
      for _ in 0..<600 {
        scene.controller.advertise(scene.central)
        scene.central.pass(1_000)
      }
      let again = scene.central.takeEvents().rejections.count
      expect(again > 0 && again <= 15)
      expect(scene.requests, 1)
      expect(scene.central.memory, .keys)
    }
  }

  @Test func centralBehaviour35_aDeviceThatHasJustStartedAsksNoPhoneThatForgotUsToPair() throws {
    let scene = Encounter()
    try scene.central.remember(scene.bond)
    for second in 0..<120 {
      scene.phone.address = scene.security.privateAddress(UInt8(second))
      scene.controller.advertise(scene.central)
      scene.central.pass(1_000)
    }
    #expect(scene.central.takeEvents().contains(.bondRejected(isToBeTold: false)))
    expect(scene.requests, 0)
  }

  @Test func aBondThatComesLateFromTheDiskEndsAStrangersLinkOnly() throws {
    let stranger = Encounter.met()
    var other = stranger.bond
    other.address = DeviceAddress(0xC0FF_EE00_0002, .random)
    other.irk = [UInt8](1...16)
    try stranger.central.remember(other)
    expect(!stranger.controller.isConnected)
    let friend = Encounter.paired()
    var same = friend.bond
    same.ltk = friend.security.longTermKey.map { array($0.bytes) }
    try friend.central.remember(same)
    expect(friend.controller.isConnected)
  }

  /// Who sends the remembered phone's address again, and says that it has no key.
  @Test(arguments: [VirtualSecurity.Manner.justWorks, .refusal(0x05), .refusal(0x0C), .silence])
  func centralBehaviour35_nobodyWeakerTakesThePhonesPlace(_ manner: VirtualSecurity.Manner) {
    let scene = Encounter.pairedAndLost()
    let key = scene.security.longTermKey
    scene.security.longTermKey = nil
    scene.security.manner = manner
    scene.meetAgain(3)
    scene.central.searchFast()
    scene.phone.onRequest = { expect($0 != 0x0A && $0 != 0x12, "no ride over an open link") }
    _ = scene.meet()
    scene.central.read()
    scene.central.pass(60_000)
    let events = scene.central.takeEvents()
    expect(!events.contains { if case .remember = $0 { true } else { false } })
    expect(!events.contains { if case .ready = $0 { true } else { false } })
    expect(scene.central.memory, .keys)
    // The phone itself still has the key, and is known by it.
    scene.phone.onRequest = nil
    scene.security.longTermKey = key
    scene.phone.address = scene.security.privateAddress(7)
    if scene.controller.isConnected { scene.lose() }
    scene.central.pass(60_000)
    #expect(scene.meet().contains(.encrypted))
  }

  @Test func aLinkWhoseEncryptionIsTakenAwayIsEnded() {
    let scene = Encounter.paired()
    scene.central.receive("04 08 04 00 40 00 00")
    expect(!scene.controller.isConnected)
  }

  @Test(arguments: [UInt8(0x01), 0x09, 0x0D, 0x1D])
  func centralBehaviour36_aWishForSecurityStartsNothing(_ requirements: UInt8) {
    // From a stranger, in a search that never ends; then from the remembered phone.
    let stranger = Encounter.met(.off)
    stranger.controller.send(channel: 0x06, [0x0B, requirements], stranger.central)
    let friend = Encounter.pairedAndLost()
    friend.controller.encrypts = false
    _ = friend.meet()
    let count = friend.security.codes.count
    friend.controller.send(channel: 0x06, [0x0B, requirements], friend.central)
    expect(stranger.security.codes, [0x05], "and is told so")
    expect(friend.security.codes.count, count)
    expect(friend.controller.isConnected)
  }

  // MARK: - A phone that demands it

  /// The subscription and the read, or the read alone.
  @Test(arguments: [UInt8(0x05), 0x0F, 0x0C], [true, false])
  func centralBehaviour29_whatIsRefusedIsAskedAgainOnTheSecureLink(_ code: UInt8, _ hasCCCD: Bool) {
    let scene = Encounter()
    scene.phone.hasCCCD = hasCCCD
    scene.phone.openLinkError = code
    #expect(scene.meet().contains(.compare(number: scene.security.digits)))
    expect(!scene.phone.isSubscribed)
    scene.central.read()
    expect(scene.central.values, [])
    scene.central.confirm(true)
    let events = scene.central.takeEvents()
    expect(scene.phone.isSubscribed == hasCCCD)
    expect(!hasCCCD || events.contains(.ready(isSubscribed: true)))
    expect(!events.contains { if case .readRefused = $0 { true } else { false } })
    expect(scene.central.values.last, scene.phone.value)
  }

  /// Vol 3, Part H, 2.4.6: on the link of the pairing, and on a later one.
  @Test(arguments: [false, true])
  func centralBehaviour143_aWishForSecurityRenewsTheEncryption(_ isLater: Bool) throws {
    let scene = Encounter.paired()
    if isLater {
      scene.lose()
      _ = scene.meet()
    }
    let key = hex(array(try #require(scene.security.longTermKey).bytes))
    let renewal = "01 19 20 1c 40 00 " + String(repeating: "00 ", count: 10) + key
    func renewals(_ wishes: Int) -> [String] {
      _ = scene.central.takeSaid()
      for _ in 0..<wishes {
        scene.controller.send(channel: 0x06, bytes("0b 0d"), scene.central)
      }
      return scene.central.takeSaid().filter { $0.hasPrefix("01 19 20") }
    }
    scene.controller.encrypts = false
    expect(renewals(3), [renewal], "one at a time")
    scene.central.receive("04 30 03 00 40 00")
    expect(renewals(1), [renewal])
    scene.central.receive("04 30 03 00 40 00")
    _ = scene.central.takeEvents()
    scene.central.read()
    expect(scene.central.takeEvents(), [.value], "the ride goes on")
    _ = renewals(1)
    scene.central.receive("04 30 03 3d 40 00")
    expect(!scene.controller.isConnected, "encryption is never given up")
  }

  /// A key that nobody compared does not become better by being used again.
  @Test func centralBehaviour143_aWishForABetterKeyIsDeclined() {
    let scene = Encounter(manner: .justWorks)
    scene.pair()
    _ = scene.central.takeSaid()
    scene.controller.send(channel: 0x06, bytes("0b 0d"), scene.central)
    expect(scene.security.codes.last, 0x05)
    expect(scene.central.takeSaid().count { $0.hasPrefix("01 19 20") }, 0)
    scene.controller.send(channel: 0x06, bytes("0b 09"), scene.central)
    expect(scene.central.takeSaid().count { $0.hasPrefix("01 19 20") }, 1)
    expect(scene.controller.isConnected)
  }

  /// Which cannot pair, or is never content.
  @Test(arguments: [.refusal(0x05), .justWorks] as [VirtualSecurity.Manner])
  func centralBehaviour29_aPhoneIsNotAskedAgainAtEachRefusal(_ manner: VirtualSecurity.Manner) {
    let scene = Encounter(manner: manner)
    scene.phone.readError = 0x05
    scene.agree()
    if case .justWorks = manner { expect(scene.phone.isEncrypted) }
    _ = scene.central.takeEvents()
    for _ in 0..<5 { scene.central.read() }
    expect(scene.central.takeEvents().count { $0 == .readRefused(.insufficientAuthentication) }, 5)
    expect(scene.requests, 1)
  }

  @Test func centralBehaviour29_withoutPairingTheRefusalIsTold() {
    let scene = Encounter(.off)
    scene.phone.openLinkError = 0x05
    let events = scene.meet()
    #expect(events.contains(.ready(isSubscribed: false)))
    scene.central.read()
    expect(scene.central.takeEvents(), [.readRefused(.insufficientAuthentication)])
    expect(scene.security.codes == [] && scene.central.memory == .nothing)
  }
}
