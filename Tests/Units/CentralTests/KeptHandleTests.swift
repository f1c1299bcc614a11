import ATT
import Bond
import Bytes
import Central
import Expecting
import Link
import Sensors
import TestSupport
import VirtualAir

/// Where things are on a remembered phone: kept from link to link, and proven on each.
struct KeptHandleTests {
  /// Writes to the phone's own Client Characteristic Configuration where it was at the pairing.
  private static let oldSubscription = " 04 00 12 24 00 "
  private static let other = bytes("07 00 00 00 03 64 00 00 00") + Array("Other app".utf8)

  /// A phone that was paired with and lost; `change` is what became of it before it is met again.
  private func lost(
    hasServiceChanged: Bool = true, _ change: (VirtualPhone) -> Void = { _ in }
  ) -> Encounter {
    let scene = Encounter.pairedAndLost { $0.hasServiceChanged = hasServiceChanged }
    change(scene.phone)
    return scene
  }

  /// The declaration is right before the value, and the configuration behind it, if there is one.
  @Test(
    arguments: [
      (5, 7, HandleRange(4, 7)), (5, 0, HandleRange(4, 5)), (2, 3, HandleRange(1, 3)),
      (1, 2, nil), (0, 0, nil),
    ] as [(UInt16, UInt16, HandleRange?)])
  func whatIsKeptIsItsDeclarationToo(value: UInt16, configuration: UInt16, range: HandleRange?) {
    expect(SubscribedHandles(value: value, configuration: configuration).range, range)
  }

  private func tellChange(_ scene: Encounter, _ range: String = "01 00 ff ff") {
    scene.controller.send(channel: 0x04, bytes("1d 12 00 " + range), scene.central)
  }

  private func usesOldHandles(_ scene: Encounter) -> Bool {
    _ = scene.central.takeSaid()
    _ = scene.meet()
    return scene.central.takeSaid().contains { $0.contains(Self.oldSubscription) }
  }

  // MARK: - Service Changed

  @Test func centralBehaviour72_handlesThatServiceChangedOverruledAreNotUsedOnTheNextLink() {
    let scene = lost()
    _ = scene.meet()
    scene.phone.move()
    scene.phone.successor = .value(Self.other)
    tellChange(scene)
    expect(scene.phone.isSubscribed)
    scene.central.adoptBond()
    scene.lose()
    let count = scene.central.values.count
    expect(!usesOldHandles(scene))
    scene.central.pass(60_000)
    #expect(!scene.central.values[count...].contains(Self.other))
    expect(scene.phone.isSubscribed)
  }

  /// Nothing was written to the disk yet, or the search for the new ones was not over.
  @Test(arguments: [false, true])
  func centralBehaviour72_aLossRightAfterServiceChangedLeavesNoOldHandles(_ isBeforeTheEnd: Bool) {
    let scene = lost()
    _ = scene.meet()
    scene.phone.move()
    if isBeforeTheEnd { scene.phone.withheld = [0x06] }
    tellChange(scene)
    scene.lose()
    scene.phone.withheld = []
    let asked = scene.asked { expect(!usesOldHandles(scene)) }
    expect(scene.phone.isSubscribed)
    if !isBeforeTheEnd {
      expect(asked.prefix(5), [0x02, 0x12, 0x08, 0x12, 0x0A], "the new handles are kept in memory")
    }
  }

  /// Somebody has an address of the phone's, but no key of it.
  @Test func centralBehaviour72_nobodyWithoutTheKeyOverrulesTheHandles() {
    let scene = lost()
    scene.controller.encrypts = false
    _ = scene.meet()
    tellChange(scene)
    scene.lose()
    scene.controller.encrypts = true
    scene.phone.address = scene.security.privateAddress(7)
    expect(usesOldHandles(scene))
  }

  /// Of a handle behind the service's, and before it.
  @Test(arguments: ["30 00 ff ff", "01 00 20 00"])
  func centralBehaviour72_aChangeElsewhereLeavesKomootsLineAlone(_ range: String) {
    let scene = lost()
    _ = scene.meet()
    _ = scene.central.takeEvents()
    let asked = scene.asked { tellChange(scene, range) }
    expect(!asked.contains(0x12) && !asked.contains(0x0A))
    #expect(!scene.central.takeEvents().contains(.ready(isSubscribed: true)))
    scene.controller.send(
      channel: 0x04, VirtualPhone.notification(scene.phone.value ?? []), scene.central)
    expect(scene.central.takeEvents(), [.notification])
    scene.lose()
    expect(usesOldHandles(scene))
  }

  /// Told before the first request has its answer.
  @Test func centralBehaviour72_aChangeElsewhereLeavesHandlesThatAreBeingTriedAlone() {
    let scene = lost()
    scene.phone.withheld = [0x12]
    _ = scene.meet()
    tellChange(scene, "30 00 40 00")
    scene.phone.withheld = []
    let asked = scene.asked {
      scene.controller.send(channel: 0x04, [0x13], scene.central)
    }
    expect(asked.prefix(3), [0x08, 0x12, 0x0A])
    expect(scene.phone.isSubscribed)
  }

