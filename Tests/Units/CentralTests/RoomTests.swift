import Bytes
import Central
import Expecting
import HCI
import TestSupport
import VirtualAir

/// What becomes of what the host has to say when it finds no room, or what it says comes too late.
struct RoomTests: RidingSuite {
  let ride = FollowedRide()

  // MARK: - Frames

  /// The phone asks for its display's name a hundred times before anything is sent.
  @Test func centralBehaviour84_aRequestAndAConfirmationOfOursThatFindNoRoomAreSentLater() {
    phone.forgetRequests()
    let (answers, dropped) = (phone.answers.count, central.droppedCount)
    central.isTransportFull = true
    for _ in 0..<100 { controller.send(channel: 0x04, bytes("0a 03 00"), central) }
    controller.send(channel: 0x04, bytes("1d 99 00 01"), central)
    central.read()
    central.isTransportFull = false
    central.pass(0)
    expect(phone.requests == [0x0A] && central.values.count == 2)
    #expect(phone.answers.contains(bytes("04 1e")))
    let answered = phone.answers.count - answers - 1
    expect(answered < 100 && central.droppedCount == dropped + Int64(100 - answered))
  }

  @Test func centralBehaviour84_aSensorThatAsksForMoreThanIsAnsweredLosesNothingOfOurs() {
    let strap = linked()
    let dropped = central.droppedCount
    central.isTransportFull = true
    for _ in 0..<30 { controller.send(channel: 0x04, bytes("0a 03 00"), from: strap, central) }
    controller.send(channel: 0x04, bytes("1d 22 00 00 48"), from: strap, central)
    central.isTransportFull = false
    central.pass(0)
    #expect(strap.answers.contains(bytes("04 1e")))
    let answers = strap.answers.count { $0.prefix(2) == [0x04, 0x01] }
    expect(answers < 30 && central.droppedCount == dropped + Int64(30 - answers))
  }

  /// Its public key is the longest of what is said.
  @Test func centralBehaviour84_aPairingWithASensorGoesOnThoughItAsksForMoreThanIsAnswered() {
    let strap = linked {
      $0.openLinkError = 0x0F
      $0.security = VirtualSecurity()
      $0.security?.manner = .justWorks
      $0.ownRequests = [[UInt8]](repeating: bytes("0a 03 00"), count: 30)
    }
    central.pass(1_000)
    expect(isReady(.heart) && strap.isEncrypted)
  }

