import Expecting
import TestSupport
import VirtualAir

/// Phones that come by themselves, against a host that says nothing but what a test has it say.
struct PeripheralTests {
  static let address = "01 4f 09 80 e6 42 60"
  /// LE Connection Complete: the role of a peripheral, 30 ms, 720 ms.
  static let connected = "04 3e 13 01 00 40 00 01 \(address) 18 00 00 00 48 00 01"
  static let keyRequest = "04 3e 0d 05 40 00 00 00 00 00 00 00 00 00 00 00"
  static let encrypted = "04 08 04 00 40 00 01"
  static let key = Array(repeating: UInt8(0x5A), count: 16)
  static let reply = "01 1a 20 12 40 00 \(hex(key))"
  static let refusal = "01 1b 20 02 40 00"

  /// A phone with a bond, and with these steps.
  static func phone(_ steps: [VirtualCentral.Step] = []) -> VirtualCentral {
    let phone = VirtualPhone()
    phone.security = VirtualSecurity()
    phone.security?.keyBytes = key
    let central = VirtualCentral(phone, steps)
    central.ownAddress = bytes(address)
    return central
  }

  // MARK: - Links

  @Test func itConnectsIfTheHostAdvertisesAndOnlyThen() {
    let (host, phone) = (BareHost(), Self.phone())
    expect(host.hear { $0.comes(phone, host) }, [])
    expect(!host.controller.isConnected)
    for command in [AdvertisingTests.fast, AdvertisingTests.on] { host.say(command) }
    expect(host.hear { $0.comes(phone, host) }, [Self.connected])
    expect(host.controller.link(phone)?.role, .peripheral)
    #expect(host.controller.linked === phone.phone)
    expect(host.hear { $0.comes(phone, host) }, [], "it has its link")
  }

  @Test func aLinkEndsTheAdvertising() {
    let (host, phone) = (AdvertisingTests.advertising(), Self.phone())
    host.pass(700)
    _ = host.hear { $0.comes(phone, host) }
    expect(!host.controller.advertising.isOn && host.controller.advertising.since == 700)
    expect(host.hear { $0.comes(Self.phone(), host) }, [], "nobody advertises to others")
    expect(host.hear { $0.disconnect(phone, host) }, ["04 05 04 00 40 00 13"])
    expect(!host.controller.advertising.isOn, "nor when it has ended")
  }

  @Test func itsRequestMayHaveBeenOnItsWay() {
    let (host, phone) = (BareHost(), Self.phone())
    expect(host.hear { $0.comes(phone, host, thoughSilent: true) }, [Self.connected])
  }

  /// One comes at once, the other after 50 ms, when the first has been sent away.
  @Test func thoseWhoWaitForItComeByThemselves() {
    let host = BareHost()
    let phones = [Self.phone(), Self.phone(), Self.phone()]
    phones[1].delay = 50
    phones[2].isNear = false
    host.controller.centrals = phones
    expect(host.say(AdvertisingTests.on), AdvertisingTests.complete("0a") + [Self.connected])
    host.say("01 06 04 03 40 00 13")
    host.say(AdvertisingTests.on)
    expect(phones.map(\.linkCount), [2, 0, 0])
    host.say("01 06 04 03 40 00 13")
    phones[0].isNear = false
    host.say(AdvertisingTests.on)
    expect(host.pass(49), [])
    expect(host.pass(1), [Self.connected])
    expect(phones.map(\.linkCount), [2, 1, 0])
  }

  @Test func aFullControllerTakesNobody() {
    let host = AdvertisingTests.advertising()
    host.controller.linkLimit = 0
    expect(host.hear { $0.comes(Self.phone(), host) }, [])
  }

  // MARK: - Keys

  private func linked(
    _ steps: [VirtualCentral.Step] = [.encrypt], _ change: (VirtualCentral) -> Void = { _ in }
  ) -> (BareHost, VirtualCentral) {
    let (host, phone) = (AdvertisingTests.advertising(), Self.phone(steps))
    change(phone)
    _ = host.hear { $0.comes(phone, host) }
    return (host, phone)
  }

  @Test func itEncryptsWithTheKeyOfItsBond() {
    let (host, phone) = (
      AdvertisingTests.advertising(), Self.phone([.encrypt, .ask([0x0A, 3, 0])])
    )
    expect(host.hear { $0.comes(phone, host) }, [Self.connected, Self.keyRequest])
    expect(
      host.say(Self.reply),
      [
        "04 0e 06 01 1a 20 00 40 00", Self.encrypted, "02 40 20 07 00 03 00 04 00 0a 03 00",
      ])
    expect(phone.isEncrypted && phone.phone.isEncrypted)
    expect(host.say(Self.reply), ["04 0e 06 01 1a 20 0c 40 00"], "nobody asks for it now")
  }

  @Test func aKeyForNoLinkIsRefused() {
    let host = BareHost()
    expect(host.say(Self.reply), ["04 0e 06 01 1a 20 02 40 00"])
    expect(host.say(Self.refusal), ["04 0e 06 01 1b 20 02 40 00"])
  }

  /// Some say first that encryption failed.
  @Test(arguments: [[], ["04 08 04 3d 40 00 00"]])
  func anotherKeyEndsTheLinkByItsFirstPacket(_ change: [String]) {
    let (host, phone) = linked {
      $0.wrongKey = [UInt8](repeating: 1, count: 16)
      $0.failsWithChange = !change.isEmpty
    }
    expect(
      host.say(Self.reply), ["04 0e 06 01 1a 20 00 40 00"] + change + ["04 05 04 00 40 00 3d"])
    expect(!phone.isEncrypted && host.controller.links.isEmpty)
  }

