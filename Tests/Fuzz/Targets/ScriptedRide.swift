import Bytes
import Device
import DeviceState
import HCI
import TestSupport
import VirtualAir
import VirtualDevice

/// The whole device among phones, strangers, a rider and a bus, as a script of small steps has it.
///
/// At the end all that was broken is mended, and a phone that behaves well must be ridden with again.
final class ScriptedRide {
  /// The radio tells and says what is not so; nobody can hold the device to account for that.
  var isRadioLying = false
  var world: World
  var feed: Feed
  let settings: [String]
  /// What is wrong with the board file, if anything is.
  let mistake: String
  /// How a radio that hangs may be brought back.
  let means: RecoveryMeans
  /// The rider's phone, and those of others.
  let parties: [Party]
  /// Whose phone the steps are about.
  var active: Party
  var faults: [AirFault] = []
  /// What the controller says of itself may be another than it is.
  var areAnswersChanged = false
  /// How often the rider has pressed since the last link began, and ever.
  var pressesOnLink = 0
  var presses = 0
  var sensorsSeen = SensorsSeen()
  /// Whether the link is encrypted, as the device tells.
  var isEncrypted = false
  var street = 0
  /// How long a script may still wait for long: one that only waits keeps the others waiting.
  private var timeLeft = longestScript
  private static let longestScript: Int64 = 2_400_000
  /// Milliseconds before the last start, and when that was.
  private var past: Int64 = 0
  private var worldStart: Instant
  /// Whether the rider is asked something.
  var isAsked = false
  /// The street that ends the search for a way home, and whether it was told.
  var awaitedStreet = ""
  var isAwaitedTold = false
  /// Whether the phone that is awaited has a key, so that the rider has nothing to answer.
  var isAwaitedByKey = false
  /// By which of its private addresses the phone is known at the end.
  var addressNumber: UInt8 = 1
  /// What the phone's next instruction is counted from.
  var firstIdentifier: UInt32 = 0
  /// Whether the rider's phone pairs at all.
  let pairs: Bool
  /// Whether the device advertises.
  let advertises: Bool
  /// Whether the device has told that it does not, as the controller refuses to, or seems to.
  var isAdvertisingRefused = false
  /// Whether the others go on when all is mended.
  let isCrowded: Bool
  /// What the disk has, and what it had that must not come back.
  var kept: Kept?
  /// Whose each bond is, by its identity.
  var owners: [[UInt8]: Party] = [:]
  var forgotten: [Kept] = []
  var storeWrites = 0
  /// The disk does not tell any more what the device knows.
  var hasStoreFailed = false
  /// The version of the program, another one at each third start.
  var version: String { starts % 3 == 2 ? "0.3.0-dev" : "0.2.0" }
  var starts = 0
  /// Whether the rider may still be told of it: the disk is used, and has another one.
  var isUpdateUntold = false
  /// Whether the rider may be told of it once more.
  var mayTellUpdate = false
  /// The disk is no longer what the device made of it.
  var isDiskChanged = false

  static func run(_ feed: inout Feed) {
    let ride = ScriptedRide(feed)
    ride.play()
    ride.mend()
  }

  init(_ feed: Feed) {
    var feed = feed
    var settings = [
      "pairing=" + feed.pick(["off", "preferred", "required"]),
      "panel="
        + feed.pick([
          "ssd1306-128x64", "ssd1306-128x32", "ssd1306-64x48", "ssd1306-72x40", "sh1106-128x64",
          "ssd1309-128x64", "sh1107-128x128",
        ]),
    ]
    let rotation = feed.u8()
    settings.append("rotation=" + ["0", "90", "180", "270"][Int(rotation % 4)])
    advertises = rotation >= 128
    if advertises { settings.append("advertise=on") }
    if rotation & 32 == 32 { settings.append("wheel=auto") }
    // A phone that does not pair is none to ride with where pairing is required.
    let company = feed.u8()
    pairs = company & 1 == 1 || settings[0] == "pairing=required"
    isCrowded = company & 2 == 2
    if company & 16 == 16 {
      let apps = rotation & 64 == 64 ? "org.example.Chat, Chat" : "all"
      settings += Self.fullHouse + ["notifications=" + apps]
    }
    self.settings = settings
    means =
      company & 32 == 32
      ? RecoveryMeans(canRebind: true, rebootTime: Instant(milliseconds: 0)) : .none
    mistake = company & 64 == 64 ? "board.conf, line 3: no such key: colour" : ""
    guard let world = try? World(settings, pairs: pairs, mistake: mistake, means: means) else {
      finding("the settings \(settings) are refused")
    }
    self.world = world
    worldStart = world.now
    self.feed = feed
    let others = (0..<company >> 2 & 3).map { Party(number: $0 + 1) }
    parties = [Party(world.phone, world.security)] + others
    active = parties[0]
    world.controller.others = others.map(\.phone)
    if company & 128 == 128 {
      world.controller.sensors = Self.sensors(hasPower: company & 16 == 16)
    }
    watch()
    reach(settings[0])
    if advertises { reach("advertising") }
    reach("\(parties.count) phones")
  }