  /// Its answer to the wish to pair comes behind its requests.
  @Test func aPairingWithAPhoneGoesOnAsSoonAsThereIsRoomForIt() throws {
    let scene = Encounter()
    var held: [[UInt8]] = []
    scene.central.onPacket = { packet in
      guard packet.count > 9, packet[0] == 0x02, packet[7] == 0x06 else { return [packet] }
      held.append(packet)
      return []
    }
    _ = scene.meet()
    scene.central.onPacket = { [$0] }
    scene.central.isTransportFull = true
    for _ in 0..<100 { scene.controller.send(channel: 0x04, bytes("0a 03 00"), scene.central) }
    scene.central.receive(try #require(held.first))
    scene.central.isTransportFull = false
    scene.central.pass(0)
    #expect(scene.security.codes.contains(0x0C))
  }

  /// The controller has one buffer, and the device asks again whenever that is free.
  @Test func theExplorersConfirmationTakesTheFirstRoomThatThereIs() throws {
    let expedition = Expedition(.inspect(address: Expedition.address, reads: false)) {
      $0.leBuffers = (27, 1)
      $0.completesPackets = false
    }
    expedition.advertise()
    let (controller, device) = (expedition.controller, expedition.device)
    let handle = try #require(controller.link(device)?.handle)
    func ask() { controller.send(channel: 0x04, bytes("0a 03 00"), from: device, expedition) }
    for _ in 0..<30 { ask() }
    controller.send(channel: 0x04, bytes("1d 99 00 01"), from: device, expedition)
    for _ in 0..<20 {
      expedition.receive(bytes("04 13 05 01") + little(handle) + bytes("01 00"))
      ask()
    }
    #expect(device.answers.contains(bytes("04 1e")))
  }

  // MARK: - Buffers

  /// The phone's link, or a sensor's, is to end while its packet is with the transport; its end takes long.
  @Test(arguments: [true, false])
  func aPacketThatNeverLeftHoldsNoBuffer(_ isPhones: Bool) throws {
    controller.leBuffers.count = 2
    bringUpAnew()
    let (strap, wheel) = (linked(), linked(.speed, number: 2))
    let handle = try #require(controller.link(wheel)?.handle)
    central.isTransportFull = true
    central.onPacket = { $0[1] == 0x05 ? [] : [$0] }
    if isPhones {
      central.read()
      central.disconnect()
    } else {
      controller.send(channel: 0x04, bytes("0a 03 00"), from: wheel, central)
      central.receive([0x04, 0x08, 4, 0] + little(handle) + [0])
    }
    central.isTransportFull = false
    central.pass(0)
    expect(controller.commands.last, 0x0406)
    controller.send(channel: 0x04, bytes("1d 22 00 00 48"), from: strap, central)
    central.pass(0)
    #expect(strap.answers.contains(bytes("04 1e")))
  }

  // MARK: - Longer supervision timeouts

  /// The sensor is gone, and its packet waits for its supervision timeout; the chip says nothing but vendor events.
  ///
  /// A sensor with our own timeout is no reason to wait longer.
  @Test(
    arguments: [
      (nil, 9, false), (nil, 10, true), ([80, 100, 0, 600], 13, false),
      ([80, 100, 0, 600], 14, true),
    ] as [([UInt16]?, Int, Bool)])
  func centralBehaviour84_aSensorsLongerSupervisionTimeoutIsNoDeathOfTheChip(
    _ wanted: [UInt16]?, _ halfSeconds: Int, _ isDead: Bool
  ) {
    let strap = linked { $0.wantedParameters = wanted }
    controller.completesPackets = false
    controller.send(channel: 0x04, bytes("0a 03 00"), from: strap, central)
    _ = central.takeEvents()
    for _ in 0..<halfSeconds {
      central.receive("04 ff 03 1b 03 00")
      central.pass(500)
    }
    central.receive("04 ff 03 1b 03 00")
    expect(central.takeEvents().contains(.failed(.vendorEventsOnly)), isDead)
  }

  /// It asked for that by the link layer.
  @Test func centralBehaviour84_aTimeoutThatASensorAskedTheControllerForCountsAsWell() throws {
    let able = VirtualController()
    able.supportedCommands = [UInt8](repeating: 0xFF, count: 64)
    able.features = 1 << 1
    let (central, _) = LinkTests.connected(able)
    let strap = VirtualSensor(.heart)
    able.sensors = [strap]
    central.follow(strap)
    let handle = try #require(able.link(strap)?.handle)
    central.receive([0x04, 0x3E, 0x0B, 0x06] + little(handle) + bytes("50 00 64 00 00 00 58 02"))
    able.completesPackets = false
    able.send(channel: 0x04, bytes("0a 03 00"), from: strap, central)
    for _ in 0..<13 {
      central.receive("04 ff 03 1b 03 00")
      central.pass(500)
    }
    #expect(!central.takeEvents().contains(.failed(.vendorEventsOnly)))
  }

  // MARK: - An attempt that is called back

  @Test func centralBehaviour84_anAttemptThatIsRefusedWhileItIsCalledBackHasEnded() {
    let scene = Encounter.pairedAndLost()
    scene.controller.withheld = [0x200D]
    scene.phone.address = scene.security.privateAddress(2)
    scene.controller.advertise(scene.central)
    scene.central.pass(1_300)
    scene.controller.withheld = []
    scene.controller.forgetCommands()
    scene.central.receive("04 0f 04 0c 01 0d 20")
    #expect(!scene.controller.commands.contains(0x200E), "there is nothing to call back")
    expect(scene.controller.isScanning)
    scene.central.pass(10_000)
    #expect(!scene.central.takeEvents().contains(.failed(.linkStuck)))
    scene.phone.address = scene.security.privateAddress(3)
    #expect(scene.meet().contains(.encrypted))
  }

  /// Nobody wants it any more, and the program is to end.
  @Test func centralBehaviour84_aProgramThatEndsDoesNotWaitForAnAttemptThatWasRefused() {
    let scene = Encounter()
    scene.controller.withheld = [0x200D]
    scene.controller.advertise(scene.central)
    scene.central.pass(200)
    scene.central.leave()
    scene.controller.withheld = []
    scene.central.receive("04 0f 04 0c 01 0d 20")
    scene.central.pass(0)
    expect(scene.central.mayEnd)
  }

  @Test func centralBehaviour84_aWaitForSensorsThatIsRefusedWhileItIsCalledBackHasEnded() {
    controller.withheld = [0x200D]
    asleep()
    controller.disconnect(reason: 0x08, central)
    controller.withheld = []
    controller.forgetCommands()
    central.receive("04 0f 04 0c 01 0d 20")
    expect(controller.commands == [0x200B, 0x200C] && controller.isScanning)
    central.pass(2_000)
    #expect(!central.takeEvents().contains(.failed(.linkStuck)))
  }

  @Test func centralBehaviour84_theExplorersAttemptThatIsRefusedWhileItIsCalledBackHasEnded() {
    let expedition = Expedition(.inspect(address: Expedition.address, reads: false)) {
      $0.withheld = [0x200D]
    }
    expedition.advertise()
    expedition.leave()
    expedition.receive(bytes("04 0f 04 0c 01 0d 20"))
    expect(expedition.isOver)
  }

  @Test func centralBehaviour84_theExplorerWaitsForTheSupervisionTimeoutOfWhoIsGone() {
    let expedition = Expedition(.inspect(address: Expedition.address, reads: false)) {
      $0.withheld = [0x0406]
    }
    expedition.advertise()
    expedition.pass(100)
    expedition.receive(bytes("04 0f 04 00 01 06 04"))
    expedition.pass(6_000)
    expect(expedition.told.last?.hasPrefix("failed"), false)
    expedition.receive(bytes("04 05 04 00 40 00 16"))
    expect(expedition.told.last, "finished")
  }
}