  @Test func centralBehaviour72_aNameThatWasAskedForWhenServicesChangedIsAskedForAgain() {
    let scene = Encounter(.off)
    scene.phone.hasServiceChanged = true
    // Characteristics are found by the same request: only the name's answer is late.
    let controller = scene.controller
    scene.central.controller = { central, packet in
      let isName = packet.count >= 16 && packet[9] == 0x08 && packet[14...15] == [0x00, 0x2A]
      scene.phone.withheld = isName ? [0x08] : []
      controller.take(packet, central)
    }
    _ = scene.meet()
    expect(scene.central.names, [])
    controller.attach(to: scene.central)
    scene.phone.withheld = []
    tellChange(scene)
    expect(scene.central.names, [])
    scene.controller.send(channel: 0x04, bytes("09 07 03 00 4f 6c 64 65 72"), scene.central)
    expect(scene.central.names, ["Fairy"])
  }

  @Test func centralBehaviour72_aValueThatWasAskedForWhenServicesChangedIsAskedForAgain() {
    let scene = lost()
    scene.phone.withheld = [0x0A]
    _ = scene.meet()
    let count = scene.central.values.count
    scene.phone.move()
    scene.phone.withheld = []
    tellChange(scene)
    scene.controller.send(channel: 0x04, [0x0B] + Self.other, scene.central)
    expect(scene.central.values[count...], [scene.phone.value ?? []])
  }

  // MARK: - The proof

  /// After a restart of the phone its other apps have the handles; no Service Changed tells of it.
  @Test(
    arguments: [
      .value([1, 2]), .value(other), .value(Array("Hello, world".utf8)),
      .value(bytes("ea 07 0b 1c 0a 1e 2d 06 00 00")), .error(0x01), .error(0x05), .error(0x0E),
    ] as [VirtualPhone.Successor])
  func centralBehaviour139_handlesOfSomethingElseAreNotUsed(_ successor: VirtualPhone.Successor) {
    let scene = lost(hasServiceChanged: false) {
      $0.move()
      $0.successor = successor
    }
    let count = scene.central.values.count
    expect(!usesOldHandles(scene))
    expect(scene.phone.isSubscribed)
    expect(scene.central.values[count...], [scene.phone.value ?? []])
    scene.lose()
    let asked = scene.asked { _ = scene.meet() }
    // This phone is asked in vain for Service Changed, which comes first.
    expect(
      asked.prefix(5), [0x02, 0x06, 0x08, 0x12, 0x0A], "though nothing was written to the disk")
  }

  /// An app that has the handle may have had our subscription, too.
  @Test func centralBehaviour139_aNotificationOfAKeptHandleCountsOnceThatIsProven() {
    let scene = lost(hasServiceChanged: false) { $0.withheld = [0x08] }
    let count = scene.central.values.count
    _ = scene.meet()
    let notification = VirtualPhone.notification(Self.other)
    scene.controller.send(channel: 0x04, notification, scene.central)
    expect(scene.central.values.count, count)
  }

  /// The service is there, and its subscription is another descriptor by now.
  @Test func centralBehaviour139_aSubscriptionThatIsRefusedAtAKeptHandleIsLookedFor() {
    let scene = lost(hasServiceChanged: false) { $0.refusesCCCD = true }
    let asked = scene.asked { _ = scene.meet() }
    expect(asked.prefix(5), [0x02, 0x06, 0x08, 0x12, 0x06], "behind a search for Service Changed")
    expect(scene.central.stage, .ready)
  }

  // MARK: - The disk

  @Test func centralBehaviour72_newHandlesAreWrittenOnceAlthoughTheNameFollows() {
    let scene = lost { $0.move() }
    expect(scene.meet().count { $0 == .bondChanged }, 1)
  }

  /// The phone was paired again and the disk is slow: what the link tells then must not bring the old keys back.
  @Test func centralBehaviour72_whatALinkTellsDoesNotReplaceNewKeysByOldOnes() {
    let scene = Encounter.rejectedAndPressed()
    scene.phone.name = "Renamed"
    scene.phone.move()
    scene.agree()
    scene.central.adoptBond()
    scene.lose()
    #expect(scene.meet().contains(.encrypted))
  }

  // MARK: - Sensors

  /// Its update has moved the measurement, and something else has its place.
  @Test func centralBehaviour139_keptHandlesOfASensorThatAreSomethingElsesNowAreLookedFor() {
    let controller = VirtualController()
    let (central, _) = LinkTests.connected(controller)
    let strap = VirtualSensor(.heart, number: 1)
    strap.shift = 0x100
    controller.sensors.append(strap)
    central.follow(strap, handles: .init(value: 0x0022, configuration: 0x0023))
    expect(!central.takeSaid().contains { $0.contains(" 04 00 12 23 00 ") })
    controller.notify(bytes("00 48"), from: strap, central)
    expect(central.takeSensorEvents().last, .sensor(.heart, .value))
    expect(central.sensorBytes.last, bytes("00 48"))
    expect(central.ask { $0.sensors.handles(.heart).value }, 0x0122)
  }
}
