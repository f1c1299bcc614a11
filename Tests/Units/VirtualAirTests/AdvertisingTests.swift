import Expecting
import TestSupport
import VirtualAir

/// The controller of a peripheral by the bytes of the specification (Vol 4, Part E, 7.8.5 to 7.8.9).
struct AdvertisingTests {
  static let fast = "01 06 20 0f 20 00 20 00 00 00 00 00 00 00 00 00 00 07 00"
  static let slow = "01 06 20 0f 64 06 64 06 00 00 00 00 00 00 00 00 00 07 00"
  static let solicitation = "11 15 d0 00 2d 12 1e 4b 0f a4 99 4e ce b5 31 f4 05 79"
  static let data = "01 08 20 20 1d 02 01 06 \(solicitation) 07 09 4c 65 6e 6b 65 72 00 00"
  static let response =
    "01 09 20 20 12 11 09 42 61 6e 67 6c 65 2e 6a 73 20 4c 65 6e 6b 65 72"
    + String(repeating: " 00", count: 13)
  static let on = "01 0a 20 01 01"
  static let off = "01 0a 20 01 00"

  /// The answer to a command of one octet of status.
  static func complete(_ opcode: String, _ status: String = "00") -> [String] {
    ["04 0e 04 01 \(opcode) 20 \(status)"]
  }

  /// A controller that advertises as Lenker does.
  static func advertising(_ sensors: VirtualSensor...) -> BareHost {
    let host = BareHost()
    host.controller.sensors = sensors
    for command in [fast, data, response, on] { host.say(command) }
    return host
  }

  @Test func itSaysWhatIsAdvertisedAndSinceWhen() {
    let host = BareHost()
    host.pass(1_000)
    expect(host.say(Self.fast), Self.complete("06"))
    expect(host.say(Self.data), Self.complete("08"))
    expect(host.say(Self.response), Self.complete("09"))
    expect(!host.controller.advertising.isOn)
    expect(host.say(Self.on), Self.complete("0a"))
    let advertising = host.controller.advertising
    expect(advertising.isOn && advertising.since == 1_000)
    expect(advertising.interval == (0x20, 0x20) && advertising.type == 0)
    expect(hex(advertising.data), "02 01 06 \(Self.solicitation) 07 09 4c 65 6e 6b 65 72")
    expect(string(advertising.scanResponse.dropFirst(2)), "Bangle.js Lenker")
  }

  private func string(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  @Test func eachTimeOfAdvertisingIsRemembered() {
    let host = Self.advertising()
    host.pass(30_000)
    host.say(Self.off)
    host.say(Self.slow)
    host.pass(5)
    host.say(Self.on)
    host.say(Self.on)
    let spells = host.controller.advertisingSpells
    expect(spells.map(\.start) == [0, 30_005] && spells.map(\.end) == [30_000, nil])
    expect(spells.map(\.interval), [0x20, 0x664])
    expect(spells[1].data.count, 29)
  }

  @Test func parametersAreRefusedWhileItAdvertises() {
    let host = Self.advertising()
    expect(host.say(Self.slow), Self.complete("06", "0c"))
    expect(host.say(Self.data), Self.complete("08"), "data may change at any time")
    host.say(Self.off)
    expect(host.say(Self.slow), Self.complete("06"))
    expect(host.controller.advertising.interval.min, 0x664)
  }

  /// Interval, type, own address, channels, filter policy.
  @Test(
    arguments: [
      "1f 00 20 00 00 00", "21 00 20 00 00 00", "20 00 01 40 00 00", "20 00 20 00 05 00",
      "20 00 20 00 00 01",
    ])
  func parametersThatDoNotGoTogetherAreRefused(_ beginning: String) {
    let host = BareHost()
    expect(
      host.say("01 06 20 0f \(beginning) 00 00 00 00 00 00 00 07 00"), Self.complete("06", "12"))
  }

  @Test func moreDataThanFitAreRefused() {
    let host = BareHost()
    let many = "01 08 20 20 20" + String(repeating: " 41", count: 31)
    expect(host.say(many), Self.complete("08", "12"))
    expect(host.say("01 0a 20 01 02"), Self.complete("0a", "12"))
    expect(host.controller.advertising.data, [])
  }

  @Test func someEitherAdvertiseOrScan() {
    let host = BareHost()
    host.controller.cannotAdvertiseWhileScanning = true
    host.say("01 0c 20 02 01 00")
    expect(host.say(Self.on), Self.complete("0a", "0c"))
    host.say("01 0c 20 02 00 00")
    expect(host.say(Self.on), Self.complete("0a"))
    expect(host.say("01 0c 20 02 01 00"), Self.complete("0c", "0c"))
    expect(!host.controller.isScanning)
    host.say(Self.off)
    expect(host.say("01 0c 20 02 01 00"), Self.complete("0c"))
  }

  /// Bit 2 is for advertising alone, 10 and 14 for scanning beside it, 32 for connecting, 35 for a link.
  @Test(arguments: [2, 10, 14, 32, 35] as [UInt64])
  func whatTheStatesLackIsDisallowed(_ bit: UInt64) {
    let heart = VirtualSensor(.heart)
    let host = BareHost(heart)
    host.controller.supportedStates &= ~(1 << bit)
    switch bit {
    case 10: host.say("01 0c 20 02 01 00")
    case 14:
      host.say("01 0b 20 07 01 10 00 10 00 00 00")
      host.say("01 0c 20 02 01 00")
    case 32:
      heart.isNear = false
      _ = host.create(heart.address)
    case 35: _ = host.create(heart.address)
    default: break
    }
    expect(host.say(Self.on), Self.complete("0a", "0c"))
    host.controller.supportedStates |= 1 << bit
    expect(host.say(Self.on), Self.complete("0a"))
  }

  @Test func itsStatesAreThoseOfBumblesController() {
    expect(BareHost().say("01 1c 20 00"), ["04 0e 0c 01 1c 20 00 ff ff 3f ff ff 03 00 00"])
  }

  @Test func itKnowsTheCommandsOfAPeripheral() {
    let octets = bytes(BareHost().say("01 02 10 00")[0])[7...]
    expect(Array(octets.dropFirst(25).prefix(4)), [0xA0, 0x03, 0x00, 0x06])
  }

  @Test func afterResetNothingIsAdvertised() {
    let host = Self.advertising()
    host.say("01 03 0c 00")
    let advertising = host.controller.advertising
    expect(!advertising.isOn && advertising.data == [] && advertising.interval.min == 0x800)
    expect(host.controller.advertisingSpells.map(\.end), [0])
  }
}
