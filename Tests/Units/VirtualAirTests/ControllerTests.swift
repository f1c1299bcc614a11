import Expecting
import TestSupport
import VirtualAir

/// The virtual controller by the bytes of the specification (Vol 4, Part E, 7).
struct ControllerTests {
  private let heart = VirtualSensor(.heart, number: 1)
  private let speed = VirtualSensor(.speed, number: 2)
  private static func completed(_ handle: String, _ address: String) -> String {
    "04 3e 13 01 00 \(handle) 00 00 01 \(address) 28 00 00 00 90 01 00"
  }
  private static let heartAddress = "01 5e 50 52 00 c0"
  private static let speedAddress = "02 5e 50 52 00 c0"
  private static let addHeart = "01 11 20 07 01 \(heartAddress)"

  @Test func eachLinkHasItsHandleAndItsParameters() {
    let host = BareHost(heart, speed)
    expect(
      host.create(heart.address), [BareHost.accepted, Self.completed("40", Self.heartAddress)])
    expect(
      host.create(speed.address), [BareHost.accepted, Self.completed("41", Self.speedAddress)])
    let parameters = host.controller.link(heart)?.parameters
    expect(parameters?.interval == 0x28 && parameters?.timeout == 400)
  }

  @Test func oneAttemptAtATime() {
    heart.isNear = false
    let host = BareHost(heart, speed)
    expect(host.create(heart.address), [BareHost.accepted])
    expect(host.create(speed.address), ["04 0f 04 0c 01 0d 20"])
  }

  @Test func whoIsNotNearIsWaitedForUntilItAdvertises() {
    heart.isNear = false
    let host = BareHost(heart)
    expect(host.create(heart.address), [BareHost.accepted])
    expect(host.hear { $0.advertise(host, heart) }, [])
    heart.isNear = true
    expect(
      host.hear { $0.advertise(host, heart) }, [Self.completed("40", Self.heartAddress)])
    expect(host.hear { $0.advertise(host, heart) }, [], "it has no time for others")
  }

  @Test func theAcceptListLetsInWhoIsOnIt() {
    (heart.isNear, speed.isNear) = (false, false)
    let host = BareHost(heart, speed)
    expect(host.say(Self.addHeart), ["04 0e 04 01 11 20 00"])
    expect(host.create([0, 0, 0, 0, 0, 0, 0], policy: 1), [BareHost.accepted])
    (heart.isNear, speed.isNear) = (true, true)
    expect(host.hear { $0.advertise(host, speed) }, [])
    expect(
      host.hear { $0.advertise(host, heart) }, [Self.completed("40", Self.heartAddress)])
  }

  @Test func aPhoneMayBeOnItAsWell() {
    let host = BareHost()
    let phone = VirtualPhone()
    host.controller.phone = phone
    host.say("01 11 20 07 \(hex(phone.address))")
    _ = host.create([0, 0, 0, 0, 0, 0, 0], policy: 1)
    expect(
      host.hear { $0.advertise(host) },
      [
        "04 3e 13 01 00 40 00 00 \(hex(phone.address)) 18 00 00 00 90 01 00"
      ])
    #expect(host.controller.linked === phone)
  }

  /// The phone is not there, and its handle is another's.
  @Test func whatIsSaidOfThePhonesLinkIsNotASensors() {
    let host = BareHost(heart)
    _ = host.create(heart.address)
    expect(host.hear { $0.disconnect(reason: 0x08, host) }, [])
    expect(host.hear { $0.complete(1, host) }, [])
    expect(!host.controller.isConnected && host.controller.linked == nil)
  }

  @Test func thePhoneKeepsItsLinkWhileSensorsComeAndGo() {
    let host = BareHost(heart)
    host.controller.phone = VirtualPhone()
    _ = host.create(heart.address)
    _ = host.create([1, 1, 2, 3, 4, 5, 0xC6])
    expect(host.controller.handle, 0x41)
    _ = host.hear { $0.disconnect(heart, reason: 0x13, host) }
    expect(host.ask("0a 22 00", handle: 0x41), ["01 0a 22 00 0a"])
    expect(host.hear { $0.disconnect(reason: 0x08, host) }, ["04 05 04 00 41 00 08"])
  }

