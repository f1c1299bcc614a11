import Central
import Expecting
import HCI
import TestSupport

/// When the device says that it is there, and what: `advertise = on`.
@Suite struct AdvertisingTests {
  static let quick = "01 06 20 0f 20 00 20 00 00 00 00 00 00 00 00 00 00 07 00"
  static let slow = "01 06 20 0f 64 06 64 06 00 00 00 00 00 00 00 00 00 07 00"
  static let on = "01 0a 20 01 01"
  static let off = "01 0a 20 01 00"
  private static let service = "d0 00 2d 12 1e 4b 0f a4 99 4e ce b5 31 f4 05 79"

  private func data(flags: String) -> String {
    "01 08 20 20 1d 02 01 \(flags) 11 15 \(Self.service) 07 09 4c 65 6e 6b 65 72 00 00"
  }

  @Test func peripheralBehaviour1_nothingIsAdvertisedByDefault() {
    let visit = Visit(advertises: false)
    visit.central.searchFast()
    visit.central.pass(700_000)
    expect(visit.takeAdvertising(), [])
  }

  @Test func peripheralBehaviour2_theRememberedPhoneIsToldQuicklyAndAfterHalfAMinuteSlowly() {
    let visit = Visit()
    let told = visit.takeAdvertising()
    expect(told.count, 4)
    expect(told.first, Self.quick)
    expect(told.dropFirst().first, data(flags: "04"))
    expect(told.last, Self.on)
    visit.central.pass(29_000)
    expect(visit.takeAdvertising(), [])
    visit.central.pass(2_000)
    let slower = visit.takeAdvertising()
    expect(slower.first, Self.off)
    expect(slower.dropFirst().first, Self.slow)
    expect(slower.last, Self.on)
  }

  @Test func peripheralBehaviour2_aPhoneThatIsLostIsToldWithinATenthOfASecond() {
    let visit = Visit.linked()
    _ = visit.takeAdvertising()
    visit.end(reason: 0x08)
    visit.central.pass(100)
    expect(visit.takeAdvertising().first, Self.quick)
  }

  @Test func peripheralBehaviour3_whereNobodyIsRememberedNothingIsSaidWithoutAPress() {
    let visit = Visit(isRemembered: false)
    // The program has started: that is as good as a press, for half a minute.
    expect(visit.takeAdvertising().last, Self.on)
    visit.central.pass(60_000)
    expect(visit.takeAdvertising(), [Self.off])
    visit.central.pass(600_000)
    expect(visit.takeAdvertising(), [])
    visit.central.searchFast()
    expect(visit.takeAdvertising().last, Self.on)
  }

  @Test func peripheralBehaviour4_advertisingIsOffWhileAPhoneIsLinked() {
    let visit = Visit()
    _ = visit.takeAdvertising()
    visit.comes()
    visit.central.pass(20_000)
    expect(visit.takeAdvertising(), [])
    visit.end()
    visit.central.pass(100)
    expect(visit.takeAdvertising().last, Self.on)
  }

  @Test func peripheralBehaviour5_aSlowSearchSaysNothingTenMinutesAfterTheLastUse() {
    let visit = Visit()
    visit.central.pass(599_000)
    _ = visit.takeAdvertising()
    visit.central.pass(2_000)
    expect(visit.takeAdvertising(), [Self.off])
    visit.central.change { host, now in host.step(.used, at: now) }
    visit.central.pass(1)
    expect(visit.takeAdvertising().first, Self.slow)
  }

  @Test func peripheralBehaviour5_whoLeavesSaysNothing() {
    let visit = Visit()
    _ = visit.takeAdvertising()
    visit.central.leave()
    expect(visit.takeAdvertising(), [Self.off])
    visit.central.pass(60_000)
    expect(visit.takeAdvertising(), [])
  }

  @Test func peripheralBehaviour6_itIsOffBeforeAnAttemptAndOnAfterIt() {
    let visit = Visit()
    _ = visit.takeAdvertising()
    visit.controller.connects = false
    // Komoot's UUID from an address of the phone.
    visit.isHeard()
    let told = visit.takeCommands(0x200A, 0x200D)
    expect(told.first, Self.off)
    expect(told.dropFirst().first?.hasPrefix("01 0d 20"), true)
    visit.central.pass(10_000)
    expect(visit.takeAdvertising().last, Self.on)
  }

