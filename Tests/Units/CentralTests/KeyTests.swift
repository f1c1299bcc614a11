import Bytes
import Central
import Expecting
import PlainBonds
import TestSupport
import VirtualAir

/// The remembered phone, and who sends its address.
struct KeyTests {
  @Test func centralBehaviour42_theKeyIsAskedForFirstAfterARejectionAndAPressTooAndThenANewOne() {
    let scene = Encounter()
    scene.becomeRejected()
    expect(scene.central.isBondRejected)
    scene.central.searchFast()
    scene.phone.name = "Mallory"
    _ = scene.central.takeSaid()
    let count = scene.requests
    let events = scene.meet()
    #expect(events.contains(.compare(number: scene.security.digits)))
    expect(!events.contains(.bondChanged) && !events.contains(.name), "not from an open link")
    expect(scene.central.takeSaid().count { $0.hasPrefix("01 19 20") }, 1)
    expect(scene.requests, count + 1)
    scene.central.confirm(true)
    let encrypted = scene.central.takeEvents()
    expect(encrypted.prefix(2), [.encrypted, .remember(.keys)])
    #expect(encrypted.contains(.name))
    scene.central.adoptBond()
    expect(!scene.central.isBondRejected)
    scene.lose()
    #expect(scene.meet().contains(.encrypted))
  }

  /// How far the command with the key has come when the phone is forgotten.
  enum KeyMoment: CaseIterable { case sent, prepared, waiting }