  /// A board that has all that can be wired to it.
  private static let fullHouse = [
    "buttons=gpio:/dev/gpiochip0", "button-a=5", "button-b=6", "alert=13", "alert-sides=on",
    "panel-reset=26", "battery=max17048", "keep-awake=20",
    "units=imperial", "updates=pages", "contrast=10", "report=file:/tmp/report",
    "hci=tcp:127.0.0.1:9000", "home=\(VirtualBeacon.uuid)", "music=on",
    "extra=clock",
  ]

  // MARK: - The script

  private static let times: [Int64] = [
    0, 1, 20, 50, 100, 250, 500, 999, 1_000, 2_000, 2_001, 5_000, 10_000, 30_000, 60_000, 120_000,
    600_000,
  ]

  /// How long this has lasted, over all starts, in milliseconds.
  var elapsed: Int64 { past + (world.now - worldStart) }

  /// The device is switched on again.
  func worldChanges(to next: World) { (past, worldStart) = (elapsed, next.now) }

  /// One more script on a device that has lived through others, whose clock is at this time when it starts again.
  func goOn(with script: [UInt8], at clock: Instant) {
    (feed, timeLeft) = (Feed(script), Self.longestScript)
    play()
    mend()
    restart(at: clock)
    // What was said, broken and pressed before the start counts no more.
    (isRadioLying, areAnswersChanged, isAdvertisingRefused) = (false, false, false)
    (isDiskChanged, isEncrypted, sensorsSeen.toldAt) = (false, false, nil)
    for party in parties {
      party.begin(isKeyLost: party.isKeyLost && kept?.key != party.security.keyBytes)
    }
  }

  private func play() {
    var steps = 0
    while !feed.isEmpty, steps < 60 {
      steps += 1
      step()
      look()
    }
  }

  private func step() {
    let code = feed.u8()
    if code >= 230 { return rarestStep(code - 230) }
    if code >= 200 { return rarerStep(code % 6) }
    switch code % 20 {
    case 0, 1: pass(feed.pick(Self.times))
    case 2, 3: advertise()
    case 4: ride()
    case 5: press()
    case 6: world.loseLink(reason: feed.pick([0x08, 0x13, 0x16, 0x3E, 0x3D, 0x05, 0x22]))
    case 7: changePhone()
    case 8: changeController()
    case 9: breakPort()
    case 10: faults.append(AirFault(&feed))
    case 11: strangerComes()
    case 12: phoneSays()
    case 13: controllerSays()
    case 14: restart()
    case 15: moveService()
    case 16: mendPorts()
    case 17: pair()
    case 18: touch()
    default: world.loseRadio()
    }
  }

  private func rarerStep(_ code: UInt8) {
    switch code {
    case 0, 1:
      active = feed.pick(parties)
      tell("now \(active.name)")
    case 2:
      world.isTransportFull = feed.bool()
      tell("the transport \(world.isTransportFull ? "takes nothing" : "goes on")")
    case 3:  // a recorded address is replayed
      active.phone.address = parties[0].phone.address
    case 4: plugPanel()
    default: world.reportFault = feed.pick([nil, .noSpace])
    }
  }

  func pass(_ time: Int64) {
    let time = min(time, max(timeLeft, 1_000))
    timeLeft -= time
    tell("\(time) ms")
    world.pass(time)
  }

  private func advertise() {
    if active.phone.security != nil, feed.bool() {
      active.phone.address = active.security.privateAddress(feed.u8())
    }
    world.advertise(active.phone, rssi: Int8(bitPattern: feed.u8()))
    pass(feed.pick([0, 250, 1_000]))
  }

  /// The shortest way to a phone that is paired and rides.
  private func pair() {
    world.advertise(active.phone)
    pass(1_000)
    press("a")
    pass(1_500)
    press("a")
    ride()
  }

  private func ride() {
    street += 1
    let length = Int(feed.u8())
    let name = "\(active.streets) \(street) " + String(repeating: "ä", count: length)
    world.tell(
      feed.u8() % 32, UInt32(feed.u16()), name, id: UInt32(street), by: active.phone)
    pass(100)
  }

  private func press() { press(feed.pick(["a", "A", "b", "B", "r"])) }

  func press(_ gesture: String) {
    tell("press \(gesture)")
    pressesOnLink += 1
    presses += 1
    world.press(gesture)
    // Whatever says that it is at home.
    if gesture == "a", !world.device.display.isOn { finding("a press left the panel dark") }
  }

  private func touch() {
    pressesOnLink += 1
    presses += 1
    world.touch(feed.pick([.a, .b]), isPressed: feed.bool())
    pass(feed.pick([10, 100, 700, 3_200]))
  }
}