  @Test func peripheralBehaviour7_aControllerThatCannotDoBothDoesThemInTurn() {
    let visit = Visit(cannotDoBoth: true)
    visit.central.pass(6_000)
    expect(
      visit.turns,
      [
        "0 listens true", "0 listens false", "0 advertises true",
        "2000 advertises false", "2000 listens true",
        "3000 listens false", "3000 advertises true",
        "5000 advertises false", "5000 listens true",
        "6000 listens false", "6000 advertises true",
      ])
    expect(!visit.central.takeEvents().contains { if case .failed = $0 { true } else { false } })
    // It hears the phone in its turn, and connects to it.
    visit.central.pass(2_500)
    visit.isHeard()
    expect(visit.isConnected)
  }

  @Test func peripheralBehaviour7_aControllerThatSaysSoIsNotTried() {
    let visit = Visit(states: 0x3FF_FFFF_FFFF & ~(1 << 10), cannotDoBoth: true)
    visit.central.pass(3_000)
    expect(
      visit.turns.suffix(4),
      [
        "2000 advertises false", "2000 listens true", "3000 listens false", "3000 advertises true",
      ])
    expect(visit.refusals, 0)
  }

  /// In its turn, too, as a chip may beside the link to a sensor: it goes on listening.
  @Test func peripheralBehaviour7_aControllerThatRefusesInItsTurnIsNotLeftDeaf() {
    let visit = Visit(isRemembered: false)
    visit.central.pass(40_000)
    _ = visit.central.takeEvents()
    visit.refused[0x200A] = 0x0C
    visit.central.searchFast()
    visit.central.pass(100)
    let refusals = visit.central.takeEvents().filter {
      $0 == .advertisingRefused(.commandDisallowed)
    }
    expect(refusals.count, 1)
    expect(visit.controller.isScanning)
    // The sensor's link is over, and the rider asks once more.
    visit.refused = [:]
    visit.central.pass(60_000)
    visit.central.searchFast()
    visit.central.pass(3_000)
    #expect(visit.takeAdvertising().contains(Self.on))
    expect(
      !visit.central.takeEvents().contains {
        if case .advertisingRefused = $0 { true } else { false }
      })
  }

  @Test func peripheralBehaviour8_afterResetEverythingIsSetOnceMore() {
    let visit = Visit()
    _ = visit.takeAdvertising()
    visit.central.hears("04 10 01 42")
    visit.central.pass(2_000)
    let told = visit.takeAdvertising()
    expect(told.count, 4)
    expect(told.last, Self.on)
  }

  @Test func peripheralBehaviour9_itIsListedOnlyWhileItMayBePairedWith() {
    expect(Visit().takeAdvertising().dropFirst().first, data(flags: "04"))
    let visit = Visit(isRemembered: false)
    expect(visit.takeAdvertising().dropFirst().first, data(flags: "06"))
  }

  @Test(arguments: ["L", "Lenker12", "Lenker123", "Bangle.js Lenker", "Lenker of the year 1"])
  func peripheralBehaviour11_aNameIsWholeInThirtyOneBytes(_ name: String) {
    let told = Visit(name: name).takeAdvertising()
    let isShort = name.utf8.count <= 8
    let line = isShort ? told.dropFirst().first : told.dropFirst(2).first
    let structure = [UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8)
    expect(line?.contains(hex(structure)), true)
    for line in told.dropFirst().prefix(2) {
      expect(bytes(line).count, 4 + 32)
      #expect(bytes(line)[4] <= 31)
    }
  }

  /// Only one that is busy with listening has its turns.
  @Test(arguments: [(0x2006, 0x0C), (0x2008, 0x0C), (0x200A, 0x11)] as [(UInt16, UInt8)])
  func peripheralBehaviour7_anyOtherRefusalHoldsUntilReset(_ opcode: UInt16, _ status: UInt8) {
    let visit = Visit(isRemembered: false)
    visit.central.pass(40_000)
    _ = visit.takeCommands()
    visit.refused[opcode] = status
    visit.central.searchFast()
    visit.central.pass(10_000)
    expect(visit.takeCommands(opcode).count, 1)
    expect(visit.central.stage, .searching)
    visit.central.hears("04 10 01 42")
    visit.central.pass(2_000)
    expect(visit.takeCommands(opcode).count, 1)
  }

  /// It could advertise, but not answer a phone that encrypts.
  @Test func aControllerWithoutTheRoleIsNotToldToAdvertise() {
    let visit = Visit(knowsAdvertising: false)
    visit.central.pass(60_000)
    expect(visit.takeAdvertising(), [])
    expect(
      visit.central.takeEvents().filter { $0 == .advertisingRefused(.unknownCommand) }.count, 1)
    visit.isHeard()
    expect(visit.isConnected, "the phone is found as ever")
  }
}