  @Test(arguments: KeyMoment.allCases)
  func theKeyOfAForgottenPhoneDoesNotStayWithTheController(_ moment: KeyMoment) throws {
    let scene = Encounter.pairedAndLost()
    let key = try #require(scene.security.keyBytes)
    if moment != .sent { scene.controller.withheld = [0x200D] }
    _ = scene.meet()
    if moment == .sent { #expect(scene.controller.commands.contains(0x2019)) }
    if moment == .prepared {
      scene.controller.commandStatus(0x200D, 0, scene.central)
      scene.central.isTransportFull = true
    }
    if moment != .sent {
      scene.central.receive(
        bytes("04 3e 13 01 00 40 00 00") + scene.phone.address + bytes("0c 00 00 00 90 01 00"))
      #expect(!scene.central.controllersMemory.ranges(of: key).isEmpty)
    }
    scene.central.forget()
    scene.central.isTransportFull = false
    scene.central.pass(100)
    let memory = scene.central.controllersMemory
    for half in [key.prefix(8), key.suffix(8)] { #expect(memory.ranges(of: half).isEmpty) }
  }

  /// A link that falls silent, or ends, has not refused the key.
  @Test(arguments: [nil, UInt8(0x13), 0x3D])
  func centralBehaviour42_nobodyIsPairedWithOnALinkThatDidNotItselfRefuseTheKey(_ reason: UInt8?) {
    let scene = Encounter.rejectedAndPressed()
    scene.controller.encrypts = false
    let count = scene.requests
    _ = scene.meet()
    if let reason { scene.controller.disconnect(reason: reason, scene.central) }
    scene.central.pass(3_000)
    expect(!scene.controller.isConnected)
    expect(scene.requests, count)
  }

  @Test func centralBehaviour43_anAddressThatFailedRestsEverLonger() {
    let scene = Encounter()
    scene.becomeForgotten()
    for rest in [5, 10, 20, 40, 60, 60] as [Int64] {
      scene.central.pass(rest * 1_000 - 400)
      expect(scene.meet(), [], "\(rest) s")
      scene.central.pass(200)
      expect(scene.meet().rejections.count, 1)
    }
  }

  /// Android has another one each time that it begins to advertise.
  @Test func centralBehaviour43_aPhoneThatForgotUsAndChangesItsAddressEachTimeIsNoLoop() {
    let scene = Encounter()
    scene.becomeForgotten()
    var attempts = 0
    for time in 0..<60 * 20 {
      scene.phone.address = scene.security.privateAddress(UInt8(time % 250))
      scene.controller.advertise(scene.central)
      scene.central.pass(50)
      attempts += scene.central.takeEvents().rejections.count
    }
    expect(attempts > 20 && attempts < 45, "the phone itself might be among them")
  }

  @Test func centralBehaviour42_aPressWhileAnAttemptIsUnderWayIsNotForgotten() {
    let scene = Encounter()
    scene.becomeRejected()
    scene.central.pass(61_000)
    scene.controller.encrypts = false
    _ = scene.meet()
    scene.central.searchFast()
    scene.controller.disconnect(reason: 0x13, scene.central)
    scene.controller.encrypts = true
    scene.central.pass(1_500)
    scene.phone.address = scene.security.privateAddress(3)
    #expect(scene.meet().contains(.compare(number: scene.security.digits)))
  }

  /// An address that somebody has sent without the key is used up.
  @Test func centralBehaviour42_aPressIsWorthOneLinkOnWhichTheKeyFails() {
    let scene = Encounter.rejectedAndPressed()
    expect(scene.meet().asksToCompare)
    scene.lose()
    scene.central.pass(5_000)
    scene.phone.address = scene.security.privateAddress(3)
    let events = scene.meet()
    expect(events.rejections.count == 1 && !events.asksToCompare)
  }

  /// How the encryption with our key ends at a phone that does not have it.
  enum Denial {
    case status(UInt8)
    case endOfLink(UInt8)
    case silence
  }

  private func meet(_ denial: Denial, _ scene: Encounter) -> [HostEvent] {
    if case .status(let status) = denial {
      scene.controller.wrongKeyStatus = status
      return scene.meet()
    }
    scene.controller.encrypts = false
    let events = scene.meet()
    if case .endOfLink(let reason) = denial {
      scene.controller.disconnect(reason: reason, scene.central)
    }
    scene.central.pass(3_000)
    return events + scene.central.takeEvents()
  }

  @Test(
    arguments: [
      .status(0x05), .status(0x06), .status(0x1A), .status(0x3D), .endOfLink(0x13),
      .endOfLink(0x3D), .silence,
    ] as [Denial])
  func centralBehaviour44_theRiderIsToldOnceAfterThreeFailuresInARow(_ denial: Denial) {
    let scene = Encounter.pairedAndLost()
    scene.security.longTermKey = nil
    var told: [HostEvent] = []
    for _ in 0..<6 {
      told += meet(denial, scene)
      scene.central.pass(61_000)
    }
    expect(told.rejections, [false, false, true, false, false, false])
  }

  @Test func centralBehaviour44_aSuccessBetweenBeginsTheCountAnew() {
    let scene = Encounter.paired()
    let key = scene.security.longTermKey
    for _ in 0..<4 {
      for keyless in [nil, nil, key] {
        scene.lose()
        scene.security.longTermKey = keyless
        scene.central.pass(61_000)
        let events = scene.meet()
        #expect(!events.contains(.bondRejected(isToBeTold: true)))
        expect(events.contains(.encrypted), (keyless != nil))
      }
    }
  }

  /// The phone lost its key between the link that told the name and the end of the writing.
  @Test func centralBehaviour44_aNewNameThatIsOnDiskAtLastEndsNoDoubt() {
    let scene = Encounter.pairedAndLost()
    scene.phone.name = "Mask"
    #expect(scene.meet().contains(.bondChanged))
    scene.lose()
    scene.security.longTermKey = nil
    for _ in 0..<3 {
      scene.central.pass(61_000)
      _ = scene.meet()
    }
    scene.central.adoptBond()
    expect(scene.central.isBondRejected)
  }

  @Test func centralBehaviour49_aRememberedPhoneIsListenedForWithoutAQuestion() {
    let scene = Encounter()
    expect(scene.controller.isScanActive)
    scene.pair()
    scene.lose()
    expect(scene.controller.isScanning)
    expect(!scene.controller.isScanActive)
    scene.central.forget()
    scene.central.searchFast()
    expect(scene.controller.isScanActive)
  }

  /// A random static address, and an identity that is another one.
  @Test func centralBehaviour50_aPhoneThatWasMetByAFixedAddressKeepsIt() {
    let scene = Encounter()
    scene.phone.address = bytes("01 01 02 03 04 05 c6")
    scene.pair()
    scene.lose()
    #expect(scene.meet().contains(.encrypted))
    scene.lose()
    scene.phone.address = scene.security.privateAddress(3)
    expect(scene.meet(), [], "its identity resolving key is ignored")
  }

  /// That of a remembered phone gets its encryption, and without pairing it fails: behaviour 36.
  @Test func centralBehaviour51_aStrangersSecurityRequestGetsAPairingOnceThePhoneIsOfUse() {
    let stranger = Encounter()
    stranger.phone.withheld = [0x02]
    _ = stranger.meet()
    stranger.controller.send(channel: 0x06, bytes("0b 0d"), stranger.central)
    expect(stranger.security.codes, [], "nobody knows yet whether it is of use")
    stranger.phone.withheld = []
    stranger.controller.send(channel: 0x04, bytes("03 17 00"), stranger.central)
    expect(stranger.security.codes.first, 0x01)
  }

  @Test func centralBehaviour52_aNameThatChangesIsWrittenOnceARide() {
    let scene = Encounter.paired()
    var written = 0
    for number in 0..<8 {
      scene.lose()
      scene.phone.name = "Mask \(number)"
      written += scene.meet().count { $0 == .bondChanged }
      scene.central.adoptBond()
    }
    expect(written, 1)
    scene.lose()
    scene.central.pass(600_000)
    #expect(scene.meet().contains(.bondChanged), "another ride")
  }
}

/// How often the address of an advertisement is resolved.
struct ResolutionTests {
  /// Of whatever kind it is: connectable, directed, for scanners, for nobody, a scan response.
  @Test(arguments: [0, 1, 2, 3, 4] as [UInt8], [false, true])
  func centralBehaviour87_anAdvertisementIsResolvedOnce(_ type: UInt8, _ hasSensors: Bool) throws {
    let controller = VirtualController()
    let central = Central(pairing: .preferred, sensors: hasSensors)
    controller.attach(to: central)
    try central.remember(PlainBond(number: 1))
    central.start()
    if hasSensors { central.searchSensors() }
    expect(controller.isScanning)
    for number in 0..<10 as Range<UInt8> {
      let blocks = central.blocks.count
      controller.report([1, number, 2, 3, 4, 5, 0x46], bytes("02 01 06"), type: type, central)
      #expect(central.blocks.count - blocks <= 1)
    }
  }
}