  @Test func theAcceptListStaysAsItIsWhileItIsInUse() {
    heart.isNear = false
    let host = BareHost(heart)
    host.controller.acceptListSize = 1
    expect(host.say("01 0f 20 00"), ["04 0e 05 01 0f 20 00 01"])
    host.say(Self.addHeart)
    expect(host.say("01 11 20 07 00 \(Self.heartAddress)"), ["04 0e 04 01 11 20 07"])
    _ = host.create(heart.address, policy: 1)
    expect(host.say("01 10 20 00"), ["04 0e 04 01 10 20 0c"])
    expect(host.say(Self.addHeart), ["04 0e 04 01 11 20 0c"])
    expect(
      host.say("01 0e 20 00"),
      [
        "04 0e 04 01 0e 20 00",
        "04 3e 13 01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
      ])
    expect(host.say("01 10 20 00"), ["04 0e 04 01 10 20 00"])
    expect(host.controller.acceptList, [])
  }

  @Test func oneLinkMoreThanItHoldsIsRefusedInOneOfTwoWays() {
    let host = BareHost(heart, speed)
    host.controller.linkLimit = 1
    _ = host.create(heart.address)
    expect(host.create(speed.address), ["04 0f 04 0d 01 0d 20"])
    host.controller.limitRefusal = .connectionComplete
    expect(
      host.create(speed.address),
      [
        BareHost.accepted,
        "04 3e 13 01 09 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
      ])
    expect(host.say("01 06 04 03 40 00 13").last, "04 05 04 00 40 00 16")
    expect(
      host.create(speed.address), [BareHost.accepted, Self.completed("40", Self.speedAddress)])
  }

  @Test func someDoNotConnectWhileTheyScan() {
    let host = BareHost(heart)
    host.controller.refusesToConnectWhileScanning = true
    host.say("01 0c 20 02 01 00")
    expect(host.create(heart.address), ["04 0f 04 0c 01 0d 20"])
    host.say("01 0c 20 02 00 00")
    expect(host.create(heart.address).first, BareHost.accepted)
  }

  @Test func itsStatesAreThoseOfTheSwitch() {
    let host = BareHost()
    host.controller.supportedStates = 0x0000_0000_1300_0000
    expect(host.say("01 1c 20 00"), ["04 0e 0c 01 1c 20 00 00 00 00 13 00 00 00 00"])
  }

  /// A packet of each link is in a buffer.
  private func full() -> BareHost {
    let host = BareHost(heart, speed)
    host.controller.completesPackets = false
    host.controller.leBuffers = (27, 2)
    _ = host.create(heart.address)
    _ = host.create(speed.address)
    host.say("02 40 00 02 00 07 00")
    host.say("02 41 00 02 00 07 00")
    return host
  }

  @Test func theBuffersAreOnePool() {
    let host = full()
    expect(host.controller.overruns, 0)
    expect(host.hear { $0.completeAll(host) }, ["04 13 09 02 40 00 01 00 41 00 01 00"])
    for _ in 0..<3 { host.say("02 40 00 02 00 07 00") }
    expect(host.controller.overruns, 1)
  }

  /// And may be given back too late.
  @Test(arguments: [[], ["04 13 05 01 40 00 01 00"]])
  func theBuffersOfALinkThatEndsAreFreeWithoutAWord(_ completed: [String]) {
    let host = full()
    host.controller.completesEndedLinks = !completed.isEmpty
    expect(
      host.hear { $0.disconnect(heart, reason: 0x13, host) }, ["04 05 04 00 40 00 13"] + completed)
    host.say("02 41 00 02 00 07 00")
    expect(host.controller.overruns, 0)
  }

  @Test func allLinksMayEndAtOnce() {
    let host = full()
    expect(
      host.hear { $0.disconnectAll(reason: 0x08, host) },
      [
        "04 05 04 00 40 00 08", "04 05 04 00 41 00 08",
      ])
    expect(host.say("01 06 04 03 41 00 13"), ["04 0f 04 02 01 06 04"])
  }

  @Test func aReportIsThatOfTheSensor() {
    let host = BareHost(speed)
    expect(host.hear { $0.advertise(host, speed) }, [], "nobody listens")
    host.say("01 0c 20 02 01 00")
    expect(
      host.hear { $0.advertise(host, speed, rssi: -70) },
      [
        "04 3e 25 02 01 00 01 \(Self.speedAddress) 19 02 01 06 03 03 16 18 11 09"
          + " 57 61 68 6f 6f 20 53 50 45 45 44 20 31 41 32 42 ba"
      ])
  }
}