  @Test func whereThereIsNoKeyItGoesOrGoesOn() {
    let (host, _) = linked()
    expect(host.say(Self.refusal), ["04 0e 06 01 1b 20 00 40 00", "04 05 04 00 40 00 05"])
    let (other, _) = linked { $0.whenKeyIsRefused = [.ask([0x0A, 3, 0])] }
    expect(BareHost.frames(other.say(Self.refusal)), ["0a 03 00"])
  }

  @Test func aKeyOfLegacyPairingHasAName() {
    let (host, phone) = (AdvertisingTests.advertising(), Self.phone([.encrypt]))
    (phone.random, phone.diversifier) = ([1, 2, 3, 4, 5, 6, 7, 8], [9, 10])
    expect(
      host.hear { $0.comes(phone, host) }.last, "04 3e 0d 05 40 00 01 02 03 04 05 06 07 08 09 0a")
  }

  @Test func itMayEncryptLate() {
    let (host, _) = linked([.wait(4_000), .encrypt])
    expect(host.pass(3_999), [])
    expect(host.pass(1), [Self.keyRequest])
  }

  /// As over USB, where data and events have pipes of their own.
  @Test func itsDataMayOvertakeTheEncryption() {
    let (host, _) = linked([.encrypt, .ask([0x0A, 3, 0])]) { $0.overtakesEncryption = true }
    expect(host.say(Self.reply).last, Self.encrypted)
  }

  @Test func theHostMayHearOfTheLinkLast() {
    let (host, phone) = (AdvertisingTests.advertising(), Self.phone([.encrypt]))
    phone.isReportedLate = true
    expect(host.hear { $0.comes(phone, host) }, [Self.keyRequest])
    expect(Array(host.say(Self.reply).suffix(2)), [Self.encrypted, Self.connected])
    expect(host.hear { $0.reportLateConnections(host) }, [])
  }

  @Test func aSecondEncryptionIsARefreshOfTheKey() {
    let (host, phone) = linked()
    host.say(Self.reply)
    expect(host.hear { $0.goOn(phone, with: [.encrypt], host) }, [Self.keyRequest])
    expect(host.say(Self.reply).last, "04 30 03 00 40 00")
  }

  @Test func aPeripheralBeginsNoEncryption() {
    let (host, _) = linked([])
    expect(
      host.say("01 19 20 1c 40 00 \(zeros(10)) \(hex(Self.key))"), ["04 0f 04 0c 01 19 20"])
  }

  private func zeros(_ count: Int) -> String { hex([UInt8](repeating: 0, count: count)) }

  @Test func aSecurityRequestHasItEncrypt() {
    let (host, phone) = linked([])
    expect(host.say("02 40 00 06 00 02 00 06 00 0b 0d").last, Self.keyRequest)
    expect(phone.securityCommands, [[0x0B, 0x0D]])
  }

  // MARK: - Two links

  @Test func aSecondLinkToOnePhoneIsAStranger() {
    let (host, phone) = linked()
    host.say(Self.reply)
    let second = VirtualCentral(phone.phone)
    second.ownAddress = bytes("01 01 01 01 01 01 41")
    expect(
      host.hear { $0.comes(second, host, thoughSilent: true) },
      [
        "04 3e 13 01 00 41 00 01 01 01 01 01 01 01 41 18 00 00 00 48 00 01"
      ])
    expect(host.ask("0a 22 00", handle: 0x41), [])
    expect(host.controller.framesOnSecondLinks, 1)
    host.say("01 06 04 03 41 00 13")
    expect(phone.isEncrypted && phone.phone.isEncrypted, "the older link is as it was")
    #expect(host.controller.linked === phone.phone)
  }

  @Test func aCentralsLinkMayBeTheSecond() {
    let (host, phone) = linked()
    host.controller.phone = phone.phone
    host.say(Self.reply)
    expect(host.create(phone.phone.address).last?.prefix(26), "04 3e 13 01 00 41 00 00 01")
    host.say("01 06 04 03 41 00 13")
    expect(phone.phone.isEncrypted && host.controller.links.count == 1)
  }

  @Test func itMayNoticeThatThereIsALink() {
    let (host, phone) = linked()
    host.controller.phone = phone.phone
    host.controller.existingRefusal = .commandStatus
    expect(host.create(phone.phone.address), ["04 0f 04 0b 01 0d 20"])
    host.controller.existingRefusal = .connectionComplete
    expect(
      host.create(phone.phone.address), [BareHost.accepted, "04 3e 13 01 0b \(zeros(17))"])
    expect(host.create([1, 9, 9, 9, 9, 9, 0xC0]).first, BareHost.accepted)
  }

  /// By a phone that comes, or by the one that was called.
  @Test(arguments: [true, false])
  func anAttemptThatIsCalledBackMayBeOvertaken(_ isByAnother: Bool) {
    let (host, phone) = (BareHost(), Self.phone())
    host.controller.connects = false
    _ = host.create([1, 9, 9, 9, 9, 9, 0xC0])
    host.controller.cancelRace = isByAnother ? .comes(phone) : .connects
    expect(
      host.say("01 0e 20 00"),
      isByAnother
        ? [Self.connected, "04 0e 04 01 0e 20 00", "04 3e 13 01 02 \(zeros(17))"]
        : [
          "04 3e 13 01 00 40 00 00 01 09 09 09 09 09 c0 18 00 00 00 90 01 00",
          "04 0e 04 01 0e 20 0c",
        ])
  }
}
