import Bytes
import Expecting
import Screens
import TestSupport
import VirtualAir
import VirtualDevice

/// What the device makes of each kind of phone.
@Suite struct PhoneKindTests {
  @Test(arguments: PhoneKind.allCases)
  func everyInstructionOfARideIsToldInOrder(_ kind: PhoneKind) throws {
    let world = try World.meeting(kind)
    let rows = try OwnRide.rows()
    try world.ride(rows)
    world.pass(2_000)
    expect(world.told, toldApart(rows))
    #expect(world.events("error").isEmpty)
  }

  @Test(
    .enabled(if: RecordedRide.areThere, "the rides are not among the recordings"),
    arguments: PhoneKind.allCases)
  func everyInstructionOfARecordedRideIsToldInOrder(_ kind: PhoneKind) throws {
    let world = try World.meeting(kind)
    // Some come within a second, and nobody but the phone can know of what is over by the next read.
    let rows = try RecordedRide("potsdam-short").rows
    try world.ride(rows)
    world.pass(2_000)
    let (told, all) = (world.told, toldApart(rows))
    if kind == .android2019 {
      expect(told.count * 10 > all.count * 9 && told.last == all.last)
    } else {
      expect(told, all)
    }
  }

  @Test(arguments: PhoneKind.allCases)
  func theWayToAPhoneIsTold(_ kind: PhoneKind) throws {
    let world = try World(phone: kind)
    world.advertise()
    world.pass(300)
    let told = world.events.filter { $0.name != "frame" }
      .map { $0["state"] ?? $0["mode"] ?? $0.name }
    expect(
      told,
      [
        "controller", "fast", "phone", "off", "connecting", "connected", "ready",
      ])
    let match = kind == .iosBackground ? "overflow" : "service"
    expect(world.events("phone").map { $0["match"] }, [match])
    expect(world.events("phone").map { $0[number: "rssi"] }, [-60])
  }

  /// An iPhone refuses with 0x0A, an Android phone has zeros.
  @Test(arguments: PhoneKind.allCases)
  func centralBehaviour27_aPhoneThatIsReadBeforeItsFirstInstructionIsReadAgain(
    _ kind: PhoneKind
  ) throws {
    let world = try World.meeting(kind)
    world.pass(10_000)
    #expect(world.phone.requests.count { $0 == 0x0A } >= 3)
    expect(world.events("instruction").isEmpty && world.events("error").isEmpty)
    expect(world.shows(.ready("Fairy")))
    world.tell(5, 110, "Voßstraße", id: 2)
    world.pass(3_000)
    expect(world.told, [Told(5, 110, "Voßstraße")])
    expect(world.shows(.turn(.left, "110 m", "Voßstraße")))
  }

  /// Why a phone notifies nothing.
  enum Silence: CaseIterable, Sendable { case withoutCCCD, refused, unregistered }

  /// The last one is Android's app with a device that it has not registered.
  @Test(arguments: Silence.allCases)
  func centralBehaviour26_aPhoneThatNotifiesNothingIsHeardByReading(_ silence: Silence) throws {
    let world = try World()
    world.phone.hasCCCD = silence != .withoutCCCD
    world.phone.refusesCCCD = silence == .refused
    world.phone.notice = .nothing
    world.advertise()
    world.pass(1_000)
    for number in 1...5 as ClosedRange<UInt32> {
      world.tell(5, 100 * number, "Voßstraße", id: number)
      world.pass(1_000)
      expect(world.shows(.turn(.left, "\(100 * number) m", "Voßstraße")))
    }
    expect(world.phone.isSubscribed, (silence == .unregistered))
    expect(world.told.count == 5 && world.events("error").isEmpty)
  }
}
